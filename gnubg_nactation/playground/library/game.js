// A match on the board: its summary, its turns with what was best, and a quiz on its mistakes.

import { element, find, glyphOf, paragraph, press, small } from '../../web/kit/dom.js';
import { xgidOf } from '../../web/kit/game.js';
import { errorWords, isMistake, lossOf, placeOf, plain, rowsOf, stepsOf } from '../../web/kit/model.js';
import { lettersOf, questionsOf } from '../../web/kit/quiz.js';
import { actionsOf, chartOf, costliestOf, figuresOf, minus } from '../../web/kit/summary.js';
import { recall, store } from '../../web/kit/storage.js';
import { chancesText, percent, points, signed } from '../../web/kit/words.js';
import { board } from '../board.js';
import { enterPlays } from '../board/moving.js';
import { shareButtons } from '../board/decision.js';
import { button, card, keyOf, replace } from '../parts.js';
import { playButton, ratingOf, stage } from '../stage.js';
import { linkOf } from '../board/typing.js';
import { noteBox } from './notes.js';

/** @type {{steps: Step[], places: Map<string, number>, looks: Map<string, Name>, families: PageData['families'], summaries: Summary[], sample: string} | null} */
let match = null;
let at = -1; // the step on the board, -1 for the summary
/** What is asked of whom, how many questions were answered, and how many right. @type {{subject: string, player: string, asked: Step[], number: number, right: number, isDone: boolean} | null} */
let quiz = null;

const YOU = keyOf('you');
/** The names that you play under, known also before the library is open. @type {string[]} */
let you = recall(YOU).split('\n').filter(Boolean);
export function setYou(/** @type {string[]} */ names) {
  const before = String(you);
  you = names.map((name) => name.toLowerCase());
  if (String(you) === before) return;
  store(YOU, you.join('\n'));
  if (match && !find('summary').hidden) showSummary();
}
/** The number of your side: 0 or 1, or -1 if you did not play. @type {(players: string[]) => number} */
export const yourSide = (players) => players.findIndex((name) => you.includes(plain(name).toLowerCase()));
/** Your side first, if you played. @type {<T>(match: {players: string[]}, pair: T[]) => T[]} */
export const yoursFirst = ({ players }, pair) => (yourSide(players) === 1 ? pair.toReversed() : pair);
/** The players of a match; a name that is written from right to left does not turn them round. @type {(players: string[]) => Part[]} */
export const versus = ([first, second]) => [element('bdi', {}, first), ' – ', element('bdi', {}, second)];
/** Whose mistakes are asked about at first: yours, or those of both players if you did not play. */
function asksAbout() {
  const side = yourSide(match?.summaries[0]?.players || []);
  return side < 0 ? 'both' : String(side);
}

/** @type {(name: string) => Part} */
const glyph = (name) => {
  const look = match?.looks.get(name);
  return look ? glyphOf(look) : name;
};
/** The address of a place in the match; of none, that of its summary. @type {(place: string, sample?: string) => string} */
export const linkTo = (place, sample = match?.sample || '') => `#match${sample && `=${encodeURIComponent(sample)}`}${place && `&at=${place}`}`;
/** The board of a step, with the arrows of its play or another. @type {(step: Step, said?: string) => Answer} */
const answerOf = (step, said = step.name ? step.said : '') => ({
  xgid: step.board ? xgidOf(step) : '', player: step.player, roll: step.roll, doubles: step.doubles, said, players: step.players.map(plain),
});

/** Show the match of a file; `sample` is its name in the address. @type {(value: {data: PageData, summaries: Summary[]}, sample: string) => void} */
export function setMatch({ data, summaries }, sample) {
  const steps = stepsOf(data);
  const looks = new Map(rowsOf(data.names).map((row) => [row.name, row]));
  match = { steps, places: new Map(steps.map((step, place) => [step.id, place])), looks, families: data.families, summaries, sample };
  quiz = null;
  find('to-summary').setAttribute('href', linkTo(''));
}

/** Where the visitor is in the match, as `showAt` takes it. */
const placeNow = () => quiz?.subject || match?.steps[at]?.id || '';

