// A match that is written key by key. The only state is the score sheet, the turn of it that is being
// corrected, and the keys typed since Python read the sheet. The browser keeps the sheet.

import { element, find, isCommand, markCurrent, press, small } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { counted } from '../../web/kit/words.js';
import { enterPlays, takeBackHop } from '../board/moving.js';
import { button, field, keyOf, list, onSubmit, renew, replace, save, tried, trouble } from '../parts.js';
import { ask, latest } from '../python.js';
import { playButton, stage, START, turnButton } from '../stage.js';
import { leaveTyping } from '../board/typing.js';
import { addView } from '../views.js';

const KEY = keyOf('sheet');
/** The keys that have no character of their own. @type {Record<string, string>} */
const KEYS = { Enter: '\n', Backspace: '\b' };

let sheet = recall(KEY);
let stored = sheet; // by this tab
let keys = '';
/** The number of the turn that the keys replace, counted over all games; null at the end. @type {number | null} */
let at = null;
/** The reply for the keys that were `answered`. @type {Writing | null} */
let reply = null;
let answered = '';

const isOpen = () => document.documentElement.dataset.view === 'write';
const report = (/** @type {string} */ message) => renew(find('refused'), message ? [trouble(message)] : []);

const write = latest('write_match', (/** @type {{value: Writing, error?: string}} */ { value, error }, /** @type {string} */ base, /** @type {string} */ typed, /** @type {number | null} */ place) => {
  if (base !== sheet || place !== at) return;
  if (error) {
    report(`The match that the browser keeps cannot be read: ${error}`);
    return;
  }
  reply = value;
  answered = typed;
  if (!value.lost) keep(value.sheet);
  if (isOpen()) show(value);
});

function keep(/** @type {string} */ text) {
  store(KEY, text);
  stored = recall(KEY); // the one before, where there is no room
}

/** Take the sheet that another tab has written since. */
function takeLatest() {
  const latest = recall(KEY);
  if (latest === stored || !latest) return;
  stored = latest;
  take(latest);
}

/** Write on with another sheet. */
function take(/** @type {string} */ text) {
  sheet = text;
  keys = answered = '';
  at = reply = null;
}

/** Read the sheet afterwards, not all keys again. */
function rebase() {
  if (!reply || reply.lost) return;
  sheet = reply.sheet;
  keys = reply.is_open ? '' : keys.slice(answered.length);
  answered = '';
  at = null;
}

function type(/** @type {string} */ text) {
  // Some keys vary the turn that was corrected last; any other goes on at the end.
  if (at !== null && answered === keys && !reply?.is_open && !/[ _.\b]/.test(text)) rebase();
  keys += text;
  write(sheet, keys, at);
}

/** Go to a turn to look at it or correct it, or to the end. @type {(turn: number | null) => void} */
function go(turn) {
  rebase();
  if (reply?.lost) keys = ''; // a correction that was not accepted
  at = turn;
  write(sheet, keys, at);
}

/** Accept a correction that leaves turns out. */
function leaveOut() {
  if (reply) reply.lost = 0;
  go(null);
}

/** Show the turn `by` turns after the one on the board. @type {(by: number) => void} */
function walk(by) {
  if (!reply || answered !== keys) return;
  const end = reply.first + reply.turns.length;
  const turn = Math.min(Math.max((reply.is_open && at !== null ? at : end) + by, 0), end);
  go(turn < end ? turn : null);
}

function openWriting() {
  leaveTyping();
  takeLatest();
  stage(START, [sheet ? 'The board appears when the program has loaded.' : 'Who plays, and to how many points?']);
  if (reply && !reply.pending && at === null) rebase();
  find('begin').open = !sheet;
  find('steps').hidden = !sheet;
  showParts();
  if (reply) show(reply);
  if (sheet) write(sheet, keys, at);
  if (sheet && matchMedia('(pointer: fine)').matches) field('keys').focus({ preventScroll: true });
}

/** Show what is kept, even before Python has read it. */
function showParts() {
  for (const id of ['writing', 'written', 'replaces']) find(id).hidden = !sheet;
  if (!reply) find('sheet').textContent = sheet;
}

/** @type {(value: Writing) => void} */
function show({ board, question, note, news, pending, choices, options, rolls, sheet: text, lost, ...rest }) {
  const said = rest.is_open && !keys && at !== null ? rest.turns[at - rest.first].said : '';
  stage({ ...board, said }, [question]);
  report(lost ? `${counted(lost, 'turn')} after this cannot be played any more. Take back, or leave them out.` : note);
  field('keys').value = pending;
  renew(find('news'), [news]);
  for (const face of find('faces').children) {
    press(face, pending.slice(-1) === face.textContent);
    face.toggleAttribute('disabled', !rolls);
  }
  replace(find('actions'), [...choices.filter(([key]) => key !== KEYS.Enter).map(([key, words]) => button(() => type(key), words, ' ', small(key))),
    ...(lost ? [button(leaveOut, 'Leave them out')] : [])]);
  list(find('possible'), options, (option) => element('li', {}, playButton(option, () => {
    type(option.token);
    showDice();
  })));
  for (const [place, { firstElementChild: row }] of [...find('possible').children].entries()) markCurrent(row, options[place].said === said);
  if (find('sheet').textContent !== text) find('sheet').textContent = text;
  showRecord(rest, question);
  enterPlays(desk);
}

