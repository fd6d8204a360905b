// Runs Python and the package in a worker, which gets questions and posts their answers. Python asks
// the engine, which runs in the same worker.

import { startEngine } from './engine.js';
import { forget, recalled, remember } from './memory.js';

/** @typedef {{id: number, name: string, args: unknown[], bytes?: ArrayBuffer}} Question */
/** JSON, and the bytes that it names. @typedef {{text: string, bytes?: ArrayBuffer}} Answered */

const PACKAGE = '/lib/package.zip'; // from which Python imports
const FILE = 'library_file'; // the answer that is the bytes of a file
const SELDOM = 'from gnubg_nactation.system.garbage import collect_seldom; collect_seldom()';
const HANDLE = 'from gnubg_nactation.playground.answers import handle; handle';
/** Questions that came before Python was ready. @type {Question[]} */
const early = [];
/** @type {((question: Question) => Answered) | null} */
let handle = null;
const IDLE = 3000; // milliseconds after the start, when the engine is fetched even if nobody needs it
let isEngineNeeded = false;
/** Starts the engine, until it has been started. @type {(() => void) | null} */
let beginEngine = null;

function needEngine() {
  isEngineNeeded = true;
  beginEngine?.();
  beginEngine = null;
}

/** @type {(done: number, message: string) => void} */
const report = (done, message) => postMessage({ kind: 'progress', done, message });

async function download(/** @type {string} */ url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.split('/').pop()}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

const fail = (/** @type {any} */ error) => {
  const [message] = String(error?.message || error).split('\n').filter(Boolean).slice(-1);
  if (!handle) postMessage({ kind: 'failed', message });
};

// Report a failed download at once. Pyodide reports one of its WebAssembly only to the console.
addEventListener('unhandledrejection', ({ reason }) => fail(reason));
const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = (/** @type {any} */ response, /** @type {any} */ imports) => {
  const instance = instantiateStreaming(response, imports);
  instance.catch(fail);
  return instance;
};

/** @type {(folder: string, archive: Promise<Uint8Array>, options: object) => Promise<any>} */
async function load(folder, archive, options) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: folder, ...options });
  report(0.7, 'Starting the program…');
  pyodide.FS.writeFile(PACKAGE, await archive, { canOwn: true });
  return pyodide;
}

/** A maker of Pyodide's module with as much memory as a snapshot, which may be more than it has at first. @type {(folder: string, bytes: number) => (settings: object) => Promise<any>} */
const roomFor = (folder, bytes) => async (settings) => {
  const made = await (await import(`${folder}pyodide.asm.mjs`)).default(settings);
  if (made.HEAP8.length < bytes) made.growMemory(bytes);
  return made;
};

/** Python with the package imported, from the kept memory if there is one. @type {(folder: string, archive: Promise<Uint8Array>) => Promise<any>} */
async function loadWithPackage(folder, archive) {
  const memory = await recalled();
  if (!memory) report(0.05, 'Loading 7.5 MB, once…');
  if (memory) {
    try {
      return await load(folder, archive, { _loadSnapshot: memory, createPyodideModule: roomFor(folder, memory.length) });
    } catch {
      await forget();
    }
  }
  const pyodide = await load(folder, archive, { _makeSnapshot: true });
  pyodide.runPython(`import sys; sys.path.insert(0, '${PACKAGE}'); ${SELDOM}`);
  pyodide.runPython(HANDLE).destroy(); // a snapshot needs all references released
  remember(() => pyodide.makeMemorySnapshot());
  return pyodide;
}

/** The bytes of the engine's file; a damaged copy that the browser keeps is fetched again. @type {(engine: EngineFile) => Promise<ArrayBuffer>} */
async function engineBytes({ file, integrity }) {
  const url = new URL(file, import.meta.url).href;
  const get = async () => (await fetch(url, { integrity })).arrayBuffer();
  try {
    return await get();
  } catch {
    await forget(url).catch(() => {});
    return get().catch(() => {
      throw new Error(`${file.split('/').pop()} is missing or damaged. Reload the page to try again.`);
    });
  }
}

/** Start the engine after Python, for engines/javascript.py; reports why it cannot start. @type {(pyodide: any, engine: EngineFile) => Promise<void>} */
async function addEngine(pyodide, engine) {
  let problem = '';
  try {
    const ask = await startEngine(await engineBytes(engine));
    pyodide.registerJsModule('nactation_engine', { ask, integrity: engine.integrity });
  } catch (error) {
    problem = error.message;
  }
  postMessage({ kind: 'engine', problem });
}

/** @type {(message: {python: string, engine: EngineFile | null, startsEngine: boolean}) => Promise<(question: Question) => Answered>} */
async function start({ python: folder, engine, startsEngine }) {
  report(0.05, 'Starting…');
  const archive = download(new URL('package.zip', import.meta.url).href);
  const pyodide = await loadWithPackage(new URL(folder, import.meta.url).href, archive);
  const answer = pyodide.runPython(HANDLE);
  if (engine) {
    beginEngine = () => { addEngine(pyodide, engine); };
    if (isEngineNeeded || startsEngine) setTimeout(needEngine, isEngineNeeded ? 0 : IDLE);
  }
  return ({ name, args, bytes }) => {
    const view = bytes ? pyodide.toPy(new Uint8Array(bytes)) : null;
    const data = view ? pyodide.globals.get('bytes')(view) : undefined;
    try {
      const text = answer(name, JSON.stringify(args), ...(data ? [data] : []));
      const { value } = name === FILE ? JSON.parse(text) : {};
      return value ? { text, bytes: pyodide.FS.readFile(value.file).buffer } : { text };
    } finally {
      view?.destroy();
      data?.destroy?.();
    }
  };
}

function reply(/** @type {Question} */ question) {
  try {
    const { text, bytes } = /** @type {Answered} */ (handle?.(question));
    postMessage({ kind: 'answer', id: question.id, text, bytes }, { transfer: bytes ? [bytes] : [] });
  } catch (error) {
    const text = JSON.stringify({ error: `Python has stopped: ${String(error).split('\n').pop()}`, hasStopped: true });
    postMessage({ kind: 'answer', id: question.id, text });
  }
}

onmessage = async ({ data: message }) => {
  if (message.kind === 'engine') {
    needEngine();
    return;
  }
  if (message.kind !== 'start') {
    if (handle) reply(message);
    else early.push(message);
    return;
  }
  try {
    handle = await start(message);
    postMessage({ kind: 'ready' });
    early.splice(0).forEach(reply);
  } catch (error) {
    fail(error);
  }
};
