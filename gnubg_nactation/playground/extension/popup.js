// The window of the icon: reads this page, lists what is found, and turns reading on for the site.

import { element, find, small } from '../../web/kit/dom.js';
import { counted } from '../../web/kit/words.js';
import { askBackground } from './asking.js';
import { askFrames, watchFrames } from './frames.js';

/** @typedef {import('./frames.js').FrameReply} FrameReply */

const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
const address = /^https?:/.test(tab?.url || '') ? new URL(tab.url) : null;
const origin = address && `${address.protocol}//${address.hostname}/*`;

function report(/** @type {string} */ text) {
  find('problem').textContent = text;
  find('problem').hidden = !text;
}

/** @type {(frames: FrameReply[]) => void} */
function show(frames) {
  const busy = frames.some((frame) => frame.busy);
  const count = frames.reduce((sum, { texts }) => sum + texts.length, 0);
  find('count').textContent = busy ? 'Reading this page…' : count ? `${counted(count, 'board')} on this page` : 'No backgammon notation on this page';
  report(frames.find(({ problem }) => problem)?.problem || '');
  find('more').hidden = busy || !frames.some(({ left }) => left);
  if (busy && find('findings').children.length === count) return; // which may have the focus
  find('findings').replaceChildren(...frames.flatMap(({ frameId, texts }) => texts.map(([text, kind], at) => {
    const button = element('button', { type: 'button' }, text, ' ', small(kind));
    button.addEventListener('click', async () => {
      await askFrames(tab.id, { name: 'show', at }, frameId);
      close();
    });
    return element('li', {}, button);
  })));
}

async function follow() {
  for await (const frames of watchFrames(tab.id)) show(frames);
}

async function setSite(/** @type {boolean} */ isOn) {
  // The browser asks only during the click itself, and the question may close this window.
  const asked = isOn && chrome.permissions.request({ origins: [origin] });
  const { off = [] } = await chrome.storage.local.get('off');
  const others = off.filter((/** @type {string} */ site) => site !== origin);
  if (isOn) {
    await chrome.storage.local.set({ off: others });
    find('always').checked = await asked;
  } else {
    // A site that another permission covers stays readable, so it is also listed as off.
    await chrome.permissions.remove({ origins: [origin] }).catch(() => {});
    const isAllowed = await chrome.permissions.contains({ origins: [origin] });
    await chrome.storage.local.set({ off: isAllowed ? [...others, origin] : others });
  }
  await askBackground('follow');
  if (!isOn) await chrome.tabs.reload(tab.id);
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
    await askFrames(tab.id, { name: 'more' });
    await follow();
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