/** Show the match with another analysis; a quiz, or a note that is being written, stays. @type {(value: {data: PageData, summaries: Summary[]}) => void} */
export function renewMatch(value) {
  const place = placeNow();
  const isNoting = find('beside-match').querySelector('.notes')?.contains(document.activeElement);
  const going = quiz?.asked.length ? quiz : null;
  setMatch(value, match?.sample || '');
  quiz = going;
  if (isNoting) at = match?.places.get(place) ?? at;
  else if (!quiz) showAt(place);
}

/** The match is kept under this name from now on. */
export function keepName(/** @type {string} */ sample) {
  const before = linkTo('');
  if (match) match.sample = sample;
  for (const link of [find('to-summary'), ...find('summary').querySelectorAll('a')]) link.setAttribute('href', link.getAttribute('href').replace(before, linkTo('')));
}

export function forgetMatch() {
  match = null;
  showAt('');
}

/** Go to a place of the match: a step, `quiz`, `letters`, or nothing for the summary. @type {(place: string) => void} */
export function showAt(place) {
  at = match?.places.get(place) ?? match?.places.get(place.endsWith('c') ? place.slice(0, -1) : `${place}c`) ?? -1; // with or without its cube decision
  const isQuiz = Boolean(match) && ['quiz', 'letters'].includes(place);
  if (!isQuiz) quiz = null;
  if (document.documentElement.dataset.view !== 'match') return; // as after a file that was read too late
  const isOnBoard = at >= 0 || isQuiz;
  document.documentElement.dataset.match = isOnBoard ? 'board' : match ? 'summary' : '';
  find('stage').hidden = !isOnBoard;
  find('steps').hidden = at < 0;
  find('summary').hidden = !match || isOnBoard;
  find('beside-match').hidden = !isOnBoard;
  enterPlays(null);
  if (isQuiz) askAll(place);
  else if (at >= 0) showStep();
  else if (match) showSummary();
}

/** Go to the step `by` steps further. @type {(by: number) => void} */
export function stepBy(by) {
  if (!match || at < 0) return;
  const next = match.steps[Math.min(Math.max(at + by, 0), match.steps.length - 1)];
  history.replaceState(null, '', linkTo(next.id));
  showAt(next.id);
}

/** The chart of steps, from your side. @type {(steps: Step[], now: number) => any[]} */
const chart = (steps, now) => chartOf(steps, now, linkTo, Math.max(yourSide(steps[0]?.players || []), 0));

// The summary

function showSummary() {
  if (!match) return;
  const { steps, summaries } = match;
  const isYours = (/** @type {Step} */ { player, players }) => yourSide(players) === player;
  const yours = costliestOf(steps.filter(isYours), { board, glyph, linkTo, title: 'Your costliest decisions' });
  const others = costliestOf(yours.length ? steps.filter((step) => !isYours(step)) : steps, { board, glyph, linkTo, title: yours.length ? 'Your opponent’s costliest decisions' : undefined });
  const sorted = summaries.map((summary) => ({ ...summary, players: yoursFirst(summary, summary.players), score: yoursFirst(summary, summary.score), ratings: yoursFirst(summary, summary.ratings) }));
  replace(find('summary'), [...figuresOf(sorted), ...chart(steps, -1), actionsOf(steps, linkTo, questionsOf(steps, 'quiz', asksAbout()).length),
    ...yours.length ? [...yours, gamesOf(summaries), ...others] : [...others, gamesOf(summaries)]]);
}

function gamesOf(/** @type {Summary[]} */ summaries) {
  const firsts = new Map(match?.steps.toReversed().map((step) => [step.game.id, step.id]));
  return element('section', { ariaLabel: 'Games' }, element('h2', {}, 'Games'), element('ol', { className: 'card turns' }, ...summaries.flatMap(({ players, games }) => games.map(({ anchor, title, scores, result }) => element('li', {},
    element('a', { className: 'lesson', href: linkTo(firsts.get(anchor) || '') }, element('b', {}, title), small(scores[Math.max(yourSide(players), 0)]), element('span', {}, plain(result))))))));
}

