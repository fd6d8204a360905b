// Python in a worker: start it, stop it, and ask the functions of answers.py.

import { data } from './data.js';

/** Python was stopped before it answered. */
export class Stopped extends Error {}

const NEEDS = 'Please use a browser from 2023 or later';
const waiting = new Map();
/** @type {Worker | null} */
let worker = null;
let lastId = 0;
/** @type {PythonState} */
let state = { phase: 'starting', done: 0, message: 'Starting…', busy: false, engine: null };
/** @type {(state: PythonState) => void} */
let watch = () => {};
/** Called when a start has ended. @type {((_?: unknown) => void)[]} */
const settling = [];

function change(/** @type {Partial<PythonState>} */ changes) {
  state = { ...state, ...changes, busy: waiting.size > 0 };
  watch(state);
  if (state.phase !== 'starting') for (const go of settling.splice(0)) go();
  if (isEngineSettled()) for (const go of engineSettling.splice(0)) go();
}

/** The same for the engine, which starts when it is needed. @type {((_?: unknown) => void)[]} */
const engineSettling = [];
const isEngineSettled = () => state.engine !== null || state.phase === 'failed' || state.phase === 'impossible';

/** Start the engine, once Python has started. */
export const needEngine = () => worker?.postMessage({ kind: 'engine' });

/** Resolves when the engine has started, or cannot. */
export function engineSettled() {
  needEngine();
  return new Promise((/** @type {(_?: unknown) => void} */ resolve) => {
    if (isEngineSettled()) resolve();
    else engineSettling.push(resolve);
  });
}

/** Why there are no equities; empty if there are, null while the engine starts. */
export const engineProblem = () => state.engine;

/** Resolves when Python has started or failed; questions asked before are lost. */
export function settled() {
  return new Promise((/** @type {(_?: unknown) => void} */ resolve) => {
    if (state.phase === 'starting') settling.push(resolve);
    else resolve();
  });
}

function drop() {
  for (const { reject } of waiting.values()) reject(new Stopped());
  waiting.clear();
}

/** @type {(event: MessageEvent) => void} */
function onMessage({ data: { kind, id, done, message, text, problem } }) {
  if (kind === 'progress') change({ done, message });
  if (kind === 'ready') change({ phase: 'ready', done: 1, message: 'Ready' });
  if (kind === 'engine') change({ engine: problem });
  if (kind === 'failed') fail(`Python could not be loaded: ${message}`);
  if (kind !== 'answer' || !waiting.has(id)) return;
  const { resolve } = waiting.get(id);
  waiting.delete(id);
  change({});
  resolve(JSON.parse(text));
}

/** @type {(message: string, phase?: 'failed' | 'impossible') => void} */
function fail(message, phase = 'failed') {
  worker?.terminate();
  worker = null;
  drop();
  change({ phase, done: 0, message, engine: null });
}

/** Start Python, or restart it. `watcher` gets each change of its state. */
export function start(watcher = watch) {
  watch = watcher;
  worker?.terminate();
  worker = null;
  if (typeof WebAssembly !== 'object' || typeof Worker !== 'function') {
    fail(`${NEEDS}: this one has no WebAssembly.`, 'impossible');
    return;
  }
  let knowsModules = false;
  worker = new Worker(new URL('worker.js', import.meta.url), { get type() { knowsModules = true; return /** @type {const} */ ('module'); } });
  if (!knowsModules) {
    fail(`${NEEDS}: this one cannot run modules in a worker.`, 'impossible');
    return;
  }
  worker.onmessage = onMessage;
  worker.onerror = (event) => {
    event.preventDefault();
    fail(`Python could not be loaded: ${event.message || 'its worker did not start'}`);
  };
  change({ phase: 'starting', done: 0, message: 'Starting…', engine: null });
  worker.postMessage({ kind: 'start', python: data.python, engine: data.engine });
}

/** Stop the current work; Python restarts from what the browser keeps. */
export function stop() {
  drop();
  start();
}

/** @type {(name: string, args: unknown[], bytes?: ArrayBuffer) => Promise<{value: any, error?: string}>} */
function reply(name, args, bytes) {
  return new Promise((resolve, reject) => {
    if (!worker) {
      reject(new Stopped());
      return;
    }
    lastId += 1;
    waiting.set(lastId, { resolve, reject });
    worker.postMessage({ id: lastId, name, args, bytes });
    change({});
  });
}

/** Call a function of answers.py; rejects with its error or with Stopped. @type {(name: string, args: unknown[], bytes?: ArrayBuffer) => Promise<any>} */
export async function ask(name, args, bytes) {
  const { value, error } = await reply(name, args, bytes);
  if (error) throw new Error(error);
  return value;
}

/**
 * A function that asks the same question again and again and shows only the latest answer. While
 * Python is busy with one, only the last of those asked since then waits.
 * @param {string} name
 * @param {(answer: any, ...args: any[]) => void} show
 */
export function latest(name, show) {
  let busy = false;
  /** @type {any[] | null} */
  let next = null;
  return async function again(/** @type {any[]} */ ...args) {
    if (busy) {
      next = args;
      return;
    }
    busy = true;
    try {
      const answer = await reply(name, args);
      if (!next) show(answer, ...args);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      next = null;
    } finally {
      busy = false;
    }
    if (next) {
      const latestArgs = next;
      next = null;
      again(...latestArgs);
    }
  };
}