/** The turns of a game among the other games; the last row is the turn to write. @type {(value: Pick<Writing, 'games' | 'turns' | 'first' | 'is_open'>, question: string) => void} */
function showRecord({ games, turns, first, is_open: isBefore }, question) {
  const box = find('record');
  const now = isBefore ? at : null;
  /** @typedef {{to: number | null, turn?: Answer, words?: string[]}} Row */
  /** @type {Row[]} */
  const heads = games.map(([title, result, to]) => ({ to, words: [title, result] }));
  const count = games.filter(([, , to]) => to <= first).length;
  /** @type {Row[]} */
  const rows = [...heads.slice(0, count), ...turns.map((turn, place) => ({ to: first + place, turn })), ...heads.slice(count),
    { to: null, words: isBefore ? ['Go on at the end', ''] : [question, ''] }];
  list(box, rows, ({ to, turn, words = [] }) => element('li', {}, turn ? turnButton(turn, () => go(to)) : button(() => go(to), words[0], small(words[1]))));
  for (const [place, { firstElementChild: row }] of [...box.children].entries()) press(row, rows[place].to === now && !(rows[place].words && now !== null));
  const chosen = box.querySelector('[aria-pressed="true"]');
  if (chosen) box.scrollTop = chosen.offsetTop - box.clientHeight / 2;
}

/** @type {Desk} */
const desk = {
  toPlay: () => (isOpen() && reply?.options.length && answered === keys ? reply.board : null),
  play(isPlayed) {
    const option = reply?.options.find(({ said }) => isPlayed(said));
    if (option) type(option.token);
    return Boolean(option);
  },
  box: find('movers'),
  after: () => find('faces').firstElementChild,
};

function takeBack() {
  if (!takeBackHop()) type(KEYS.Backspace);
}

async function begin() {
  const names = ['first', 'second'].map((id) => field(id).value);
  const rules = { crawford: field('crawford').checked, jacoby: field('jacoby').checked };
  take(await ask('new_match', [names, Number(field('points').value), rules, field('details').value]));
  renew(find('unfit'), []);
  keep(sheet);
  openWriting();
  showDice();
}

/** Scroll to the dice, which a board that stays in sight may hide. */
const showDice = () => find('writing').scrollIntoView({ block: 'nearest' });

/** Keys typed anywhere but in a field, as after a click on the board. @type {(event: any) => void} */
function onKey(event) {
  const { target } = event;
  const isOurs = target === field('keys');
  if (!isOpen() || !sheet || isCommand(event) || (!isOurs && target.closest?.('input, select, textarea'))) return;
  const key = KEYS[event.key] || (!isOurs && event.key.length === 1 ? event.key : '');
  if (!key || ('\n '.includes(key) && target.closest?.('button, a, summary'))) return;
  event.preventDefault();
  if (key === KEYS.Backspace) takeBack();
  else type(key);
}

/** Characters typed in the field, by whatever keyboard. @type {(event: InputEvent) => void} */
function onInput(event) {
  event.preventDefault();
  if (event.inputType === 'deleteContentBackward') takeBack();
  else type((event.data || '').replace(/[\r\n]/g, ''));
}

/** The whole match: a correction that leaves turns out is not accepted yet. */
const whole = () => (reply && !reply.lost ? reply.sheet : sheet);
const FORMS = {
  'Save .mat': async () => saveAs('mat', await ask('save_match', [whole(), 'mat'])),
  'Save .sgf': async () => saveAs('sgf', await ask('save_match', [whole(), 'sgf'])),
  'Save sheet': () => saveAs('txt', whole()),
};

/** Save a file that is named after the players. @type {(ending: string, text: string) => void} */
function saveAs(ending, text) {
  const name = (reply?.board.players || ['match']).join('-').replace(/[^\p{L}\p{N}-]+/gu, '_');
  save(`${name}.${ending}`, new Blob([text], { type: 'text/plain' }));
}

addView('write', 'write', openWriting, true, walk);
onSubmit('head', tried(begin, (message) => renew(find('unfit'), [trouble(message)])));
onSubmit('writing');
field('keys').addEventListener('beforeinput', onInput);
find('take-back').addEventListener('click', takeBack);
find('faces').append(...[1, 2, 3, 4, 5, 6].map((face) => {
  const made = button(() => type(String(face)), String(face));
  made.setAttribute('aria-label', `die ${face}`);
  return made;
}));
find('saves').append(...Object.entries(FORMS).map(([name, does]) => button(tried(does, report), name)));
addEventListener('keydown', onKey);
addEventListener('storage', () => { if (isOpen() && recall(KEY) !== stored) openWriting(); });