// A step

function showStep() {
  if (!match) return;
  const step = match.steps[at];
  stage(answerOf(step), captionOf(step));
  const game = match.steps.filter((other) => other.game === step.game);
  find('beside-match').replaceChildren(card('Best plays', ...worthOf(step)), ...(step.comment ? [card('Comment', paragraph(step.comment))] : []),
    ...notesOf(step), card(step.game.title, movesOf(game, step)), ...chart(game, game.indexOf(step)));
  const row = find('beside-match').querySelector('.moves [aria-current]');
  const box = row?.closest('.moves');
  if (box && row) box.scrollTop = row.offsetTop - box.clientHeight / 2;
}

/** What the visitor can write about a step, if its match has a name. @type {(step: Step) => any[]} */
function notesOf(step) {
  const decision = decisionOf(step);
  return match?.sample && decision ? [card('Your notes', noteBox(decision))] : [];
}

/** What the cube action should have been, by the fault. @type {[RegExp, string][]} */
const RIGHT = [[/^missed/, 'double'], [/double$/, 'no double'], [/take$/, 'pass'], [/drop$/, 'take']];

/** The decision of a step as those of the library; null without an analysis. @type {(step: Step) => Decision | null} */
function decisionOf(step) {
  const { board: position, plays: [best], cube, on_cube: onCube, roll, name = '', said, lost, players } = step;
  if (!position || !(best || cube)) return null;
  const xgid = xgidOf(step);
  const [fault = ''] = lost[0] || [];
  const done = onCube ? 'no double' : xgid.split(':')[4] !== 'D' ? 'double' : /drop|pass/i.test(said) ? 'pass' : 'take';
  const file = match?.sample || '';
  const about = { place: `${file}#${placeOf(step)}`, file, xgid, lost: lossOf(step) / 1000, players: players.map(plain), theme: '', phase: '', opening: '' };
  if (cube) return { ...about, roll: null, made: fault || done, play: null, best: RIGHT.find(([pattern]) => pattern.test(fault))?.[1] || done };
  return { ...about, roll, made: name, play: said, best: best.name, best_play: best.said };
}

/** @type {(step: Step) => Part[]} */
function captionOf(step) {
  const { player, players, roll, name, said, trouble } = step;
  const losses = errorWords(step, step.on_cube || !step.roll ? ': ' : ' ');
  return [`${plain(players[player])} `, roll ? `${roll}: ` : '', ...(name && !step.on_cube ? [glyph(name), ' '] : []), trouble || said, ...(losses ? [element('span', { className: 'trouble' }, losses)] : [])];
}

/** What the plays or cube actions of a step are worth. @type {(step: Step) => Part[]} */
function worthOf(step) {
  const { plays, cube, nacbrac, cube_nacbrac: cubeNacbrac, source } = step;
  const link = step.board ? [element('a', { className: 'button', href: linkOf(xgidOf(step)) }, 'Analyse')] : [];
  const foot = paragraph(small((cube ? cubeNacbrac : nacbrac) || source || ''));
  const share = step.board ? [element('p', { className: 'row' }, ...link, ...shareButtons(() => sharedOf(step)))] : [];
  if (cube) return [...cubeRows(cube), foot, ...share];
  if (!plays.length) return [paragraph(small('This turn has no analysis.')), ...link];
  const rows = plays.map((play) => {
    const row = playButton({ look: match?.looks.get(play.name), token: play.name, said: play.said }, () => preview(step, play, row),
      ratingOf({ equity: signed(play.equity), loss: minus(play.loss) }, chancesOf(play)));
    if (play.made) row.setAttribute('aria-current', 'true');
    return row;
  });
  return [element('ul', { className: 'options rated all' }, ...rows.map((row) => element('li', {}, row))), foot, ...share];
}

