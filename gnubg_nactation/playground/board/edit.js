// A position set up by hand. The setup is the text of the views Type and Play: an XGID, which
// Python reads there as any other.

import { element, find, press } from '../../web/kit/dom.js';
import { parseXgid } from '../../web/kit/game.js';
import { counted } from '../../web/kit/words.js';
import { board, spareChecker, withoutMotion } from '../board.js';
import { data } from '../data.js';
import { handleBoard } from './dragging.js';
import { enterPlays } from './moving.js';
import { button, copy, debounced, field, onSubmit, renew, say, trouble } from '../parts.js';
import { latest } from '../python.js';
import { answerOf, FIELDS, formatSide, holder, moved, parseSetup, spare, withFields, withSide } from './setup.js';
import { COLOURS, putBack, stage, words } from '../stage.js';
import { chosenTurn, isAnswered, linkOf, openTyping, retype, shown, whenShown } from './typing.js';
import { addView } from '../views.js';

const REMOVE = -1;
const DELAY = 150; // milliseconds after the last change
/** The positions that a button sets up; the fields stay. */
const LAYOUTS = {
  Start: '-b----E-C---eE---c-e----B-',
  Nackgammon: '-bb---D-C---dD---c-d---BB-',
  Clear: '-'.repeat(26),
};

/** The position on the board; null until Python has read the text. @type {Setup | null} */
let setup = null;
/** The positions before, for Undo. @type {Setup[]} */
let past = [];
/** What a tap on the board does: add a checker of this player, or remove one. */
let tool = 0;

/** What is wrong with the field that was changed last. */
let misfit = '';
/** Why the position cannot occur. @type {string[]} */
let problems = [];
/** The link to what was there before, as long as it is unchanged. */
let unchanged = '';

const isOpen = () => shown.active && shown.view === 'edit';
/** The position while it can be edited. @type {() => Setup | null} */
const edited = () => (isOpen() ? setup : null);
const report = () => renew(find('faults'), [misfit, ...problems].filter(Boolean).map(trouble));

/** An ID with a button that copies it. @type {(name: string, id: string) => any} */
const idRow = (name, id) => element('div', {}, element('dt', {}, name),
  element('dd', {}, element('code', {}, id), Object.assign(button(() => copy(id, name), 'Copy'), { ariaLabel: `Copy ${name}` })));

const check = latest('check_position', ({ value, error }, xgid) => {
  const now = edited();
  if (!now || answerOf(now).xgid !== xgid) return;
  problems = error ? [error] : value.problems;
  report();
  renew(find('ids'), error ? [] : Object.entries(value.ids).map(([name, id]) => idRow(name, id)));
});
const checkSoon = debounced(check, DELAY);

/** Show the position on the board. */
function showBoard(/** @type {Setup} */ now) {
  const answer = answerOf(now);
  enterPlays(null);
  stage(answer, words(answer));
}

/** Show the position on the board and in the form. */
function show() {
  find('setup').inert = !setup;
  if (!setup) return;
  const answer = answerOf(setup);
  const { sides, fields } = setup;
  showBoard(setup);
  for (const [name, at] of Object.entries(FIELDS)) {
    const box = name === 'rule' ? null : field(`setup-${name}`);
    if (box && box.value !== fields[at]) box.value = fields[at];
  }
  field('setup-dice').value = answer.roll || fields[FIELDS.dice];
  const isMatch = fields[FIELDS.length] !== '0';
  field('setup-rule').checked = '13'.includes(fields[FIELDS.rule]);
  find('setup-rule-name').textContent = isMatch ? 'Crawford game' : 'Jacoby rule';
  for (const player of [0, 1]) field(`side-${player}`).value = formatSide(sides[player]);
  find('setup-undo').disabled = !past.length;
  if (past.length || unchanged) find('edit-this').setAttribute('href', past.length ? linkOf(answer.xgid) : unchanged);
  checkSoon(answer.xgid);
}

