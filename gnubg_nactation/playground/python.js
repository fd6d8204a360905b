// Python, in a worker of its own: questions and their answers, how it starts, fails and is stopped.

import { data as options } from './data.js';

/** An answer that will not come, as the worker was stopped. */
export class Stopped extends Error {}

const waiting = new Map();
/** @type {Worker | null} */
let worker = null;
let asked = 0;
/** @type {PythonState} */
let state = { phase: 'starting', done: 0, what: 'Starting…', busy: false };
/** @type {(state: PythonState) => void} */
let watch = () => {};
/** Who waits for the end of a start. @type {((_?: unknown) => void)[]} */
const settling = [];

function change(/** @type {Partial<PythonState>} */ changes) {
  state = { ...state, ...changes, busy: waiting.size > 0 };
  watch(state);
  if (state.phase !== 'starting') for (const go of settling.splice(0)) go();
}

/** Resolves when Python is there, or not to be had: what is asked before it starts is lost. */
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
function hear({ data: message }) {
  if (message.kind === 'progress') change({ done: message.done, what: message.what });
  if (message.kind === 'ready') change({ phase: 'ready', done: 1, what: 'Ready' });
  if (message.kind === 'failed') fail(`Python could not be loaded: ${message.what}`);
  if (message.kind !== 'answer' || !waiting.has(message.id)) return;
  const { resolve } = waiting.get(message.id);
  waiting.delete(message.id);
  change({});
  resolve(JSON.parse(message.text));
}

/** @type {(what: string, phase?: 'failed' | 'impossible') => void} */
function fail(what, phase = 'failed') {
  worker?.terminate();
  worker = null;
  drop();
  change({ phase, done: 0, what });
}

/** Start Python, anew if it runs. `watcher` hears of each change. */
export function start(watcher = watch) {
  watch = watcher;
  worker?.terminate();
  worker = null;
  if (typeof WebAssembly !== 'object' || typeof Worker !== 'function') {
    fail('This browser has no WebAssembly, without which Python cannot run here; any browser of 2023 or later has it.', 'impossible');
    return;
  }
  let knowsModules = false;
  worker = new Worker(new URL('worker.js', import.meta.url), { get type() { knowsModules = true; return /** @type {const} */ ('module'); } });
  if (!knowsModules) {
    fail('This browser cannot run modules in a worker, without which Python cannot run here; any browser of 2023 or later can.', 'impossible');
    return;
  }
  worker.onmessage = hear;
  worker.onerror = (event) => {
    event.preventDefault();
    fail(`Python could not be loaded: ${event.message || 'its worker did not start'}`);
  };
  change({ phase: 'starting', done: 0, what: 'Starting…' });
  worker.postMessage({ kind: 'start', python: options.python, archives: options.archives });
}

/** End what is being done; Python starts anew, from what the browser keeps. */
export function stop() {
  drop();
  start();
}

/**
 * Ask a function of answers.py. Resolves to `{value}` or `{error}`; rejects with Stopped.
 * @param {string} name
 * @param {unknown[]} given
 * @param {ArrayBuffer=} data
 * @returns {Promise<any>}
 */
export function ask(name, given, data) {
  return new Promise((resolve, reject) => {
    if (!worker) {
      reject(new Stopped());
      return;
    }
    asked += 1;
    waiting.set(asked, { resolve, reject });
    worker.postMessage({ id: asked, name, given, data });
    change({});
  });
}

/**
 * The latest of many questions: while one is answered, only the last asked since then waits.
 * @param {string} name
 * @param {(answer: any, ...given: any[]) => void} show
 */
export function latest(name, show) {
  let busy = false;
  /** @type {any[] | null} */
  let next = null;
  return async function again(/** @type {any[]} */ ...given) {
    if (busy) {
      next = given;
      return;
    }
    busy = true;
    try {
      const answer = await ask(name, given);
      if (!next) show(answer, ...given);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      next = null;
    } finally {
      busy = false;
    }
    if (next) {
      const wanted = next;
      next = null;
      again(...wanted);
    }
  };
}
