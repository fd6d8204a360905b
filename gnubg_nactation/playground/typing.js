// A sequence that is typed, or played on the board. The text is all that there is of it: each
// change makes a new text, and Python says what that means.

import {
  BAR, boardOf, drawAway, element, find, freeCheckers, hopped, legalHop, played, pointAt, stepOf, waysToPlay,
} from './board.js';
import { button, copy, debounced, download, field, glyph, list, paragraph, replace, say, small, trouble } from './parts.js';
import { ask, latest, Stopped } from './python.js';
import { putBack, shownBoard, stage, words } from './stage.js';

const DELAY = 60; // milliseconds after the last key
const PAUSE = 300; // after which what is less urgent follows
const data = JSON.parse(find('data').textContent);
const shown = {
  view: 's', text: '', reply: null, chosen: -1, hops: [], swapped: false, die: 0, active: false,
};

// The text and the address

const address = (text) => encodeURIComponent(text).replace(/%(?:2C|2F|3A|3D|40|24|2B|7B|7D)/g, decodeURIComponent);
const link = () => `${location.href.split('#')[0]}#s=${address(shown.text)}`;

function setAddress() {
  if (shown.active) history.replaceState(null, '', `#${shown.view}=${address(shown.text)}`);
}

const addressSoon = debounced(setAddress, PAUSE); // a browser allows some hundred changes at most

const asked = latest('typed', show);
const askSoon = debounced((text) => asked(text), DELAY);

function setText(text, soon = false) {
  Object.assign(shown, { text, hops: [], swapped: false, die: 0, chosen: -1 });
  if (field('text').value !== text) field('text').value = text;
  if (soon) addressSoon();
  else setAddress();
  find('sequence').textContent = text;
  if (soon) askSoon(text);
  else asked(text);
}

/** The view with a text, to type or to play. */
export function openTyping(text, view) {
  find('entry').hidden = view !== 's';
  find('table').hidden = view === 's';
  // From one view to the other the text goes along.
  Object.assign(shown, { view, active: true });
  setText(text || (shown.asked ? shown.text : ''));
  shown.asked = true;
}

function show({ value, error }, text) {
  if (text !== shown.text || !shown.active) return;
  if (error) {
    find('wrong').replaceChildren(trouble(error));
    return;
  }
  shown.reply = value;
  shown.chosen = value.turns.length - (value.error ? 0 : 1);
  find('wrong').replaceChildren(...wrongOf(value));
  showTurns();
  showOptions();
  showTable();
  showCopies();
}

function wrongOf({ error, unfinished }) {
  if (unfinished) return [paragraph(small(`Go on: ${unfinished}.`))];
  if (!error) return [];
  const place = element('p', { className: 'place' },
    error.before, element('mark', {}, error.wrong || ' '), error.after);
  return [place, trouble(error.message)];
}

// The turns

function showTurns() {
  const { turns, state, over } = shown.reply;
  const last = turns[turns.length - 1];
  const waits = last && last.reading === 'to be played';
  list(find('turns'), waits || over ? turns : [...turns, state], (turn, at) => element('li', {}, turnButton(turn, at)));
  choose(shown.chosen < 0 ? turns.length : shown.chosen);
}

function turnButton(turn, at) {
  const parts = [element('span', { className: `side-${turn.player}` })];
  if (turn.token) {
    parts.push(element('b', {}, turn.roll || turn.token), turn.look ? glyph(turn.look) : '',
      element('span', {}, turn.said || turn.reading));
  } else parts.push(element('span', {}, ...words(turn)));
  const doubts = [turn.sure && turn.sure !== 'sure' && turn.sure, turn.note, turn.others && `or ${turn.others.slice(0, 3).join(', ')}`];
  const doubt = doubts.filter(Boolean).join('; ');
  if (doubt) parts.push(small(doubt));
  const made = button(() => choose(at), ...parts);
  made.dataset.turn = String(at);
  return made;
}

const explainSoon = debounced(() => explain(), PAUSE);

function choose(at) {
  const { turns, state } = shown.reply;
  shown.chosen = at;
  shown.hops = [];
  for (const one of find('turns').querySelectorAll('button')) one.setAttribute('aria-pressed', String(Number(one.dataset.turn) === at));
  const turn = turns[at] || state;
  stage(turn, words(turn));
  if (turn.said) explainSoon();
  else find('why').replaceChildren();
  showSources();
}

// Why

