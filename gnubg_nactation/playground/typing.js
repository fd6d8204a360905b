// A sequence that is typed, or played on the board. The text is all that there is of it: each
// change makes a new text, and Python says what that means.

import { element, find, glyphOf, paragraph, press, small } from '../web/kit/dom.js';
import { button, debounced, field, list, renew, trouble } from './parts.js';
import { latest } from './python.js';
import { stage, START, words } from './stage.js';
import { addView } from './views.js';

const DELAY = 60; // milliseconds after the last key
const PAUSE = 300; // after which what is less urgent follows

/** The text, what answers.py says of it or of the one `answered` before, and which of its turns is on the board. @type {{view: string, text: string, reply: Reply | null, answered: string, chosen: number, active: boolean}} */
export const shown = { view: 's', text: '', reply: null, answered: '', chosen: -1, active: false };

/** @type {(() => void)[]} */
const watchers = [];

/** Call a function whenever another text or another of its turns is shown. @type {(watcher: () => void) => void} */
export function whenShown(watcher) {
  watchers.push(watcher);
}

/** Whether the answer is that of the text, and not of the one before. */
export const isAnswered = () => Boolean(shown.reply) && shown.answered === shown.text;

/** The turn on the board, or the state behind the last one. @type {() => Answer} */
export const chosenTurn = () => shown.reply?.turns[shown.chosen] || shown.reply?.state || START;

// The text and the address

/** @type {(text: string) => string} */
const address = (text) => encodeURIComponent(text).replace(/%(?:2C|2F|3A|3D|40|24|2B|7B|7D)/g, decodeURIComponent);

/** The address of a text. @type {(text: string, view?: string) => string} */
export const linkOf = (text, view = 's') => `${location.href.split('#')[0]}#${view}=${address(text)}`;

function addressNow() {
  if (shown.active) history.replaceState(null, '', linkOf(shown.text, shown.view));
}

const addressSoon = debounced(addressNow, PAUSE); // a browser allows some hundred changes at most

const asked = latest('read_text', show);
const askSoon = debounced(() => asked(shown.text), DELAY);

function put(/** @type {string} */ given) {
  const text = given.replace(/[\r\n]+/g, ' '); // as the field has it
  Object.assign(shown, { text, chosen: -1 });
  if (field('text').value !== text) field('text').value = text;
  // From one view to the other the text goes along.
  for (const view of ['s', 'play']) find(`to-${view}`).setAttribute('href', `#${view}=${address(text)}`);
}

/** Go on to another text; the browser's way back leads to this one. @type {(text: string) => void} */
export function act(text) {
  if (text !== shown.text) {
    addressNow();
    history.pushState(null, '', linkOf(text, shown.view));
  }
  put(text);
  asked(shown.text);
}

/** The same from a button that may go with the text before; on a telephone keys would cover the board. @type {(text: string) => void} */
function goOn(text) {
  act(text);
  if (shown.view === 's' && matchMedia('(pointer: fine)').matches) find('text').focus();
}

function typed() {
  put(field('text').value);
  addressSoon();
  askSoon();
}

/** The view with a text, to type or to play. @type {(text: string, view: string) => void} */
function openTyping(text, view) {
  find('entry').hidden = view !== 's';
  find('table').hidden = view === 's';
  Object.assign(shown, { view, active: true });
  put(text);
  addressNow();
  if (!shown.reply) stage(START, ['The board comes as soon as Python is there.']);
  asked(shown.text);
}

/** Ask once more, as Python was not there. */
export function askAgain() {
  if (shown.active) asked(shown.text);
}

/** Other views take the stage: what Python still says of the text is not shown. */
export function leaveTyping() {
  shown.active = false;
  for (const watcher of watchers) watcher();
}

/** What there is of a text of which nothing can be read. @type {(message: string) => Reply} */
const nothing = (message) => ({ turns: [], state: START, error: { message } });

/** @type {(answer: {value: Reply, error?: string}, text: string) => void} */
function show({ value: found, error }, text) {
  if (text !== shown.text || !shown.active) return;
  const value = error ? nothing(error) : found;
  Object.assign(shown, { reply: value, answered: text });
  const { turns, over } = value;
  const last = turns[turns.length - 1];
  // Who plays sees the board behind the play; who types sees the play.
  const isPlayed = shown.view === 'play' && last?.reading !== 'to be played' && !over;
  shown.chosen = turns.length - (value.error || isPlayed ? 0 : 1);
  find('intro').hidden = Boolean(text.trim());
  renew(find('wrong'), wrongOf(value));
  showTurns(value);
  showOptions(value);
}

/** @type {(reply: Reply) => Element[]} */
function wrongOf({ error, unfinished, instead, prose }) {
  const made = [];
  if (error) {
    const { before, wrong, after, message, possible } = error;
    const told = trouble(message);
    if (possible?.length) told.append('; possible are ', ...possible.flatMap((look) => [glyphOf(look), ' ']));
    if (wrong !== undefined) made.push(element('p', { className: 'place' }, before || '', element('mark', {}, wrong || ' '), after || ''));
    made.push(told);
  }
  /** @type {Part[]} */
  const others = (instead || []).map((one) => button(() => goOn(one), one));
  if (others.length) others.unshift('Is it meant to be');
  if (prose) others.push(element('a', { href: `#read=${encodeURIComponent(shown.text)}` }, 'Read it as a post'));
  if (others.length) made.push(element('p', { className: 'row' }, ...others));
  if (unfinished) made.push(paragraph(small(`Go on: ${unfinished}.`)));
  return made;
}

// The turns

