// Python and the package, in a worker: it is sent questions and posts their answers.

/** @typedef {{id: number, name: string, given: unknown[], data?: ArrayBuffer}} Question */

const later = [];
let ask = null;

const tell = (done, what) => postMessage({ kind: 'progress', done, what });

async function bytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.split('/').pop()}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function start({ python, archives }) {
  const folder = new URL(python, import.meta.url).href;
  tell(0.05, 'Downloading Python, 6.5 MB at the first visit…');
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const packed = archives.map((name) => bytes(new URL(name, import.meta.url).href));
  const pyodide = await loadPyodide({ indexURL: folder });
  tell(0.7, 'Starting the program…');
  const site = '/lib/nactation';
  for (const archive of await Promise.all(packed)) pyodide.unpackArchive(archive, 'zip', { extractDir: site });
  pyodide.runPython(`import sys; sys.path.insert(0, '${site}')`);
  const answer = pyodide.runPython('from gnubg_nactation.playground.answers import answer; answer');
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

function reply(question) {
  try {
    postMessage({ kind: 'answer', id: question.id, text: ask(question) });
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
    postMessage({ kind: 'failed', what: String(error?.message || error).split('\n').filter(Boolean).pop() });
  }
};
