// The tabs about the play on the board: the reasons of its letter, the opening book, all scores.

import { element, find, paragraph, small } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { data } from '../data.js';
import { keyOf, SLOW } from '../parts.js';
import { latest } from '../python.js';
import { playButton, ratingOf } from '../stage.js';
import { counted, points } from '../../web/kit/words.js';
import { shareBar, tileOf } from '../library/leaks.js';
import { askLibrary } from '../library/shelf.js';
import { addressNow, isAnswered, linkOf, optionsNow, shown, take, whenShown } from './typing.js';
import { followScores } from './scores.js';
import { textBefore } from './tree.js';

const TABS = ['why', 'book', ...(data.engine ? ['all-scores'] : []), 'yours'];
const KEY = keyOf('aspect');
let open = recall(KEY) || 'why';

/** The text whose position the book has: before the letter, or the cube action, of the turn on the board. */
function bookText() {
  const { reply, text, chosen } = shown;
  if (!reply || !isAnswered() || reply.error || !text.trim()) return '';
  const turn = reply.turns[chosen]; // none while the text is read again
  return turn && (turn.roll || chosen < reply.turns.length - 1) ? textBefore(reply, text, chosen) : text;
}

const look = latest('opening', ({ value, error }, text) => {
  if (!shown.active || text !== bookText()) return;
  const { plays = [], rolls = [], source = '' } = error ? {} : value.book;
  const link = element('a', { href: linkOf(text, 'openings') }, 'Open in Openings');
  if (plays.length) {
    renewBook([element('ul', { className: 'options rated' }, ...plays.map((/** @type {BookPlay} */ play) => element('li', {},
      playButton(play, () => takeNamed(play.said), ratingOf(play, ''))))), paragraph(small(source)), paragraph(link)]);
  } else renewBook(rolls.length ? [paragraph(`The book has ${rolls.length} rolls here.`), paragraph(link)] : [paragraph(small('The book does not have this position.'))]);
});

/** @type {(parts: Node[]) => void} */
const renewBook = (parts) => find('book').replaceChildren(...parts);

/** Show what was played here in the games of the library. @type {(text: string) => Promise<void>} */
async function lookUpYours(text) {
  const isCurrent = () => shown.active && text === bookText() && open === 'yours';
  const slow = setTimeout(() => { if (isCurrent()) find('yours').replaceChildren(paragraph(small('Looking…'))); }, SLOW);
  try {
    const nodes = await askLibrary('library_explore', text, {});
    if (!isCurrent()) return;
    find('yours').replaceChildren(...yourGames(nodes[0], shown.reply?.turns[shown.chosen]?.roll || ''));
  } catch (error) {
    if (isCurrent()) find('yours').replaceChildren(paragraph(error.message));
  } finally {
    clearTimeout(slow);
  }
}

/** What was played with a roll, or how the rolls went. @type {(node: any, roll: string) => Node[]} */
function yourGames(node, roll) {
  if (!node) return [paragraph(small('No game of your library reached this position. ')), paragraph(element('a', { href: '#library' }, 'Your matches'))];
  const rolls = node.rolls.filter((/** @type {any} */ row) => !roll || row.roll === roll);
  const plays = rolls.flatMap((/** @type {any} */ row) => row.plays.map((/** @type {any} */ play) => ({ ...play, roll: row.roll })));
  if (!plays.length) return [paragraph(small(roll ? `${counted(node.count, 'time')} in your library, never with ${roll}.` : 'No roll was played here in your library.'))];
  const whole = plays.reduce((/** @type {number} */ sum, /** @type {any} */ play) => sum + play.count, 0);
  return [paragraph(small(`${counted(roll ? whole : node.count, 'time')}${roll && ` with ${roll}`} in your library; count, and mean loss where it is analysed`)),
    element('ul', { className: 'leaks' }, ...plays.slice(0, 12).map((/** @type {any} */ { roll: dice, nactation, play, count, error }) => element('li', {}, element('span', { className: 'leak' },
      element('span', {}, element('b', {}, dice), ' ', tileOf(nactation), ` ${play}`), shareBar(count / whole), small(`${count}×`), element('span', { className: 'trouble' }, error?.mean ? `−${points(1000 * error.mean)}` : '')))))];
}

function takeNamed(/** @type {string} */ said) {
  const option = optionsNow().options?.find((other) => other.said === said);
  if (option) take(option);
}

function follow() {
  if (shown.hasGames && open !== 'yours') {
    show('yours');
    return;
  }
  const text = bookText();
  find('aspects').hidden = !shown.active || !text || shown.view === 'edit';
  followScores(open === 'all-scores' && !find('aspects').hidden ? text : '');
  if (find('aspects').hidden) return;
  if (open === 'book') look(text);
  if (open === 'yours') lookUpYours(text);
}

function show(/** @type {string} */ name) {
  open = TABS.includes(name) ? name : TABS[0];
  for (const tab of TABS) {
    const isOpen = tab === open;
    find(tab).hidden = !isOpen;
    find(`tab-${tab}`).setAttribute('aria-selected', String(isOpen));
    find(`tab-${tab}`).tabIndex = isOpen ? 0 : -1;
  }
  follow();
}

for (const [at, name] of TABS.entries()) {
  const tab = find(`tab-${name}`);
  tab.addEventListener('click', () => {
    store(KEY, name);
    shown.hasGames = name === 'yours';
    addressNow();
    show(name);
  });
  tab.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.stopPropagation(); // or the game would go on, too
    const next = find(`tab-${TABS[(at + by + TABS.length) % TABS.length]}`);
    next.focus();
    next.click();
  });
}
whenShown(follow);
show(open);