/** @type {(reply: Reply) => void} */
function showTurns({ turns, state, over }) {
  const last = turns[turns.length - 1];
  const waits = last && last.reading === 'to be played';
  list(find('turns'), waits || over ? turns : [...turns, state], (turn, at) => element('li', {}, turnButton(turn, at)));
  choose(shown.chosen < 0 ? turns.length : shown.chosen);
}

function turnButton(/** @type {Answer} */ turn, /** @type {number} */ at) {
  const parts = [element('span', { className: `side-${turn.player}` })];
  if (turn.token) {
    parts.push(element('b', {}, turn.roll || turn.token), turn.look ? glyphOf(turn.look) : '',
      element('span', {}, turn.said || turn.reading || '', turn.word ? small(` ${turn.word}`) : ''));
  } else parts.push(element('span', {}, ...words(turn)));
  const doubts = [turn.sure && turn.sure !== 'sure' && turn.sure, turn.note, turn.others && `or ${turn.others.slice(0, 3).join(', ')}`];
  const doubt = doubts.filter(Boolean).join('; ');
  if (doubt) parts.push(element('small', { className: 'doubt' }, doubt));
  const made = button(() => choose(at), ...parts);
  made.dataset.turn = String(at);
  return made;
}

function choose(/** @type {number} */ at) {
  shown.chosen = at;
  const box = find('turns');
  for (const one of box.querySelectorAll('button')) {
    const isChosen = Number(one.dataset.turn) === at;
    press(one, isChosen);
    if (isChosen) box.scrollTop = Math.min(Math.max(box.scrollTop, one.offsetTop + one.offsetHeight - box.clientHeight), one.offsetTop);
  }
  const turn = chosenTurn();
  stage(turn, words(turn));
  if (explainedTurn()?.said) explainSoon();
  else find('why').replaceChildren();
  for (const watcher of watchers) watcher();
}

/** Show the turn that comes so many after the one on the board, as far as there is one. @type {(by: number) => void} */
export function walk(by) {
  const rows = shown.reply ? find('turns').childElementCount : 0;
  if (rows) choose(Math.min(Math.max(shown.chosen + by, 0), rows - 1));
}

// Why

const explainSoon = debounced(() => {
  const turn = explainedTurn();
  if (turn?.said) askWhy(turn.xgid, turn.roll, turn.said);
}, PAUSE);

/** Of the board behind the last play, that play. @type {() => Answer | undefined} */
const explainedTurn = () => (shown.reply?.error ? chosenTurn() : shown.reply?.turns[Math.min(shown.chosen, shown.reply.turns.length - 1)]);

const askWhy = latest('explain_play', ({ value, error }, xgid, roll, said) => {
  const turn = explainedTurn();
  if (!shown.active || !turn || turn.xgid !== xgid || turn.said !== said || turn.roll !== roll) return;
  find('why').replaceChildren(...(error ? [trouble(error)] : whyOf(value)));
});

/** @type {(explained: Explained) => Element[]} */
function whyOf({ reason, names }) {
  return [
    element('h2', {}, 'Why'),
    element('ul', { className: 'names' }, ...names.map((one, at) => element('li', {}, details(one, at ? '' : reason)))),
  ];
}

/** @type {(name: NameDetails, reason: string) => any} */
function details({ look, word, right, meaning, note, member, size, rule, members }, reason) {
  const head = element('summary', {}, glyphOf(look), element('span', {}, `${word} `, small(reason ? `${right}; to be written: ${reason}` : right)));
  const place = size > 1 ? `Member ${member} of ${size}, ranked by ${rule}.` : 'The only member.';
  const rows = members.map((one) => element('li', { className: one.look.name === look.name ? 'this' : '' },
    glyphOf(one.look), element('span', {}, one.said, one.why ? small(` before the next by ${one.why}`) : '')));
  const made = element('details', {}, head, paragraph(meaning), note ? paragraph(note) : '', paragraph(small(place)),
    size > 1 ? element('ul', { className: 'names' }, ...rows) : '');
  made.open = Boolean(reason);
  return made;
}

// What may follow

/** @type {(reply: Reply) => void} */
function showOptions({ options, keep, turns, state, error }) {
  const rows = options || [];
  const last = turns[turns.length - 1];
  const played = error ? '' : last?.said;
  find('follow').hidden = !rows.length;
  find('optionsh').textContent = played ? 'Other plays of the roll' : 'What may follow';
  if (shown.view === 'play') find('follow').open = Boolean(played || state.offered); // the answer is not given away
  else find('follow').open = true;
  list(find('options'), rows, (option) => element('li', {}, button(() => take(option),
    option.look ? glyphOf(option.look) : element('b', {}, option.token), element('span', {}, option.said),
    element('small', {}, ...(option.others || []).flatMap((one) => [glyphOf(one), ' '])))));
  for (const [at, { said }] of rows.entries()) {
    const one = find('options').children[at].firstElementChild;
    one.toggleAttribute('disabled', keep === undefined);
    if (said === played) one.setAttribute('aria-current', 'true');
    else one.removeAttribute('aria-current');
  }
}

/** Go on with one of the options. @type {(option: Option) => void} */
export function take({ token }) {
  if (shown.reply?.keep !== undefined && isAnswered()) goOn(shown.reply.keep + token);
}

addView('s', 'type', openTyping);
addView('play', 'type', openTyping);
field('text').addEventListener('input', typed);
field('text').addEventListener('change', addressNow); // before one goes elsewhere
find('entry').addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault());
for (const example of find('intro').querySelectorAll('button')) {
  example.addEventListener('click', () => goOn(example.textContent));
}
