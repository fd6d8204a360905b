// The summary of a match: large figures, the chart of its equity, its costliest mistakes as boards.

import { drawn, element, small } from './dom.js';
import { equityOf, isMistake, lossOf, placeOf, plain } from './model.js';
import { counted, signed } from './words.js';

const COSTLIEST = 5;

/** A loss with its real minus. @type {(thousandths: number) => string} */
export const minus = (thousandths) => (thousandths ? signed(-thousandths) : '');

/** A large figure with its name. @type {(value: string, name: string) => any} */
export const figure = (value, name) => element('p', {}, element('b', {}, value), small(name));

/** The score, and the PR and luck of both, of each match. @type {(summaries: Summary[]) => any[]} */
export const figuresOf = (summaries) => summaries.map(({ players, score, ratings, games }) => element('div', { className: 'card figures' },
  figure(score.join('–'), players.map(plain).join(' – ')),
  ...players.flatMap((name, player) => [
    ...(ratings[player].pr ? [figure(ratings[player].pr, `PR of ${plain(name)}`)] : []),
    ...(ratings[player].luck ? [figure(ratings[player].luck.replace('-', '−'), `luck of ${plain(name)}`)] : []),
  ]),
  figure(String(games.length), games.length === 1 ? 'game' : 'games')));

/** The equity of the first player over these steps, with the mistakes as marks; `now` is the step on the board, and a click leads to another. With `side` 1 that of the second player. @type {(steps: Step[], now: number, linkTo: (id: string) => string, side?: number) => any[]} */
export function chartOf(steps, now, linkTo, side = 0) {
  const worth = steps.map((step, place) => ({ step, place, equity: equityOf(step) })).filter(({ equity }) => equity !== undefined);
  if (worth.length < 2) return [];
  const high = Math.max(1, ...worth.map(({ equity }) => Math.abs(equity || 0)));
  const dots = worth.map(({ step, place, equity = 0 }, x) => ({ step, place, x, y: Number((50 - (side ? -46 : 46) * equity / high).toFixed(2)) }));
  const line = dots.map(({ x, y }) => `${x},${y}`).join(' ');
  const last = dots.length - 1;
  // A wrong cube action has no point of its own: it is marked at the next one.
  const wrong = new Set(steps.flatMap((step, at) => (isMistake(step) ? [dots.find(({ place }) => place >= at) || dots[last]] : [])));
  const plot = drawn('svg', { viewBox: `0 0 ${last} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Equity of ${plain(steps[0].players[side])}, up to ±${high.toFixed(1)}` },
    drawn('polygon', { class: 'area', points: `0,50 ${line} ${last},50` }),
    drawn('line', { class: 'zero', x1: 0, x2: last, y1: 50, y2: 50 }),
    drawn('polyline', { class: 'equity', points: line }),
    ...[...wrong].map(({ x, y }) => drawn('path', { class: 'error', d: `M${x} ${y}h0` })),
    ...(now < 0 ? [] : dots.filter(({ place }) => place >= now).slice(0, 1)).map(({ x }) => drawn('line', { class: 'now', x1: x, x2: x, y1: 0, y2: 100 })));
  plot.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const box = plot.getBoundingClientRect();
    const x = Math.round((event.clientX - box.left) / box.width * last);
    location.hash = linkTo(dots[Math.min(Math.max(x, 0), last)].step.id);
  });
  const key = [`above the line ${plain(steps[0].players[side])} is ahead; `, element('span', { className: 'trouble' }, '●'), ' a mistake'];
  return [element('div', { className: 'card chart' }, plot, small(...key))];
}

/** What to do with the match: step through it, or answer about `count` mistakes. @type {(steps: Step[], linkTo: (id: string) => string, count?: number) => any} */
export function actionsOf(steps, linkTo, count = steps.filter(isMistake).length) {
  return element('p', { className: 'row' },
    ...(steps.length ? [element('a', { className: 'button primary', href: linkTo(steps[0].id) }, 'Step through the match')] : []),
    ...(count ? [element('a', { className: 'button', href: linkTo('quiz') }, `Quiz me on ${counted(count, 'mistake')}`)] : []),
    ...(steps.some(({ name }) => name) ? [element('a', { className: 'button', href: linkTo('letters') }, 'Name the letters')] : []));
}

/** The costliest mistakes as small boards. @type {(steps: Step[], page: {board: any, glyph: (name: string) => Part, linkTo: (id: string) => string, title?: string}) => any[]} */
export function costliestOf(steps, { board, glyph, linkTo, title = 'Costliest decisions' }) {
  const worst = steps.filter((step) => step.board && isMistake(step)).sort((one, other) => lossOf(other) - lossOf(one)).slice(0, COSTLIEST);
  if (!worst.length) return [];
  return [element('section', { ariaLabel: title }, element('h2', {}, title),
    element('ul', { className: 'boards' }, ...worst.map((step) => {
      const svg = board.copy(step, step.name ? step.said : '');
      svg.setAttribute('aria-hidden', 'true');
      return element('li', {}, element('a', { className: 'card lesson', href: linkTo(step.id) }, svg, element('span', {}, ...verdictOf(step, glyph))));
    })))];
}

/** What was played, and what was best. @type {(step: Step, glyph: (name: string) => Part) => Part[]} */
function verdictOf(step, glyph) {
  const best = step.on_cube || step.cube ? step.cube?.best || '' : step.plays[0]?.name;
  const isPlay = step.name && !step.on_cube;
  return [element('span', { className: 'head' }, element('b', {}, placeOf(step)), small(`${plain(step.players[step.player])}${step.roll && !step.on_cube ? `, ${step.roll}` : ''}`), element('b', { className: 'trouble' }, minus(lossOf(step)))),
    element('span', {}, ...(isPlay ? [glyph(step.name || ''), ` ${step.said}`] : [step.lost[0]?.[0] || step.said])),
    ...(best ? [element('span', {}, 'best ', ...(step.cube ? [best] : [glyph(best), ` ${step.plays[0].said}`]))] : [])];
}
