// The library as a list: matches come in, are searched, opened, and removed; the database as a file.

import { element, find, paragraph, press, small } from '../../web/kit/dom.js';
import { counted, decimal, points } from '../../web/kit/words.js';
import { recall, store } from '../../web/kit/storage.js';
import { leaveTyping } from '../board/typing.js';
import { data } from '../data.js';
import { button, debounced, field, isAt, keyOf, replace, save, tried, trouble } from '../parts.js';
import { addView, filtersOf, keepFilters } from '../views.js';
import { askLibrary, changeLibrary, copyBytes, forgetRefused, openLibrary, readWaiting, removeFiles, stopReading, whenMatches, whenShelf } from './shelf.js';
import { room } from './keeping.js';
import { analyseAll, setAnalysing, whenAnalysing } from './analysis.js';
import { dayText, withSign, matchCount, showOverview } from './leaks.js';
import { showOpened } from './matches.js';
import { linkTo, setYou, versus, yoursFirst, yourSide } from './game.js';

const MOST = matchMedia('(min-width: 64rem)').matches ? 200 : 20; // rows shown at first, above your figures if they are not beside the list
const CHIPS = 2; // years, and opponents
const NOBODY = keyOf('nobody'); // whether the question who you are was closed
const FILLED = keyOf('filled'); // whether the library has matches, to show it so before it is open
if (recall(FILLED)) document.documentElement.dataset.library = 'filled';
/** The matches, your names, and all players. @type {{matches: KeptMatch[], you: string[], players: string[]}} */
let library = { matches: [], you: [], players: [] };
/** The matches by their files. @type {Map<string, KeptMatch[]>} */
const matchesOf = new Map();
/** What to show, as the address has it: words, a year, a length, what is analysed, and the order. @type {Record<string, string>} */
let query = {};
let isAll = false;
/** Brings back what was removed last. @type {(() => Promise<void>) | null} */
let undo = null;

/** @type {(value: number | null, sort?: number) => number} */
const last = (value, sort = 1) => (value === null ? -Infinity : sort * value);

/** Your worst mistake in points, or that of both if you did not play. @type {(match: KeptMatch) => number} */
const worstOf = (match) => Math.max(...(yourSide(match.players) < 0 ? match.worst : yoursFirst(match, match.worst).slice(0, 1)).map((loss) => last(loss)));

/** How to sort: the largest key first. @type {Record<string, [name: string, key: (match: KeptMatch) => number | string]>} */
const ORDERS = {
  date: ['latest first', ({ date }) => date],
  worst: ['worst mistake first', (match) => worstOf(match)],
  pr: ['highest PR first', (match) => last(yoursFirst(match, match.rating)[0])],
  best: ['lowest PR first', (match) => last(yoursFirst(match, match.rating)[0], -1)],
  luck: ['luckiest first', (match) => last(yoursFirst(match, match.luck)[0])],
  length: ['longest first', ({ length }) => length],
};

/** @type {(match: KeptMatch) => boolean} */
function isShown(match) {
  const { players, event, date, file, length, analysed, score } = match;
  const text = [...players, event, date, file, score.join('-')].join(' ').toLowerCase();
  return (query.q || '').toLowerCase().split(/\s+/).every((word) => text.includes(word))
    && (!query.year || date.startsWith(query.year))
    && (!query.length || length === Number(query.length))
    && (!query.analysed || analysed === (query.analysed === 'yes'));
}

function shownMatches() {
  const [, key] = Object.hasOwn(ORDERS, query.by) ? ORDERS[query.by] : ORDERS.date;
  return library.matches.filter(isShown).map((match) => ({ match, key: key(match) }))
    .sort((one, other) => (one.key < other.key ? 1 : one.key > other.key ? -1 : 0)).map(({ match }) => match);
}

/** How a PR is shown: XG's bounds of an expert, and of a beginner. @type {(rating: number | null) => string} */
const kindOf = (rating) => (rating === null ? '' : rating < 6 ? 'good' : rating < 12 ? 'fair' : 'bad');

