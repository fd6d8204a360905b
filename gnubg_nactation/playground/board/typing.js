// A sequence that is typed, or played on the board. Its text and the other lines are the only state:
// each change makes a new text, and Python reads it.

import { element, find, glyphOf, labelled, listOf, markCurrent, paragraph, press, small } from '../../web/kit/dom.js';
import { data } from '../data.js';
import { button, debounced, field, isAt, list, onSubmit, renew, tried, trouble } from '../parts.js';
import { ask, latest } from '../python.js';
import { COLOURS, playButton, stage, START, turnButton, words } from '../stage.js';
import { branches, textBefore, tokensOf } from './tree.js';
import { addView } from '../views.js';

const DELAY = 60; // milliseconds after the last key
const PAUSE = 300; // the same for less urgent work
const BEFORE = 10; // characters shown before an error
const LIKELY = 6; // plays next to the board
const GAMES = '&games'; // the end of an address with the tab of your games open

/** The text, the reply to the text that was `answered` last, the number of the turn on the board, the other lines that were tried, whether the last turn was made on the board, and whether the address asks for your games. @type {{view: string, text: string, reply: Reply | null, answered: string, chosen: number, active: boolean, lines: string[], isByHand: boolean, hasGames: boolean}} */
export const shown = { view: 's', text: '', reply: null, answered: '', chosen: -1, active: false, lines: [], isByHand: false, hasGames: false };

/** @type {(() => void)[]} */
const watchers = [];

/** Call a function whenever another text or turn is shown. @type {(watcher: () => void) => void} */
export function whenShown(watcher) {
  watchers.push(watcher);
}

/** Whether the reply is about the current text. */
export const isAnswered = () => Boolean(shown.reply) && shown.answered === shown.text;

/** The turn on the board, or the state after the last turn. @type {() => Answer} */
export const chosenTurn = () => shown.reply?.turns[shown.chosen] || shown.reply?.state || START;

// The text and the address

/** @type {(text: string) => string} */
const address = (text) => encodeURIComponent(text).replace(/%(?:2C|2F|3A|3D|40|24|2B|7B|7D)/g, decodeURIComponent);

/** The address of a text. @type {(text: string, view?: string) => string} */
export const linkOf = (text, view = 's') => `${location.href.split('#')[0]}#${view}=${address(text)}`;

/** The other lines, as addresses have them. */
const linesNow = () => shown.lines.map((line) => `&or=${address(line)}`).join('');

/** The address of the board with its other lines. */
export const linkNow = () => linkOf(shown.text, shown.view) + linesNow();

const addressHere = () => linkNow() + (shown.hasGames ? GAMES : '');

/** Put what is shown into the address. */
export function addressNow() {
  if (shown.active && find('welcome').hidden) history.replaceState(null, '', addressHere());
}

const addressSoon = debounced(() => { if (isAt('', 's', 'edit')) addressNow(); }, PAUSE); // browsers limit changes of the address

const readText = latest('read_text', show);
const readSoon = debounced(() => readText(shown.text), DELAY);

function put(/** @type {string} */ lines) {
  const text = lines.replace(/[\r\n]+/g, ' '); // the field has one line
  Object.assign(shown, { text, chosen: -1 });
  if (field('text').value !== text) field('text').value = text;
  const [other, name] = shown.view === 'edit' ? ['s', 'Done'] : ['edit', 'Edit'];
  find('edit-this').setAttribute('href', `#${other}=${address(text)}${linesNow()}`);
  find('edit-this').textContent = name;
  find('to-s').setAttribute('href', `#s=${address(text)}${linesNow()}`);
}

/** Replace the text, and the other lines; the Back button of the browser restores them. @type {(text: string, isByHand?: boolean, lines?: string[]) => void} */
export function act(text, isByHand = false, lines = shown.lines) {
  const isOther = text !== shown.text;
  if (isOther) addressNow();
  shown.lines = lines;
  find('welcome').hidden = true;
  put(text);
  if (isOther) history.pushState(null, '', addressHere());
  shown.isByHand = isByHand;
  readText(shown.text);
}

