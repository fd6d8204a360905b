// Python in a worker: start it, stop it, and ask the functions of answers.py.

import { hire, Stopped, valueOf } from './assistant.js';

export { Stopped };

const NEEDS = 'Please use a browser from 2023 or later';
/** @type {Assistant | null} */
let worker = null;
/** @type {PythonState} */
let state = { phase: 'starting', done: 0, message: 'Starting…', busy: false, engine: null };
/** @type {(state: PythonState) => void} */
let watch = () => {};
/** Called once what they wait for is true. @type {{is: () => boolean, go: (_?: unknown) => void}[]} */
const waiting = [];

function change(/** @type {Partial<PythonState>} */ changes) {
  state = { ...state, ...changes, busy: Boolean(worker?.isBusy()) };
  watch(state);
  for (const { is, go } of waiting.splice(0)) if (is()) go(); else waiting.push({ is, go });
}

/** Resolves once something is true of the state. @type {(is: () => boolean) => Promise<unknown>} */
const until = (is) => new Promise((go) => {
  if (is()) go(undefined);
  else waiting.push({ is, go });
});
const isEngineSettled = () => state.engine !== null || state.phase === 'failed' || state.phase === 'impossible';

/** Start the engine, once Python has started. */
export const needEngine = () => worker?.needEngine();

/** Resolves when the engine has started, or cannot. */
export function engineSettled() {
  needEngine();
  return until(isEngineSettled);
}

/** Why there are no equities; empty if there are, null while the engine starts. */
export const engineProblem = () => state.engine;

/** Resolves when Python has started or failed; questions asked before are lost. */
export const settled = () => until(() => state.phase !== 'starting');

/** @type {(message: any) => void} */
function heard({ kind, done, message, problem }) {
  if (kind === 'answer') change({});
  if (kind === 'progress') change({ done, message });
  if (kind === 'ready') change({ phase: 'ready', done: 1, message: 'Ready' });
  if (kind === 'engine') change({ engine: problem });
  if (kind === 'failed') fail(`Python could not be loaded: ${message}`);
}

/** @type {(message: string, phase?: 'failed' | 'impossible') => void} */
function fail(message, phase = 'failed') {
  drop();
  change({ phase, done: 0, message, engine: null });
}

/** Start Python, or stop its work and restart it. `watcher` gets each change of its state. */
export function start(watcher = watch) {
  watch = watcher;
  drop();
  if (typeof WebAssembly !== 'object' || typeof Worker !== 'function') {
    fail(`${NEEDS}: this one has no WebAssembly.`, 'impossible');
    return;
  }
  change({ phase: 'starting', done: 0, message: 'Starting…', engine: null });
  worker = hire(heard);
  if (!worker) fail(`${NEEDS}: this one cannot run modules in a worker.`, 'impossible');
}

function drop() {
  worker?.end();
  worker = null;
}

/** @type {Assistant['reply']} */
async function reply(name, args, bytes) {
  if (!worker) throw new Stopped();
  const answer = worker.reply(name, args, bytes);
  change({});
  return answer;
}

/** Call a function of answers.py; rejects with its error or with Stopped. @type {(name: string, args: unknown[], bytes?: ArrayBuffer) => Promise<any>} */
export const ask = async (name, args, bytes) => valueOf(await reply(name, args, bytes));

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
  return async (/** @type {any[]} */ ...args) => {
    next = args;
    if (busy) return;
    busy = true;
    try {
      while (next) {
        const now = /** @type {any[]} */ (next);
        next = null;
        const answer = await reply(name, now);
        if (!next) show(answer, ...now);
      }
    } catch (error) {
      next = null;
      if (!(error instanceof Stopped)) throw error;
    } finally {
      busy = false;
    }
  };
}
