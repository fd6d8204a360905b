// Where you lose: your rating over time, your costliest decisions as boards, and what they have in common.

import { drawn, element, find, glyphOf, paragraph, small } from '../../web/kit/dom.js';
import { plain } from '../../web/kit/model.js';
import { figure } from '../../web/kit/summary.js';
import { counted, decimal, points } from '../../web/kit/words.js';
import { board, sceneOf } from '../board.js';
import { boardOf } from '../board/decision.js';
import { leaveTyping } from '../board/typing.js';
import { card, field, lookOf, onSubmit } from '../parts.js';
import { ask } from '../python.js';
import { addView, filtersOf, keepFilters } from '../views.js';
import { linkTo, yourSide } from './game.js';
import { askLibrary, isNameless, whenMatches } from './shelf.js';

export const ASKED = 1000; // of your mistakes, the costliest, at most
export const LEAST = 0.02; // points that a mistake loses, as the marks of a match have it
const SHOWN = 6; // costliest decisions
const ROWS = 5; // of each kind
/** The kinds of leaks by their keys in the answer. @type {Record<string, string>} */
const KINDS = { themes: 'Themes', phases: 'Phases of the game', replies: 'Replies to openings', leaks: 'What comes again' };
let round = 0;

/** The place of a decision in its match, as addresses have it; that of a match that is not the first of its file begins with m. @type {(place: string) => string} */
const inMatch = (place) => (place.split('.').length > 2 ? `m${place}` : place);

/** The link to a decision of the library on the board. @type {(decision: {file: string, place: string, roll?: string | null}) => string} */
export const linkToDecision = ({ file, place, roll = '' }) => linkTo(inMatch(place.slice(place.lastIndexOf('#') + 1)) + (roll === null ? 'c' : ''), file);

/** @type {(date: string) => string} */
export const dayText = (date) => (date ? new Date(`${date}T12:00`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }) : 'no date');

/** Where a decision was: `against Bob, 3 May 2026, game 2, move 5`; without a name the file says which match. @type {(decision: Decision) => string} */
export function placeWords({ place, players, date }) {
  const [, file, game, move, side] = /^(.*)#(?:\d+\.)?(\d+)\.(\d+)([ab])$/.exec(place) || [];
  if (!game) return place;
  const player = Number(side === 'b');
  const opponent = players[1 - player];
  const mover = yourSide(players) === 1 - player ? `${players[player]} ` : ''; // a decision of your opponent that you noted
  return [opponent ? `${mover}against ${opponent}` : file, ...(date ? [dayText(date)] : []), `game ${game}`, `move ${move}`].join(', ');
}

/** The best play of a decision in traditional notation; nothing for the cube, or if it is unknown. @type {(decision: Decision) => Promise<string>} */
export const bestPlayOf = async ({ xgid, roll, best }) => (roll && best ? ask('play_named', [xgid, roll, best]).catch(() => '') : '');

/** A cube action as sentences have it; JSON calls a drop a pass. @type {(action: string) => string} */
export const inProse = (action) => action.replace('pass', 'drop');

/** The tile of a Nactation in plain spelling. @type {(name: string) => any} */
export const tileOf = (name) => glyphOf(lookOf(name));

/** A wrong decision as a small board. @type {(decision: Decision) => any} */
export function decisionCard(decision) {
  const { roll, made, play, best, best_play: bestPlay, lost, place } = decision;
  const svg = board.copy(sceneOf({ ...boardOf(decision), players: decision.players.map(plain) }), play || '');
  svg.setAttribute('aria-hidden', 'true');
  const words = play ? [element('span', {}, `${roll} `, tileOf(made), ` ${play}`), ...(best ? [element('span', {}, 'best ', tileOf(best), bestPlay ? ` ${bestPlay}` : '')] : [])]
    : [element('span', {}, inProse(made)), ...(best ? [element('span', {}, 'best: ', element('b', {}, inProse(best)))] : [])];
  return element('li', {}, element('a', { className: 'card lesson', href: linkToDecision(decision), title: place }, svg,
    element('span', {}, element('span', { className: 'head' }, small(placeWords(decision)), element('b', { className: 'trouble' }, `−${points(1000 * lost)}`)), ...words)));
}

/** @type {(count: number) => string} */
export const matchCount = (count) => (count === 1 ? '1 match' : `${count} matches`);

/** @type {(month: string) => string} */
const monthText = (month) => new Date(`${month}-15T12:00`).toLocaleDateString('en-GB', { month: 'short', year: 'numeric' });

const hasRating = (/** @type {any} */ { month, rating }) => month && rating !== null;

