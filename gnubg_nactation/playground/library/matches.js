// A match file: opened, analysed in steps, shown by game.js, and exported.

import { element, find, paragraph, small } from '../../web/kit/dom.js';
import { data } from '../data.js';
import { forgetMatch, keepName, linkTo, renewMatch, setMatch, showAt, stepBy } from './game.js';
import { keptAnalysis, keptFile } from './keeping.js';
import { addFiles, askLibrary, isDatabase, mergeDatabase, readAdded } from './shelf.js';
import { takeShared } from '../memory.js';
import { button, field, postButton, replace, save, say, tried, trouble } from '../parts.js';
import { ask, engineProblem, engineSettled, settled, Stopped } from '../python.js';
import { leaveTyping } from '../board/typing.js';
import { addView } from '../views.js';

const MAX_REMARKS = 5;
const NO_ANALYSIS = 'This match has no analysis, so it has no errors and no quiz. Analyse it in gnubg or XG, save it with the analysis (.sgf or .xg), and open that file.';
const DEEP = 2; // plies
const MAX_BYTES = data.largest;
/** An opened match: see `match` of answers.py. @typedef {{title: string, analysed: boolean, remarks: string[], data: PageData, summaries: Summary[]}} Opened */

/** The file, which this page has analysed at some plies. @type {{name: string, bytes: ArrayBuffer, plies: number | null}} */
let opened = { name: '', bytes: new ArrayBuffer(0), plies: null };
let count = 0; // of the files opened so far; only the last one is shown
let sample = ''; // the name of the sample or kept file chosen last

let place = ''; // what the address asks for in the match

const nameOf = (/** @type {string} */ path) => path.split('/').pop() || '';

/** Open the view, a sample by its name, and a place in the match: `match-7pt.mat&at=1.10b`. @type {(text: string) => void} */
function openMatch(text) {
  leaveTyping();
  const [name, wanted = ''] = text.split('&at=');
  place = wanted;
  showOpened(true);
  if (!name || name === sample) {
    showAt(place);
    return;
  }
  showAt('');
  takeNamed(name);
}

/** Open a match of the library, or a sample. @type {(name: string) => Promise<void>} */
async function takeNamed(name) {
  close();
  tell(paragraph(`Reading ${name}…`));
  sample = name;
  const path = data.samples.find((known) => nameOf(known) === name);
  let bytes = await keptFile(name).catch(() => undefined);
  let copy = name;
  if (!bytes && !path) {
    tell(paragraph(`Looking for ${name}…`));
    for (copy of await askLibrary('library_copies', name).catch(() => [])) {
      bytes = await keptFile(copy);
      if (bytes) break;
    }
  }
  const analysis = bytes && await keptAnalysis(copy);
  if (sample !== name) return;
  if (bytes) await read(name, bytes.byteLength, async () => /** @type {ArrayBuffer} */ (bytes), analysis && analysis.done >= 0 ? [analysis.done, analysis.kept] : []);
  else if (path) takeSample(path);
  else fail(`The file ${name} is not on this device. Add it to the library, and its match opens.`);
}

/** @type {(message: string, ...more: Node[]) => void} */
function fail(message, ...more) {
  close();
  sample = ''; // so that the same link tries again
  tell(trouble(message), ...more);
}

/** Say what there is instead of a match. @type {(...parts: Node[]) => void} */
function tell(...parts) {
  find('outcome').replaceChildren(...parts);
  setOpen(false);
}

/** Show the match that is open or being read, or the choice of one. */
export function showOpened(/** @type {boolean} */ is) {
  find('matched').hidden = !is;
  find('choosing').hidden = is && find('outcome').hasChildNodes();
  if (is) return;
  find('beside-match').hidden = true;
  document.documentElement.dataset.match = '';
}

/** Leave the match, without going to another address. */
function leaveMatch() {
  sample = place = '';
  close();
}

/** Leave the match for the choice of another. */
function close() {
  count += 1;
  forgetMatch();
  find('outcome').replaceChildren();
  setOpen(false);
}

function setOpen(/** @type {boolean} */ isOpen) {
  const isTold = find('outcome').hasChildNodes();
  find('choosing').hidden = isTold && document.documentElement.dataset.view === 'match';
  find('leave').hidden = !isTold;
  find('exports').hidden = !isOpen;
}

