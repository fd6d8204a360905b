// Roll out the best plays of the roll on the board: figures with their errors while it runs, then a nacbrac.
// What is done is kept, and shown again with the same decision. A rollout goes on from it.

import { element, find, paragraph, small } from '../../web/kit/dom.js';
import { points, signed } from '../../web/kit/words.js';
import { keepRollout, keptRollout } from '../library/keeping.js';
import { button, copy, tried, trouble } from '../parts.js';
import { ask } from '../python.js';
import { errorOf, rollOn, unrolled } from '../rollers.js';

const TRUNCATE = 7; // rolls
const ENDS = 0; // plies of the evaluation after them
const OLDER_ENDS = 2; // of rollouts kept without that number
const SEED = 1;
const BETWEEN = 36; // games of each play, after which they are kept
const WIDEST = 0.1; // points: the standard error whose bar is as wide as the list

/** @typedef {import('../rollers.js').Rolled} Rolled */
/** The rollout of a turn. @typedef {{key: string, text: string, at: number, xgid: string, trials: number, ends: number, plays: Rolled[], kept: number, stop: (() => void) | null, nacbrac: string, by: string, problem: string}} Run */
/** The rollout on the page. @type {Run | null} */
let current = null;
/** The turn that the board shows, which can be rolled out. */
let offered = { key: '', text: '', at: -1, xgid: '' };

/** @type {(trials: number, ends?: number, plays?: Rolled[]) => Run} */
const newRun = (trials, ends = ENDS, plays = []) => ({ ...offered, trials, ends, plays, kept: 0, stop: null, nacbrac: '', by: '', problem: '' });
/** The games that each play has. @type {(run: Run) => number} */
const gamesOf = ({ plays }) => Math.min(...plays.map(({ games }) => games));
/** @type {(run: Run) => boolean} */
const isDone = (run) => run.plays.length > 0 && gamesOf(run) === run.trials;

/** Offer a rollout of a turn; another turn ends the present one. An empty key offers none. @type {(key: string, text: string, at: number, xgid: string) => void} */
export function offerRollout(key, text, at, xgid) {
  const isOther = key !== offered.key;
  if (isOther) {
    if (current?.stop) stop();
    current = null;
  }
  offered = { key, text, at, xgid };
  find('rollout').hidden = !key;
  show();
  if (isOther && key) keptRollout(xgid).then((kept) => { if (kept) showAgain(key, kept); }, () => {}); // nothing, where nothing is kept
}

/** @type {(key: string, kept: import('../library/keeping.js').KeptRollout) => void} */
function showAgain(key, { trials, ends = OLDER_ENDS, plays }) {
  if (key !== offered.key || current) return;
  current = newRun(trials, ends, plays.map((play) => ({ ...unrolled({ ...play, question: [] }), games: trials, ...play })));
  if (isDone(current)) finish();
  show();
}

/** Roll out so many games, from what the present rollout has of them. @type {(trials: number) => Promise<void>} */
async function begin(trials) {
  const before = current?.ends === ENDS && current.plays.every(({ games }) => games <= trials) ? current.plays : [];
  current?.stop?.();
  const run = newRun(trials, ENDS, before);
  run.stop = () => {};
  current = run;
  show();
  let answer;
  do {
    answer = await ask('plays_to_roll_out', [run.text, run.at]);
    if (current !== run || !run.stop) return;
  } while (answer.unfinished);
  run.plays = answer.plays.map(unrolled).map((/** @type {Rolled} */ play) => ({ ...play, ...before.find(({ said }) => said === play.said), question: play.question }));
  if (isDone(run)) {
    hear(run);
    return;
  }
  run.stop = rollOn(run.plays, { trials, truncate: TRUNCATE, ends: ENDS, seed: SEED }, (problem = '') => {
    if (run === current) hear(run, problem);
  });
  show();
}

/** @type {(run: Run, problem?: string) => void} */
function hear(run, problem = '') {
  run.problem = problem;
  if (problem || isDone(run)) run.stop = null;
  if (!problem && isDone(run)) finish();
  if (!problem && (isDone(run) || gamesOf(run) >= run.kept + BETWEEN)) keep(run);
  show();
}

/** @type {(run: Run) => void} */
function keep(run) {
  run.kept = gamesOf(run);
  const plays = run.plays.map(({ said, name, games, mean, squares }) => ({ said, name, games, mean, squares }));
  keptRollout(run.xgid).then((before) => {
    const isLonger = before && before.ends === run.ends && Math.min(...before.plays.map(({ games = before.trials }) => games)) > run.kept;
    return isLonger ? undefined : keepRollout(run.xgid, { trials: run.trials, ends: run.ends, plays });
  }).catch(() => {}); // nothing, where nothing is kept
}

const finish = tried(async () => {
  const run = current;
  if (!run) return;
  const results = run.plays.map((play) => [play.said, play.mean, errorOf(play)]);
  const { nacbrac, by } = await ask('rolled_out', [run.text, run.at, [run.trials, TRUNCATE, run.ends], results]);
  Object.assign(run, { nacbrac, by });
  if (run === current) show();
});

function stop() {
  current?.stop?.();
  if (current) {
    current.stop = null;
    if (current.plays.length && gamesOf(current) > current.kept) keep(current);
  }
  show();
}

/** @type {(play: Rolled, best: number) => Node} */
function row(play, best) {
  const error = errorOf(play);
  const bar = element('span', { className: 'error-bar' });
  bar.style.width = `${Math.round(100 * Math.min(1, error / WIDEST))}%`;
  const lost = Math.round(1000 * (best - play.mean));
  const loss = lost ? ` ${signed(-lost)}` : '';
  return element('li', {}, element('b', {}, play.name), ` ${play.said} `, signed(1000 * play.mean), small(`${loss} ± ${points(1000 * error)}, ${play.games} games`), bar);
}

function show() {
  const run = current;
  const isOpen = Boolean(run && !isDone(run) && !run.problem);
  find('roll-out').hidden = Boolean(run?.stop);
  find('roll-on').hidden = !isOpen;
  find('roll-on').textContent = run?.stop ? 'Stop' : 'Go on';
  find('rolled').replaceChildren(...(run ? rolledParts(run) : []));
}

/** @type {(run: Run) => Node[]} */
function rolledParts(run) {
  const { plays, trials, problem, nacbrac, by } = run;
  if (problem) return [trouble(problem)];
  if (!plays.length) return run.stop ? [paragraph(small('…'))] : [];
  const begun = plays.filter(({ games }) => games).sort((one, other) => other.mean - one.mean);
  const parts = [element('ul', { className: 'rolled' }, ...begun.map((play) => row(play, begun[0].mean)))];
  if (nacbrac) {
    parts.push(element('p', { className: 'row' }, element('code', {}, nacbrac), button(() => copy(nacbrac, 'Nacbrac'), 'Copy nacbrac')));
    if (!nacbrac.endsWith(by)) parts.push(paragraph(small(by)));
  } else parts.push(paragraph(small(`${gamesOf(run)} of ${trials} games`)));
  return parts;
}

/** @type {(message: string) => void} */
const report = (message) => { if (current) hear(current, message); };
find('roll-on').addEventListener('click', tried(() => (current?.stop ? stop() : begin(current?.trials || 0)), report));
find('roll-out').addEventListener('click', tried(() => begin(Number(find('trials').value)), report));