/** The line that was left last for another, and that line. @type {{from: string, to: string} | null} */
let left = null;

/** Go back to the line that was left for the one on the board; whether there is one. */
export function comeBack() {
  const { lines, text } = shown;
  if (left?.to !== text || !lines.includes(left.from)) return false;
  const { from } = left;
  act(from, false, lines.filter((line) => line !== from));
  return true;
}

/** Go on with another line from a turn; the line before stays in the list. @type {(at: number, token: string, isByHand?: boolean) => void} */
function branch(at, token, isByHand = false) {
  const { reply, text, lines } = shown;
  const tokens = reply ? tokensOf(reply) : [];
  if (!reply) return;
  if (tokens[at] === reply.turns[at].roll + token) {
    choose(at + Number(isByHand));
    return;
  }
  const next = textBefore(reply, text, at) + token;
  left = { from: text, to: next };
  act(next, isByHand, [text, ...lines].filter((line) => line !== next));
}

/** Go to one of the other lines, or remove it. @type {(line: string, isRemoved?: boolean) => void} */
function follow(line, isRemoved = false) {
  const { text, lines } = shown;
  act(isRemoved ? text : line, false, lines.flatMap((other) => (other !== line ? [other] : isRemoved ? [] : [text])));
  if (isRemoved) {
    addressNow();
    if (shown.reply) showTurns(shown.reply);
  }
}

/** Replace the text and focus its field, but not on a phone, where the keyboard would cover the board. @type {(text: string) => void} */
function actAndFocus(text) {
  act(text);
  if (shown.view === 's' && matchMedia('(pointer: fine)').matches) find('text').focus();
}

/** Change the text key by key. @type {(text: string) => void} */
export function retype(text) {
  find('welcome').hidden = true;
  if (!text.trim()) shown.lines = [];
  shown.isByHand = false;
  put(text);
  addressSoon();
  readSoon();
}

/** The example of the first screen, whose reply is in the page. */
const [FIRST, FIRST_REPLY] = [data.first.text, data.first.reply];

/** Open the board with a text and its other lines, or the first screen with none. @type {(text: string, view: string, texts?: string[]) => void} */
export function openTyping(text, view, texts = [text]) {
  const isFirst = !texts.length;
  find('table').hidden = view === 'edit';
  find('setup').hidden = view !== 'edit';
  find('welcome').hidden = !isFirst;
  Object.assign(shown, { view, active: true, lines: texts.slice(1), isByHand: false, hasGames: location.hash.endsWith(GAMES) });
  put(isFirst ? FIRST : text);
  find('intro').hidden = Boolean(shown.text.trim());
  addressNow();
  if (isAnswered()) show({ value: /** @type {Reply} */ (shown.reply) }, shown.text); // at once, as Python may be starting
  else if (shown.text === FIRST) show({ value: FIRST_REPLY }, FIRST);
  if (!shown.reply) stage(START, ['The board appears when the program has loaded.']);
  readText(shown.text);
}

/** Read the text once Python is ready. */
export function readAgain() {
  if (shown.active) readText(shown.text);
}

/** Leave the board to another view: a late reply is not shown. */
export function leaveTyping() {
  shown.active = false;
  for (const watcher of watchers) watcher();
}

/** The reply for a text that cannot be read at all. @type {(message: string) => Reply} */
export const unreadable = (message) => ({ turns: [], state: START, error: { message } });

/** @type {(answer: {value: Reply, error?: string}, text: string) => void} */
function show({ value, error }, text) {
  if (text !== shown.text || !shown.active) return;
  const reply = error ? unreadable(error) : value;
  const isAgain = shown.answered === text && shown.chosen >= 0; // a turn may have been chosen since
  Object.assign(shown, { reply, answered: text });
  const { turns, over } = reply;
  const last = turns[turns.length - 1];
  // What was typed shows the play itself, what was played by hand the board after it.
  const isPlayed = (shown.isByHand || shown.view !== 's') && last?.reading !== 'to be played' && !over;
  if (!isAgain) shown.chosen = turns.length - (reply.error || isPlayed ? 0 : 1);
  find('intro').hidden = Boolean(text.trim());
  find('kind').textContent = kindOf(reply, text);
  showProblem(reply, text);
  showTurns(reply);
}

