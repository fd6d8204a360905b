// The library: a Python of its own holds the database, so that typing is not delayed. The files come
// first: what was kept and is not yet in the database is read at the next start.

import { hire, Stopped, valueOf } from '../assistant.js';
import { data } from '../data.js';
import { settled } from '../python.js';
import { keepAnalysis, keepDatabase, keepFiles, keptAnalysis, keptCopies, keptFile, keptNames, mayWrite, whenChanged } from './keeping.js';
import { mergeStudy, studyText } from './notes.js';

const SAVE = 2000; // milliseconds of reading files, at least, after which the database is kept
const SHARE = 10; // times as long as keeping it takes, which grows with it
const NO_STORE = 'This browser keeps no files for this page (a private window may be the reason), so there is no library here.';
const FULL = 'The disk is full, or the browser allows no more. What was kept before is whole. Remove some matches, or free some space; then add the rest again.';
const ELSEWHERE = 'Another tab of this page changes the library; this one follows.';
const OLDER_COPY = 'The library was damaged. The copy before the last change is in use; files that came later are read again.';
const REBUILT = 'The library was damaged. It is made again from the match files.';

/** @type {ShelfState} */
const state = { phase: 'closed', problem: '', isReadOnly: false, done: 0, total: 0, activity: '', refused: {} };
/** @type {Set<string>} */
const known = new Set(); // the files that the database has
/** @type {Set<string>} */
const unread = new Set(); // those of them that could not be read
/** @type {Assistant | null} */
let librarian = null;
/** @type {Promise<void> | undefined} */
let opening;
let isStopped = false;
let isReading = false;
/** @type {((state: ShelfState) => void)[]} */
const watchers = [];
/** @type {(() => void)[]} */
const readers = [];

/** Call a function after each change of the state. @type {(does: (state: ShelfState) => void) => void} */
export const whenShelf = (does) => { watchers.push(does); };
/** Call a function after each change of the matches. @type {(does: () => void) => void} */
export const whenMatches = (does) => { readers.push(does); };

function change(/** @type {Partial<ShelfState>} */ changes) {
  Object.assign(state, changes);
  for (const does of watchers) does(state);
}

const tell = () => { for (const does of readers) does(); };

/** Ask a function of playground/library.py. @type {(name: string, args: unknown[], bytes?: ArrayBuffer) => Promise<any>} */
async function ask(name, args, bytes) {
  if (!librarian) throw new Stopped();
  return valueOf(await librarian.reply(name, args, bytes));
}

/** Ask the library, once it is open. @type {(name: string, ...args: unknown[]) => Promise<any>} */
export async function askLibrary(name, ...args) {
  await openLibrary();
  return ask(name, args);
}

/** Open the library, once. */
export function openLibrary() {
  opening ||= open();
  return opening;
}

async function open() {
  change({ phase: 'opening' });
  try {
    state.isReadOnly = !await mayWrite(async () => {
      await opening;
      change({ isReadOnly: false, problem: '' });
      load().then(readWaiting);
    });
    await keptNames();
  } catch {
    change({ phase: 'none', problem: NO_STORE, isReadOnly: true });
    return;
  }
  await settled(); // then its Python starts from the memory that the first one left
  librarian = hire(({ kind, message }) => {
    if (kind === 'failed') change({ phase: 'none', problem: `Python could not be loaded: ${message}` });
  });
  try {
    await load();
  } catch (error) {
    change({ phase: 'none', problem: `The library could not be opened: ${error.message}. Reload the page to try again.`, isReadOnly: true });
    throw error;
  }
  whenChanged(() => { if (state.isReadOnly) load(); });
  if (!state.isReadOnly) readWaiting(); // without waiting for it
}

