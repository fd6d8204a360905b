// A match that is written key by key. The score sheet, and the keys typed since Python read it, are
// the only state; the browser keeps the sheet.

import { element, find, isCommand, press, small } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { enterPlays, takeBackHop } from '../board/moving.js';
import { button, field, keyOf, list, onSubmit, renew, replace, save, tried, trouble } from '../parts.js';
import { ask, latest } from '../python.js';
import { playButton, stage, START } from '../stage.js';
import { leaveTyping } from '../board/typing.js';
import { addView } from '../views.js';

const KEY = keyOf('sheet');
/** The keys that have no character of their own. @type {Record<string, string>} */
const KEYS = { Enter: '\n', Backspace: '\b' };

let sheet = recall(KEY);
let keys = '';
/** The reply for the keys that were `answered`. @type {Writing | null} */
let reply = null;
let answered = '';

const isOpen = () => document.documentElement.dataset.view === 'write';
const report = (/** @type {string} */ message) => renew(find('refused'), message ? [trouble(message)] : []);

const write = latest('write_match', (/** @type {{value: Writing, error?: string}} */ { value, error }, /** @type {string} */ base, /** @type {string} */ typed) => {
  if (base !== sheet) return;
  if (error) {
    report(`The match that the browser keeps cannot be read: ${error}`);
    return;
  }
  reply = value;
  answered = typed;
  store(KEY, value.sheet);
  if (isOpen()) show(value);
});

function type(/** @type {string} */ text) {
  keys += text;
  write(sheet, keys);
}

function openWriting() {
  leaveTyping();
  stage(START, [sheet ? 'The board appears when the program has loaded.' : 'Who plays, and to how many points?']);
  if (reply && !reply.pending) {
    // Read the sheet afterwards, not all keys again.
    sheet = reply.sheet;
    keys = keys.slice(answered.length);
    answered = '';
  }
  find('begin').open = !sheet;
  showParts();
  if (reply) show(reply);
  if (sheet) write(sheet, keys);
  if (sheet && matchMedia('(pointer: fine)').matches) field('keys').focus({ preventScroll: true });
}

/** Show what is kept, even before Python has read it. */
function showParts() {
  for (const id of ['writing', 'written', 'replaces']) find(id).hidden = !sheet;
  if (!reply) find('sheet').textContent = sheet;
}

/** @type {(value: Writing) => void} */
function show({ board, question, note, news, pending, choices, options, rolls, sheet: text }) {
  stage(board, [question]);
  report(note);
  field('keys').value = pending;
  renew(find('news'), [news]);
  for (const face of find('faces').children) {
    press(face, pending.slice(-1) === face.textContent);
    face.toggleAttribute('disabled', !rolls);
  }
  replace(find('actions'), choices.filter(([key]) => key !== KEYS.Enter).map(([key, words]) => button(() => type(key), words, ' ', small(key))));
  list(find('possible'), options, (option) => element('li', {}, playButton(option, () => type(option.token))));
  const box = find('sheet');
  if (box.textContent !== text) box.textContent = text;
  box.scrollTop = box.scrollHeight;
  enterPlays(desk);
}

/** @type {Desk} */
const desk = {
  toPlay: () => (isOpen() && reply?.options.length && answered === keys ? reply.board : null),
  play(isPlayed) {
    const option = reply?.options.find(({ said }) => isPlayed(said));
    if (option) type(option.token);
    return Boolean(option);
  },
  moved() {},
  instead: () => [],
  box: find('movers'),
  after: () => find('faces').firstElementChild,
};

function takeBack() {
  if (!takeBackHop()) type(KEYS.Backspace);
}

async function begin() {
  const names = ['first', 'second'].map((id) => field(id).value);
  const rules = { crawford: field('crawford').checked, jacoby: field('jacoby').checked };
  sheet = await ask('new_match', [names, Number(field('points').value), rules, field('details').value]);
  renew(find('unfit'), []);
  keys = '';
  reply = null;
  store(KEY, sheet);
  openWriting();
}

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

const FORMS = {
  'Save .mat': async () => saveAs('mat', await ask('save_match', [reply?.sheet, 'mat'])),
  'Save .sgf': async () => saveAs('sgf', await ask('save_match', [reply?.sheet, 'sgf'])),
  'Save sheet': () => saveAs('txt', reply?.sheet || sheet),
};

/** Save a file that is named after the players. @type {(ending: string, text: string) => void} */
function saveAs(ending, text) {
  const name = (reply?.board.players || ['match']).join('-').replace(/[^\p{L}\p{N}-]+/gu, '_');
  save(`${name}.${ending}`, new Blob([text], { type: 'text/plain' }));
}

addView('write', 'write', openWriting, true);
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
