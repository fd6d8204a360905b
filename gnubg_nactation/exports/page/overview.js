// The summary, with which the page of an analysed match begins, and the chart of each game.

import { find, query } from '../../web/kit/dom.js';
import { actionsOf, chartOf, costliestOf, figuresOf } from '../../web/kit/summary.js';
import { board, data, firstOf, glyph, lastOf, places, steps } from './match.js';
import { showGame, whenLeft, whenShown } from './steps.js';

/** @type {(id: string) => string} */
const linkTo = (id) => `#${id}`;
export const hasSummary = Boolean(query('#games a[href="#summary"]'));
export const isSumming = () => document.documentElement.classList.contains('summing');

/** The game whose chart is shown. @type {Game | null} */
let plotted = null;

export function showSummary() {
  showGame(null, 'summary');
  if (!find('summary').firstChild) {
    find('summary').append(...figuresOf(data.summaries || []), ...chartOf(steps, -1, linkTo), actionsOf(steps, linkTo), ...costliestOf(steps, { board, glyph, linkTo }));
  }
  document.documentElement.classList.add('summing');
  scrollTo(0, 0);
}

whenLeft(() => document.documentElement.classList.remove('summing'));
whenShown((step) => {
  const first = Number(firstOf.get(step.game));
  const turns = steps.slice(first, Number(lastOf.get(step.game)) + 1);
  const charts = chartOf(turns, Number(places.get(step.id)) - first, linkTo);
  if (plotted !== step.game) find('plot').replaceChildren(...charts);
  else { // what stays keeps the lists below in their place
    query('#plot .now')?.remove();
    query('#plot svg')?.append(...charts[0].querySelectorAll('.now'));
  }
  plotted = step.game;
});