/** @type {(match: KeptMatch) => any} */
function row(match) {
  const { file, length, event, date, analysed } = match;
  const worst = worstOf(match);
  const [you, other] = yoursFirst(match, match.players);
  const [own, theirs] = yoursFirst(match, match.score);
  const [rating, ...others] = yoursFirst(match, match.rating);
  const [luck] = yoursFirst(match, match.luck);
  const isYours = yourSide(match.players) >= 0;
  const who = isYours ? [other] : versus([you, other]);
  const about = [length ? `to ${length}` : `money, ${counted(match.games, 'game')}`, event].filter(Boolean).join(', ');
  const figures = analysed
    ? [element('span', { className: `pr ${kindOf(rating)}`, title: `PR of ${you}` }, decimal(rating, 1), isYours ? '' : ` · ${decimal(others[0], 1)}`),
      element('span', { className: isYours ? 'luck yours' : 'luck', title: `Luck of ${you}` }, withSign(luck)),
      element('span', { className: 'trouble', title: 'Worst mistake' }, worst >= 0.0005 ? `−${points(1000 * worst)}` : '')]
    : [small('not analysed')];
  const also = besides(match);
  return element('li', {}, element('a', { className: 'match', href: linkTo('', file) }, element('time', { dateTime: date }, dayText(date)),
    element('span', { className: 'who' }, element('b', {}, ...who), small(` ${about}`)), element('span', { className: 'result' }, `${own}–${theirs}`), ...figures),
  Object.assign(button(tried(() => remove(match)), '×'), { ariaLabel: `Remove ${match.players.join(' – ')}, ${dayText(date)}${also}`, title: `Remove${also}` }));
}

/** Which matches go with one, as their files go: `, and 2 other matches of its file`. @type {(match: KeptMatch) => string} */
function besides(match) {
  const files = [match.file, ...match.copies];
  const { length } = files.flatMap((name) => matchesOf.get(name) || []).filter(({ copies }) => copies.every((name) => files.includes(name)));
  return length > 1 ? `, and ${length - 1} other ${length > 2 ? 'matches' : 'match'} of its file` : '';
}

function show() {
  const shown = shownMatches();
  const box = find('kept-matches');
  replace(box, (isAll ? shown : shown.slice(0, MOST)).map(row));
  const rest = isAll ? 0 : shown.length - MOST;
  find('kept-count').replaceChildren(library.matches.length > shown.length ? `${shown.length} of ${library.matches.length} matches` : matchCount(shown.length),
    ...(rest > 0 ? [' ', button(() => { isAll = true; show(); }, `Show ${rest} more`)] : []));
  find('shelf').hidden = !library.matches.length;
}

/** Fill a menu; the first entry stands for all. @type {(id: string, all: string, entries: [value: string, name: string][]) => void} */
function fill(id, all, entries) {
  find(id).replaceChildren(...[['', all], ...entries].map(([value, name]) => element('option', { value }, name)));
  field(id).value = query[id.replace('kept-', '')] || '';
}

/** A filter that is used often: a button that sets it, or clears it. @type {(name: string, wish: Record<string, string>) => any} */
function chip(name, wish) {
  const isSet = Object.entries(wish).every(([key, value]) => (query[key] || '') === value);
  const made = button(() => filter(isSet ? Object.fromEntries(Object.keys(wish).map((key) => [key, ''])) : wish), name);
  press(made, isSet);
  return made;
}

/** Different texts, those that come most often first. @type {(texts: string[]) => string[]} */
function often(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) || 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([text]) => text);
}

