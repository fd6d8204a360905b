// Reads the sites that the user has allowed, keeps the count at the icon, and starts Python.

import { askFrames, watchFrames } from './frames.js';

const { offscreen } = chrome; // Chromium alone has it
/** @type {Promise<unknown> | null} */
let opening = null;

/** Open the page that holds Python, which Chromium has apart. */
function openHost() {
  opening ??= (async () => {
    const contexts = await chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
    if (!contexts.length) await offscreen.createDocument({ url: 'host.html', reasons: ['WORKERS'], justification: 'Python reads the text of a page in a worker.' });
  })().finally(() => { opening = null; });
  return opening;
}

const SITES = 'sites';
const SCRIPT = { js: ['content.js'], css: ['marks.css'] };
const isSite = (/** @type {string} */ origin) => /^(https?|\*):/.test(origin);

/** @type {Promise<string[]>} */
let following = Promise.resolve([]);

/** Let the browser read the sites that it allows; one call after the other, as each replaces a script. */
function follow() {
  following = following.catch(() => []).then(register);
  return following;
}

/** Register the sites that are allowed, apart from those that are off. */
async function register() {
  const { origins = [] } = await chrome.permissions.getAll();
  const { off = [] } = await chrome.storage.local.get('off');
  const matches = origins.filter(isSite).map((/** @type {string} */ origin) => (/\/$/.test(origin) ? `${origin}*` : origin));
  const known = await chrome.scripting.getRegisteredContentScripts({ ids: [SITES] });
  if (known.length) await chrome.scripting.unregisterContentScripts({ ids: [SITES] });
  if (!matches.length) return [];
  await chrome.scripting.registerContentScripts([{ id: SITES, matches, excludeMatches: off.length ? off : undefined, runAt: 'document_idle', allFrames: true, matchOriginAsFallback: true, ...SCRIPT }]);
  return matches;
}

async function begin() {
  const matches = await follow();
  if (!matches.length) return;
  for (const { id } of await chrome.tabs.query({ url: matches })) await read(id).catch(() => {});
}

/** Read the page of a tab and its frames. @type {(tabId: number) => Promise<void>} */
async function read(tabId) {
  const target = { tabId, allFrames: true };
  await chrome.scripting.insertCSS({ target, files: SCRIPT.css });
  await chrome.scripting.executeScript({ target, files: SCRIPT.js, injectImmediately: true });
}

/** Show the board after the last one that was shown, in the page or in one of its frames. @type {(tabId: number) => Promise<void>} */
async function showNext(tabId) {
  await read(tabId);
  for await (const replies of watchFrames(tabId)) {
    const frames = replies.filter(({ texts }) => texts.length);
    if (!frames.length) continue; // Python may be starting
    const latest = Math.max(...frames.map(({ opened }) => opened));
    const place = latest ? frames.findIndex(({ opened }) => opened === latest) : 0;
    const { frameId, texts, at } = frames[place];
    const isLast = at + 1 >= texts.length;
    const next = isLast ? frames[(place + 1) % frames.length].frameId : frameId;
    if (next !== frameId) await askFrames(tabId, { name: 'close' }, frameId);
    await askFrames(tabId, { name: 'next', at: isLast ? 0 : at + 1 }, next);
    return;
  }
  await chrome.action.setBadgeText({ tabId, text: '0' });
}

/** @type {(message: any, sender: any) => Promise<any>} */
async function heed({ name, args }, sender) {
  if (name === 'count') {
    const frames = await askFrames(sender.tab.id, { name: 'list' });
    const count = frames.reduce((sum, { texts }) => sum + texts.length, 0);
    await chrome.action.setBadgeText({ tabId: sender.tab.id, text: count ? String(count) : '' });
    return { value: null };
  }
  if (name === 'open') {
    await chrome.tabs.create({ url: chrome.runtime.getURL(`index.html#s=${encodeURIComponent(args[0])}`) });
    return { value: null };
  }
  if (name === 'read') {
    await read(args[0]);
    return { value: null };
  }
  if (name === 'follow') {
    await follow();
    return { value: null };
  }
  return { error: `no page may ask ${name}` };
}

/** Whether the host page hears of a question itself, because it is open in this browser always. */
const isHere = !offscreen;

chrome.runtime.onMessage.addListener((/** @type {any} */ message, /** @type {any} */ sender, /** @type {(reply: any) => void} */ reply) => {
  if (message.to === 'start') {
    (isHere ? Promise.resolve() : openHost()).then(() => reply({ value: null }), (error) => reply({ error: error.message }));
    return true;
  }
  if (message.to !== 'background') return false;
  heed(message, sender).then(reply, (error) => reply({ error: error.message }));
  return true;
});

chrome.commands?.onCommand.addListener(async (/** @type {string} */ command, /** @type {any} */ tab) => {
  if (command === 'next' && tab?.id) await showNext(tab.id).catch(() => {}); // the browser keeps some pages to itself
});
chrome.permissions.onAdded.addListener(begin);
chrome.permissions.onRemoved.addListener(follow);
chrome.runtime.onInstalled.addListener(async (/** @type {any} */ { reason }) => {
  begin();
  if (isHere || !['install', 'update'].includes(reason)) return;
  await openHost();
  chrome.runtime.sendMessage({ to: 'host', name: 'find_in_post', args: [''] }).catch(() => {}); // so that later starts are quick
});
chrome.runtime.onStartup.addListener(begin);