/** Read and show a match file: whether it was shown, refused, or left before. `kept` are the plies and the analyses that the library has of it. @type {(name: string, size: number, load: () => Promise<ArrayBuffer>, kept?: unknown[]) => Promise<'shown' | 'refused' | 'left'>} */
async function read(name, size, load, kept = []) {
  close();
  const number = count;
  if (size > MAX_BYTES) {
    fail(`${name} has ${(size / 1e6).toFixed(0)} MB; this page reads up to ${MAX_BYTES / 1e6} MB. For larger files, install the program on your computer.`);
    return 'refused';
  }
  if (!size) {
    fail(`${name} is empty.`);
    return 'refused';
  }
  tell(paragraph(`Reading ${name}…`));
  try {
    const bytes = await load();
    await settled();
    if (number !== count) return 'left';
    const value = await ask('match', kept, bytes.slice(0));
    if (number === count) show(name, bytes, value, /** @type {number} */ (kept[0] ?? null));
    return number === count ? 'shown' : 'left';
  } catch (error) {
    const isLeft = error instanceof Stopped;
    if (number === count && isLeft) {
      const from = sample;
      const again = () => {
        sample = from;
        read(name, size, load, kept);
      };
      fail(`${name} was not read: Python was stopped or could not be loaded.`, paragraph(button(again, 'Read it again')));
    } else if (number === count) fail(`${name}: ${error.message}`);
    return isLeft ? 'left' : 'refused';
  }
}

/** @type {(name: string, bytes: ArrayBuffer, value: Opened, plies: number | null) => void} */
function show(name, bytes, value, plies) {
  const { title, analysed, remarks } = value;
  opened = { name, bytes, plies };
  const more = remarks.length > MAX_REMARKS ? [trouble(`and ${remarks.length - MAX_REMARKS} more`)] : [];
  find('outcome').replaceChildren(element('h2', { ariaLevel: '1' }, element('a', { id: 'to-summary', href: '#match' }, title)), element('div', { id: 'analysis' }), // a phone shows no other head
    ...remarks.slice(0, MAX_REMARKS).map(trouble), ...more);
  setMatch(value, sample);
  setOpen(true);
  if (document.documentElement.dataset.view === 'match') showAt(place);
  if (!analysed) analyse(0);
  else if (plies !== null) offer(plies);
}

/** Analyse the match in steps, between which other views can ask; then its page has errors and a quiz. @type {(plies: number) => Promise<void>} */
async function analyse(plies) {
  const number = count;
  const box = find('analysis');
  const progress = element('progress', { max: 1, value: 0, ariaLabel: 'Analysis' });
  let isStopped = false;
  const stop = button(() => { isStopped = true; offer(plies); }, 'Stop');
  replace(box, [element('p', { className: 'row' }, small(`Analysing at ${plies}-ply…`), progress, stop)]);
  if (data.engine) await engineSettled();
  if (number !== count) return;
  if (!data.engine || engineProblem()) {
    box.replaceChildren(paragraph(small(NO_ANALYSIS)));
    return;
  }
  try {
    /** @type {any} */
    let answer = { done: 0, total: 1 };
    while (!answer.data) {
      answer = await ask('analyse', [plies, answer.done], opened.bytes.slice(0));
      if (number !== count || isStopped) return;
      progress.value = answer.done / answer.total || 0;
    }
    opened.plies = plies;
    renewMatch(answer);
    offer(plies);
  } catch (error) {
    if (number !== count) return;
    box.replaceChildren(trouble(error instanceof Stopped ? 'The match was not analysed: Python was stopped.' : `The match was not analysed: ${error.message}`));
  }
}

/** Say how the match is analysed, and offer to go on after a search of some plies. @type {(plies: number) => void} */
function offer(plies) {
  const done = opened.plies === null ? 'This match has no analysis.' : `Analysed at ${opened.plies}-ply by GNU Backgammon’s evaluation, in this page.`;
  const next = opened.plies === null ? plies : DEEP;
  const more = opened.plies === DEEP ? [] : [button(() => analyse(next), `Analyse at ${next}-ply`)];
  replace(find('analysis'), [element('p', { className: 'row' }, small(done), ...more)]);
}