/** Give the librarian the database that is kept, or the copy before it. */
async function load() {
  let problem = state.isReadOnly ? ELSEWHERE : '';
  known.clear();
  unread.clear();
  /** @type {(ArrayBuffer | undefined)[]} */
  const copies = [...await keptCopies(), undefined];
  for (const [at, copy] of copies.entries()) {
    const answer = await ask('library_open', [], copy);
    if (!answer.problem || answer.is_newer) {
      for (const name of answer.files) known.add(name);
      for (const name of Object.keys(answer.problems)) unread.add(name);
      if (at && copies.length > 1) problem = copy ? OLDER_COPY : REBUILT;
      if (answer.is_newer) {
        problem = answer.problem;
        state.isReadOnly = true;
      }
      change({ refused: answer.problems });
      break;
    }
  }
  change({ phase: 'open', problem });
  tell();
}

const save = async (/** @type {string[]} */ without = []) => keepDatabase(await ask('library_file', []), without);

/** Change the database and keep it, without some match files. @type {(name: string, args: unknown[], without?: string[], bytes?: ArrayBuffer) => Promise<any>} */
export async function changeLibrary(name, args, without, bytes) {
  await openLibrary();
  if (state.isReadOnly) throw new Error(state.problem);
  const value = await ask(name, args, bytes);
  try {
    await save(without);
  } catch {
    await load();
    throw new Error(FULL);
  }
  tell();
  return value;
}

/** A name for a file that no other one has, and whether the file itself is kept under it. @type {(name: string, bytes: ArrayBuffer) => Promise<[name: string, isKept: boolean]>} */
async function freeName(name, bytes) {
  const dot = name.lastIndexOf('.');
  const [base, suffix] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let count = 1; ; count += 1) {
    const wanted = count === 1 ? name : `${base} (${count})${suffix}`;
    const kept = await keptFile(wanted);
    // A match that came with a copy of a library has a name, but its file may be on another device.
    if (kept ? isSame(kept, bytes) : !known.has(wanted) || await ask('library_has', [wanted], bytes)) return [wanted, Boolean(kept)];
  }
}

/** @type {(one: ArrayBuffer, other: ArrayBuffer) => boolean} */
function isSame(one, other) {
  if (one.byteLength !== other.byteLength) return false;
  const [these, those] = [new Uint8Array(one), new Uint8Array(other)];
  return these.every((byte, at) => byte === those[at]);
}

const DATABASE = 'SQLite format 3\0';
/** Whether a file is a database. @type {(file: Blob) => Promise<boolean>} */
export const isDatabase = async (file) => await file.slice(0, DATABASE.length).text() === DATABASE;

/** Keep files, which `readWaiting` then reads: their names in the library, and false for `isWhole` if a file is left. @type {(files: {name: string, file: Blob}[]) => Promise<{names: string[], isWhole: boolean}>} */
export async function addFiles(files) {
  await openLibrary();
  if (state.isReadOnly) throw new Error(state.problem);
  /** @type {string[]} */
  const names = [];
  let seen = 0;
  isStopped = false;
  for (const [at, { name, file }] of files.entries()) {
    change({ activity: 'Keeping', done: at, total: files.length });
    try {
      names.push(await keep(name, file));
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError') {
        change({ problem: FULL });
        break;
      }
      change({ refused: { ...state.refused, [name]: error.message } });
    }
    seen += 1;
    if (isStopped) break;
  }
  return { names, isWhole: seen === files.length };
}

/** Keep a file, unless it is there; returns its name. Throws Error if it is too large or empty. @type {(name: string, file: Blob) => Promise<string>} */
async function keep(name, file) {
  if (!file.size) throw new Error('it is empty');
  if (file.size > data.largest) throw new Error(`it has more than ${data.largest / 1e6} MB`);
  if (await isDatabase(file)) throw new Error('it is a database; add it alone, without other files');
  return keepFree(name, await file.arrayBuffer());
}

/** Keep a file under a name that no other one has; returns that name. @type {(name: string, bytes: ArrayBuffer) => Promise<string>} */
async function keepFree(name, bytes) {
  const [free, isKept] = await freeName(name, bytes);
  if (!isKept) await keepFiles([[free, bytes]]);
  return free;
}