/** A step as an address carries it. @type {(step: Step) => SharedDecision} */
function sharedOf(step) {
  const { cube, plays, source = '' } = step;
  const choices = cube
    ? cubeChoices(cube).map(([said, equity, loss], at) => ({ name: '', said, equity: equity === null ? '' : signed(equity), loss: minus(loss), note: '', isMade: at === cube.made }))
    : plays.map((play) => ({ name: play.name, said: play.said, equity: signed(play.equity), loss: minus(play.loss), note: play.chances.length ? chancesText(play.chances.map(percent)) : '', isMade: play.made }));
  return { xgid: xgidOf(step), source, choices };
}

/** @type {(play: Play) => string} */
function chancesOf({ chances, made }) {
  const words = chances.length ? chancesText(chances.map(percent)) : '';
  return [words, made ? 'played' : ''].filter(Boolean).join(' · ');
}

/** Show the arrows of a play. @type {(step: Step, play: Play, row: Element) => void} */
function preview(step, play, row) {
  for (const other of find('beside-match').querySelectorAll('.options button')) press(other, other === row);
  stage(answerOf(step, play.said), captionOf(step));
}

/** @type {(cube: Cube) => [string, number | null, number][]} */
const cubeChoices = ({ equities: [none, take, pass], choices }) => choices || [['no double', none, 0], ['double, take', take, 0], ['double, drop', pass, 0]];

/** @type {(cube: Cube) => Part[]} */
function cubeRows(cube) {
  const { best, made } = cube;
  const rows = cubeChoices(cube);
  return [element('ul', { className: 'cube-rows' }, ...rows.map(([name, equity, loss], place) => element('li', {}, element('b', {}, equity === null ? '?' : signed(equity)), ` ${name}`,
    ...(loss ? [element('span', { className: 'trouble' }, ` ${minus(loss)}`)] : []), ...(place === made ? [small(' played')] : [])))),
  ...(best ? [paragraph('Best: ', element('b', {}, best))] : [])];
}

/** The turns of a game in two columns. @type {(steps: Step[], now: Step) => any} */
function movesOf(steps, now) {
  const numbers = [...new Set(steps.map(({ move }) => move))];
  return element('ol', { className: 'moves' }, ...numbers.map((number) => element('li', {}, small(String(number)),
    ...[0, 1].map((player) => element('span', {}, ...steps.filter((step) => step.move === number && step.player === player).map((step) => moveLink(step, step === now)))))));
}

/** @type {(step: Step, isNow: boolean) => any} */
function moveLink(step, isNow) {
  const { roll, name, said, on_cube: onCube } = step;
  const made = element('a', { href: linkTo(step.id) }, ...(onCube ? [small('cube?')] : [roll, ' ', name ? glyph(name) : said]),
    ...(isMistake(step) ? [element('span', { className: 'trouble' }, ` ${minus(lossOf(step)) || '?'}`)] : []));
  if (isNow) made.setAttribute('aria-current', 'true');
  return made;
}

// The quizzes

/** @type {(subject: string, player?: string) => void} */
function askAll(subject, player = asksAbout()) {
  if (!match) return;
  quiz = { subject, player, asked: questionsOf(match.steps, subject, player), number: 0, right: 0, isDone: false };
  ask();
}

const asked = () => (quiz ? quiz.asked[quiz.number] : undefined);

/** Whose turns are asked about. @type {(players: string[]) => any} */
function whose(players) {
  const box = element('select', { ariaLabel: 'Ask about', id: 'match-whose' }, ...['both players', ...players.map(plain)].map((name, place) => element('option', { value: place ? String(place - 1) : 'both' }, name)));
  box.value = quiz?.player || 'both';
  box.addEventListener('change', () => {
    if (quiz) askAll(quiz.subject, box.value);
    find('match-whose')?.focus({ preventScroll: true }); // the menu was made anew
  });
  return box;
}