const askWhy = latest('explained', ({ value, error }, xgid, roll, said) => {
  const turn = shown.reply?.turns[shown.chosen];
  if (!shown.active || !turn || turn.xgid !== xgid || turn.said !== said || turn.roll !== roll) return;
  find('why').replaceChildren(...(error ? [trouble(error)] : whyOf(value)));
});

function explain() {
  const turn = shown.reply?.turns[shown.chosen];
  if (turn?.said) askWhy(turn.xgid, turn.roll, turn.said);
}

function whyOf({ reason, names }) {
  return [
    element('h2', {}, 'Why'),
    element('ul', { className: 'names' }, ...names.map((one, at) => element('li', {}, details(one, at ? '' : reason)))),
  ];
}

function details({ look, word, right, meaning, note, member, size, rule, members }, reason) {
  const head = element('summary', {}, glyph(look), element('span', {}, `${word} `, small(reason ? `${right}; to be written: ${reason}` : right)));
  const place = size > 1 ? `Member ${member} of ${size}, ranked by ${rule}.` : 'The only member.';
  const rows = members.map((one) => element('li', { className: one.look.name === look.name ? 'this' : '' },
    glyph(one.look), element('span', {}, one.said, one.why ? small(` before the next by ${one.why}`) : '')));
  const made = element('details', {}, head, paragraph(meaning), note ? paragraph(note) : '', paragraph(small(place)),
    size > 1 ? element('ul', { className: 'names' }, ...rows) : '');
  made.open = Boolean(reason);
  return made;
}

// What may follow

function showOptions() {
  const { options, keep, turns } = shown.reply;
  const rows = options || [];
  const last = turns[turns.length - 1];
  find('optionsh').hidden = !rows.length;
  find('optionsh').textContent = last?.said && !shown.reply.error ? 'Other plays of the roll' : 'What may follow';
  list(find('options'), rows, (option) => element('li', {}, button(() => take(option),
    glyph(option.look), element('span', {}, option.said),
    element('small', {}, ...(option.others || []).flatMap((one) => [glyph(one), ' '])))));
  const played = shown.reply.error ? '' : last?.said;
  for (const [at, { said }] of rows.entries()) {
    const one = find('options').children[at].firstElementChild;
    one.toggleAttribute('disabled', keep === undefined);
    if (said === played) one.setAttribute('aria-current', 'true');
    else one.removeAttribute('aria-current');
  }
}

function take({ look }) {
  if (shown.reply.keep === undefined) return;
  setText(shown.reply.keep + look.name);
  if (shown.view === 's' && matchMedia('(pointer: fine)').matches) find('text').focus();
}

// The table: a roll, and checkers that are moved by hand

function toPlay() {
  const { reply, chosen } = shown;
  if (!reply || !reply.options || reply.keep === undefined) return null;
  const turn = reply.turns[chosen] || reply.state;
  return !turn.said && turn.roll && chosen >= reply.turns.length - 1 ? turn : null;
}

const sidesOf = (turn) => shown.hops.reduce((sides, hop) => hopped(sides, turn.player, hop), boardOf(stepOf(turn)).sides);

function diceOf({ roll }) {
  const [high, low] = [...roll].map(Number);
  const all = high === low ? [high, high, high, high] : shown.swapped ? [low, high] : [high, low];
  for (const { die } of shown.hops) all.splice(all.indexOf(die), 1);
  return all;
}

const most = (sides, player, dice) => Math.max(0, ...waysToPlay(sides, player, dice).map(({ hops }) => hops.length));

// The hops of one die that leave as many dice to be played as can be.
function hopsFrom(turn, source) {
  const [sides, dice] = [sidesOf(turn), diceOf(turn)];
  const view = turn.player ? [sides[1], sides[0]] : sides;
  const needed = most(sides, turn.player, dice);
  return [...new Set(dice)].flatMap((die) => {
    const hop = legalHop(view, source, die);
    const rest = [...dice];
    rest.splice(rest.indexOf(die), 1);
    return hop && most(hopped(sides, turn.player, hop), turn.player, rest) === needed - 1 ? [{ ...hop, die }] : [];
  });
}

function move(turn, hop) {
  shown.hops.push(hop);
  const sides = sidesOf(turn);
  showHalf(turn);
  if (most(sides, turn.player, diceOf(turn))) return;
  const start = boardOf(stepOf(turn)).sides;
  const option = shown.reply.options.find(({ said }) => String(played(start, turn.player, said)) === String(sides));
  if (option) take(option);
  else {
    say('The higher die must be played.');
    shown.hops = [];
    showHalf(turn);
  }
}

