// Matches without analysis are analysed in workers of their own, 0-ply first, then 2-ply. What is done
// is kept decision by decision, so it goes on after a reload or a killed tab.

import { hire, Stopped, valueOf } from '../assistant.js';
import { data } from '../data.js';
import { recall, store } from '../../web/kit/storage.js';
import { keyOf } from '../parts.js';
import { keepAnalysis, keptAnalysis, keptDepths, keptFile } from './keeping.js';
import { mayChange, readAgain } from './shelf.js';

const WISH = keyOf('analyse'); // whether the visitor wants matches to be analysed
const DEPTHS = [0, 2]; // plies
const SECONDS = 1; // of a step, after which it is kept
const VERSION = new URL('.', import.meta.url).pathname; // what another version began is begun anew

/** @type {AnalysisState} */
const state = { isOn: recall(WISH) === 'on' && Boolean(data.engine), running: {}, waiting: 0, problem: '' };
/** @type {Assistant[]} */
const analysts = [];
/** The matches without analysis, as files. @type {string[]} */
let bare = [];
/** @type {Set<string>} */
const failed = new Set();
/** The files whose analysis is complete. Each is read again once: it may have nothing to analyse, and so stay in the list of those without an analysis. @type {Set<string>} */
const completed = new Set();
/** @type {((state: AnalysisState) => void)[]} */
const watchers = [];

/** Call a function after each change of the state. @type {(does: (state: AnalysisState) => void) => void} */
export const whenAnalysing = (does) => { watchers.push(does); };

function change(/** @type {Partial<AnalysisState>} */ changes = {}) {
  Object.assign(state, changes);
  for (const does of watchers) does(state);
}

/** The files to analyse and how deep; the shallow ones first. @returns {Promise<[name: string, plies: number][]>} */
async function queue() {
  const depths = await keptDepths();
  const own = [...depths].filter(([, plies]) => plies >= 0).map(([name]) => name); // a copy may have brought the analysis of a file that was begun here
  const names = [...new Set([...bare, ...own])].filter((name) => !failed.has(name) && !(name in state.running));
  return DEPTHS.flatMap((plies) => names.filter((name) => (depths.get(name) ?? -1) < plies).map((name) => /** @type {[string, number]} */ ([name, plies])));
}

/** How many matches have tasks. @type {(tasks: [name: string, plies: number][]) => number} */
const matchesIn = (tasks) => new Set(tasks.map(([name]) => name)).size;

/** Analyse the matches of a list from now on. @type {(files: string[]) => Promise<void>} */
export async function analyseAll(files) {
  const depths = await keptDepths();
  bare = files.filter((name) => (depths.get(name) ?? -1) < 0);
  for (const name of failed) if (!files.includes(name) && !depths.has(name)) failed.delete(name); // another file may come with its name
  const unread = files.filter((name) => (depths.get(name) ?? -1) >= 0 && !completed.has(name)); // the tab was closed before
  if (unread.length && mayChange()) {
    for (const name of unread) completed.add(name);
    await readAgain(unread);
  }
  if (state.isOn && mayChange()) goOn();
  else change({ waiting: matchesIn(await queue()) });
}

/** Begin, or pause. @type {(isOn: boolean) => void} */
export function setAnalysing(isOn) {
  store(WISH, isOn ? 'on' : 'off');
  change({ isOn, problem: '' });
  if (isOn) goOn();
  else {
    for (const analyst of analysts.splice(0)) analyst.end();
    change({ running: {} });
  }
}

let isHiring = false;

async function goOn() {
  if (isHiring) return;
  isHiring = true;
  const tasks = await queue();
  change({ waiting: matchesIn(tasks) });
  const most = Math.max(1, (navigator.hardwareConcurrency || 2) - 1);
  while (state.isOn && analysts.length < Math.min(most, tasks.length + Object.keys(state.running).length)) {
    const analyst = hire(({ kind, message, problem }) => {
      if (kind === 'engine' && !problem && analyst) work(analyst);
      const reason = kind === 'failed' ? message : kind === 'engine' ? problem : '';
      if (!reason) return;
      setAnalysing(false);
      change({ problem: `Matches cannot be analysed: ${reason}` });
    });
    if (!analyst) break;
    analyst.needEngine();
    analysts.push(analyst);
  }
  isHiring = false;
}

/** Let an analyst take one match after the other. */
async function work(/** @type {Assistant} */ analyst) {
  try {
    for (;;) {
      const tasks = await queue();
      change({ waiting: matchesIn(tasks) });
      if (!tasks.length || !state.isOn || !analysts.includes(analyst)) break;
      const [name, plies] = tasks[0];
      state.running[name] = { done: 0, total: 1, plies };
      try {
        await analyse(analyst, name, plies);
      } catch (error) {
        if (error instanceof Stopped) throw error;
        failed.add(name);
        change({ problem: `${name}: ${error.message}` });
      }
      delete state.running[name];
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  const at = analysts.indexOf(analyst);
  if (at >= 0) analysts.splice(at, 1);
  analyst.end();
  change();
}

/** @type {(analyst: Assistant, name: string, plies: number) => Promise<void>} */
async function analyse(analyst, name, plies) {
  const bytes = await keptFile(name);
  if (!bytes) throw new Error('its file is not on this device');
  const before = await keptAnalysis(name) || { done: -1, kept: [], begun: [], version: '' };
  const begun = before.version === VERSION ? before.begun : [];
  const ask = async (/** @type {string} */ question, /** @type {unknown[]} */ ...args) => valueOf(await analyst.reply(question, args, bytes));
  const keep = async (/** @type {import('./keeping.js').Analysis} */ analysis) => {
    const isKept = await keepAnalysis(name, analysis, bytes);
    if (!isKept) bare = bare.filter((other) => other !== name); // until the list is read again
    return isKept;
  };
  let { done, total } = await ask('go_on_analysing', plies, begun);
  begun.length = done;
  while (done < total) {
    if (!analysts.includes(analyst)) throw new Stopped();
    change({ running: { ...state.running, [name]: { done, total, plies } } });
    const more = await ask('analyse_more', plies, done, SECONDS);
    done = more.done;
    begun.push(...more.kept);
    if (!await keep({ ...before, version: VERSION, begun })) return;
  }
  if (!await keep({ version: VERSION, done: plies, kept: begun, begun: [] })) return;
  completed.add(name);
  await readAgain([name]);
}