function showFilters() {
  const { matches, players } = library;
  const bare = matches.filter(({ analysed }) => !analysed).length;
  const years = often(matches.map(({ date }) => date.slice(0, 4)).filter(Boolean));
  const yours = matches.filter((match) => yourSide(match.players) >= 0);
  const opponents = yours.length ? often(yours.map((match) => yoursFirst(match, match.players)[1])) : players;
  const lengths = [...new Set(matches.map(({ length }) => length))].sort((one, other) => one - other);
  replace(find('chips'), [chip(`All ${matches.length}`, { q: '', year: '', length: '', analysed: '' }),
    ...(query.analysed === 'yes' ? [chip('Analysed', { analysed: 'yes' })] : query.analysed || (bare && bare < matches.length) ? [chip(`Not analysed ${bare}`, { analysed: 'no' })] : []),
    ...years.filter((year, at) => at < CHIPS || year === query.year).sort().reverse().map((year) => chip(year, { year })),
    ...opponents.slice(0, CHIPS).map((name) => chip(name, { q: name }))]);
  fill('kept-length', 'any length', lengths.map((length) => [String(length), length ? `to ${length}` : 'money']));
  fill('kept-by', ORDERS.date[0], Object.entries(ORDERS).filter(([key]) => key !== 'date').map(([key, [name]]) => [key, name]));
  if (document.activeElement !== field('kept-q')) field('kept-q').value = query.q || '';
}

/** Change filters. @type {(changes: Record<string, string>) => void} */
function filter(changes) {
  query = { ...query, ...changes };
  if (isAt('library')) keepFilters('library', query);
  showFilters();
  show();
}

/** The names chosen so far while the visitor is asked, which matches that come in do not end. @type {Set<string> | null} */
let choosing = null;

/** Ask who the visitor is, until it is known. */
function showWho(isAsked = Boolean(choosing) || (!library.you.length && library.players.length > 2 && !recall(NOBODY))) {
  const { you, players } = library;
  find('whose').hidden = !library.matches.length;
  if (!isAsked) {
    choosing = null;
    const names = you.length ? `You are ${you.join(', ')}. ` : '';
    find('whose').replaceChildren(paragraph(small(names), button(() => showWho(true), you.length ? 'Change' : 'Who are you?')));
    return;
  }
  choosing ||= new Set(you);
  const chosen = choosing;
  const first = [...new Set([...you, ...chosen, ...players.slice(0, 12)])]; // who plays most
  const rest = players.filter((name) => !first.includes(name)).sort((one, other) => one.localeCompare(other));
  const others = element('select', { ariaLabel: 'Another name' }, ...['another name…', ...rest].map((name) => element('option', {}, name)));
  others.addEventListener('change', () => {
    chosen.add(others.value);
    showWho(true);
    find('whose').querySelector('select')?.focus({ preventScroll: true }); // the menu was made anew
  });
  const names = first.map((name) => {
    const one = button(() => {
      if (!chosen.delete(name)) chosen.add(name);
      press(one, chosen.has(name));
    }, name);
    press(one, chosen.has(name));
    return one;
  });
  const done = tried(async () => {
    store(NOBODY, '1');
    await changeLibrary('library_you', [[...chosen]]);
    showWho(false);
  });
  find('whose').replaceChildren(element('section', { className: 'card', ariaLabel: 'Who are you?' }, element('h2', {}, 'Who are you?'),
    paragraph(small('Choose your name; several, if you play under several. Then figures and mistakes are yours.')),
    element('p', { className: 'row' }, ...names, ...(rest.length ? [others] : [])), element('p', { className: 'row' }, Object.assign(button(done, 'Done'), { className: 'primary' }))));
}

/** Remove a match with all its copies; it can be brought back. @type {(match: KeptMatch) => Promise<void>} */
async function remove(match) {
  const { file, copies, players } = match;
  const others = besides(match);
  undo = await removeFiles([file, ...copies]);
  find('removed').replaceChildren(...versus(players), `${others} removed. `, button(tried(async () => {
    await undo?.();
    undo = null;
    find('removed').replaceChildren();
  }), 'Undo'));
}

const problemLine = trouble('');
const [doing, bar, many] = [element('span', {}), element('progress', {}), small('')];
const activityRow = element('p', { className: 'row' }, doing, bar, many, button(stopReading, 'Stop')); // which stays under a finger, and has the focus

