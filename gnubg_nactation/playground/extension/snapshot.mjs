// Run by Node when the extension is built: writes snapshot.bin into a folder that has Pyodide and
// package.zip. It is the memory of a Python that has imported the package, which a browser loads
// ten times as fast as Python starts. The same files give the same bytes, so chance and time are fixed.

import nodeCrypto from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , folder] = process.argv;
const PACKAGE = '/lib/package.zip'; // as in worker.js

function fill(array) {
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(7);
  return array;
}
nodeCrypto.webcrypto.getRandomValues = fill;
globalThis.crypto.getRandomValues = fill;
nodeCrypto.randomFillSync = fill;
Date.now = () => 1e12;
performance.now = () => 1;

const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const env = { HOME: '/home/pyodide', PYTHONHASHSEED: '0' };
const pyodide = await loadPyodide({ indexURL: `${folder}/`, _makeSnapshot: true, env });
pyodide.FS.writeFile(PACKAGE, readFileSync(`${folder}/package.zip`));
pyodide.runPython(`import sys; sys.path.insert(0, '${PACKAGE}')`);
pyodide.runPython('from gnubg_nactation.playground.answers import handle; handle').destroy();
writeFileSync(`${folder}/snapshot.bin`, pyodide.makeMemorySnapshot());