/** What the text is, in a word. @type {(reply: Reply, text: string) => string} */
function kindOf({ error, prose, named, turns }, text) {
  if (!text.trim()) return '';
  if (prose) return 'post';
  if (error && !turns.length && !named) return '';
  return named && !turns.length ? 'position' : 'game';
}

/** The end of the text before an error; the field above has all of it. @type {(text: string) => string} */
const endOf = (text) => (text.length > BEFORE ? `…${text.slice(-BEFORE)}` : text);

/** What is wrong with a text, with likely plays and suggestions that `go` takes. @type {(reply: Reply, text: string, go: (text: string) => void) => Element[]} */
export function problemParts({ error, unfinished, instead, prose, options = [], keep }, text, go) {
  const parts = [];
  if (error) {
    const { before = '', wrong, after = '', message } = error;
    const line = trouble('');
    if (wrong !== undefined) line.append(element('span', { className: 'place' }, endOf(before), element('mark', {}, wrong || ' '), after), ' ');
    line.append(message);
    parts.push(line);
    if (keep !== undefined && options.length && !instead?.length) parts.push(likelyPlays(options, keep, go));
  }
  /** @type {Part[]} */
  const suggestions = (instead || []).map((other) => button(() => go(other), other));
  if (suggestions.length) suggestions.unshift('Did you mean:');
  if (prose) suggestions.push(element('a', { href: `#read=${encodeURIComponent(text)}` }, 'Read this as a post'));
  if (suggestions.length) parts.push(element('p', { className: 'row' }, ...suggestions));
  if (unfinished) parts.push(paragraph(small(`Still missing: ${unfinished}.`)));
  return parts;
}

/** The first plays in the order of the list, which the engine sorts. @type {(options: Option[], keep: string, go: (text: string) => void) => Element} */
function likelyPlays(options, keep, go) {
  const rows = options.slice(0, LIKELY).map(({ look, token, said }) => Object.assign(
    button(() => go(keep + token), look ? glyphOf(look) : token, ` ${said}`), { value: keep + token }));
  return element('p', { className: 'likely', role: 'group', ariaLabel: 'Likely plays' }, ...rows);
}

/** Show the likely plays in the order of these. @type {(said: string[]) => void} */
export function sortLikely(said) {
  const { reply, text } = shown;
  if (!reply?.options) return;
  const rankOf = (/** @type {Option} */ option) => (said.includes(option.said) ? said.indexOf(option.said) : said.length);
  showProblem({ ...reply, options: [...reply.options].sort((one, other) => rankOf(one) - rankOf(other)) }, text);
}

function showProblem(/** @type {Reply} */ reply, /** @type {string} */ text) {
  const { options = [] } = reply;
  const parts = problemParts(reply, text, actAndFocus);
  const row = parts.find(({ className }) => className === 'likely');
  const count = options.length;
  if (count > LIKELY) row?.append(button(() => { showAll(true); find('equities').scrollIntoView(); }, `All ${count}`));
  renew(find('wrong'), parts);
}

// The turns

/** @type {(reply: Reply) => void} */
function showTurns(reply) {
  const { turns, state, over } = reply;
  const last = turns[turns.length - 1];
  const isToPlay = last && last.reading === 'to be played';
  const others = branches(reply, shown.text, shown.lines);
  const rows = (isToPlay || over ? turns : [...turns, state]).map((turn, at) => ({ turn, others: others.get(at) || [] }));
  list(find('turns'), rows, ({ turn, others: tried }, at) => {
    const made = turnButton(turn, () => choose(at));
    made.dataset.turn = String(at);
    return element('li', {}, made, ...tried.map(([line, rest]) => element('span', { className: 'branch' },
      button(() => follow(line), small('or '), rest), Object.assign(button(() => follow(line, true), '×'), { ariaLabel: `Remove ${rest}` }))));
  });
  find('game').hidden = !turns.length;
  choose(shown.chosen < 0 ? turns.length : shown.chosen);
}

