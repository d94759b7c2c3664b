import { mount } from 'svelte';
import App from './App.svelte';
import { useLanguage } from './i18n/texts.svelte';
import { settings } from './lib/settings.svelte';
import './styles/base.css';

// Colors before the first picture, texts before the first word: nothing jumps.
const root = document.documentElement;
root.dataset.theme = settings.theme;
root.dataset.motion = settings.motion;
root.dataset.symbols = settings.symbols;

void useLanguage(settings.language).then(() => mount(App, { target: document.getElementById('app')! }));
