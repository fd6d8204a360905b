// Going from step to step, and showing one. Other views call `whenShown` to follow.

import { address } from '../../web/kit/address.js';
import { element, find, markCurrent, query } from '../../web/kit/dom.js';
import { boardWords } from '../../web/kit/words.js';
import { links } from './cells.js';
import { board, data, family, firstOf, glyph, lastOf, places, steps } from './match.js';
import { errorWords, isMistake, placeOf } from '../../web/kit/model.js';
import { dismiss, explain, explainer, memberWords, stepWords } from './words.js';

export let current = -1;
/** The step whose cell is marked in the table; a quiz marks none. @type {Step | null} */
let marked = null;
let shown = ''; // the game whose moves are shown, and the marked tab
/** @type {((step: Step) => void)[]} */
const watchers = [];
/** @type {(() => void)[]} */
const leavers = [];

/** Call a function whenever a step is shown. @type {(watcher: (step: Step) => void) => void} */
export const whenShown = (watcher) => { watchers.push(watcher); };
/** Call a function before the reader goes to a step. @type {(leaver: () => void) => void} */
export const whenLeft = (leaver) => { leavers.push(leaver); };
/** Go to a step without showing it. @type {(step: Step) => void} */
export const standAt = (step) => { current = Number(places.get(step.id)); };

/** @type {(step: Step) => any} */
const linkOf = ({ id }) => links.get(id);
const cellOf = (/** @type {Step} */ step) => linkOf(step).closest('.cell');

function reach(/** @type {Step} */ step, /** @type {boolean} */ isReached) {
  const cell = cellOf(step);
  cell.classList.toggle('now', isReached);
  for (const part of cell.children) if (part.matches('a, button')) part.tabIndex = isReached ? 0 : -1;
  markCurrent(linkOf(step), isReached);
}

/** Show the moves of a game, null those of none, and mark its tab or another. @type {(game: Step['game'] | null, tab?: string) => void} */
export function showGame(game, tab = game?.id) {
  if (shown === `${game?.id} ${tab}`) return;
  shown = `${game?.id} ${tab}`;
  for (const { id } of data.games) find(id).classList.toggle('current', id === game?.id);
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('#games a'))) {
    markCurrent(link, link.hash === `#${tab}`);
    if (link.hash === `#${tab}`) bringIntoRow(link);
  }
}

function bringIntoRow(/** @type {HTMLElement} */ link) {
  const row = find('games');
  if (row.scrollWidth > row.clientWidth) row.scrollLeft = link.offsetLeft - row.clientWidth / 3;
}

/** Go to a step; `way` as for `address`. @type {(place: number, options?: Going) => void} */
export function go(place, { focus = '', follow = true, way = 'step' } = {}) {
  const step = steps[place];
  if (!step) return;
  const isExplaining = explainer === find('character');
  current = place;
  dismiss();
  for (const leaver of leavers) leaver();
  if (marked) reach(marked, false);
  showGame(step.game);
  reach(step, true);
  marked = step;
  showStep(step);
  address(step.id, way === 'jump' || !places.has(location.hash.slice(1)) ? way : 'step');
  if (follow) keepInView(cellOf(step));
  if (focus) (cellOf(step).querySelector(focus) || linkOf(step)).focus({ preventScroll: true });
  else if (isExplaining) explain(find('character'), step, true);
}

/** Scroll the move table if it has its own scroll bar, never the page. @type {(cell: Element) => void} */
function keepInView(cell) {
  const box = find('moves');
  if (box.scrollHeight <= box.clientHeight) return;
  const [inner, outer] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];
  const margin = 90;
  if (inner.top < outer.top + margin) box.scrollTop += inner.top - outer.top - margin;
  if (inner.bottom > outer.bottom - margin) box.scrollTop += inner.bottom - outer.bottom + margin;
}

/** Show the board of a step, with the arrows of its play or another. @type {(step: Step, said?: string) => void} */
export const showBoard = (step, said = step.name ? step.said : '') => board.show(step, said);

export function showStep(/** @type {Step} */ step) {
  const { name, roll, said, trouble, game, comment, on_cube: onCube } = step;
  showBoard(step);
  const button = find('character');
  button.replaceChildren(...(name ? [glyph(name)] : []));
  button.hidden = !name;
  button.setAttribute('aria-label', name ? `${name}, ${family(name)[0]}` : '');
  find('who').textContent = game.players[step.player] + (onCube ? ' to roll: double?' : roll ? ` to play ${roll}` : '');
  find('which').textContent = name ? family(name)[0] + memberWords(step) : '';
  find('what').replaceChildren(trouble ? element('span', { className: 'trouble' }, trouble) : said,
    element('span', { className: 'error' }, errorWords(step, ' ')));
  find('place').textContent = `Move ${placeOf(step)} of ${game.moves}`;
  find('comment').textContent = comment || '';
  find('says').textContent = stepWords(step);
  find('standing').textContent = boardWords(step);
  for (const [target, place] of Object.entries(targets())) {
    query(`[data-step=${target}]`).disabled = place === current;
  }
  for (const watcher of watchers) watcher(step);
}

/** The places that the buttons lead to. @type {() => Record<string, number>} */
export function targets() {
  const { game } = steps[current];
  return {
    first: Number(firstOf.get(game)),
    previous: Math.max(current - 1, 0),
    next: Math.min(current + 1, steps.length - 1),
    last: Number(lastOf.get(game)),
  };
}

/** The place of the next mistake in that direction, if any. @type {(by: number) => number} */
export function mistake(by) {
  let place = current + by;
  while (steps[place] && !isMistake(steps[place])) place += by;
  return place;
}
