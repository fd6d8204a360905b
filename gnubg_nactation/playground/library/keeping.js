// What the browser keeps of the library: the match files, two copies of the database, notes, and
// rollouts. Each change is one transaction, so a killed tab leaves the state before or after it. One tab
// at a time writes, but for new files, notes and rollouts, which are independent of each other.

import { keyOf } from '../parts.js';

const NAME = keyOf('library');
const STORES = ['files', 'copies', 'analyses', 'depths', 'notes', 'rollouts'];
const VERSION = 3; // of the stores
/** The analysis of a file: `kept` are all decisions at `done` plies, -1 if none are; `begun` are the first ones at more plies. @typedef {{version: string, done: number, kept: any[], begun: any[]}} Analysis */
/** A copy of the database; the one with the higher number is the later. @typedef {{number: number, bytes: ArrayBuffer}} Copy */
/** A rollout: the games that each play shall have, the plies at their ends, and the plays with their games (all, if it does not say), their equities and the sums that give their errors. @typedef {{trials: number, ends?: number, plays: {said: string, name: string, games?: number, mean: number, squares: number}[]}} KeptRollout */
/** @type {Promise<IDBDatabase> | undefined} */
let opening;
let number = 0; // of the last copy of the database
const news = typeof BroadcastChannel === 'function' ? new BroadcastChannel(NAME) : null;

/** The result of a request. @type {<T>(request: IDBRequest<T>) => Promise<T>} */
const resultOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function database() {
  opening ||= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const name of STORES) if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close();
      request.result.onclose = () => { opening = undefined; }; // the visitor has cleared what is kept
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opening;
}

/** Read from a store. @type {<T>(name: string, read: (store: IDBObjectStore) => IDBRequest<T>) => Promise<T>} */
const from = async (name, read) => resultOf(read((await database()).transaction(name).objectStore(name)));

/** Change stores in one transaction, which is on the disk at the end. @type {(change: (store: (name: string) => IDBObjectStore) => void) => Promise<void>} */
async function write(change) {
  const transaction = (await database()).transaction(STORES, 'readwrite', { durability: 'strict' });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = () => reject(transaction.error);
  });
  change((name) => transaction.objectStore(name));
  await done;
}

/** The copies of the database, the latest first. @returns {Promise<ArrayBuffer[]>} */
export async function keptCopies() {
  /** @type {Copy[]} */
  const copies = await from('copies', (store) => store.getAll());
  copies.sort((one, other) => other.number - one.number);
  number = copies[0]?.number || 0;
  return copies.map(({ bytes }) => bytes);
}

/** The names of the match files. @returns {Promise<string[]>} */
export const keptNames = async () => /** @type {string[]} */ (await from('files', (store) => store.getAllKeys()));

/** The bytes of a match file; undefined if it is not kept. @type {(name: string) => Promise<ArrayBuffer | undefined>} */
export const keptFile = (name) => from('files', (store) => store.get(name));

/** Keep a match file, unless there is one of its name by now: then returns false. @type {(name: string, bytes: ArrayBuffer) => Promise<boolean>} */
export async function keepFile(name, bytes) {
  try {
    await write((store) => { store('files').add(bytes, name); });
  } catch (error) {
    if (error.name !== 'ConstraintError') throw error;
    return false;
  }
  return true;
}

/** The notes by the names of their decisions. @returns {Promise<Map<string, Note>>} */
export const keptNotes = () => all('notes');

/** Keep notes. @type {(notes: [name: string, note: Note][]) => Promise<void>} */
export const keepNotes = (notes) => write((store) => {
  for (const [name, note] of notes) store('notes').put(note, name);
});

/** Whether a note is about this decision: an earlier match may have had the same file name. @type {(note: Note | undefined, decision: Decision) => note is Note} */
export const isAbout = (note, { xgid }) => note?.decision.xgid.split(':')[0] === xgid.split(':')[0];

