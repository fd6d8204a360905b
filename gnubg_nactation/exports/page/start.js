// The start of the page: addresses, keys, mouse and finger.

import { address } from '../../web/kit/address.js';
import { find, isCommand, onSwipe, press } from '../../web/kit/dom.js';
import { startMenus } from '../../web/kit/menu.js';
import { startTheme } from '../../web/kit/theme.js';
import { copy } from './copies.js';
import { board, data, firstOf, places, steps } from './match.js';
import { hasSummary, isSumming, showSummary } from './overview.js';
import { pick, picked, preview } from './panel.js';
import { asking, showQuestion, startQuiz } from './quiz.js';
import { current, go, mistake, targets } from './steps.js';
import { dismiss, explain, explainer, pinned } from './words.js';

/** The place of the step or game at an address, or -1. */
function placeAt(/** @type {string} */ hash) {
  const id = hash.slice(1);
  const game = data.games.find((candidate) => candidate.id === id);
  return places.get(id) ?? (game && firstOf.get(game)) ?? -1;
}

function follow(/** @type {string} */ hash, /** @type {Way} */ way) {
  const id = hash.slice(1);
  const place = placeAt(hash);
  const [, subject, from = ''] = /^(quiz|letters)(?:-(.+))?$/.exec(id) || []; // `quiz-7.14b` begins there
  const isSummary = hasSummary && ['', 'summary'].includes(id);
  const list = [...document.querySelectorAll('.account')].find((section) => section.id === id);
  if (place >= 0) go(place, { way: way === 'none' && !places.has(id) ? 'step' : way });
  else if (isSummary) {
    go(Math.max(current, 0), { way: 'none' });
    showSummary();
  } else if (subject) startQuiz(subject, 'both', places.get(from));
  else {
    if (asking || isSumming() || current < 0 || !list) go(Math.max(current, 0), { way: list ? 'none' : 'step' });
    if (list) list.scrollIntoView();
  }
  if (place < 0) address(id, list || asking || isSummary ? way : 'none');
}

const jump = (/** @type {number} */ place) => go(place, { way: 'jump' });

function flip() {
  board.isFlipped = !board.isFlipped;
  press(find('flip'), board.isFlipped);
  if (asking) showQuestion(asking);
  else preview(steps[current], picked);
}

/** @type {Record<string, (options: Going) => void>} */
const KEYS = {
  ArrowLeft: (options) => go(targets().previous, options),
  ArrowRight: (options) => go(isSumming() ? current : targets().next, options), // from the summary to the first turn
  n: () => jump(mistake(1)),
  p: () => jump(mistake(-1)),
  f: flip,
  '?': () => find('keys').showModal(),
};
// In the table, up and down lead to the same player's turns.
/** @type {typeof KEYS} */
const TABLE_KEYS = {
  ...KEYS,
  ArrowUp: (options) => go(sameSide(-1), options),
  ArrowDown: (options) => go(sameSide(1), options),
  Home: (options) => go(targets().first, { ...options, way: 'jump' }),
  End: (options) => go(targets().last, { ...options, way: 'jump' }),
};

/** Two turns on, whatever cube decisions come between. @type {(by: number) => number} */
function sameSide(by) {
  const { game, number } = steps[current];
  return steps.findIndex((step) => step.game === game && step.number === number + 2 * by && !step.on_cube);
}

function onKey(/** @type {any} */ event) {
  if (isCommand(event) || current < 0 || find('keys').open) return;
  if (event.key === 'Escape') dismiss();
  if (event.target.matches('input, select')) return;
  if (asking && !['f', '?'].includes(event.key)) return;
  if (/^[1-9]$/.test(event.key)) pick(steps[current], Number(event.key) - 1);
  const inTable = Boolean(event.target.closest('td'));
  const key = (inTable ? TABLE_KEYS : KEYS)[event.key];
  if (!key) return;
  event.preventDefault();
  key({ focus: inTable ? (event.target.matches('.n') ? '.n' : 'a') : '' }); // in the table on links, or on characters
}

/** @type {(target: any) => Step} */
const stepOf = (target) => steps[places.get(target.closest('.cell')?.dataset.id) ?? current];

function onClick(/** @type {any} */ event) {
  const { target } = event;
  const character = target.closest('.n');
  const link = target.closest('a[href^="#"]');
  if (character) {
    const step = stepOf(character);
    const isOpen = explainer === character && pinned;
    if (step !== steps[current]) jump(steps.indexOf(step));
    if (isOpen) dismiss();
    else explain(character, step, true);
  } else if (link) {
    event.preventDefault();
    const place = placeAt(link.hash);
    if (place < 0) follow(link.hash, 'jump');
    else go(place, { focus: link.closest('td') ? 'a' : '', follow: !link.closest('.account'), way: 'jump' });
  } else if (!target.closest('#explanation')) {
    dismiss();
  }
  const { step, copy: what, candidate } = target.closest('[data-step], [data-copy], [data-candidate]')?.dataset || {};
  if (step) go(targets()[step], { way: ['first', 'last'].includes(step) ? 'jump' : 'step' });
  if (what) copy(what);
  if (candidate) pick(steps[current], Number(candidate));
}

/** Preview the play and explain the character under the mouse or with the focus. */
function onPoint(/** @type {any} */ { type, pointerType, target }) {
  const isFocus = type === 'focusin';
  if (!isFocus && pointerType !== 'mouse') return;
  const [candidate, character] = ['[data-candidate]', '.n'].map((selector) => target.closest(isFocus ? `${selector}:focus-visible` : selector));
  if (candidate) preview(steps[current], Number(candidate.dataset.candidate));
  if (pinned && !isFocus) return;
  if (character) explain(character, stepOf(character), false);
  else if (explainer && !pinned && explainer !== target && !(target.closest('#explanation') && !isFocus)) dismiss();
}

function onLeave(/** @type {any} */ event) {
  if (event.target.closest('[data-candidate]') && current >= 0) preview(steps[current], picked);
}

document.documentElement.classList.add('scripted');
startTheme();
startMenus();
find('flip').addEventListener('click', flip);
find('help').addEventListener('click', () => {
  find('tools').open = false;
  find('keys').showModal();
});
document.addEventListener('keydown', onKey);
document.addEventListener('click', onClick);
document.addEventListener('pointerover', onPoint);
document.addEventListener('pointerout', onLeave);
document.addEventListener('focusin', onPoint);
document.addEventListener('focusout', onLeave);
onSwipe(find('board'), (way) => go(way < 0 ? targets().next : targets().previous), () => !asking);
addEventListener('hashchange', () => follow(location.hash, 'none'));
addEventListener('resize', dismiss);
follow(location.hash, 'none');
