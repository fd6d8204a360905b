// A post: its text, with what was found in it on tap.

import { element, find, paragraph, press, small } from '../web/kit/dom.js';
import { button, field, trouble } from './parts.js';
import { ask, settled, Stopped } from './python.js';
import { stage, START, words } from './stage.js';
import { leaveTyping } from './typing.js';
import { addView } from './views.js';

const LONGEST = 1e6; // characters
let rich = ''; // the HTML that was pasted, whose looks plain text has lost
let plain = '';
let current = START; // what is on the board

/** The view, with a text that is to be read. @type {(text: string) => Promise<void>} */
async function openRead(text) {
  leaveTyping();
  put(current);
  if (!text || text === field('post').value) return;
  field('post').value = text;
  await settled();
  read();
}

function put(/** @type {Answer} */ board) {
  current = board;
  if (document.documentElement.dataset.view !== 'read') return;
  stage(board, board === START ? ['Starting position'] : words(board));
}

const LOOKS = /<(?:i|em|b|strong|u|font|span)\b/i;

function onPaste(/** @type {ClipboardEvent} */ event) {
  const html = event.clipboardData?.getData('text/html') || '';
  rich = LOOKS.test(html) ? html : '';
  setTimeout(() => { plain = field('post').value; }, 0);
}

async function read() {
  const text = field('post').value;
  const given = rich && text === plain ? rich : text;
  find('piece').replaceChildren();
  put(START);
  if (given.length > LONGEST) {
    find('found').replaceChildren(trouble(`${given.length} characters are more than the page reads, ${LONGEST}.`));
    return;
  }
  if (!text.trim()) {
    find('found').replaceChildren(paragraph('Nothing is pasted yet.'));
    return;
  }
  find('found').replaceChildren(paragraph('Reading…'));
  try {
    const { value, error } = await ask('find_in_post', [given]);
    if (error) find('found').replaceChildren(trouble(error));
    else show(value);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    find('found').replaceChildren(trouble('The post was not read: it was stopped, or Python is not there.'));
  }
}

/** @type {(value: {pieces: (string | [string, number])[], findings: Finding[], more: number}) => void} */
function show({ pieces, findings, more }) {
  const count = findings.length ? `${findings.length} found${more ? `, and ${more} more behind them` : ''}` : 'There is no Nactation in it.';
  const post = element('div', { className: 'post' }, ...pieces.map((piece) => (
    typeof piece === 'string' ? piece : mark(piece[0], findings[piece[1]]))));
  find('found').replaceChildren(paragraph(small(count)), post);
  const first = find('found').querySelector('button');
  if (findings.length && first) open(findings.find((one) => one.state) || findings[0]);
}

function mark(/** @type {string} */ text, /** @type {Finding} */ finding) {
  const made = button(() => open(finding), text);
  made.className = finding.error ? 'bad' : finding.sure;
  return made;
}

function open(/** @type {Finding} */ finding) {
  const { text, sure, note, error, turns, link, kind, line } = finding;
  const head = element('h2', {}, `${text} `, small(`${kind}, line ${line}${error ? '' : `, ${sure}`}${note ? `: ${note}` : ''}`));
  const rows = turns.map((turn) => element('li', {}, turnButton(turn)));
  find('piece').replaceChildren(head, ...(error ? [trouble(error)] : []), element('ol', { className: 'turns' }, ...rows),
    ...(link ? [paragraph(element('a', { href: `#s=${encodeURIComponent(link)}` }, 'Open it under Type'))] : []));
  // Of a sequence what it leads to, of a nacbrac the best play.
  const at = kind === 'nacbrac' ? 0 : turns.length - 1;
  if (rows.length) choose(rows[at].firstChild, turns[at]);
  else put(finding.state || START);
}

function choose(/** @type {Element} */ chosen, /** @type {Answer} */ turn) {
  for (const one of find('piece').querySelectorAll('.turns button')) press(one, one === chosen);
  put(turn);
}

function turnButton(/** @type {Answer} */ turn) {
  const doubts = [
    turn.sure !== 'sure' && turn.sure, turn.note, turn.others && `it may be ${turn.others.join(', or ')}`,
    turn.error !== undefined && `−${turn.error.toFixed(3)}`,
  ];
  const doubt = doubts.filter(Boolean).join('; ');
  const made = button(() => choose(made, turn),
    element('b', {}, turn.token || ''), element('span', {}, turn.said || turn.reading || ''), doubt ? element('small', { className: 'doubt' }, doubt) : '');
  return made;
}

addView('read', 'read', openRead);
find('post').addEventListener('paste', onPaste);
find('pasting').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  read();
});
