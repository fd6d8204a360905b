// Plays games of a rollout in a worker: it gets the engine's file, then questions, and posts the results.

import { startEngine } from './engine.js';

/** Games that follow a play, from the number `first` on. @typedef {{question: number[], first: number, count: number, seed: number, truncate: number, ends: number}} Games */

/** @type {Promise<import('./engine.js').Ask> | null} */
let started = null;

onmessage = async ({ data: message }) => {
  try {
    if (message.kind === 'start') {
      const { file, integrity } = message.engine;
      started = fetch(new URL(file, import.meta.url).href, { integrity }).then((response) => response.arrayBuffer()).then(startEngine);
      await started;
      postMessage({ kind: 'ready' });
      return;
    }
    const { question, first, count, seed, truncate, ends } = /** @type {Games} */ (message.games);
    const ask = await /** @type {NonNullable<typeof started>} */ (started);
    postMessage({ kind: 'rows', rows: ask('roll_out', question, first, count, seed, truncate, ends) });
  } catch (error) {
    postMessage({ kind: 'failed', message: error.message });
  }
};