function choose(/** @type {number} */ at) {
  shown.chosen = at;
  const box = find('turns');
  const rows = [...box.querySelectorAll('button[data-turn]')];
  const chosen = rows.find((row) => Number(row.dataset.turn) === at);
  for (const row of rows) press(row, row === chosen);
  const turn = chosenTurn();
  stage(turn, words(turn));
  if (explainedTurn()?.said) explainSoon();
  else find('why').replaceChildren(paragraph(small('Choose a play to see why it has its letter.')));
  showOptions();
  for (const watcher of watchers) watcher();
  // Before the next frame, as it needs the layout, which equities may still change.
  if (chosen) requestAnimationFrame(() => {
    box.scrollTop = Math.min(Math.max(box.scrollTop, chosen.offsetTop + chosen.offsetHeight - box.clientHeight), chosen.offsetTop);
  });
}

/** Show the turn `by` turns after the one on the board, or the last there is. @type {(by: number) => void} */
function walk(by) {
  const rows = shown.reply ? find('turns').childElementCount : 0;
  if (rows) choose(Math.min(Math.max(shown.chosen + by, 0), rows - 1));
}

// Why

const explainSoon = debounced(() => {
  const turn = explainedTurn();
  if (turn?.said) askWhy(turn.xgid, turn.roll, turn.said);
}, PAUSE);

/** The number of the turn on the board; after the last turn, that turn's. */
export const explainedAt = () => Math.min(shown.chosen, (shown.reply?.turns.length || 0) - 1);

/** @type {() => Answer | undefined} */
const explainedTurn = () => (shown.reply?.error ? chosenTurn() : shown.reply?.turns[explainedAt()]);

const askWhy = latest('explain_play', ({ value, error }, xgid, roll, said) => {
  const turn = explainedTurn();
  if (!shown.active || !turn || turn.xgid !== xgid || turn.said !== said || turn.roll !== roll) return;
  find('why').replaceChildren(...(error ? [trouble(error)] : [...whyOf(value), whyNotForm(xgid, roll, said)]));
});

/** @type {(explained: Explained) => Element[]} */
function whyOf({ reason, order, names }) {
  return [
    element('h2', {}, 'Why'),
    ...(order ? [paragraph(small(order))] : []),
    listOf('ul', 'names', names.map((name, at) => [details(name, at ? '' : reason)])),
  ];
}

/** A form that asks why a letter does not name a play. @type {(xgid: string, roll: string, said: string) => any} */
function whyNotForm(xgid, roll, said) {
  const letter = element('input', { size: 4, autocapitalize: 'off', spellcheck: false });
  const reply = element('span', { className: 'why-not' });
  const form = element('form', { className: 'row' }, element('label', {}, 'Why not ', letter, '?'), element('button', {}, 'Ask'), reply);
  form.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    tried(async () => {
      const { verdict, clause, would } = await ask('check_answer', [xgid, roll, said, letter.value]);
      const instead = would ? `${letter.value} is ${would}` : `no play is ${letter.value}`;
      reply.textContent = verdict === 'wrong' ? `${clause}. Here ${instead}.` : `${letter.value} is right.`;
    }, (message) => { reply.textContent = message; })();
  });
  return form;
}

/** @type {(name: NameDetails, reason: string) => any} */
function details({ look, word, right, meaning, note, member, size, rule, members }, reason) {
  const head = element('summary', {}, glyphOf(look), element('span', {}, `${word} `, small(reason ? `${right}; preferred: ${reason}` : right)));
  const place = size > 1 ? `Member ${member} of ${size}, ranked by ${rule}.` : 'The only member.';
  const rows = members.map((other, at) => element('li', { className: other.look.name === look.name ? 'this' : '' },
    ...labelled(glyphOf(other.look), other.said, other.why && `ahead of ${members[at + 1]?.look.name} – ${other.why}`)));
  const made = element('details', {}, head, paragraph(meaning), note ? paragraph(note) : '', paragraph(small(place)),
    size > 1 ? element('ul', { className: 'names' }, ...rows) : '');
  made.open = Boolean(reason);
  return made;
}

