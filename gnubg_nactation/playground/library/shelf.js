// The library: a Python of its own holds the database, so that typing is not delayed. The files come
// first: what was kept and is not yet in the database is read at the next start.

import { hire, Stopped, valueOf } from '../assistant.js';
import { data } from '../data.js';
import { settled } from '../python.js';
import { isSame, keepAnalysis, keepDatabase, keepFile, keptAnalysis, keptCopies, keptFile, keptNames, mayWrite, tellTabs, whenTold } from './keeping.js';
import { mergeStudy, studyText } from './notes.js';

const SAVE = 2000; // milliseconds of reading files, at least, after which the database is kept
const CHECK = 1000; // milliseconds until the database is checked, which takes long, unless it is to be changed before
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
/** @type {Set<string>} */
const wanted = new Set(); // those that are read even if the visitor has stopped it
/** Called after each file that was read. @type {(() => void)[]} */
const waiters = [];
let present = ''; // the file that is being read
/** @type {Assistant | null} */
let librarian = null;
/** @type {Promise<void> | null} */
let opening = null;
let isEntered = false; // whether this tab knows if it may write
let isFollower = false; // whether another tab reads the files that this one adds
let isStopped = false;
/** The reading of files, while it goes on. @type {Promise<void> | null} */
let reading = null;
/** Checks the database that was opened last, once; if it is damaged, opens the copy before it. */
let check = async () => {};
let unsaved = ''; // why the database could not be kept, until it is
let unadded = ''; // why the files that were added last are not all kept
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
  if (!librarian) throw new Error(state.problem);
  return valueOf(await librarian.reply(name, args, bytes));
}

/** Ask the library, once it is open. @type {(name: string, ...args: unknown[]) => Promise<any>} */
export async function askLibrary(name, ...args) {
  await openLibrary();
  return ask(name, args);
}

/** Whether the library did not know whose games are asked for. @type {(error: Error) => boolean} */
export const isNameless = (error) => error.message.startsWith('whose ');

/** Open the library, once. */
export function openLibrary() {
  opening ||= open();
  return opening;
}

async function open() {
  change({ phase: 'opening', ...isEntered && { problem: '' } });
  try {
    if (!isEntered) state.isReadOnly = isFollower = !await mayWrite(takeOver);
    await keptNames();
    isEntered = true;
  } catch {
    change({ phase: 'none', problem: NO_STORE, isReadOnly: true });
    return;
  }
  await settled(); // then its Python starts from the memory that the first one left
  librarian = hire(({ kind, message }) => { if (kind === 'failed') fail(`Python could not be loaded: ${message}`); });
  try {
    await load();
  } catch (error) {
    if (state.phase === 'failed') throw new Error(state.problem);
    change({ phase: 'none', problem: `The library could not be opened: ${error.message}. Reload the page to try again.`, isReadOnly: true });
    throw error;
  }
  whenTold((what) => {
    if (state.isReadOnly && what === 'changed') load();
    else if (what === 'added' && mayChange()) readWaiting();
  });
  if (!state.isReadOnly) readWaiting(); // without waiting for it
}

/** Python did not start: the next question tries again. */
function fail(/** @type {string} */ problem) {
  librarian?.end();
  librarian = opening = null;
  change({ phase: 'failed', problem });
}

/** The tab that changed the library is closed. */
async function takeOver() {
  await opening?.catch(() => {});
  isFollower = false;
  change({ isReadOnly: false, ...librarian && { problem: '' } });
  if (librarian) load().then(readWaiting);
}

/** Give the librarian the database that is kept, or the copy before it. */
async function load() {
  check = async () => {};
  /** @type {(ArrayBuffer | undefined)[]} */
  const copies = [...await keptCopies(), undefined];
  const kept = new Set(await keptNames());
  const opened = await openFirst(copies, kept);
  /** @type {Promise<void> | undefined} */
  let checked;
  const mine = () => {
    checked ||= (async () => {
      const isDamaged = copies[opened] && await ask('library_check', []);
      if (isDamaged && check === mine) {
        await openFirst(copies, kept, opened + 1);
        readWaiting(); // without waiting for it, as it waits for this
      }
      copies.length = 0; // for their memory
    })();
    return checked;
  };
  check = mine;
  setTimeout(() => { mine().catch(() => {}); }, CHECK);
}

/** Open the first of these copies that can be opened, or an empty library at the end; returns its place. @type {(copies: (ArrayBuffer | undefined)[], kept: Set<string>, from?: number) => Promise<number>} */
async function openFirst(copies, kept, from = 0) {
  let at = from;
  let answer = await ask('library_open', [], copies[at]);
  while (answer.problem && !answer.is_newer) {
    at += 1;
    answer = await ask('library_open', [], copies[at]);
  }
  known.clear(); // now: files may have been read while it waited
  unread.clear();
  for (const name of answer.files) known.add(name);
  for (const name of answer.older) if (kept.has(name)) known.delete(name); // it is read once more
  for (const name of Object.keys(answer.problems)) unread.add(name);
  let problem = state.isReadOnly ? ELSEWHERE : '';
  if (at && copies.length > 1) problem = copies[at] ? OLDER_COPY : REBUILT;
  if (answer.is_newer) {
    problem = answer.problem;
    state.isReadOnly = true;
    isFollower = false;
  }
  change({ phase: 'open', problem, refused: answer.problems });
  tell();
  return at;
}

async function save(/** @type {string[]} */ without = []) {
  await keepDatabase(await ask('library_file', []), without);
  if (unsaved && state.problem === unsaved) change({ problem: '' });
  unsaved = '';
}

/** Why something could not be kept. @type {(error: any) => string} */
const unkept = (error) => (error.name === 'QuotaExceededError' ? FULL : error instanceof DOMException ? `The browser could not keep this: ${error.message} What was kept before is whole.` : error.message);

