// The answer panel: the plays or the cube of an analysis; without one, the names of the play.

import { element, find, labelled, listOf, paragraph, press, small, unseen } from '../../web/kit/dom.js';
import { chancesText, percent, points, signed } from '../../web/kit/words.js';
import { glyph } from './match.js';
import { errorWords, madeOf } from '../../web/kit/model.js';
import { showBoard, whenShown } from './steps.js';
import { FORCED, namesOf } from './words.js';

const panel = find('panel');
/** The play whose arrows stay on the board. */
export let picked = -1;

whenShown((step) => {
  picked = -1;
  const rows = step.cube ? cubeRows(step, step.cube) : step.plays.length ? playRows(step) : nameRows(step);
  panel.replaceChildren(...rows);
});

/** @type {(text: string, note?: string) => Element} */
const heading = (text, note = '') => element('h2', {}, `${text} `, small(note));
/** @type {(nacbrac: string | undefined) => Element[]} */
const note = (nacbrac) => (nacbrac ? [paragraph(small(nacbrac))] : []);

/** The rank of a choice, or a sign if it was made. @type {(isMade: boolean, isWrong: boolean, rank: string, heard: string) => Element} */
const rankCell = (isMade, isWrong, rank, heard) => element('span', { className: 'rank' }, `${isMade ? (isWrong ? '✗' : '✓') : ''} ${rank}`.trim(), unseen(isMade ? heard : ''));
/** @type {(loss: number) => Element} */
const lossCell = (loss) => element('span', { className: 'loss' }, ...(loss > 0 ? [unseen('loses '), points(loss)] : []));
/** @type {(isMade: boolean, isWrong: boolean) => string} */
const verdict = (isMade, isWrong) => (isMade ? ` made ${isWrong ? 'wrong' : 'right'}` : '');

function playRows(/** @type {Step} */ step) {
  const { plays, nacbrac, said } = step;
  const hasChances = plays.some(({ chances }) => chances.length);
  const isMissing = !madeOf(step) && said.includes('/');
  return [
    heading('Best plays', hasChances ? 'wins (gammons, backgammons) – losses, in percent' : ''),
    listOf('ol', 'plays', plays.map((play, at) => [playButton(step, play, at)])),
    ...note(nacbrac),
    ...note(isMissing ? 'The analysis does not list the play made.' : ''),
  ];
}

/** How often a play was made in an archive, and its mean error there. @type {(step: Step, said: string) => Element[]} */
function archiveWords({ archive }, said) {
  if (!archive) return [];
  const [count = 0, error] = archive[1][said] || [];
  const mean = error === undefined ? '' : `, mean error ${error ? '−' : ''}${points(error)}`;
  return [small(`played ${count} of ${archive[0]} times in the database${mean}`)];
}

/** @type {(step: Step, play: Play, at: number) => Element} */
function playButton(step, { name, said, loss, chances, made, equity, rank, level }, at) {
  const button = element('button', { className: `play${verdict(made, loss > 0)}` },
    rankCell(made, loss > 0, String(rank), ', played'),
    ...labelled(glyph(name), said),
    element('span', { className: 'equity' }, unseen('equity '), signed(equity)),
    lossCell(loss));
  const details = level ? [element('span', {}, level, unseen(', judged less deeply'))] : [];
  if (chances.length) {
    details.unshift(`${chancesText(chances.map(percent))}${level && ' · '}`);
  }
  if (details.length) button.append(small(...details));
  button.append(...archiveWords(step, said));
  button.dataset.candidate = at;
  press(button, false);
  return button;
}

const CUBE_ROWS = ['No double', 'Double, take', 'Double, drop'];

/** The cube's three equities, the choice made, and the right one. @type {(step: Step, cube: Cube) => Element[]} */
function cubeRows(step, { equities, best, act, choices, made }) {
  const [none, take, pass] = equities;
  const isWrong = Boolean(choices && choices[made ?? 0][2]);
  const isComplete = none !== null && take !== null;
  const worth = [none ?? 0, take ?? 0, pass];
  const doubled = Math.min(worth[1], pass);
  const answers = act === 'take' || act === 'drop';
  const row = { 'no double': 0, double: worth[1] <= pass ? 1 : 2, take: 1, drop: 2 }[act];
  const target = answers ? doubled : Math.max(worth[0], doubled);
  const right = !best ? -1 : !answers && best.startsWith('no') ? 0 : best.endsWith('take') ? 1 : 2;
  const sign = answers ? -1 : 1; // equities are the doubler's
  const rows = CUBE_ROWS.map((name, at) => {
    const loss = isComplete && !(answers && !at) ? sign * (target - worth[at]) : 0;
    return element('li', { className: `play${verdict(at === row, isWrong)}${at === right ? ' best' : ''}` },
      rankCell(at === row, isWrong, '', 'played'),
      element('span', { className: 'way' }, name),
      element('span', { className: 'equity' }, equities[at] === null ? '?' : signed(worth[at])),
      lossCell(loss));
  });
  const faults = errorWords(step, '');
  return [
    heading('Cube action', `equities for ${step.players[answers ? 1 - step.player : step.player]}`),
    element('ul', { className: 'plays cube' }, ...rows),
    paragraph(best ? 'Best: ' : '', element('b', {}, best), faults ? '; ' : '', element('span', { className: 'error' }, faults)),
    ...note(step.cube_nacbrac),
  ];
}

function nameRows(/** @type {Step} */ step) {
  const { name, said, right = 'areal', forced, others = [] } = step;
  if (!name || !said.includes('/')) return [];
  if (forced) return [heading('The play'), namesOf([[name, right]]), ...note(FORCED)];
  return [
    heading('The play'), namesOf([[name, right]]),
    ...(others.length ? [heading('Other names'), namesOf(others)] : []),
    ...archiveWords(step, said).map((words) => paragraph(words)),
  ];
}

/** Show the arrows of a play. @type {(step: Step, at: number) => void} */
export const preview = (step, at) => showBoard(step, step.plays[at]?.said);

export function pick(/** @type {Step} */ step, /** @type {number} */ at) {
  if (!panel.querySelector(`[data-candidate="${at}"]`)) return;
  picked = picked === at ? -1 : at;
  for (const button of panel.querySelectorAll('[data-candidate]')) press(button, Number(button.dataset.candidate) === picked);
  preview(step, picked);
}
