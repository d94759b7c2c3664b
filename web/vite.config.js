import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { checkCatalogues } from './plugins/catalogues.js';
import { precompress } from './plugins/precompress.js';

const SERVER = process.env.LOSTCITIES_SERVER ?? 'http://127.0.0.1:8765';

export default defineConfig(({ mode }) => ({
  plugins: [checkCatalogues(), svelte(), precompress()],
  build: {
    outDir: '../src/lostcities/server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's content policy allows no data: but for images, and hashed files cache better
    target: 'es2022',
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': { target: SERVER, ws: true } } },
  test: { environment: 'happy-dom', include: ['tests/**/*.test.ts'] },
  // Vitest must load the client's half of Svelte, not the server's.
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
}));
