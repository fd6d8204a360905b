// A match file: its page in a frame of its own, which may do nothing but show it, and other forms.

import { element, find, paragraph, small } from '../web/kit/dom.js';
import { data } from './data.js';
import { button, debounced, field, postButton, save, tried, trouble } from './parts.js';
import { ask, settled, Stopped } from './python.js';
import { leaveTyping } from './typing.js';
import { addView } from './views.js';

const PAUSE = 300; // milliseconds: who goes through a menu by keys does not want each of its matches
const MOST = 5; // remarks that are shown
const NO_ANALYSIS = 'There is no analysis in this match, so its page tells no errors and cannot ask for the best play. Analyse it in gnubg or XG, save it there with its analysis (.sgf or .xg), and open that file.';
const LARGEST = data.largest; // bytes: what is larger need not be read at all
/** The file and its page; nothing has a name. @type {{name: string, bytes: ArrayBuffer, page: string}} */
let opened = { name: '', bytes: new ArrayBuffer(0), page: '' };
let chosen = 0; // how many files were, the last of which is shown
let sample = ''; // the name of the sample that was chosen last

const nameOf = (/** @type {string} */ path) => path.split('/').pop() || '';

/** The view, with the name of a sample. @type {(text: string) => void} */
function openMatch(text) {
  leaveTyping();
  if (!text || text === sample) {
    address();
    return;
  }
  const path = data.samples.find((one) => nameOf(one) === text);
  field('sample').value = path || '';
  if (path) takeSample();
  else fail(`There is no sample ${text}.`);
}

function address() {
  history.replaceState(null, '', sample ? `#match=${encodeURIComponent(sample)}` : '#match');
}

function fail(/** @type {string} */ why) {
  find('outcome').replaceChildren(trouble(why));
  find('choosing').classList.remove('folded');
}

/** @type {(name: string, size: number, load: () => Promise<ArrayBuffer>) => Promise<void>} */
async function read(name, size, load) {
  const place = chosen += 1;
  find('frame').replaceChildren();
  find('exports').hidden = true;
  if (size > LARGEST) {
    fail(`${name}: ${(size / 1e6).toFixed(0)} MB is more than the page takes, ${LARGEST / 1e6} MB; the program on your machine takes more.`);
    return;
  }
  if (!size) {
    fail(`${name}: the file is empty`);
    return;
  }
  find('outcome').replaceChildren(paragraph(`Reading ${name}…`));
  try {
    const bytes = await load();
    await settled();
    if (place !== chosen) return;
    const { value, error } = await ask('match', [], bytes.slice(0));
    if (place !== chosen) return;
    if (error) fail(`${name}: ${error}`);
    else show(name, bytes, value);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    fail(`${name} was not read: it was stopped, or Python is not there.`);
  }
}

/** @type {(name: string, bytes: ArrayBuffer, value: {title: string, page: string, analysed: boolean, remarks: string[]}) => void} */
function show(name, bytes, { title, page, analysed, remarks }) {
  opened = { name, bytes, page };
  const more = remarks.length > MOST ? [trouble(`and ${remarks.length - MOST} more`)] : [];
  find('outcome').replaceChildren(paragraph(element('b', {}, title)), ...remarks.slice(0, MOST).map(trouble), ...more,
    ...(analysed ? [] : [paragraph(small(NO_ANALYSIS))]));
  // Without `allow-same-origin` the frame has no part in this page and its storage.
  const frame = element('iframe', { title: 'The match', name: 'playground' });
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('allow', 'clipboard-write');
  frame.srcdoc = page;
  find('frame').replaceChildren(frame);
  find('exports').hidden = false;
  find('choosing').classList.add('folded');
  if (document.documentElement.dataset.view !== 'match') return;
  find('matched').scrollIntoView();
  frame.focus({ preventScroll: true }); // its keys, not those of the menu
}

async function exported(/** @type {string} */ form) {
  const { value, error } = await ask('export_match', [form], opened.bytes.slice(0));
  if (error) throw new Error(error);
  return Uint8Array.from(atob(value), (one) => one.charCodeAt(0));
}

const base = () => opened.name.replace(/\.[^.]*$/, '');

const SAVES = {
  'Save annotated SGF': async () => save(`${base()}.nactation.sgf`, new Blob([await exported('sgf')], { type: 'application/x-go-sgf' })),
  'Save text': async () => save(`${base()}.nactation.txt`, new Blob([await exported('text')], { type: 'text/plain' })),
  'Save page': async () => save(`${base()}.html`, new Blob([opened.page], { type: 'text/html' })),
};

const tell = (/** @type {string} */ message) => find('outcome').append(trouble(message));
find('exports').replaceChildren(
  ...Object.entries(SAVES).map(([name, does]) => button(tried(does, tell), name)),
  postButton(async (target) => new TextDecoder().decode(await exported(target)), tell),
);

async function take(/** @type {File | undefined} */ file) {
  if (!file) return;
  sample = '';
  if (document.documentElement.dataset.view === 'match') address();
  field('sample').value = ''; // so that the same sample can be chosen again
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
  field('file').value = ''; // so that the same file can be chosen again
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