// Legal plays

/** The replies that have the plays of earlier turns, by their texts. @type {Map<string, Reply>} */
const earlier = new Map();

/** The plays of the turn on the board, and what a letter is added to; an earlier turn is asked for. @type {() => Pick<Reply, 'options' | 'keep'>} */
export function optionsNow() {
  const { reply, chosen, text } = shown;
  if (!reply) return {};
  const { roll, offered } = chosenTurn();
  const isBetween = !shown.isByHand && chosen >= reply.turns.length && !offered; // after a play, before a roll
  if (!reply.error && !roll && (shown.view === 'edit' || isBetween)) return {};
  if (reply.error || chosen >= reply.turns.length - 1) return reply;
  if (!reply.turns[chosen]?.roll) return {};
  const before = textBefore(reply, text, chosen);
  const known = earlier.get(before);
  if (!known && isAnswered()) askEarlier(before);
  return known || {};
}

const askEarlier = latest('read_text', ({ value, error }, before) => {
  if (error || !value.options) return;
  earlier.set(before, value);
  if (!shown.active) return;
  showOptions();
  for (const watcher of watchers) watcher();
});

const FEW = 6; // plays that are listed at first

/** List all plays, or the best. @type {(is: boolean) => void} */
function showAll(is) {
  find('options').classList.toggle('all', is);
  find('all-plays').setAttribute('aria-expanded', String(is));
  const count = find('options').childElementCount;
  find('all-plays').textContent = is ? 'Fewer plays' : `All ${count} plays`;
  find('all-plays').hidden = count <= FEW;
}

function showOptions() {
  const { options: rows = [] } = optionsNow();
  const turn = chosenTurn();
  const { said: played, player = 0, roll = '' } = (!shown.reply?.error && explainedTurn()) || {};
  const isPast = rows.length && roll && explainedAt() < shown.chosen; // the caption has the next turn
  find('optionsh').textContent = turn.offered ? 'Answers to the double' : isPast ? `${COLOURS[player]}’s ${roll}` : rows.length || turn.roll ? 'Best plays' : 'Cube';
  const key = JSON.stringify(rows);
  if (key !== listed) {
    list(find('options'), rows, optionRow); // or it would lose the order of equities
    showAll(false);
  }
  listed = key;
  for (const item of find('options').children) markCurrent(item.firstElementChild, item.dataset.said === played);
}

let listed = '';

function optionRow(/** @type {Option} */ option) {
  const row = element('li', {}, playButton(option, () => take(option)));
  row.dataset.said = option.said;
  return row;
}

/** Play an option of the turn on the board. @type {(option: Option, isByHand?: boolean) => void} */
export function take({ token }, isByHand = false) {
  const { reply, chosen } = shown;
  const { keep } = optionsNow();
  if (!reply || keep === undefined || !isAnswered()) return;
  if (shown.view === 'edit') location.href = linkOf(keep + token);
  else if (chosen < reply.turns.length && reply.turns[chosen].said && !reply.error) branch(chosen, token, isByHand);
  else if (isByHand) act(keep + token, true);
  else actAndFocus(keep + token);
}

addView('s', 'board', openTyping, false, walk);
field('text').addEventListener('input', () => {
  const { value } = field('text');
  if (shown.active) retype(value);
  else location.href = linkOf(value);
});
field('text').addEventListener('change', addressNow); // before the visitor leaves
onSubmit('entry');
find('welcome').querySelector('.primary').addEventListener('click', () => find('text').focus());
find('all-plays').addEventListener('click', () => showAll(!find('options').classList.contains('all')));
for (const example of find('intro').querySelectorAll('button')) {
  example.addEventListener('click', () => actAndFocus(example.textContent));
}
