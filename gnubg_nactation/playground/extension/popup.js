// The window of the icon: reads this page, lists what is found, and turns reading on for the site.

import { element, find, small } from '../../web/kit/dom.js';
import { counted } from '../../web/kit/words.js';
import { askBackground } from './asking.js';

const PAUSE = 200; // milliseconds between looks at the page
const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
const address = /^https?:/.test(tab?.url || '') ? new URL(tab.url) : null;
const origin = address && `${address.protocol}//${address.hostname}/*`;

function report(/** @type {string} */ text) {
  find('problem').textContent = text;
  find('problem').hidden = !text;
}

/** Ask the page. @type {(message: object) => Promise<any>} */
const askPage = async (message) => (await chrome.tabs.sendMessage(tab.id, message)).value;

/** @type {(value: {texts: [string, string][], left: number, busy: boolean, problem: string}) => void} */
function show({ texts, left, busy, problem }) {
  find('count').textContent = busy ? 'Reading this page…' : texts.length ? `${counted(texts.length, 'board')} on this page` : 'No backgammon notation on this page';
  report(problem);
  find('more').hidden = busy || !left;
  if (find('findings').children.length === texts.length) return;
  find('findings').replaceChildren(...texts.map(([text, kind], at) => {
    const button = element('button', { type: 'button' }, text, ' ', small(kind));
    button.addEventListener('click', async () => {
      await askPage({ name: 'show', at });
      close();
    });
    return element('li', {}, button);
  }));
}

async function follow() {
  for (;;) {
    const value = await askPage({ name: 'list' });
    show(value);
    if (!value.busy) return;
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
  }
}

async function setSite(/** @type {boolean} */ isOn) {
  const { off = [] } = await chrome.storage.local.get('off');
  const others = off.filter((/** @type {string} */ site) => site !== origin);
  if (isOn) {
    find('always').checked = await chrome.permissions.request({ origins: [origin] });
    await chrome.storage.local.set({ off: others });
  } else {
    // A site that another permission covers stays readable, so it is also listed as off.
    await chrome.permissions.remove({ origins: [origin] }).catch(() => {});
    const isAllowed = await chrome.permissions.contains({ origins: [origin] });
    await chrome.storage.local.set({ off: isAllowed ? [...others, origin] : others });
    await chrome.tabs.reload(tab.id);
  }
  await askBackground('follow');
}

async function begin() {
  find('open').addEventListener('click', () => askBackground('open', ['']).then(() => close()));
  find('options').addEventListener('click', () => chrome.runtime.openOptionsPage());
  find('always').disabled = !origin;
  if (origin) {
    const { off = [] } = await chrome.storage.local.get('off');
    find('site').textContent = address?.hostname;
    find('always').checked = !off.includes(origin) && await chrome.permissions.contains({ origins: [origin] });
    find('always').addEventListener('change', () => setSite(find('always').checked).catch((error) => report(error.message)));
  }
  find('more').addEventListener('click', async () => {
    await askPage({ name: 'more' });
    follow();
  });
  try {
    await askBackground('read', [tab.id]);
    await follow();
  } catch (error) {
    find('count').textContent = 'This page cannot be read';
    report(/cannot be scripted|missing host|cannot access/i.test(error.message) ? 'The browser keeps extensions away from it.' : error.message);
  }
}

begin();
