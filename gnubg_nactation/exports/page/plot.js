// The plot of equity over a game.

import { drawn, find, paragraph, query } from '../../web/kit/dom.js';
import { firstOf, lastOf, places, steps } from './match.js';
import { equityOf, isMistake } from '../../web/kit/model.js';
import { go, whenShown } from './steps.js';

/** @type {Game | null} */
let plotted = null;

function showPlot(/** @type {Game} */ game) {
  const turns = steps.slice(firstOf.get(game), Number(lastOf.get(game)) + 1).filter(({ on_cube: onCube }) => !onCube);
  const equities = turns.map(equityOf);
  find('plot').replaceChildren();
  if (!equities.some((equity) => equity !== undefined)) return;
  const width = Math.max(turns.length - 1, 1);
  const high = Math.max(1, ...equities.map((equity) => Math.abs(equity || 0)));
  const y = (/** @type {number} */ equity) => Number((50 - 46 * equity / high).toFixed(2));
  const dots = equities.flatMap((equity, x) => (equity === undefined ? [] : [{ x, y: y(equity), isError: isMistake(turns[x]) }]));
  const plot = drawn('svg', { viewBox: `-0.5 0 ${width + 1} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Equity of ${game.players[0]} over the game` },
    drawn('line', { class: 'zero', x1: -1, x2: width + 1, y1: 50, y2: 50, 'vector-effect': 'non-scaling-stroke' }),
    drawn('polyline', { class: 'equity', points: dots.map((dot) => `${dot.x},${dot.y}`).join(' ') }),
    ...dots.filter(({ isError }) => isError).map((dot) => drawn('line', { class: 'error', x1: dot.x, x2: dot.x, y1: dot.y - 6, y2: dot.y + 6 })),
    drawn('line', { class: 'now', y1: 0, y2: 100 }),
  );
  plot.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const box = plot.getBoundingClientRect();
    const at = Math.floor((event.clientX - box.left) / box.width * (width + 1));
    go(Number(places.get(turns[Math.min(Math.max(at, 0), width)].id)), { way: 'jump' });
  });
  find('plot').append(plot, paragraph(`${game.players[0]}'s equity, on a scale of ±${high.toFixed(1)}`));
}

whenShown((step) => {
  if (plotted !== step.game) showPlot(step.game);
  plotted = step.game;
  const line = query('#plot .now');
  if (!line) return;
  line.setAttribute('x1', step.number - 1);
  line.setAttribute('x2', step.number - 1);
});
