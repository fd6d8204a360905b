// Python and the package, in a worker: it is sent questions and posts their answers.

import { forget, recalled, remember } from './memory.js';

/** @typedef {{id: number, name: string, given: unknown[], data?: ArrayBuffer}} Question */

const SITE = '/lib/nactation';
const ANSWER = 'from gnubg_nactation.playground.answers import handle; handle';
/** @type {Question[]} */
const later = [];
/** @type {((question: Question) => string) | null} */
let ask = null;

/** @type {(done: number, what: string) => void} */
const tell = (done, what) => postMessage({ kind: 'progress', done, what });

async function bytes(/** @type {string} */ url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.split('/').pop()}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

const failed = (/** @type {any} */ error) => {
  const [what] = String(error?.message || error).split('\n').filter(Boolean).slice(-1);
  if (!ask) postMessage({ kind: 'failed', what });
};

// What does not arrive is told at once, whoever waits for it; that its WebAssembly does not,
// Pyodide tells the console alone.
addEventListener('unhandledrejection', ({ reason }) => failed(reason));
const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = (/** @type {any} */ response, /** @type {any} */ imports) => {
  const made = instantiateStreaming(response, imports);
  made.catch(failed);
  return made;
};

/** @type {(folder: string, archives: Promise<Uint8Array[]>, options: object) => Promise<any>} */
async function python(folder, archives, options) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: folder, ...options });
  tell(0.7, 'Starting the program…');
  for (const archive of await archives) pyodide.unpackArchive(archive, 'zip', { extractDir: SITE });
  return pyodide;
}

async function afresh(/** @type {string} */ folder, /** @type {Promise<Uint8Array[]>} */ archives) {
  const pyodide = await python(folder, archives, { _makeSnapshot: true });
  pyodide.runPython(`import sys; sys.path.insert(0, '${SITE}')`);
  pyodide.runPython(ANSWER).destroy(); // memory can be told only while nothing of it is in use
  remember(() => pyodide.makeMemorySnapshot());
  return pyodide;
}

async function started(/** @type {string} */ folder, /** @type {Promise<Uint8Array[]>} */ archives) {
  const memory = await recalled();
  if (memory) {
    try {
      return await python(folder, archives, { _loadSnapshot: memory });
    } catch {
      await forget();
    }
  }
  return afresh(folder, archives);
}

/** @type {(message: {python: string, archives: string[]}) => Promise<(question: Question) => string>} */
async function start({ python: folder, archives }) {
  tell(0.05, 'Downloading Python, 6.5 MB at the first visit…');
  const packed = Promise.all(archives.map((name) => bytes(new URL(name, import.meta.url).href)));
  const pyodide = await started(new URL(folder, import.meta.url).href, packed);
  const answer = pyodide.runPython(ANSWER);
  return ({ name, given, data }) => {
    const bytes = data ? pyodide.toPy(new Uint8Array(data)) : null;
    const packedBytes = bytes ? pyodide.globals.get('bytes')(bytes) : undefined;
    try {
      return answer(name, JSON.stringify(given), ...(packedBytes ? [packedBytes] : []));
    } finally {
      bytes?.destroy();
      packedBytes?.destroy?.();
    }
  };
}

function reply(/** @type {Question} */ question) {
  try {
    postMessage({ kind: 'answer', id: question.id, text: ask?.(question) });
  } catch (error) {
    const text = JSON.stringify({ error: `Python has stopped: ${String(error).split('\n').pop()}` });
    postMessage({ kind: 'answer', id: question.id, text });
  }
}

onmessage = async ({ data: message }) => {
  if (message.kind !== 'start') {
    if (ask) reply(message);
    else later.push(message);
    return;
  }
  try {
    ask = await start(message);
    postMessage({ kind: 'ready' });
    later.splice(0).forEach(reply);
  } catch (error) {
    failed(error);
  }
};
