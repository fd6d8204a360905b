// A rollout by workers on all processors but one, or on both of two. Games are added in the order of
// their numbers, so the result does not depend on who plays which.

import { data } from './data.js';

const ROW = 7; // numbers for a game, its equity last
const PART = 6; // games that a worker plays at a time

/** A play, with the mean of its games so far, and the sum of squared distances from it (Welford). @typedef {{said: string, name: string, question: number[], games: number, asked: number, mean: number, squares: number, early: Map<number, Float32Array>}} Rolled */

/** The standard error of a play's equity. @type {(play: Rolled) => number} */
export const errorOf = ({ games, squares }) => (games < 2 ? 0 : Math.sqrt(squares / (games - 1) / games));

/** @type {(play: {said: string, name: string, question: number[]}) => Rolled} */
export const unrolled = (play) => ({ ...play, games: 0, asked: 0, mean: 0, squares: 0, early: new Map() });

/** @type {(play: Rolled, first: number, rows: Float32Array) => void} */
function add(play, first, rows) {
  play.early.set(first, rows);
  for (let next = play.early.get(play.games); next; next = play.early.get(play.games)) {
    play.early.delete(play.games);
    for (let at = ROW - 1; at < next.length; at += ROW) {
      const distance = next[at] - play.mean;
      play.games += 1;
      play.mean += distance / play.games;
      play.squares += distance * (next[at] - play.mean);
    }
  }
}

/**
 * Go on with a rollout until each play has `trials` games; `heard` is called after each part, and with
 * a message if a worker fails. Returns a function that stops it.
 * @type {(plays: Rolled[], settings: {trials: number, truncate: number, ends: number, seed: number}, heard: (problem?: string) => void) => () => void}
 */
export function rollOn(plays, { trials, truncate, ends, seed }, heard) {
  for (const play of plays) {
    play.asked = play.games; // what was under way is lost
    play.early.clear();
  }
  /** @type {Worker[]} */
  const workers = [];
  const stop = () => { for (const worker of workers.splice(0)) worker.terminate(); };
  const begin = () => {
    const worker = new Worker(new URL('roller.js', import.meta.url), { type: 'module' });
    /** @type {(rows: Float32Array) => void} */
    let take = () => {};
    const go = () => {
      const play = plays.reduce((least, other) => (other.asked < least.asked ? other : least));
      const first = play.asked;
      const count = Math.min(PART, trials - first);
      if (!count) return;
      play.asked += count;
      take = (rows) => add(play, first, rows);
      worker.postMessage({ kind: 'games', games: { question: play.question, first, count, seed, truncate, ends } });
    };
    worker.onmessage = ({ data: { kind, rows, message } }) => {
      if (!workers.includes(worker)) return;
      if (kind === 'failed') {
        stop();
        heard(message);
        return;
      }
      if (kind === 'rows') take(rows);
      go();
      if (plays.every(({ games }) => games === trials)) stop();
      if (kind === 'rows') heard();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      stop();
      heard(event.message || 'a worker did not start');
    };
    worker.postMessage({ kind: 'start', engine: data.engine });
    workers.push(worker);
  };
  const processors = navigator.hardwareConcurrency || 2;
  const all = Math.max(Math.min(2, processors), processors - 1);
  for (let at = 0; at < Math.min(all, plays.length * Math.ceil(trials / PART)); at += 1) begin();
  return stop;
}
