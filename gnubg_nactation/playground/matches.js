// A match file: its page in a sandboxed frame, and its exports.

import { element, find, paragraph, small } from '../web/kit/dom.js';
import { data } from './data.js';
import { button, debounced, field, postButton, save, tried, trouble } from './parts.js';
import { ask, settled, Stopped } from './python.js';
import { leaveTyping } from './typing.js';
import { addView } from './views.js';

const PAUSE = 300; // milliseconds, so that keys can pass over entries of the menu
const MAX_REMARKS = 5;
const NO_ANALYSIS = 'This match has no analysis, so its page has no errors and no quiz. Analyse it in gnubg or XG, save it with the analysis (.sgf or .xg), and open that file.';
const MAX_BYTES = data.largest;
/** The file and its page. @type {{name: string, bytes: ArrayBuffer, page: string}} */
let opened = { name: '', bytes: new ArrayBuffer(0), page: '' };
let count = 0; // of the files opened so far; only the last one is shown
let sample = ''; // the name of the sample chosen last

const nameOf = (/** @type {string} */ path) => path.split('/').pop() || '';

/** Open the view, and a sample by its name. @type {(text: string) => void} */
function openMatch(text) {
  leaveTyping();
  if (!text || text === sample) {
    address();
    return;
  }
  const path = data.samples.find((known) => nameOf(known) === text);
  field('sample').value = path || '';
  if (path) takeSample();
  else fail(`No sample is called ${text}.`);
}

function address() {
  history.replaceState(null, '', sample ? `#match=${encodeURIComponent(sample)}` : '#match');
}

function fail(/** @type {string} */ message) {
  find('outcome').replaceChildren(trouble(message));
  find('choosing').classList.remove('folded');
}

/** @type {(name: string, size: number, load: () => Promise<ArrayBuffer>) => Promise<void>} */
async function read(name, size, load) {
  const number = count += 1;
  find('frame').replaceChildren();
  find('exports').hidden = true;
  if (size > MAX_BYTES) {
    fail(`${name} has ${(size / 1e6).toFixed(0)} MB; this page reads up to ${MAX_BYTES / 1e6} MB. For larger files, install the program on your computer.`);
    return;
  }
  if (!size) {
    fail(`${name} is empty.`);
    return;
  }
  find('outcome').replaceChildren(paragraph(`Reading ${name}…`));
  try {
    const bytes = await load();
    await settled();
    if (number !== count) return;
    const value = await ask('match', [], bytes.slice(0));
    if (number === count) show(name, bytes, value);
  } catch (error) {
    if (number !== count) return;
    fail(error instanceof Stopped ? `${name} was not read: Python was stopped or could not be loaded.` : `${name}: ${error.message}`);
  }
}

/** @type {(name: string, bytes: ArrayBuffer, value: {title: string, page: string, analysed: boolean, remarks: string[]}) => void} */
function show(name, bytes, { title, page, analysed, remarks }) {
  opened = { name, bytes, page };
  const more = remarks.length > MAX_REMARKS ? [trouble(`and ${remarks.length - MAX_REMARKS} more`)] : [];
  find('outcome').replaceChildren(paragraph(element('b', {}, title)), ...remarks.slice(0, MAX_REMARKS).map(trouble), ...more,
    ...(analysed ? [] : [paragraph(small(NO_ANALYSIS))]));
  // Without `allow-same-origin` the frame cannot reach this page and its storage.
  const frame = element('iframe', { title: 'The match', name: 'playground' });
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('allow', 'clipboard-write');
  frame.srcdoc = page;
  find('frame').replaceChildren(frame);
  find('exports').hidden = false;
  find('choosing').classList.add('folded');
  if (document.documentElement.dataset.view !== 'match') return;
  find('matched').scrollIntoView();
  frame.focus({ preventScroll: true }); // keys go to the match, not to the menu
}

async function exported(/** @type {string} */ form) {
  const base64 = await ask('export_match', [form], opened.bytes.slice(0));
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const base = () => opened.name.replace(/\.[^.]*$/, '');

const SAVES = {
  'Save annotated SGF': async () => save(`${base()}.nactation.sgf`, new Blob([await exported('sgf')], { type: 'application/x-go-sgf' })),
  'Save text': async () => save(`${base()}.nactation.txt`, new Blob([await exported('text')], { type: 'text/plain' })),
  'Save page': async () => save(`${base()}.html`, new Blob([opened.page], { type: 'text/html' })),
};

const report = (/** @type {string} */ message) => find('outcome').append(trouble(message));
find('exports').replaceChildren(
  ...Object.entries(SAVES).map(([name, does]) => button(tried(does, report), name)),
  postButton(async (target) => new TextDecoder().decode(await exported(target)), report),
);

async function take(/** @type {File | undefined} */ file) {
  if (!file) return;
  sample = '';
  if (document.documentElement.dataset.view === 'match') address();
  field('sample').value = ''; // the same sample can be chosen again
  await read(file.name, file.size, () => file.arrayBuffer());
}

addView('match', 'match', openMatch);
find('also').textContent = data.archives.length > 1 ? ', .xg' : '';
find('sample').append(...data.samples.map((path, at) => element('option', { value: path }, data.titles[at])));

async function takeSample() {
  const { value } = field('sample');
  if (!value) return;
  const name = nameOf(value);
  sample = name;
  address();
  try {
    const response = await fetch(value);
    if (!response.ok) throw new Error(String(response.status));
    const bytes = await response.arrayBuffer();
    if (name === sample) await read(name, bytes.byteLength, async () => bytes);
  } catch (error) {
    fail(`${name} could not be loaded: ${error.message}`);
  }
}

find('sample').addEventListener('change', debounced(takeSample, PAUSE));
find('file').addEventListener('change', async () => {
  await take(field('file').files?.[0]);
  field('file').value = ''; // the same file can be chosen again
});
for (const kind of ['dragenter', 'dragover']) {
  addEventListener(kind, (/** @type {any} */ event) => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    find('drop').classList.add('over');
  });
}
addEventListener('dragleave', () => find('drop').classList.remove('over'));
addEventListener('drop', (event) => {
  find('drop').classList.remove('over');
  const { files = [] } = event.dataTransfer || {};
  if (!files.length) return;
  event.preventDefault();
  sample = '';
  location.hash = 'match';
  take(files[0]);
});