/** Change the database and keep it, without some match files. @type {(name: string, args: unknown[], without?: string[], bytes?: ArrayBuffer) => Promise<any>} */
export async function changeLibrary(name, args, without, bytes) {
  await openLibrary();
  await check();
  if (state.isReadOnly) throw new Error(state.problem);
  const value = await ask(name, args, bytes);
  try {
    await save(without);
  } catch (error) {
    await load();
    throw new Error(unkept(error));
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

const DATABASE = 'SQLite format 3\0';
/** Whether a file is a database. @type {(file: Blob) => Promise<boolean>} */
export const isDatabase = async (file) => await file.slice(0, DATABASE.length).text() === DATABASE;

/** Keep files, which `readAdded` then reads, or the tab that this one follows: their names in the library, and false for `isWhole` if a file is left; the `problem` says why. @type {(files: {name: string, file: Blob}[]) => Promise<{names: string[], isWhole: boolean, problem: string}>} */
export async function addFiles(files) {
  await openLibrary();
  if (state.isReadOnly && !isFollower) throw new Error(state.problem);
  /** @type {string[]} */
  const names = [];
  let seen = 0;
  isStopped = false;
  if (unadded && state.problem === unadded) change({ problem: '' });
  unadded = '';
  for (const [at, { name, file }] of files.entries()) {
    change({ activity: 'Keeping', done: at, total: files.length });
    try {
      names.push(await keep(name, file));
    } catch (error) {
      if (error instanceof DOMException && error.name !== 'NotFoundError' && error.name !== 'NotReadableError') {
        unadded = unkept(error);
        break;
      }
      change({ refused: { ...state.refused, [name]: error.message } });
    }
    seen += 1;
    if (isStopped && seen < files.length) {
      unadded = `${files.length - seen} of ${files.length} files were not added. Add them again; those that are here are skipped.`;
      break;
    }
  }
  if (unadded) change({ problem: unadded });
  if (isFollower) {
    change({ activity: '' });
    tellTabs('added');
  }
  return { names, isWhole: seen === files.length, problem: unadded };
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
  for (;;) {
    const [free, isKept] = await freeName(name, bytes);
    if (isKept || await keepFile(free, bytes)) return free;
  }
}

/** Read the kept files that the database does not have. */
export async function readWaiting() {
  isStopped = false;
  await readAdded();
}

/** The same, unless the visitor has stopped it; the files that are `wanted` in any case. */
export function readAdded() {
  reading ||= (async () => {
    while (mayChange() && await readAll()); // again, if some came while the database was kept
  })().finally(() => { reading = null; });
  return reading;
}

/** Read files, and keep the database now and then, and at the end. Returns whether others are to be read now. */
async function readAll() {
  let isWhole = false;
  try {
    let waiting = await waitingNames();
    const total = waiting.length;
    let saved = performance.now();
    let pause = SAVE;
    let isSaved = true;
    for (let at = 0; ; at += 1) {
      const [first] = wanted;
      const name = first ?? (isStopped ? undefined : waiting.shift());
      if (name === undefined) break;
      change({ activity: 'Reading', done: at, total: Math.max(total, at + 1 + waiting.length) });
      if (first !== undefined || !known.has(name)) {
        await check();
        await read(name);
      }
      isSaved = false;
      if (!waiting.length && !isStopped) waiting = await waitingNames(); // some came in the meantime
      if (performance.now() - saved > pause) {
        const begun = performance.now();
        await save();
        tell();
        isSaved = true;
        saved = performance.now();
        pause = Math.max(SAVE, SHARE * (saved - begun));
      }
    }
    if (!isSaved) await save();
    isWhole = true;
  } catch (error) {
    unsaved = unkept(error);
    if (!(error instanceof Stopped)) change({ problem: unsaved });
  }
  const { length } = await waitingNames().catch(() => []);
  change({ activity: '', total: length, done: 0 });
  tell();
  return isWhole && (wanted.size > 0 || (length > 0 && !isStopped));
}

const waitingNames = async () => (await keptNames()).filter((name) => !known.has(name));

async function read(/** @type {string} */ name) {
  present = name;
  wanted.delete(name); // until it is wanted again
  try {
    await readKept(name);
  } finally {
    present = '';
    for (const go of waiters.splice(0)) go();
  }
}

async function readKept(/** @type {string} */ name) {
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

/** Read files again whose analysis was kept since; the others that wait may be read later. @type {(names: string[]) => Promise<void>} */
export async function readAgain(names) {
  await openLibrary();
  for (const name of names) {
    known.delete(name);
    wanted.add(name);
  }
  const all = readAdded();
  while (reading && names.some((name) => wanted.has(name) || name === present)) await Promise.race([all, new Promise((go) => { waiters.push(() => go(undefined)); })]);
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
  change({});
  if (again.length) await readAgain(again);
  return async () => {
    const back = [];
    for (const [name, bytes, analysis] of files) {
      if (!bytes) continue;
      const free = await keepFree(name, bytes); // another file may have come with its name
      if (analysis) await keepAnalysis(free, analysis, bytes);
      back.push(free);
    }
    await changeLibrary('library_merge', [names], [], before.slice(0));
    await load();
    await readAgain(back);
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
  await openLibrary();
  await readWaiting(); // or a file of the copy might take the name of one that waits
  if ((await waitingNames()).length) throw new Error('Files are still to be read. Press Go on, then add the copy again.');
  const { problem, study, names } = await changeLibrary('library_merge', [], [], bytes);
  if (problem) return problem;
  try {
    if (study) await mergeStudy(study, names);
  } finally {
    await load();
  }
  return '';
}