function put(/** @type {Setup} */ next) {
  setup = next;
  shown.lines = []; // of another position
  misfit = '';
  retype(answerOf(next).xgid);
  show();
}

/** Replace the position; if it stays the same there is nothing to undo. @type {(next: Setup) => void} */
function change(next) {
  if (setup && String([next.sides, next.fields]) !== String([setup.sides, setup.fields])) past.push(setup);
  put(next);
}

// The board

/** Move a checker between points; 0 is off the board. @type {(now: Setup, player: number, source: number, target: number) => void} */
function moveChecker(now, player, source, target) {
  const sides = moved(now.sides, player, source, target);
  const gone = spare(sides, 1 - player) - spare(now.sides, 1 - player);
  if (gone) say(`${counted(gone, 'checker')} of ${COLOURS[1 - player]} removed from that point`);
  change({ ...now, sides });
}

/** The player whose checker an event is on, or who keeps checkers where it is. @type {(event: any, now: Setup) => number | null} */
function playerAt(event, now) {
  const on = [0, 1].find((player) => [...board.checkersOf(player)].includes(event.target));
  if (on !== undefined) return on;
  const point = board.pointAt(event, 0);
  if (point < 0) return null;
  return point ? holder(now.sides, point) : board.halfAt(event);
}

const BEAVERS = 2; // in the field of the rules
const MAX_POWER = 10; // of the cube: 1,024
const EDGE = 42; // of the strips with names and scores, and of the rail with the cube
const SCORES = 540; // where the scores begin

/** A click beside the points: on a name, a score, the cube, or between the halves. Whether it was one. @type {(now: Setup, event: MouseEvent) => boolean} */
function changeAround(now, event) {
  const [x, y] = board.spotOf(event);
  const { middle } = board.places;
  const player = board.halfAt(event);
  const fieldOf = (/** @type {keyof typeof FIELDS} */ name) => now.fields[FIELDS[name]];
  if (Math.abs(y - middle) > middle - EDGE) {
    if (x < SCORES) change(withFields(now, { turn: player ? '-1' : '1' }));
    else {
      const name = player ? 'second' : 'first';
      const most = Math.max(Number(fieldOf('length')), 1);
      change(withFields(now, { [name]: String((Number(fieldOf(name)) + 1) % most) }));
    }
  } else if (x < EDGE) {
    const owner = Math.abs(y - middle) < 60 ? '0' : player ? '-1' : '1';
    const power = owner === fieldOf('owner') ? (Number(fieldOf('cube')) + 1) % (MAX_POWER + 1) : Number(fieldOf('cube')) || Number(owner !== '0');
    change(withFields(now, { owner, cube: String(power) }));
  } else if (board.pointAt(event, 0) < 0) {
    const [one, other] = [0, 0].map(() => 1 + Math.floor(6 * Math.random()));
    change(withFields(now, { dice: fieldOf('dice') === '00' ? `${Math.max(one, other)}${Math.min(one, other)}` : '00' }));
  } else return false;
  return true;
}

/** @type {Hand} */
const hand = {
  grab(event) {
    const now = edited();
    const player = now && playerAt(event, now);
    if (!now || player === null) return null;
    const point = board.pointAt(event, player);
    if (point) return { player, point, checker: now.sides[player][point] ? event.target.closest('circle') : null };
    return spare(now.sides, player) ? { player, point, checker: spareChecker(player, event) } : null;
  },
  drop({ player = 0, point }, event) {
    const now = edited();
    const target = board.pointAt(event, player);
    if (now && target >= 0 && target !== point) moveChecker(now, player, point, target);
  },
  click(event) {
    const now = edited();
    if (!now || changeAround(now, event)) return;
    const player = tool === REMOVE ? playerAt(event, now) : tool;
    const point = player === null ? 0 : board.pointAt(event, player);
    if (player === null || point <= 0) {
      withoutMotion(putBack); // without the checker that was drawn for a drag from the tray
      return;
    }
    if (tool === REMOVE) {
      if (now.sides[player][point]) moveChecker(now, player, point, 0);
    } else if (spare(now.sides, player) > 0) moveChecker(now, player, 0, point);
    else say(`All checkers of ${COLOURS[player]} are on the board: drag one, or remove one first`);
  },
};