/** The line of the ratings of some months; nothing of fewer than two. @type {(rated: any[]) => any[]} */
function lineOf(rated) {
  if (rated.length < 2) return [];
  const high = Math.max(...rated.map(({ rating }) => rating), 10);
  const last = rated.length - 1;
  const spots = rated.map(({ rating }, at) => `${at},${(100 - 100 * rating / high).toFixed(1)}`);
  return [drawn('svg', { viewBox: `0 0 ${last} 100`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawn('polygon', { class: 'area', points: `0,100 ${spots.join(' ')} ${last},100` }),
    drawn('polyline', { class: 'equity', points: spots.join(' ') }))];
}

/** The rating of each month; a point opens its matches. @type {(months: any[]) => any[]} */
function chart(months) {
  const rated = months.filter(hasRating);
  const links = rated.map(({ month, rating }) => element('a', { href: `#library=q=${month}` }, element('b', {}, decimal(rating, 1)), small(monthText(month))));
  return rated.length < 2 ? [] : [element('section', { className: 'card chart', ariaLabel: 'PR by month' }, element('h2', {}, 'PR by month'), ...lineOf(rated), element('div', { className: 'months' }, ...links))];
}

/** A share of the whole as a bar. */
export function shareBar(/** @type {number} */ share) {
  const bar = element('span', { className: 'bar', ariaHidden: 'true' }, element('span', {}));
  bar.firstChild.style.width = `${Math.round(100 * share)}%`;
  return bar;
}

/** @type {(leak: any, whole: number) => any} */
function leakRow({ name, made, best, roll, meaning, times, lost, examples, kind, away, matches = 0 }, whole) {
  const [example] = examples;
  const title = name ? [element('b', {}, name)] : kind === 'cube' ? [element('b', {}, made), away ? ` at ${away}-away` : ' for money']
    : kind === 'family' ? [tileOf(made), ...(made === best ? [', where another is best'] : [', where ', tileOf(best || '?'), ' is best']), `: ${example.roll}, ${example.play} for ${example.best_play || 'another'},`]
      : [`${roll} `, tileOf(made), ` ${example.play}, where `, tileOf(best || '?'), ` ${example.best_play || ''} is best`];
  return element('li', {}, element('a', { className: 'leak', href: example ? linkToDecision(example) : `#library=q=${encodeURIComponent(encodeURIComponent(name))}` },
    element('span', {}, ...title, small(` ${example ? counted(times, 'time') : matchCount(matches)}${meaning ? `: ${meaning}` : ''}`)), shareBar(lost / (whole || 1)), element('span', { className: 'trouble' }, `−${points(1000 * lost)}`)));
}

/** @type {(name: string, leaks: any[]) => any[]} */
function section(name, leaks) {
  const worst = leaks.filter(({ lost }) => lost > 0).slice(0, ROWS);
  const whole = Math.max(...worst.map(({ lost }) => lost), 0);
  return worst.length ? [card(name, element('ul', { className: 'leaks' }, ...worst.map((leak) => leakRow(leak, whole))))] : [];
}

/** Leaks of several kinds, the costliest first. @type {(leaks: any[]) => any[]} */
const byLoss = (leaks) => leaks.toSorted(({ lost: one }, { lost: other }) => other - one);

/** What changed since a day. @type {(leaks: any) => any[]} */
function compared({ account, before, since, undated }) {
  if (!before) return [];
  const rate = (/** @type {any} */ { wrong_plays: plays, wrong_cubes: cubes }) => (plays.per_hundred ?? 0) + (cubes.per_hundred ?? 0);
  const left = undated ? [paragraph(small(`${counted(undated, 'analysed game')} without a date left out.`))] : [];
  if (!account.analysed || !before.analysed) return [paragraph(small(`There is no analysed game ${account.analysed ? 'before' : 'since'} ${dayText(since)}.`)), ...left];
  const change = rate(account) - rate(before);
  const text = withSign(change);
  return [paragraph(`Since ${dayText(since)} you lose ${rate(account).toFixed(1)} points in 100 games, before ${rate(before).toFixed(1)}: `,
    element('b', { className: text === '0.0' ? '' : change > 0 ? 'trouble' : 'right' }, text)), ...left];
}

/** The answers that all views of your mistakes show. @type {(opponent: string, since: string | null) => Promise<any[]>} */
const answers = (opponent, since) => Promise.all([askLibrary('library_leaks', { opponent, since }), askLibrary('library_stats', { opponent })]);
/** A number with its sign, unless it is shown as 0; a dash if it is unknown. @type {(value: number | null) => string} */
export const withSign = (value) => (value === null ? '–' : Math.abs(value) < 0.05 ? '0.0' : `${value > 0 ? '+' : ''}${decimal(value, 1)}`);

const REST = 5; // times as long as the last answer took
let [timer, rested] = [0, 0]; // and when the rest ends

/** Show what a player asks for first, beside the list of matches; after a rest if the library has just answered. */
export function showOverview() {
  clearTimeout(timer);
  timer = setTimeout(overview, rested - performance.now());
}

/** Mistakes to try again, the PR and where it goes, and what costs most. */
async function overview() {
  const { view, shelf } = document.documentElement.dataset;
  if (view !== 'library' || shelf === 'busy') return;
  const begun = performance.now();
  const [leaks, stats] = await answers('', null).catch(() => []);
  const many = leaks ? await askLibrary('library_mistake_count', {}, ASKED + 1, LEAST).catch(() => 0) : 0;
  rested = performance.now() + REST * (performance.now() - begun);
  const isKnown = Boolean(leaks?.account.analysed);
  find('overview').hidden = !isKnown;
  if (!isKnown) return;
  const rated = stats.months.filter(hasRating);
  const latest = rated.at(-1);
  find('overview').replaceChildren(
    ...(many ? [element('section', { className: 'card task' }, element('span', { className: 'tile', ariaHidden: 'true' }, '?'),
      element('b', {}, `${many > ASKED ? `Your ${ASKED} costliest mistakes` : counted(many, 'mistake')} to try again`), element('a', { className: 'button primary', href: '#study' }, 'Start'))] : []),
    element('section', { className: 'card chart', ariaLabel: 'Your PR' }, element('h2', {}, 'Your PR'), element('div', { className: 'figures' },
      ...(rated.length > 1 ? [figure(decimal(latest.rating, 1), monthText(latest.month))] : []), figure(decimal(stats.rating, 1), 'all matches'), figure(withSign(stats.luck), 'luck')), ...lineOf(rated)),
    ...section('Where you lose', leaks.themes.map((/** @type {any} */ theme) => ({ ...theme, meaning: '' }))).map((box) => (box.append(element('a', { href: '#leaks' }, 'All of it')), box)));
}

/** The way from a view without matches to the library. */
export const toMatches = () => element('a', { className: 'button primary', href: '#library' }, 'Your matches');

async function show() {
  if (document.documentElement.dataset.view !== 'leaks') return;
  const now = round += 1;
  const opponent = field('leaks-opponent').value.trim();
  const since = field('leaks-since').value;
  try {
    const [leaks, stats] = await answers(opponent, since || null);
    if (now !== round) return;
    const { costliest, account } = leaks;
    find('leaks').replaceChildren(
      element('div', { className: 'card figures' }, figure(decimal(stats.rating, 1), 'PR'), figure(decimal(stats.play_rating, 1), 'PR of plays'), figure(decimal(stats.cube_rating, 1), 'PR of the cube'),
        figure(withSign(stats.luck), 'luck'), figure(String(stats.matches), stats.matches === 1 ? 'match' : 'matches'), figure(`${account.analysed} of ${account.games}`, 'games analysed')),
      ...compared(leaks), ...chart(stats.months), ...section(KINDS.themes, leaks.themes),
      ...(costliest.length ? [element('section', { ariaLabel: 'Costliest decisions' }, element('h2', {}, 'Costliest decisions'), element('ul', { className: 'boards' }, ...costliest.slice(0, SHOWN).map(decisionCard))),
        paragraph(element('a', { className: 'button primary', href: '#study' }, 'Try your mistakes again'))]
        : [account.analysed ? paragraph('No analysed decision lost anything.') : element('p', {}, 'None of your games is analysed yet. ', toMatches())]),
      ...Object.entries(KINDS).slice(1).flatMap(([key, name]) => section(name, byLoss(leaks[key]))),
      ...section('Opponents', byLoss(stats.opponents.filter((/** @type {any} */ { decisions }) => decisions).map((/** @type {any} */ { opponent: name, play_lost: plays, cube_lost: cubes, matches }) => ({ name, matches, lost: plays + cubes, examples: [] })))));
  } catch (error) {
    if (now !== round) return;
    find('leaks').replaceChildren(isNameless(error) ? element('p', {}, 'Add matches and say who you are; then your mistakes are here. ', toMatches()) : paragraph(error.message));
  }
}

function open(/** @type {string} */ text) {
  leaveTyping();
  const { opponent = '', since = '' } = filtersOf(text);
  [field('leaks-opponent').value, field('leaks-since').value] = [opponent, since];
  if (!find('leaks').hasChildNodes()) find('leaks').replaceChildren(paragraph('Looking…')); // or Back would not find its place
  show();
}

function filter() {
  keepFilters('leaks', { opponent: field('leaks-opponent').value.trim(), since: field('leaks-since').value });
  find('leaks').replaceChildren(paragraph('Looking…'));
  show();
}

addView('leaks', 'leaks', open);
whenMatches(show);
for (const id of ['leaks-opponent', 'leaks-since']) field(id).addEventListener('change', filter);
onSubmit('leaks-of'); // Enter has changed a field