async function exported(/** @type {string} */ form) {
  const base64 = await ask('export_match', [form, opened.plies], opened.bytes.slice(0));
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const base = () => opened.name.replace(/\.[^.]*$/, '');

const SAVES = {
  'Save annotated SGF': async () => save(`${base()}.nactation.sgf`, new Blob([await exported('sgf')], { type: 'application/x-go-sgf' })),
  'Save text': async () => save(`${base()}.nactation.txt`, new Blob([await exported('text')], { type: 'text/plain' })),
  'Save page': async () => save(`${base()}.html`, new Blob([await exported('html')], { type: 'text/html' })),
};

const report = (/** @type {string} */ message) => find('outcome').append(trouble(message));
find('exports').lastElementChild.append(
  ...Object.entries(SAVES).map(([name, does]) => button(tried(does, report), name)),
  postButton(async (target) => new TextDecoder().decode(await exported(target)), report),
);

const PART = /_\d{3}(?=\.txt$)/i; // of the names that gnubg gives to the reports of a match's games

/** The files, with the reports of one match as one. @type {(files: {name: string, file: Blob}[]) => {name: string, file: Blob}[]} */
function joined(files) {
  /** @type {Map<string, {name: string, file: Blob}[]>} */
  const groups = new Map();
  for (const one of files.toSorted(({ name }, { name: other }) => (name < other ? -1 : 1))) {
    const key = one.name.replace(PART, '');
    groups.set(key, [...groups.get(key) || [], one]);
  }
  const isMatch = (/** @type {{name: string}[]} */ parts) => parts.length > 1 && new Set(parts.map(({ name }) => name)).size === parts.length;
  return [...groups].flatMap(([name, parts]) => (isMatch(parts) ? [{ name, file: new Blob(parts.flatMap(({ file }, at) => (at ? ['\n', file] : [file]))) }] : parts));
}

/** Open a match file, and keep it in the library; several files are only kept. Returns false if a file is left for later. @type {(files: {name: string, file: Blob}[]) => Promise<boolean>} */
async function take(files) {
  if (!files.length) return true;
  files = joined(files);
  const [{ name, file }] = files;
  const isOne = files.length === 1;
  if (!isOne || await isDatabase(file)) {
    location.hash = 'library';
    let isDone = false;
    await tried(async () => {
      if (isOne) say(`Adding ${name}…`);
      const problem = isOne ? await mergeDatabase(await file.arrayBuffer()) : '';
      if (isOne) say(problem ? '' : `${name} added`);
      isDone = isOne || (await addFiles(files)).isWhole;
      if (problem) throw new Error(problem);
      await readAdded();
    })();
    return isDone;
  }
  location.hash = 'match';
  leaveMatch();
  const outcome = await read(name, file.size, () => file.arrayBuffer());
  if (outcome !== 'shown') return outcome === 'refused';
  const number = count;
  const { names, isWhole, problem } = await addFiles(files).catch(({ message }) => ({ names: [], isWhole: false, problem: message }));
  if (problem) say(`${name} was not added. ${problem}`);
  if (number === count && names.length) {
    [sample] = names;
    keepName(sample);
    history.replaceState(null, '', location.hash.replace(/^#match(?=&|$)/, linkTo('')));
  }
  await readAdded();
  return isWhole;
}

/** Open a match that was pasted. @type {(text: string) => void} */
export function takeText(text) {
  take([{ name: 'pasted.txt', file: new Blob([text]) }]);
}

addView('match', 'match', openMatch, false, stepBy);
find('samples').append(...data.samples.map((path, at) => {
  const [name, kind] = data.titles[at].split(': ');
  return element('li', {}, element('a', { className: 'card lesson', href: linkTo('', nameOf(path)) }, element('b', {}, name), small(kind)));
}));

/** @type {(path: string) => Promise<void>} */
async function takeSample(path) {
  const name = nameOf(path);
  try {
    const response = await fetch(path);
    if (!response.ok) throw new Error(String(response.status));
    const bytes = await response.arrayBuffer();
    if (name === sample) await read(name, bytes.byteLength, async () => bytes);
  } catch (error) {
    if (name === sample) fail(`${name} could not be loaded: ${error.message}`);
  }
}

find('leave').addEventListener('click', () => {
  location.hash = '#library';
  find('file').focus({ preventScroll: true });
});
for (const id of ['file', 'folder']) {
  find(id).addEventListener('change', async () => {
    const files = [...field(id).files || []].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
    field(id).value = ''; // the same file can be chosen again
    await take(files);
  });
}
find('folder-button').hidden = !('webkitdirectory' in HTMLInputElement.prototype) || matchMedia('(pointer: coarse)').matches;
/** What opens a file with the installed app. @type {any} */
const { launchQueue } = window;
launchQueue?.setConsumer(async (/** @type {{files: any[]}} */ { files }) => {
  take(await Promise.all(files.map(async (handle) => ({ name: handle.name, file: await handle.getFile() }))));
});
takeShared(take).catch(() => {}); // nothing, where no files are kept
for (const kind of ['dragenter', 'dragover']) {
  addEventListener(kind, (/** @type {any} */ event) => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    find('drop').classList.add('over');
  });
}
addEventListener('dragleave', () => find('drop').classList.remove('over'));
addEventListener('drop', async (event) => {
  find('drop').classList.remove('over');
  const items = [...event.dataTransfer?.items || []].filter(({ kind }) => kind === 'file');
  if (!items.length) return;
  event.preventDefault();
  await take((await Promise.all(items.map((item) => filesOf(item.webkitGetAsEntry(), item.getAsFile())))).flat());
});

/** The files of what was dropped; of a folder all below it, with their paths. @type {(entry: any, file: File | null) => Promise<{name: string, file: Blob}[]>} */
async function filesOf(entry, file) {
  if (!entry?.isDirectory) return file ? [{ name: file.name, file }] : [];
  const files = [];
  const reader = entry.createReader();
  for (;;) {
    /** @type {any[]} */
    const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); }); // at most a hundred
    if (!some.length) return files;
    for (const inner of some) {
      if (inner.isDirectory) files.push(...await filesOf(inner, null));
      else files.push({ name: inner.fullPath.slice(1), file: /** @type {File} */ (await new Promise((resolve, reject) => { inner.file(resolve, reject); })) });
    }
  }
}