function ask() {
  const step = asked();
  if (!quiz || !match) return;
  const { right, subject, asked: all, number } = quiz;
  const [{ players }] = match.summaries;
  if (!step) {
    find('beside-match').replaceChildren(card('Quiz', paragraph(element('b', {}, all.length ? `${right} of ${all.length} right` : 'Nothing to ask')),
      element('p', { className: 'row' }, element('a', { className: 'button primary', href: linkTo('') }, 'Summary'), whose(players))));
    enterPlays(null);
    return;
  }
  quiz.isDone = false;
  const who = plain(step.players[step.player]);
  const isLetter = subject === 'letters';
  if (isLetter) stage(answerOf(step), [`${who} plays ${step.roll}: ${step.said}. Which letter?`]);
  else stage(answerOf(step, ''), [`${who} ${step.on_cube || !step.roll ? 'and the cube: your action?' : `to play ${step.roll}: your play?`}`]);
  const names = isLetter ? lettersOf(step, match.families, match.looks) : step.cube ? (step.cube.choices || []).map(([name]) => name) : step.plays.map(({ name }) => name).sort();
  const way = isLetter ? '' : ' Move the checkers, or choose a play.';
  find('beside-match').replaceChildren(card('Quiz', element('p', { className: 'row' }, small(`Question ${number + 1} of ${all.length}.${way}`), whose(players)),
    element('p', { className: 'row', id: 'match-guesses' }, ...names.map((name) => (isLetter ? button(() => answerLetter(name), glyph(name))
      : button(() => answer(name), ...(step.cube ? [name] : [glyph(name), ` ${step.plays.find((play) => play.name === name)?.said}`]))))), movers));
  enterPlays(desk);
}

const movers = element('div', { className: 'row', role: 'group', ariaLabel: 'Move a checker from' });

/** Judge an answer: the name of a play, a cube action, or nothing for a play without analysis. @type {(name: string) => void} */
function answer(name) {
  const step = asked();
  if (!step) return;
  const chosen = step.plays.find((play) => play.name === name);
  const loss = step.cube ? step.cube.choices?.find(([choice]) => choice === name)?.[2] : chosen?.loss;
  const isRight = loss === 0 || Boolean(chosen?.isClose);
  const words = isRight ? 'Right.' : loss === undefined ? 'Wrong: that play is not among the best.' : `Wrong: that loses ${points(loss)}.`;
  const best = step.cube ? [`Best: ${step.cube.best}`] : [`Best: ${step.roll} `, glyph(step.plays[0].name), ` ${step.plays[0].said}`];
  finish(step, isRight, [words], paragraph('In the match: ', ...captionOf(step)));
  stage(answerOf(step, step.cube ? '' : step.plays[0].said), best);
}

/** Judge the family of a letter. @type {(key: string) => void} */
function answerLetter(key) {
  const step = asked();
  const family = match?.looks.get(step?.name || '')?.family;
  if (!match || !step || !family) return;
  const [word, meaning] = match.families[family];
  finish(step, key === family, [key === family ? 'Right: ' : 'No, it is ', glyph(step.name || ''), `, ${word}.`], paragraph(meaning));
  stage(answerOf(step), captionOf(step));
}

/** @type {(step: Step, isRight: boolean, verdict: Part[], more: Part) => void} */
function finish(step, isRight, verdict, more) {
  if (!quiz || quiz.isDone) return;
  quiz.isDone = true;
  quiz.right += Number(isRight);
  find('beside-match').replaceChildren(card('Quiz', element('p', { id: 'match-verdict', className: isRight ? 'right' : 'trouble', role: 'status' }, ...verdict), more,
    element('p', { className: 'row' }, Object.assign(button(next, 'Next'), { className: 'primary', id: 'match-next' }), element('a', { className: 'button', href: linkTo('') }, 'End'))), card('Best plays', ...worthOf(step)));
  find('match-next').focus({ preventScroll: true });
}

function next() {
  if (quiz) quiz.number += 1;
  ask();
}

/** @type {Desk} */
const desk = {
  toPlay() {
    const step = asked();
    return quiz?.subject === 'quiz' && !quiz.isDone && step && step.roll && !step.cube ? answerOf(step, '') : null;
  },
  play(isPlayed) {
    answer(asked()?.plays.find(({ said }) => isPlayed(said))?.name || '');
    return true;
  },
  box: movers,
  after: () => find('match-next') || movers,
};