/** Show what the library is doing, and what it could not read. @type {(state: ShelfState) => void} */
function showState({ phase, problem, activity, done, total, refused, isReadOnly }) {
  document.documentElement.dataset.shelf = activity ? 'busy' : phase;
  const parts = [];
  if (problem) parts.push(problemLine);
  problemLine.textContent = problem;
  if (phase === 'failed') parts.push(paragraph(button(tried(openLibrary), 'Try again')));
  if (phase === 'opening') parts.push(paragraph('Opening your library…'));
  if (activity) {
    doing.textContent = `${activity} ${counted(total, 'file')}… `;
    Object.assign(bar, { max: total, value: done, ariaLabel: activity });
    many.textContent = `${done} of ${total}`;
    parts.push(activityRow);
  } else if (total && !isReadOnly) parts.push(element('p', { className: 'row' }, `${counted(total, 'file')} not read yet. `, button(readWaiting, 'Go on')));
  const names = Object.entries(refused);
  if (names.length && !activity) {
    parts.push(element('details', {}, element('summary', {}, `${counted(names.length, 'file')} could not be read`),
      element('ul', {}, ...names.map(([name, reason]) => element('li', {}, element('b', {}, name), `: ${reason} `))),
      button(tried(forgetRefused), 'Forget these files')));
  }
  replace(find('shelf-state'), parts);
}

const [analysisProblem, toDo, runningBox] = [trouble(''), element('span', {}), element('div', {})];
const pause = button(() => setAnalysing(pause.textContent !== 'Pause'), '');
const analysingRow = element('p', { className: 'row' }, toDo, pause);

/** Show which matches are analysed now. @type {(state: AnalysisState) => void} */
function showAnalysis({ isOn, running, waiting, problem }) {
  const names = Object.entries(running);
  const rest = waiting + names.length;
  const now = names.map(([name, { done, total, plies }]) => element('p', { className: 'row' }, small(`${name}, ${plies}-ply `), element('progress', { max: total, value: done, ariaLabel: `Analysing ${name}` })));
  pause.textContent = isOn ? 'Pause' : 'Analyse them here';
  toDo.textContent = isOn ? `Analysing: ${rest} to do. ` : `${matchCount(rest)} to analyse. `;
  analysisProblem.textContent = problem;
  runningBox.replaceChildren(...now);
  replace(find('analysing'), [...(problem ? [analysisProblem] : []), ...(rest && data.engine ? [analysingRow] : []), ...(now.length ? [runningBox] : [])]);
}

async function showRoom() {
  const space = await room();
  const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;
  find('kept-room').textContent = space ? `Everything stays on this device. Used: ${megabytes(space.used)}; free: ${megabytes(space.free)}.${space.isPersistent ? '' : ' The browser may delete it when space runs out: save a copy now and then.'}` : 'Everything stays on this device.';
}

let isOld = false; // whether matches came while the visitor answered

/** Whether the question who the visitor is has the focus. */
const isChoosing = () => find('whose').contains(document.activeElement);

/** Read the list again. */
async function refresh() {
  library = await askLibrary('library_matches');
  matchesOf.clear();
  for (const match of library.matches) matchesOf.set(match.file, [...matchesOf.get(match.file) || [], match]);
  document.documentElement.dataset.library = library.matches.length ? 'filled' : 'empty';
  store(FILLED, library.matches.length ? '1' : '');
  setYou(library.you);
  showFilters();
  show();
  isOld = isChoosing();
  if (!isOld) showWho(); // or a menu would close while it is used
  showOverview();
  analyseAll(library.matches.filter(({ analysed }) => !analysed).map(({ file }) => file));
}

function openList(/** @type {string} */ text) {
  leaveTyping();
  showOpened(false);
  query = filtersOf(text);
  openLibrary().then(() => {
    showFilters();
    show();
    showRoom();
    showOverview();
  }, () => {}); // `showState` says why
}

async function saveCopy() {
  save('games.db', new Blob([await copyBytes()], { type: 'application/vnd.sqlite3' }));
}

addView('library', 'match', openList);
whenShelf(showState);
whenMatches(tried(refresh));
find('whose').addEventListener('focusout', () => setTimeout(() => { if (isOld && !isChoosing()) showWho(); }));
whenAnalysing(showAnalysis);
field('kept-q').addEventListener('input', debounced(() => filter({ q: field('kept-q').value.trim() }), 200));
for (const key of ['length', 'by']) find(`kept-${key}`).addEventListener('change', () => filter({ [key]: field(`kept-${key}`).value }));
find('save-copy').addEventListener('click', tried(saveCopy));