function showHalf(turn) {
  stage(turn, words(turn), sidesOf(turn));
  showSources();
}

// Buttons for whoever uses no pointer.
function showSources() {
  const turn = toPlay();
  const points = turn ? Array.from({ length: BAR }, (_, at) => BAR - at).filter((point) => hopsFrom(turn, point).length) : [];
  const rows = points.map((point) => button(() => step(turn, point), point === BAR ? 'bar' : String(point)));
  const [, second] = turn ? [...new Set(diceOf(turn))] : [];
  if (second) rows.push(button(() => swap(turn), `the ${second} first`));
  replace(find('sources'), points.length ? [small('from '), ...rows] : []);
  freeCheckers(points);
  find('stage').classList.toggle('playing', Boolean(turn));
}

// A checker by the first die that it can be moved by.
function step(turn, point) {
  const [hop] = hopsFrom(turn, point);
  if (hop) move(turn, hop);
}

function swap(turn) {
  shown.swapped = !shown.swapped;
  say(`The ${diceOf(turn)[0]} first`);
  showSources();
}

const STILL = 5; // pixels by which a pointer may move and still have clicked
let held = null; // where a pointer was put down: its place, its point and the checker there
let dragged = false;

function onGrab(event) {
  const turn = shown.active && toPlay();
  dragged = false;
  if (!turn || !event.isPrimary) return;
  held = { x: event.clientX, y: event.clientY, point: pointAt(event, turn.player), checker: event.target.closest('.free') };
}

function onDrag(event) {
  if (!held || !event.isPrimary) return;
  const [x, y] = [event.clientX - held.x, event.clientY - held.y];
  if (!dragged && Math.hypot(x, y) < STILL) return;
  dragged = true;
  find('board').setPointerCapture(event.pointerId);
  if (held.checker?.isConnected) drawAway(held.checker, x, y);
}

// The page does not scroll under a finger that draws a checker. (`touch-action` is not for parts
// of an SVG.)
function onTouch(event) {
  if (held?.checker && event.cancelable) event.preventDefault();
}

// What was drawn away lies in its place again.
function letGo() {
  held = null;
  if (dragged) putBack();
}

function onDrop(event) {
  if (!held || !event.isPrimary) return;
  const { point } = held;
  letGo();
  const turn = dragged && shown.active && toPlay();
  const target = turn ? pointAt(event, turn.player) : -1;
  if (target >= 0 && target < point) moveTo(turn, point, target);
}

// From point to point, with one die or with several.
function moveTo(turn, source, target) {
  const ways = (from, left) => (from === target ? [[]] : left.flatMap((die, at) => (
    left.indexOf(die) === at && from - die >= target
      ? ways(from - die, left.filter((_, index) => index !== at)).map((way) => [die, ...way]) : [])));
  const borneOff = target ? [] : diceOf(turn).filter((die) => die >= source).map((die) => [die]);
  for (const dice of [...ways(source, diceOf(turn)), ...borneOff]) {
    const before = [...shown.hops];
    let from = source;
    const fits = dice.every((die) => {
      const hop = hopsFrom(turn, from).find((one) => one.die === die);
      if (!hop) return false;
      from = hop.target;
      shown.hops.push(hop);
      return true;
    });
    const hop = fits ? shown.hops.pop() : null;
    if (hop) {
      move(turn, hop);
      return;
    }
    shown.hops = before;
  }
}

function onBoard(event) {
  const turn = shown.active && toPlay();
  if (!turn || dragged) return;
  const point = pointAt(event, turn.player);
  if (point > 0) step(turn, point);
  else if (!shown.hops.length) swap(turn); // the dice, or between the points
}

function joined(text, token) {
  if (!text.trim() || /[\s-]$/.test(text)) return text + token;
  return `${text}${shown.reply?.named ? ' ' : '-'}${token}`;
}

function roll(first, second) {
  const dice = `${Math.max(first, second)}${Math.min(first, second)}`;
  const { reply, text } = shown;
  const last = reply?.turns[reply.turns.length - 1];
  const isWaiting = last && last.reading === 'to be played' && reply.keep !== undefined;
  setText(isWaiting ? reply.keep.slice(0, -2) + dice : joined(text, dice));
}

