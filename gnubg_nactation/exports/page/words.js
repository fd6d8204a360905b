// A step in words, and the explanation of its character.

import { element, find, labelled, listOf, paragraph, small } from '../../web/kit/dom.js';
import { data, family, glyph, member } from './match.js';
import { errorWords, placeOf } from '../../web/kit/model.js';

export function stepWords(/** @type {Step} */ step) {
  const { roll, name, said, game, player } = step;
  const rolls = roll ? ` rolls ${roll[0]} and ${roll[1]}:` : '';
  const character = name ? ` ${name}, ${family(name)[0]}${memberWords(step)};` : '';
  return `Move ${placeOf(step)} of ${game.moves}. ${game.players[player]}${rolls}${character} ${said}${errorWords(step, ', ')}.`;
}

/** @type {(step: Step) => string} */
export const memberWords = ({ ranks, name = '' }) => (ranks ? `, member ${member(name)} of ${ranks[0]}` : '');

export const FORCED = 'Forced: the only legal play.';

/** A list of names, each with its right. @type {(pairs: [string, string][]) => Element} */
export const namesOf = (pairs) => listOf('ul', 'names', pairs.map(([name, right]) => labelled(glyph(name), family(name)[0], data.rights[right])));

// The explanation of a character

const MIN_ROOM = 220; // pixels below a character; with less, its explanation is above it
const explanation = find('explanation');

function explained(/** @type {Step} */ step) {
  const { name = '', said, roll, right = 'areal', forced, ranks, trouble, others, why_not: whyNot, plays: [best] } = step;
  const [word, meaning] = family(name);
  const parts = [
    element('h3', {}, ...labelled(glyph(name), word, said.includes('/') ? data.rights[right] : 'symbol')),
    paragraph(meaning),
    paragraph(small(`${roll}: ${said}`)),
  ];
  if (best && !best.made) parts.push(paragraph('The analysis prefers ', glyph(best.name), ` ${best.said}.`));
  if (forced) parts.push(paragraph(FORCED));
  if (ranks) parts.push(paragraph(...rankWords(name, ranks, best)));
  if (trouble) parts.push(element('p', { className: 'trouble' }, trouble));
  if (others) parts.push(paragraph('Also valid:'), namesOf(others));
  if (whyNot) {
    const [letter, clause, play] = whyNot;
    parts.push(paragraph('Why not ', glyph(letter), `? ${clause}. `, glyph(letter), ` is ${play}.`));
  }
  return parts;
}

/** @type {(name: string, ranks: Ranks, best: Play | undefined) => Part[]} */
function rankWords(name, [size, neighbour, play, reason], best) {
  const at = member(name);
  const parts = [`Member ${at} of ${size}, ${at === 1 ? 'ahead of' : 'after'} `, glyph(neighbour), ` ${play}`];
  const isAlias = best && best.said === play && best.name !== neighbour;
  if (isAlias) parts.push(' (called ', glyph(best.name), ' above: a play has a name in each family)');
  return [...parts, ` – ${reason}.`];
}

/** The character whose explanation is open. @type {HTMLElement | null} */
export let explainer = null;
/** Whether it was clicked, so that it stays open when the pointer leaves. */
export let pinned = false;

/** @type {(button: HTMLElement, step: Step, pin: boolean) => void} */
export function explain(button, step, pin) {
  if (!step.name) return;
  explainer = button;
  pinned = pin;
  explanation.replaceChildren(...explained(step));
  explanation.hidden = false;
  const [stage, column] = ['stage', 'answers'].map((id) => find(id).getBoundingClientRect());
  const isBeside = column.left >= stage.right; // then the board stays in sight
  explanation.style.maxHeight = '';
  explanation.style.width = isBeside ? `${column.width}px` : '';
  const [at, box] = [button.getBoundingClientRect(), explanation.getBoundingClientRect()];
  const page = document.documentElement;
  const isFree = isBeside && (at.right < column.left || at.left > column.right || at.top > column.top + box.height);
  const left = isBeside ? column.left : Math.max(8, Math.min(at.left, page.clientWidth - box.width - 8));
  const room = page.clientHeight - at.bottom - 14;
  const below = room >= Math.min(box.height, MIN_ROOM);
  explanation.style.maxHeight = below && !isFree ? `${room}px` : '';
  const top = isFree ? Math.min(column.top, page.clientHeight - box.height - 8) : below ? at.bottom + 6 : at.top - box.height - 6;
  explanation.style.left = `${left}px`;
  explanation.style.top = `${Math.max(8, top)}px`;
  button.setAttribute('aria-describedby', 'explanation');
}

export function dismiss() {
  if (explainer) explainer.removeAttribute('aria-describedby');
  explainer = null;
  pinned = false;
  explanation.hidden = true;
}