/** Read the kept files that the database does not have; keep it now and then, and at the end. */
export async function readWaiting() {
  if (isReading || state.isReadOnly) return;
  isReading = true;
  isStopped = false;
  let isWhole = false;
  try {
    let waiting = await waitingNames();
    const total = waiting.length;
    let saved = performance.now();
    let pause = SAVE;
    for (let at = 0; waiting.length && !isStopped; at += 1) {
      const name = waiting.shift() || '';
      change({ activity: 'Reading', done: at, total: Math.max(total, at + waiting.length) });
      await read(name);
      if (!waiting.length) waiting = await waitingNames(); // some came in the meantime
      if (performance.now() - saved > pause) {
        const begun = performance.now();
        await save();
        tell();
        saved = performance.now();
        pause = Math.max(SAVE, SHARE * (saved - begun));
      }
    }
    if (total) await save();
    isWhole = true;
  } catch (error) {
    if (!(error instanceof Stopped)) change({ problem: error instanceof DOMException ? FULL : error.message });
  } finally {
    isReading = false;
    const { length } = await waitingNames();
    change({ activity: '', total: length, done: 0 });
    tell();
    if (length && isWhole && !isStopped) readWaiting(); // they came while the database was kept
  }
}

const waitingNames = async () => (await keptNames()).filter((name) => !known.has(name));

async function read(/** @type {string} */ name) {
  const bytes = await keptFile(name);
  known.add(name);
  if (!bytes) return;
  const analysis = await keptAnalysis(name);
  const { problem, again } = await ask('library_add', analysis && analysis.done >= 0 ? [name, analysis.done, analysis.kept] : [name], bytes);
  if (problem) {
    unread.add(name);
    change({ refused: { ...state.refused, [name]: problem } });
  }
  for (const other of again) {
    const copy = await keptFile(other);
    if (copy) await ask('library_add', [other], copy);
  }
}

/** Read files again whose analysis was kept since. @type {(names: string[]) => Promise<void>} */
export async function readAgain(names) {
  await openLibrary();
  for (const name of names) known.delete(name);
  await readWaiting();
}

/** Whether this tab may change the library. */
export const mayChange = () => state.phase === 'open' && !state.isReadOnly;

/** Stop reading files after the present one; it goes on with `readWaiting`. */
export function stopReading() {
  isStopped = true;
}

/** Remove files with their matches. Returns a function that brings them back. @type {(names: string[]) => Promise<() => Promise<void>>} */
export async function removeFiles(names) {
  const files = await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await keptFile(name), await keptAnalysis(name)])));
  const before = await databaseBytes(); // it has matches without files, and analyses, that came with a copy
  const { again } = await changeLibrary('library_forget', [names], names);
  for (const name of names) {
    known.delete(name);
    unread.delete(name);
    delete state.refused[name];
  }
  for (const name of again) known.delete(name);
  change({});
  if (again.length) await readWaiting();
  return async () => {
    for (const [name, bytes, analysis] of files) {
      if (!bytes) continue;
      const free = await keepFree(name, bytes); // another file may have come with its name
      if (analysis) await keepAnalysis(free, analysis);
    }
    await changeLibrary('library_merge', [names], [], before.slice(0));
    await load();
    await readWaiting();
  };
}

/** Remove the files that could not be read, and forget those that were not even kept: a match may have the same name. */
export async function forgetRefused() {
  const names = Object.keys(state.refused).filter((name) => unread.has(name));
  if (names.length) await removeFiles(names);
  change({ refused: {} });
}

/** The whole database. */
export const databaseBytes = async () => /** @type {Promise<ArrayBuffer>} */ (askLibrary('library_file'));
/** The same with the notes and answers. */
export const copyBytes = async () => /** @type {Promise<ArrayBuffer>} */ (askLibrary('library_file', await studyText()));

/** Add the files of a database that was saved, or made by `nactate index`; returns what is wrong with it. @type {(bytes: ArrayBuffer) => Promise<string>} */
export async function mergeDatabase(bytes) {
  const { problem, study, names } = await changeLibrary('library_merge', [], [], bytes);
  if (problem) return problem;
  try {
    if (study) await mergeStudy(study, names);
  } finally {
    await load();
  }
  return '';
}
