// A match file: its page in a frame of its own, which may do nothing but show it, and other forms.

import { element, find } from './board.js';
import { button, copy, debounced, download, field, paragraph, trouble } from './parts.js';
import { ask, Stopped } from './python.js';
import { leaveTyping } from './typing.js';

const PAUSE = 300; // milliseconds: who goes through a menu by keys does not want each of its matches
const LARGEST = 8e6; // bytes, as in answers.py: what is larger need not be read at all
const data = JSON.parse(find('data').textContent);
let opened = null; // the file: its name and bytes
let chosen = 0; // how many files were, the last of which is shown

/** The view. */
export function openMatch() {
  leaveTyping();
}

async function read(name, bytes) {
  const place = chosen += 1;
  opened = null;
  find('frame').replaceChildren();
  find('exports').hidden = true;
  if (bytes.byteLength > LARGEST) {
    find('outcome').replaceChildren(trouble(`${name}: ${(bytes.byteLength / 1e6).toFixed(0)} MB is more than the page takes, ${LARGEST / 1e6} MB; the program on your machine takes more.`));
    return;
  }
  if (!bytes.byteLength) {
    find('outcome').replaceChildren(trouble(`${name}: the file is empty`));
    return;
  }
  find('outcome').replaceChildren(paragraph(`Reading ${name}…`));
  try {
    const { value, error } = await ask('match', [], bytes.slice(0));
    if (place !== chosen) return;
    if (error) find('outcome').replaceChildren(trouble(`${name}: ${error}`));
    else show(name, bytes, value);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    find('outcome').replaceChildren(trouble(`${name} was not read: it was stopped, or Python is not there.`));
  }
}

function show(name, bytes, { title, page, remarks }) {
  opened = { name, bytes, page };
  find('outcome').replaceChildren(paragraph(title), ...remarks.slice(0, 5).map(trouble));
  // Without `allow-same-origin` the frame has no part in this page and its storage.
  const frame = element('iframe', { title: 'The match' });
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('allow', 'clipboard-write');
  frame.srcdoc = page;
  find('frame').replaceChildren(frame);
  find('exports').hidden = false;
}

async function exported(form) {
  const { value, error } = await ask('exported', [form], opened.bytes.slice(0));
  if (error) throw new Error(error);
  return Uint8Array.from(atob(value), (one) => one.charCodeAt(0));
}

const base = () => opened.name.replace(/\.[^.]*$/, '');

const SAVES = {
  'Save annotated SGF': async () => download(`${base()}.nactation.sgf`, new Blob([await exported('sgf')], { type: 'application/x-go-sgf' })),
  'Save text': async () => download(`${base()}.nactation.txt`, new Blob([await exported('text')], { type: 'text/plain' })),
  'Save page': async () => download(`${base()}.html`, new Blob([opened.page], { type: 'text/html' })),
};

function tried(does) {
  return async () => {
    try {
      await does();
    } catch (error) {
      if (!(error instanceof Stopped)) find('outcome').append(trouble(error.message));
    }
  };
}

const target = element('select', { ariaLabel: 'Where the post goes' }, ...data.targets.map((name) => element('option', {}, name)));
target.value = 'reddit';
find('exports').replaceChildren(
  ...Object.entries(SAVES).map(([name, does]) => button(tried(does), name)),
  element('span', { className: 'together' },
    button(tried(async () => copy(new TextDecoder().decode(await exported(target.value)), `Post for ${target.value}`)), 'Copy post'), target),
);

async function take(file) {
  if (!file) return;
  field('sample').value = ''; // so that the same sample can be chosen again
  await read(file.name, file.size > LARGEST ? { byteLength: file.size } : await file.arrayBuffer());
}

find('also').textContent = data.archives.length > 1 ? ', .xg' : '';
find('sample').append(...data.samples.map((path) => element('option', { value: path }, path.split('/').pop())));

async function takeSample() {
  const { value } = field('sample');
  const name = value.split('/').pop();
  if (!value) return;
  try {
    const response = await fetch(value);
    if (!response.ok) throw new Error(String(response.status));
    const bytes = await response.arrayBuffer();
    if (value === field('sample').value) await read(name, bytes);
  } catch (error) {
    find('outcome').replaceChildren(trouble(`${name} could not be loaded: ${error.message}`));
  }
}

find('sample').addEventListener('change', debounced(takeSample, PAUSE));
find('file').addEventListener('change', async () => {
  await take(field('file').files[0]);
  field('file').value = ''; // so that the same file can be chosen again
});
for (const kind of ['dragenter', 'dragover']) {
  addEventListener(kind, (/** @type {DragEvent} */ event) => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    find('drop').classList.add('over');
  });
}
addEventListener('dragleave', () => find('drop').classList.remove('over'));
addEventListener('drop', (event) => {
  find('drop').classList.remove('over');
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  location.hash = 'match';
  take(event.dataTransfer.files[0]);
});
