// A worker with Python and the engine, which answers the functions of answers.py.

import { data } from './data.js';

/** Python was stopped before it answered. */
export class Stopped extends Error {}

// What is pressed must not move before it is let go, or its click is lost: until then answers wait.
const CLICK = 300; // milliseconds in which the click of a finger that was lifted comes
let isPressed = false;
let letting = 0;
/** @type {((_?: unknown) => void)[]} */
const held = [];

function letGo(milliseconds = 0) {
  clearTimeout(letting);
  letting = setTimeout(() => {
    isPressed = false;
    for (const go of held.splice(0)) go();
  }, milliseconds);
}

addEventListener('pointerdown', (/** @type {any} */ { button, target }) => {
  if (button || !target.closest?.('button, a, summary, label, svg')) return;
  clearTimeout(letting);
  isPressed = true;
}, true);
addEventListener('pointerup', () => letGo(CLICK), true);
for (const kind of ['click', 'pointercancel', 'blur']) addEventListener(kind, () => letGo(), true);

/**
 * Start a worker; it answers once Python is ready. `heard` gets its other messages: `progress`,
 * `ready`, `engine`, `failed`. Null if this browser cannot run modules in a worker.
 * The engine starts after a while, or, if it is only started when needed, with `needEngine`.
 * @param {(message: any) => void} heard
 * @returns {Assistant | null}
 */
export function hire(heard, startsEngine = true) {
  let knowsModules = false;
  const worker = new Worker(new URL('worker.js', import.meta.url), { get type() { knowsModules = true; return /** @type {const} */ ('module'); } });
  if (!knowsModules) return null;
  const waiting = new Map();
  let lastId = 0;
  let hasEnded = false;
  worker.onmessage = ({ data: { kind, id, text, bytes, ...message } }) => {
    if (kind !== 'answer') {
      heard({ kind, ...message });
      return;
    }
    const { resolve } = waiting.get(id);
    waiting.delete(id);
    heard({ kind });
    const answer = JSON.parse(text);
    resolve(bytes ? { value: bytes } : answer);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    heard({ kind: 'failed', message: event.message || 'its worker did not start' });
  };
  worker.postMessage({ kind: 'start', python: data.python, engine: data.engine, startsEngine });
  return {
    isBusy: () => waiting.size > 0,
    needEngine: () => worker.postMessage({ kind: 'engine' }),
    async reply(name, args, bytes) {
      if (hasEnded) throw new Stopped();
      const answer = await new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        worker.postMessage({ id: lastId, name, args, bytes });
      });
      if (isPressed) await new Promise((resolve) => held.push(resolve));
      if (hasEnded) throw new Stopped(); // by what was pressed
      return answer;
    },
    end() {
      hasEnded = true;
      worker.terminate();
      for (const { reject } of waiting.values()) reject(new Stopped());
      waiting.clear();
    },
  };
}

/** The value of a reply. Throws its error. @type {(reply: {value: any, error?: string}) => any} */
export function valueOf({ value, error }) {
  if (error) throw new Error(error);
  return value;
}