function onDie(die) {
  if (shown.die) roll(shown.die, die);
  else {
    shown.die = die;
    showTable();
  }
}

function undo() {
  const { text, hops } = shown;
  const turn = toPlay();
  if (hops.length && turn) {
    hops.pop();
    showHalf(turn);
    return;
  }
  const named = /^(.*[1-6]{2})[^-\s\d][^-\s]*$/s.exec(text);
  setText(named ? named[1] : text.replace(/[-\s]?[^-\s]+[-\s]*$/, (_, at) => (at === 1 && text[0] === 'N' ? ' ' : '')));
}

const STARTS = { Standard: '', Nackgammon: 'N ' };

function showTable() {
  const nackgammon = /^N\s/.test(shown.text);
  for (const one of find('starts').children) one.setAttribute('aria-pressed', String((one.textContent === 'Nackgammon') === nackgammon));
  for (const one of find('dice').children) one.setAttribute('aria-pressed', String(Boolean(shown.die) && one.textContent === String(shown.die)));
  find('sequence').textContent = shown.text;
}

function rollAtRandom() {
  const random = () => 1 + Math.floor(6 * Math.random());
  const [first, second] = [random(), random()];
  const opens = !shown.reply?.turns.length && !shown.reply?.named;
  roll(first, opens && first === second ? (first % 6) + 1 : second); // no doublet opens
}

function layTable() {
  find('starts').append(...Object.entries(STARTS).map(([name, text]) => button(() => setText(text), name)));
  find('dice').append(...[1, 2, 3, 4, 5, 6].map((die) => {
    const made = button(() => onDie(die), String(die));
    made.setAttribute('aria-label', `die ${die}`);
    return made;
  }), button(rollAtRandom, 'Roll'));
}

// To take along

async function picture() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const { xgid, roll, said, cube, bottom } = shownBoard();
  const { value, error } = await ask('pictured', [xgid, cube ? '' : roll, said, dark, bottom]);
  if (error) {
    say(error);
    return;
  }
  const image = new Image();
  const url = URL.createObjectURL(new Blob([value], { type: 'image/svg+xml' }));
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error('the picture cannot be drawn'));
    image.src = url;
  });
  const canvas = element('canvas', { width: 1240, height: 1120 });
  canvas.getContext('2d').drawImage(image, 0, 0, 1240, 1120);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => download('nactation.png', blob), 'image/png');
}

async function post(target) {
  const { value, error } = await ask('posted', [shown.text, target]);
  if (error) say(error);
  else await copy(value, `Post for ${target}`);
}

const tried = (does) => () => Promise.resolve(does()).catch((error) => { if (!(error instanceof Stopped)) say(error.message); });

function showCopies() {
  if (find('copies').children.length) return;
  const target = element('select', { ariaLabel: 'Where the post goes' }, ...data.targets.map((name) => element('option', {}, name)));
  target.value = 'reddit';
  find('copies').replaceChildren(
    button(() => copy([shown.reply.start, shown.reply.sequence].filter(Boolean).join(' ') || shown.text, 'Sequence'), 'Copy sequence'),
    button(() => copy((shown.reply.turns[shown.chosen] || shown.reply.state).xgid, 'XGID'), 'Copy XGID'),
    button(() => copy((shown.reply.turns[shown.chosen] || shown.reply.state).id, 'Position ID'), 'Copy Position ID'),
    button(() => copy(link(), 'Link'), 'Copy link'),
    button(tried(picture), 'Save picture'),
    element('span', { className: 'together' }, button(tried(() => post(target.value)), 'Copy post'), target),
  );
}

/** Other views take the stage: what Python still says of the text is not shown. */
export function leaveTyping() {
  shown.active = false;
  freeCheckers([]);
  find('stage').classList.remove('playing');
}

field('text').addEventListener('input', () => setText(field('text').value, true));
find('entry').addEventListener('submit', (event) => event.preventDefault());
find('table').addEventListener('submit', (event) => event.preventDefault());
find('undo').addEventListener('click', undo);
layTable();
find('board').addEventListener('pointerdown', onGrab);
find('board').addEventListener('pointermove', onDrag);
find('board').addEventListener('pointerup', onDrop);
find('board').addEventListener('pointercancel', letGo);
find('board').addEventListener('touchmove', onTouch, { passive: false });
find('board').addEventListener('click', onBoard);
find('board').addEventListener('dragstart', (event) => event.preventDefault());
