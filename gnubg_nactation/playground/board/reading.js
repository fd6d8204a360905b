// A post: its text, with the Nactation in it to click on.

import { element, find, listOf, paragraph, press, small } from '../../web/kit/dom.js';
import { counted } from '../../web/kit/words.js';
import { button, field, onSubmit, trouble } from '../parts.js';
import { ask, settled, Stopped } from '../python.js';
import { stage, START, turnButton, words } from '../stage.js';
import { leaveTyping } from './typing.js';
import { addView } from '../views.js';

const MAX_CHARS = 1e6;
const EXAMPLE = 'I opened 31P, he rolled 63 and ran: 31P-63R. Then 54S-63R-31 [P H76 @79], or 43Z-32H-54 in the other game?';
let rich = ''; // the HTML that was pasted, with the styles that plain text loses
let plain = '';
let current = START; // the board shown

/** Open the view, and read a text. @type {(text: string) => Promise<void>} */
async function openRead(text) {
  leaveTyping();
  put(current);
  if (!text || text === field('post').value) return;
  field('post').value = text;
  await settled();
  read();
}

/** Read a post that was pasted elsewhere, with its HTML if that has styles. @type {(text: string, html: string) => void} */
export function readPost(text, html) {
  field('post').value = text;
  remember(text, html);
  location.hash = 'read';
  read();
}

function put(/** @type {Answer} */ board) {
  current = board;
  if (document.documentElement.dataset.view !== 'read') return;
  stage(board, board === START ? ['Starting position'] : words(board));
}

const STYLES = /<(?:i|em|b|strong|u|font|span)\b/i;

/** Remember what was pasted with its styles, unless it was added to another text. @type {(text: string, html: string) => void} */
function remember(text, html) {
  plain = field('post').value;
  rich = STYLES.test(html) && plain === text.replace(/\r\n?/g, '\n') ? html : '';
}

/** The text that is pasted, and its HTML. @type {(event: ClipboardEvent) => string[]} */
export const pasted = ({ clipboardData }) => ['text/plain', 'text/html'].map((type) => clipboardData?.getData(type) || '');

function onPaste(/** @type {ClipboardEvent} */ event) {
  const [text, html] = pasted(event);
  setTimeout(() => remember(text, html), 0);
}

async function read() {
  const text = field('post').value;
  const post = rich && text === plain ? rich : text;
  const report = (/** @type {Element} */ line) => find('found').replaceChildren(line);
  find('piece').replaceChildren();
  place(false);
  put(START);
  if (post.length > MAX_CHARS) {
    report(trouble(`This post has ${post.length} characters; the page reads up to ${MAX_CHARS}.`));
    return;
  }
  if (!text.trim()) {
    report(paragraph('Paste a post first.'));
    return;
  }
  report(paragraph('Reading…'));
  try {
    show(await ask('find_in_post', [post]));
  } catch (error) {
    report(trouble(error instanceof Stopped ? 'The post was not read: Python was stopped or could not be loaded.' : error.message));
  }
}

/** @type {(value: {pieces: (string | [string, number])[], findings: Finding[], more: number}) => void} */
function show({ pieces, findings, more }) {
  const count = findings.length ? `${counted(findings.length, 'item')} found${more ? `, and ${more} more after these` : ''}` : 'No Nactation found.';
  const post = element('div', { className: 'post' }, ...pieces.map((piece) => (
    typeof piece === 'string' ? piece : mark(piece[0], findings[piece[1]]))));
  find('found').replaceChildren(paragraph(small(count)), post);
  find('kind').textContent = `post, ${findings.length} found`;
  place(Boolean(findings.length) && matchMedia('(max-width: 55.99rem) and (orientation: portrait)').matches);
  if (findings.length) open(findings.find(({ state }) => state) || findings[0]);
}

/** Place the form after the result, or before it; a move would take the focus from it. @type {(isAfter: boolean) => void} */
function place(isAfter) {
  const [form, result] = [find('pasting'), find('found').parentElement];
  if (isAfter === (result.nextElementSibling !== form)) result[isAfter ? 'after' : 'before'](form);
}

function mark(/** @type {string} */ text, /** @type {Finding} */ finding) {
  const made = button(() => open(finding), text);
  made.className = finding.error ? 'bad' : finding.sure;
  return made;
}

function open(/** @type {Finding} */ finding) {
  const { text, sure, note, error, turns, link, kind, line } = finding;
  const head = element('h2', {}, `${text} `, small(`${kind}, line ${line}${error ? '' : `, ${sure}`}${note ? `: ${note}` : ''}`));
  const rows = turns.map((turn, at) => turnButton(turn, () => choose(at)));
  const choose = (/** @type {number} */ chosen) => {
    for (const [at, row] of rows.entries()) press(row, at === chosen);
    put(turns[chosen]);
  };
  find('piece').replaceChildren(head, ...(error ? [trouble(error)] : []), listOf('ol', 'turns', rows.map((row) => [row])),
    ...(link ? [paragraph(element('a', { href: `#s=${encodeURIComponent(link)}` }, 'Open on the board'))] : []));
  if (rows.length) choose(kind === 'nacbrac' || kind === 'analysis' ? 0 : rows.length - 1); // the best play, or the last turn
  else put(finding.state || START);
}

addView('read', 'read', openRead);
find('post').addEventListener('paste', onPaste);
onSubmit('pasting', read);
find('example').addEventListener('click', () => {
  field('post').value = EXAMPLE;
  read();
});
