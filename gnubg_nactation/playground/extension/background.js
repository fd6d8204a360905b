// Reads the sites that the user has allowed, keeps the count at the icon, and starts Python.

const { offscreen } = chrome; // Chromium alone has it
/** @type {Promise<unknown> | null} */
let opening = null;

/** Open the page that holds Python, which Chromium has apart. */
async function openHost() {
  const contexts = await chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
  if (contexts.length) return;
  opening ??= offscreen.createDocument({ url: 'host.html', reasons: ['WORKERS'], justification: 'Python reads the text of a page in a worker.' });
  try {
    await opening;
  } finally {
    opening = null;
  }
}

const SITES = 'sites';
const SCRIPT = { js: ['content.js'], css: ['marks.css'] };
const isSite = (/** @type {string} */ origin) => /^(https?|\*):/.test(origin);

/** Let the browser read the sites that it allows, apart from those that are off. */
async function follow() {
  const { origins = [] } = await chrome.permissions.getAll();
  const { off = [] } = await chrome.storage.local.get('off');
  const matches = origins.filter(isSite).map((/** @type {string} */ origin) => (/\/$/.test(origin) ? `${origin}*` : origin));
  const known = await chrome.scripting.getRegisteredContentScripts({ ids: [SITES] });
  if (known.length) await chrome.scripting.unregisterContentScripts({ ids: [SITES] });
  if (!matches.length) return [];
  await chrome.scripting.registerContentScripts([{ id: SITES, matches, excludeMatches: off.length ? off : undefined, runAt: 'document_idle', ...SCRIPT }]);
  return matches;
}

async function begin() {
  const matches = await follow();
  if (!matches.length) return;
  for (const { id } of await chrome.tabs.query({ url: matches })) await read(id).catch(() => {});
}

/** Read the page of a tab. @type {(tabId: number) => Promise<void>} */
async function read(tabId) {
  await chrome.scripting.insertCSS({ target: { tabId }, files: SCRIPT.css });
  await chrome.scripting.executeScript({ target: { tabId }, files: SCRIPT.js });
}

/** @type {(message: any, sender: any) => Promise<any>} */
async function heed({ name, args, ...message }, sender) {
  if (name === 'count') {
    const text = message.count ? String(message.count) : '';
    await chrome.action.setBadgeText({ tabId: sender.tab.id, text });
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

chrome.commands.onCommand.addListener(async (/** @type {string} */ command, /** @type {any} */ tab) => {
  if (command !== 'next' || !tab?.id) return;
  await read(tab.id);
  await chrome.tabs.sendMessage(tab.id, { name: 'next' });
});
chrome.permissions.onAdded.addListener(begin);
chrome.permissions.onRemoved.addListener(follow);
chrome.runtime.onInstalled.addListener(async () => {
  begin();
  if (!isHere) await openHost();
  chrome.runtime.sendMessage({ to: 'host', name: 'find_in_post', args: [''] }).catch(() => {}); // so that later starts are quick
});
chrome.runtime.onStartup.addListener(begin);
