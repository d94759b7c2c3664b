// Writes a .gz and a .br beside each text file, so that the server need not compress anything.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(?:js|css|html|svg|json|webmanifest)$/;
const LEAST = 512; // smaller files do not get smaller on the wire

export function precompress() {
  let folder;
  return {
    name: 'lostcities-precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true })) {
        if (!TEXT.test(name)) continue;
        const path = join(folder, name);
        const bytes = readFileSync(path);
        if (bytes.length < LEAST) continue;
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
      }
    },
  };
}
