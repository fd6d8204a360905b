// The printed sheet: the blunders with their boards, drawn before printing.

import { element, find, paragraph } from '../../web/kit/dom.js';
import { points } from '../../web/kit/words.js';
import { board, glyph, steps } from './match.js';
import { errorWords, madeOf, placeOf } from '../../web/kit/model.js';

function printed(/** @type {Step} */ step) {
  const { name, said, roll, players, player, cube, plays: [best] } = step;
  const made = madeOf(step);
  const lines = [paragraph(element('b', {}, `${placeOf(step)}: ${players[player]}`), roll ? ` to play ${roll}` : ', cube decision')];
  if (made && name) lines.push(paragraph('Played ', glyph(name), ` ${made.said}, loses ${points(made.loss)}. Best `, glyph(best.name), ` ${best.said}.`));
  else if (cube) lines.push(paragraph(`${said}: ${errorWords(step, '')}. Best: ${cube.best}.`));
  return element('figure', {}, board.copy(step, name ? said : ''), element('figcaption', {}, ...lines));
}

function showSheet() {
  const blunders = steps.filter((step) => step.board && step.lost.some(([, , mark]) => mark === 'very bad'));
  find('sheet').replaceChildren(...(blunders.length ? [element('h2', {}, 'Blunders'), ...blunders.map(printed)] : []));
}

addEventListener('beforeprint', showSheet);
matchMedia('print').addEventListener('change', ({ matches }) => { if (matches) showSheet(); });
