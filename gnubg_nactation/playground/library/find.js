// Find turns in the library: a sequence, a pattern, a position, a theme, or a size of mistake.

import { element, find, paragraph, small } from '../../web/kit/dom.js';
import { counted } from '../../web/kit/words.js';
import { leaveTyping } from '../board/typing.js';
import { field, onSubmit, trouble } from '../parts.js';
import { addView } from '../views.js';
import { bestPlayOf, dayText, decisionCard, linkToDecision } from './leaks.js';
import { versus } from './game.js';
import { askLibrary, isNameless } from './shelf.js';

const MOST = 60; // mistakes shown
const BEFORE = 4; // tokens shown before the turn
const WORDS = /^[a-z ]+$/i;
const SIZE = /^[-−]?(\d?\.\d+)$/;
let round = 0;
let latest = ''; // the text whose turns are on the screen

/** A turn that was found, with what came before and after it. @type {(turn: any) => any} */
function row(turn) {
  const before = (turn.sequence || '').split('-').slice(-BEFORE - 1);
  const own = before.pop();
  return element('li', {}, element('a', { className: 'leak', href: linkToDecision(turn) }, element('span', {}, before.join('-'), before.length ? '-' : '', element('b', {}, own || turn.place), turn.play ? small(` ${turn.play} `) : '', (turn.after || '').split('-').slice(0, 3).map((/** @type {string} */ token) => `-${token}`).join(''),
    small(' ', ...versus(turn.players), `, ${dayText(turn.date)}`)), small(turn.place)));
}

const NAMELESS = 'Add matches and say who you are in the library; then your mistakes are found here.';
/** The costliest mistakes with a theme, or at least of a size, one more than are shown; null for a text that is neither. Throws Error if your name is not known. @type {(text: string) => Promise<Decision[] | null>} */
async function mistakes(text) {
  const size = SIZE.exec(text);
  if (!size && !WORDS.test(text)) return null;
  /** @type {Decision[]} */
  const found = await askLibrary('library_mistakes', {}, MOST + 1, size ? '' : text.toLowerCase(), Number(size?.[1] || 0)).catch((error) => { throw isNameless(error) ? new Error(NAMELESS) : error; });
  return size || found.length ? found : null;
}

const unknown = (/** @type {string} */ text) => (WORDS.test(text) ? `“${text}” is no sequence and no position, and none of your mistakes has this theme.` : '');

async function seek() {
  const text = field('sought').value.trim();
  const now = round += 1;
  history.replaceState(null, '', text ? `#find=${encodeURIComponent(text)}` : '#find');
  if (text !== latest) find('finds').replaceChildren(...(text ? [paragraph('Looking…')] : [])); // or Back would not find its place
  latest = text;
  if (!text) return;
  let missing = '';
  try {
    const decisions = await mistakes(text).catch((error) => {
      if (SIZE.test(text)) throw error;
      missing = error.message; // but the text may be a sequence
      return null;
    });
    const shown = await Promise.all((decisions || []).slice(0, MOST).map(async (decision) => ({ ...decision, best_play: await bestPlayOf(decision) })));
    const { found, more } = decisions ? { found: [], more: false } : await askLibrary('library_find', text, {});
    if (now !== round) return;
    if (decisions) find('finds').replaceChildren(paragraph(decisions.length > MOST ? `The ${MOST} costliest mistakes` : counted(decisions.length, 'mistake')), element('ul', { className: 'boards' }, ...shown.map(decisionCard)));
    else find('finds').replaceChildren(paragraph(more ? `The first ${found.length} turns` : counted(found.length, 'turn')), element('ul', { className: 'leaks card' }, ...found.map(row)));
  } catch (error) {
    if (now === round) find('finds').replaceChildren(trouble((error.message.startsWith('found ') && (missing || unknown(text))) || error.message));
  }
}

addView('find', 'find', (text) => {
  leaveTyping();
  if (text !== field('sought').value.trim()) field('sought').value = text;
  seek();
});
onSubmit('seeking', seek);