/** Change a part of a note; the rest stays as another tab may have left it. One without content is deleted. @type {(name: string, changes: Partial<Note> & {decision: Decision}) => Promise<void>} */
export const changeNote = (name, changes) => write((store) => {
  const notes = store('notes');
  notes.get(name).onsuccess = (/** @type {any} */ { target: { result } }) => {
    const note = { isStarred: false, tags: [], text: '', ...isAbout(result, changes.decision) ? result : {}, ...changes };
    if (note.isStarred || note.tags.length || note.text) notes.put(note, name);
    else notes.delete(name);
  };
});

/** The rollout of a position with its roll; undefined if none is kept. @type {(xgid: string) => Promise<KeptRollout | undefined>} */
export const keptRollout = (xgid) => from('rollouts', (store) => store.get(xgid));
/** @type {(xgid: string, rollout: KeptRollout) => Promise<void>} */
export const keepRollout = (xgid, rollout) => write((store) => { store('rollouts').put(rollout, xgid); });

/** All that a store has. @type {(name: string) => Promise<Map<string, any>>} */
async function all(name) {
  const store = (await database()).transaction(name).objectStore(name);
  const [names, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())]);
  return new Map(names.map((key, at) => [String(key), values[at]]));
}

/** How deep the files are analysed here that were begun or analysed: in plies, -1 if only begun. @returns {Promise<Map<string, number>>} */
export const keptDepths = () => all('depths');

/** @type {(name: string) => Promise<Analysis | undefined>} */
export const keptAnalysis = (name) => from('analyses', (store) => store.get(name));
/** Keep the analysis of a file, unless that was removed in the meantime, or another has its name: then returns false. @type {(name: string, analysis: Analysis, bytes: ArrayBuffer) => Promise<boolean>} */
export async function keepAnalysis(name, analysis, bytes) {
  let isThere = false;
  await write((store) => {
    store('files').get(name).onsuccess = (/** @type {any} */ { target: { result } }) => {
      isThere = result !== undefined && isSame(result, bytes);
      if (!isThere) return;
      store('analyses').put(analysis, name);
      store('depths').put(analysis.done, name);
    };
  });
  return isThere;
}

/** Whether two files are the same. @type {(one: ArrayBuffer, other: ArrayBuffer) => boolean} */
export function isSame(one, other) {
  if (one.byteLength !== other.byteLength) return false;
  const [these, those] = [new Uint8Array(one), new Uint8Array(other)];
  return these.every((byte, at) => byte === those[at]);
}

/** Keep the database instead of the older copy, without some match files. @type {(bytes: ArrayBuffer, without?: string[]) => Promise<void>} */
export async function keepDatabase(bytes, without = []) {
  await write((store) => {
    store('copies').put({ number: number + 1, bytes }, (number + 1) % 2);
    for (const name of without) for (const part of ['files', 'analyses', 'depths']) store(part).delete(name);
  });
  number += 1;
  tellTabs('changed');
}

/** What another tab has done: changed the database, or added files to be read. @typedef {'changed' | 'added'} News */
/** Tell the other tabs. @type {(what: News) => void} */
export const tellTabs = (what) => news?.postMessage(what);

/** Call a function with what another tab has done. @type {(does: (what: News) => void) => void} */
export function whenTold(does) {
  if (news) news.onmessage = ({ data }) => does(data);
}

/** Whether this tab may write. If another does, `later` is called once that is closed. @type {(later: () => void) => Promise<boolean>} */
export function mayWrite(later) {
  if (!navigator.locks) return Promise.resolve(true);
  const whileShown = () => new Promise((resolve) => { addEventListener('pagehide', resolve, { once: true }); });
  addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); }); // another tab may have changed it
  return new Promise((resolve) => {
    navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock));
      if (lock) return whileShown();
      navigator.locks.request(NAME, () => {
        later();
        return whileShown();
      });
      return undefined;
    });
  });
}

/** How much is used and free, in bytes; asks the browser not to delete it. @returns {Promise<{used: number, free: number, isPersistent: boolean} | null>} */
export async function room() {
  try {
    const isPersistent = await navigator.storage.persist();
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    return { used: usage, free: quota - usage, isPersistent };
  } catch {
    return null;
  }
}