// The form

/** Report what is wrong with a field, which stays as it is. */
function refuse(/** @type {string} */ message) {
  misfit = message;
  report();
}

function onSide(/** @type {number} */ player) {
  if (!setup) return;
  try {
    change({ ...setup, sides: withSide(setup.sides, player, field(`side-${player}`).value) });
  } catch (error) {
    refuse(error.message);
  }
}

/** A field was changed; a number must be one that an XGID has room for. @type {(name: keyof typeof FIELDS) => void} */
function onField(name) {
  const box = field(`setup-${name}`);
  if (!setup) return;
  if (!box.checkValidity() || !box.value) refuse(`found ${box.value || 'no number'}, expected a number from ${box.min} to ${box.max}`);
  else change(withFields(setup, { [name]: box.type === 'number' ? String(Number(box.value)) : box.value }));
}

function onRule() {
  if (setup) change(withFields(setup, { rule: String((Number(setup.fields[FIELDS.rule]) & BEAVERS) | Number(field('setup-rule').checked)) }));
}

/** @type {(text: string, view: string, texts: string[]) => void} */
function openEditing(text, view, texts) {
  past = [];
  setup = parseSetup(text.trim() || data.start);
  misfit = '';
  problems = [];
  report();
  find('ids').replaceChildren();
  unchanged = ''; // until the link is made
  openTyping(text, view, texts);
  unchanged = find('edit-this').getAttribute('href');
  show();
}

whenShown(() => {
  if (!isOpen()) return;
  if (setup) {
    showBoard(setup);
    if (!find('ids').childElementCount) checkSoon(answerOf(setup).xgid);
  } else if (isAnswered()) {
    setup = parseSetup(shown.reply?.error ? data.start : chosenTurn().xgid);
    show();
  }
});

const ROLLS = [1, 2, 3, 4, 5, 6].flatMap((high) => Array.from({ length: high }, (_, low) => `${high}${low + 1}`));
const DICE = { '00': 'not rolled', ...Object.fromEntries(ROLLS.map((roll) => [roll, roll])), D: 'double offered', B: 'beaver offered', R: 'raccoon offered' };
const option = (/** @type {string} */ value, /** @type {string} */ name) => element('option', { value }, name);

addView('edit', 'board', openEditing);
onSubmit('setup');
handleBoard(hand);
find('setup-dice').append(...Object.entries(DICE).map(([value, name]) => option(value, name)));
find('setup-cube').append(...Array.from({ length: MAX_POWER + 1 }, (_, power) => option(String(power), String(2 ** power))));
find('layouts').append(...Object.entries(LAYOUTS).map(([name, position]) => button(() => { if (setup) change({ ...setup, sides: parseXgid(position).sides }); }, name)));
find('setup-undo').addEventListener('click', () => {
  const last = past.pop();
  if (last) put(last);
});
for (const name of /** @type {(keyof typeof FIELDS)[]} */ (Object.keys(FIELDS))) {
  find(`setup-${name}`).addEventListener('change', name === 'rule' ? onRule : () => onField(name));
}
for (const player of [0, 1]) find(`side-${player}`).addEventListener('change', () => onSide(player));
find('setup-id').addEventListener('change', () => { location.hash = `edit=${encodeURIComponent(field('setup-id').value)}`; });
find('tools').append(...Object.entries({ 'adds White': 0, 'adds Black': 1, removes: REMOVE }).map(([name, value]) => {
  const made = button(() => {
    tool = value;
    for (const other of find('tools').children) press(other, other === made);
  }, name);
  press(made, value === tool);
  return made;
}));
