// The answer panel: the plays that were considered, or the cube's three equities. Without an
// analysis it has the names of the play.

import { element, find, paragraph, press, small, unseen } from '../../web/kit/dom.js';
import { counted, points, signed } from '../../web/kit/words.js';
import { glyph } from './match.js';
import { madeOf } from './model.js';
import { showBoard, whenShown } from './steps.js';
import { errorWords, namesOf } from './words.js';

const panel = find('panel');
export let picked = -1; // the candidate whose arrows stay on the board

const percent = (/** @type {number} */ thousandths) => (thousandths / 10).toFixed(1);

whenShown((step) => {
  picked = -1;
  if (step.cube) panel.replaceChildren(...cubeRows(step, step.cube));
  else if (step.plays.length) panel.replaceChildren(...playRows(step));
  else panel.replaceChildren(...nameRows(step));
});

/** @type {(text: string, note: string) => Element} */
const heading = (text, note) => element('h2', {}, `${text} `, small(note));

/** What a play or action costs, with its sign if it was made. @type {(isMade: boolean, isWrong: boolean, plain: string, told: string) => Element} */
const rankCell = (isMade, isWrong, plain, told) => element('span', { className: 'rank' }, isMade ? (isWrong ? '✗' : '✓') : plain, unseen(isMade ? told : ''));
/** @type {(loss: number) => Element} */
const lossCell = (loss) => element('span', { className: 'loss' }, ...(loss > 0 ? [unseen('loses '), points(loss)] : []));
/** @type {(isMade: boolean, isWrong: boolean) => string} */
const verdict = (isMade, isWrong) => (isMade ? ` made ${isWrong ? 'wrong' : 'right'}` : '');

function playRows(/** @type {Step} */ step) {
  const { plays, nacbrac, said } = step;
  const known = plays.some(({ chances }) => chances.length);
  return [
    heading('Best plays', known ? 'wins (gammons, backgammons) – losses, in percent' : ''),
    element('ol', { className: 'plays' }, ...plays.map((play, at) => element('li', {}, playButton(step, play, at)))),
    ...(nacbrac ? [paragraph(small(nacbrac))] : []),
    ...(madeOf(step) || !said.includes('/') ? [] : [paragraph(small('The play made is not among the plays of the analysis.'))]),
  ];
}

/** How often a play was made in the games of an archive, and what it lost there on average. @type {(step: Step, said: string) => Element[]} */
function metWords({ met }, said) {
  if (!met) return [];
  const [count = 0, error] = met[1][said] || [];
  const mean = error === undefined ? '' : `, mean ${error ? '−' : ''}${points(error)}`;
  return [small(`${count ? `played ${counted(count, 'time')} of` : 'not played in'} ${met[0]}${mean}`)];
}

/** @type {(step: Step, play: Play, at: number) => Element} */
function playButton(step, { name, said, loss, chances, made, equity, rank }, at) {
  const button = element('button', { className: `play${verdict(made, loss > 0)}` },
    rankCell(made, loss > 0, String(rank), ` played, rank ${rank}`),
    glyph(name),
    element('span', { className: 'way' }, said),
    element('span', { className: 'equity' }, unseen('equity '), signed(equity)),
    lossCell(loss));
  if (chances.length) {
    const [win, gammon, backgammon, lostGammon, lostBackgammon] = chances.map(percent);
    button.append(small(`${win} (${gammon} ${backgammon}) – ${percent(1000 - chances[0])} (${lostGammon} ${lostBackgammon})`));
  }
  button.append(...metWords(step, said));
  button.dataset.candidate = at;
  press(button, false);
  return button;
}

const CUBE_ROWS = ['No double', 'Double, take', 'Double, pass'];

/** Which of the rows was played, and what is right for who decides. @type {(step: Step, cube: Cube) => Element[]} */
function cubeRows(step, [none, take, pass, best, act, error]) {
  const known = none !== null && take !== null;
  const worth = [none ?? 0, take ?? 0, pass];
  const doubled = Math.min(worth[1], pass);
  const answers = act === 'take' || act === 'drop';
  const row = { 'no double': 0, double: worth[1] <= pass ? 1 : 2, take: 1, drop: 2 }[act];
  const target = answers ? doubled : Math.max(worth[0], doubled);
  const right = known ? worth.findIndex((one, at) => one === target && (at || !answers)) : -1;
  const loser = answers ? -1 : 1; // equities are the doubler's
  const rows = CUBE_ROWS.map((name, at) => {
    const loss = known && !(answers && !at) ? loser * (target - worth[at]) : 0;
    return element('li', { className: `play${verdict(at === row, error > 0)}${at === right ? ' best' : ''}` },
      rankCell(at === row, error > 0, '', 'played'),
      element('span', { className: 'way' }, name),
      element('span', { className: 'equity' }, [none, take, pass][at] === null ? '?' : signed(worth[at])),
      lossCell(loss));
  });
  const faults = errorWords(step, '');
  return [
    heading('The cube', `equities of ${step.players[answers ? 1 - step.player : step.player]}`),
    element('ul', { className: 'plays cube' }, ...rows),
    paragraph(best ? 'Right: ' : '', element('b', {}, best), faults ? '; ' : '', element('span', { className: 'error' }, faults)),
    ...(step.cube_nacbrac ? [paragraph(small(step.cube_nacbrac))] : []),
  ];
}

function nameRows(/** @type {Step} */ step) {
  const { name, said, right = 'areal', forced, others = [] } = step;
  if (!name || !said.includes('/')) return [];
  if (forced) return [heading('The play', ''), namesOf([[name, right]]), paragraph(small('Forced: the only legal play.'))];
  return [
    heading('Its names', 'each by its right'), namesOf([[name, right], ...others]),
    ...metWords(step, said).map((words) => paragraph(words)),
  ];
}

/** The arrows of a candidate: while it is pointed at, or until another is picked. @type {(step: Step, at: number) => void} */
export const preview = (step, at) => showBoard(step, step.plays[at]?.said);

export function pick(/** @type {Step} */ step, /** @type {number} */ at) {
  if (!panel.querySelector(`[data-candidate="${at}"]`)) return;
  picked = picked === at ? -1 : at;
  for (const button of panel.querySelectorAll('[data-candidate]')) press(button, Number(button.dataset.candidate) === picked);
  preview(step, picked);
}
