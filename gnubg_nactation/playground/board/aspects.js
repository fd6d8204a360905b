// The tabs about the play on the board: the reasons of its letter, and the opening book.

import { element, find, paragraph, small } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { keyOf } from '../parts.js';
import { latest } from '../python.js';
import { playButton, ratingOf } from '../stage.js';
import { isAnswered, linkOf, optionsNow, shown, take, whenShown } from './typing.js';
import { textBefore } from './tree.js';

const TABS = ['why', 'book'];
const KEY = keyOf('aspect');
let open = recall(KEY) || 'why';

/** The text whose position the book has: before the letter of the turn on the board. */
function bookText() {
  const { reply, text, chosen } = shown;
  if (!reply || !isAnswered() || reply.error || !text.trim()) return '';
  return reply.turns[chosen]?.roll ? textBefore(reply, text, chosen) : text;
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

function takeNamed(/** @type {string} */ said) {
  const option = optionsNow().options?.find((other) => other.said === said);
  if (option) take(option);
}

function follow() {
  const text = bookText();
  find('aspects').hidden = !shown.active || !text || shown.view === 'edit';
  if (find('aspects').hidden) return;
  if (open === 'book') look(text);
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
    show(name);
  });
  tab.addEventListener('keydown', (/** @type {KeyboardEvent} */ { key }) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (!by) return;
    const next = find(`tab-${TABS[(at + by + TABS.length) % TABS.length]}`);
    next.focus();
    next.click();
  });
}
whenShown(follow);
show(open);
