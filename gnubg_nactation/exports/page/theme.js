// Light and dark, as the system has it or as the reader wants it.

const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme || (system.matches ? 'dark' : 'light')) === 'dark';

function showTheme() {
  find('theme').setAttribute('aria-pressed', String(isDark()));
}

function remembered(...value) {
  try {
    if (value.length) localStorage.setItem('nactation-theme', value[0]);
    return localStorage.getItem('nactation-theme');
  } catch {
    return null; // no storage for files in this browser
  }
}

function setTheme(theme) {
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  showTheme();
}

function startTheme() {
  setTheme(remembered());
  system.addEventListener('change', showTheme);
  find('theme').addEventListener('click', () => setTheme(remembered(isDark() ? 'light' : 'dark') || (isDark() ? 'light' : 'dark')));
}
