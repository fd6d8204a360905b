// Light or dark: the system's choice, unless the reader chooses.

import { find, press } from './dom.js';
import { recall, store } from './storage.js';

const THEME = 'nactation-theme';
const page = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
/** Whether the page is dark. */
export const isDark = () => (page.dataset.theme || (system.matches ? 'dark' : 'light')) === 'dark';
const showTheme = () => press(find('theme'), isDark());

function setTheme(/** @type {string} */ theme) {
  if (theme === 'dark' || theme === 'light') page.dataset.theme = theme;
  showTheme();
}

export function startTheme() {
  setTheme(recall(THEME));
  system.addEventListener('change', showTheme);
  find('theme').addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    store(THEME, theme);
    setTheme(theme);
  });
}
