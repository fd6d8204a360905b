// What there is to learn: the first letters, the alphabet, two trainers, and what is due today.

import { element, find, glyphOf, paragraph, small } from '../../web/kit/dom.js';
import { recall } from '../../web/kit/storage.js';
import { counted } from '../../web/kit/words.js';
import { board, sceneOf } from '../board.js';
import { data } from '../data.js';
import { keyOf } from '../parts.js';
import { countsOf, dayOf, parseProgress } from './schedule.js';
import { leaveTyping } from '../board/typing.js';
import { addView } from '../views.js';

const FIRST = 'DPR$SZUH'; // enough for most first and second moves

/** The questions that are due today: about `openings`, or your `mistakes`. */
function dueCount(/** @type {string} */ course) {
  const progress = parseProgress(recall(keyOf(course)));
  return countsOf([...progress.keys()], progress, dayOf(new Date())).due;
}

/** Show at the place Learn, and on the first screen, how many questions are due. */
export function showDue() {
  const [openings, mistakes] = ['openings', 'mistakes due'].map(dueCount);
  const due = openings + mistakes;
  find('due-badge').textContent = String(due || '');
  find('due-badge').hidden = !due;
  find('due-line').hidden = !due;
  find('due-line').replaceChildren('Due today: ', ...[
    ...(mistakes ? [element('a', { href: '#study' }, `${mistakes} of your mistakes`)] : []),
    ...(openings ? [element('a', { href: '#train' }, counted(openings, 'opening'))] : []),
  ].flatMap((link, at) => (at ? [', ', link] : [link])));
}

/** @type {(href: string, tile: string, title: string, about: string) => any} */
const lesson = (href, tile, title, about) => element('li', {}, element('a', { href, className: 'card lesson' },
  element('span', { className: 'tile', ariaHidden: 'true' }, tile), element('span', {}, element('b', {}, title), element('br', {}), small(about))));

function openLearn() {
  leaveTyping();
  const [due, again] = ['openings', 'mistakes due'].map(dueCount);
  const [right = '0', wrong = '0'] = recall(keyOf('score')).split(' ');
  const asked = Number(right) + Number(wrong);
  find('lessons').replaceChildren(
    lesson('#ten', 'P', 'Nactation in ten minutes', `${FIRST.length} letters that cover most openings, each with a board`),
    lesson('#alphabet', 'A', 'Alphabet', `all ${data.alphabet.length} characters, to look up and search`),
    lesson('#letters', '?', 'Which letter?', asked ? `name the play on the board; ${right} of ${asked} right so far` : 'name the play on the board'),
    lesson('#train', '31', 'Train openings', due ? `${due} due today` : 'first rolls and replies, asked again at growing intervals'),
    lesson('#study', '×', 'Your mistakes', again ? `${again} due today` : 'your own wrong decisions, once your library has analysed matches'),
  );
  showDue();
}

/** A letter with its word and the board of an example. @type {(family: Family) => any} */
function letterCard(family) {
  const { looks: [look], word, meaning, roll, said = '', key } = family;
  const svg = board.copy(sceneOf(family), said);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${roll}${key}: ${said}`);
  return element('li', { className: 'card' }, element('h2', {}, glyphOf(look), ` ${word}`), svg,
    paragraph(element('b', {}, `${roll}${key}: ${said}`)), paragraph(meaning));
}

function openTen() {
  leaveTyping();
  if (find('first-letters').childElementCount) return;
  const families = [...FIRST].flatMap((key) => data.alphabet.filter((family) => family.key === key));
  find('first-letters').append(...families.map(letterCard));
  const line = (/** @type {string} */ text) => element('a', { href: `#s=${text}` }, text);
  find('ten-more').append(element('div', { className: 'card' }, element('h2', {}, 'Games and equities'),
    paragraph('A hyphen passes the turn: in ', line('43Z-32H-54'), ' White plays 43Z, Black hits with a 32, and White has a 54 to play.'),
    paragraph('[P H76] after a roll ranks its plays: P is best, and H loses .076 points.'),
    paragraph(element('a', { className: 'button primary', href: '#letters' }, 'Try it: which letter?'))));
}

addView('learn', 'learn', openLearn);
addView('ten', 'ten', openTen);
addEventListener('hashchange', showDue);
showDue();
