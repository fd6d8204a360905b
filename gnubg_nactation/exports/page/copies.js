// The copy buttons: IDs, the sequence, a link, the board as a picture, a post.

import { copyText, download, pngOf } from '../../web/kit/copying.js';
import { find, query } from '../../web/kit/dom.js';
import { positionIdOf, xgidOf } from '../../web/kit/game.js';
import { board, data, firstOf, places, spelled, steps } from './match.js';
import { isDecision, post } from './post.js';
import { current, whenShown } from './steps.js';

/** @type {(step: Step) => string} */
function sequence({ game, id }) {
  const first = firstOf.get(game);
  const opening = steps.slice(first).find(({ roll }) => roll);
  const tokens = steps.slice(first, Number(places.get(id)) + 1).map(({ token }) => token).filter(Boolean);
  return (opening?.player ? '-' : '') + tokens.join('-');
}

/** @type {Record<string, (step: Step) => string>} */
const TEXTS = {
  xgid: xgidOf,
  id: positionIdOf,
  sequence,
  link: (step) => `${document.baseURI.split('#')[0]}#${step.id}`,
  post: (step) => post(step, data.sites[find('site').value], spelled),
};

const announce = (/** @type {string} */ text) => { find('copied').textContent = text; };

// The picture: a copy of the board with its computed style, twice as large.
const PAINT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin',
  'paint-order', 'font-family', 'font-size', 'font-weight', 'text-anchor'];

/** The colours below the paint of checkers and frame, which is no part of the picture. @type {Record<string, string>} */
const PLAIN = { 'pale-checker': '--board-white', 'dark-checker': '--board-black', 'board-frame': '--board-frame', 'board-felt': '--board-field' };

function picture() {
  const svg = board.svg.cloneNode(true);
  const parts = (/** @type {any} */ root) => [root, ...root.querySelectorAll('*')];
  const originals = parts(board.svg);
  parts(svg).forEach((part, at) => {
    const style = getComputedStyle(originals[at]);
    for (const name of PAINT) {
      part.setAttribute(name, style.getPropertyValue(name).replace(/^url\("#([\w-]+)"\)$/, (_, id) => style.getPropertyValue(PLAIN[id])));
    }
  });
  svg.querySelector(`.${board.kind('page')}`).setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  const { width, height } = board.svg.viewBox.baseVal;
  svg.setAttribute('width', 2 * width);
  svg.setAttribute('height', 2 * height);
  return pngOf(`data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`, 2 * width, 2 * height);
}

/** @type {(step: Step) => Promise<void>} */
async function copyPicture({ id }) {
  const blob = picture();
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    announce('Copied');
  } catch {
    download(`${id}.png`, await blob);
    announce(`Saved as ${id}.png`);
  }
}

export async function copy(/** @type {string} */ what) {
  const step = steps[current];
  if (what === 'picture') await copyPicture(step);
  else {
    const text = TEXTS[what](step);
    announce(await copyText(text) ? 'Copied' : text);
  }
}

whenShown((step) => {
  const hasBoard = Boolean(step.board);
  const enabled = { xgid: hasBoard, id: hasBoard, picture: hasBoard, post: isDecision(step), link: location.protocol !== 'about:' };
  for (const [what, isEnabled] of Object.entries(enabled)) query(`[data-copy=${what}]`).disabled = !isEnabled;
  announce('');
});
