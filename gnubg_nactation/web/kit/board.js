// The board, numbered from the player on roll. The page holds its field; the script draws the rest.

import { arrowsOf, SHOWN } from './arrows.js';
import { drawn } from './dom.js';
import { BAR, standing } from './game.js';

const SIDES = ['first', 'second'];
const FIXED = ['page', 'frame', 'field', 'pale', 'deep', 'number'];

/** @type {Record<string, XY[]>} */
const PIPS = {
  1: [[0, 0]],
  2: [[-2, -2], [2, 2]],
  3: [[-2, -2], [0, 0], [2, 2]],
  4: [[-2, -2], [2, -2], [-2, 2], [2, 2]],
  5: [[-2, -2], [2, -2], [0, 0], [-2, 2], [2, 2]],
  6: [[-2, -2], [2, -2], [-2, 0], [2, 0], [-2, 2], [2, 2]],
};

/** Squeeze a text into the room, assuming a wide font. @type {(text: Element, room: number) => Element} */
function squeezed(text, room) {
  if (13 * (text.textContent || '').length > room) {
    text.setAttribute('textLength', String(room));
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  }
  return text;
}

/** Cut a name to fit, keeping the marks that isolate its direction. @type {(name: string) => string} */
function short(name) {
  const letters = [...name].slice(1, -1);
  const most = letters.every((letter) => letter < '\u0250') ? 24 : 14;
  return letters.length > most ? `\u2068${letters.slice(0, most - 1).join('')}…\u2069` : name;
}

/** A board that shows one scene at a time. */
export class Board {
  /** @param {any} svg @param {Places} places */
  constructor(svg, places) {
    this.svg = svg;
    this.places = places;
    this.isFlipped = false;
    this.now = drawn('g', {});
    const isFixed = (/** @type {Element} */ part) => FIXED.some((name) => part.classList.contains(this.kind(name)));
    svg.replaceChildren(...[...svg.children].filter(isFixed), this.now);
    svg.setAttribute('aria-labelledby', 'standing');
  }

  /** The CSS classes of a part. @param {string[]} names */
  kind(...names) {
    return names.map((name) => `${this.places.prefix}-${name}`).join(' ');
  }

  /** @param {number} player */
  seat(player) {
    return this.isFlipped ? 1 - player : player;
  }

  /** @param {number} player @param {number} point @param {number} slot @returns {XY} */
  placeOf(player, point, slot) {
    const [x, y, step] = this.places.checkers[this.seat(player)][point - 1];
    return [x, y + step * Math.min(slot, SHOWN - 1)];
  }

  /** @param {number} player @param {number} slot @returns {XY} */
  offPlace(player, slot) {
    const [x, y, step] = this.places.off[this.seat(player)];
    return [x, y + step * slot];
  }

  /** @param {string[]} names @param {XY} place @param {string | number} text */
  write(names, [x, y], text) {
    return drawn('text', { class: this.kind(...names), x, y }, String(text));
  }

  /** @param {number[]} side @param {number} player */
  drawCheckers(side, player) {
    const circles = side.flatMap((count, point) => Array.from({ length: Math.min(count, SHOWN) }, (_, slot) => {
      const [cx, cy] = this.placeOf(player, point, slot);
      return drawn('circle', { cx, cy, r: this.places.radius });
    }));
    return drawn('g', { class: this.kind(SIDES[player]) }, ...circles);
  }

  /** The circles of a player's checkers. @param {number} player @returns {any} */
  checkersOf(player) {
    return this.now.querySelectorAll(`.${this.kind(SIDES[player])} circle`);
  }

  /** Numbers on stacks of more than SHOWN; `5+1` if a checker arrives there. @param {number[]} side @param {number} player @param {Map<number, number>} arriving */
  drawHeights(side, player, arriving) {
    return side.flatMap((count, point) => {
      const more = arriving.get(point) || 0;
      if (count <= SHOWN && !more) return [];
      const [x, y] = this.placeOf(player, point, SHOWN);
      const text = this.write([`on-${SIDES[player]}`], [x, y + 7], more ? `${count}+${more}` : count);
      return [squeezed(text, 36)];
    });
  }

  /** @param {number} off @param {number} player */
  drawOff(off, player) {
    if (!off) return [];
    const taken = Array.from({ length: off }, (_, slot) => this.offPlace(player, slot));
    const [x, y] = taken[off - 1];
    return [
      this.write(['note'], [x, y + (this.seat(player) ? 24 : -10)], off),
      drawn('path', { class: this.kind(SIDES[player]), d: taken.map(([left, top]) => `M${left - 16} ${top - 5}h32v10h-32z`).join('') }),
    ];
  }

  /** Next to the player's edge: colour, name, pip count and score. @param {Scene} scene @param {Standing} state @param {number} player */
  drawStrip(scene, state, player) {
    const y = this.seat(player) ? 28 : 547;
    const side = SIDES[player];
    const isScored = state.length || state.score.some(Boolean);
    return [
      drawn('circle', { class: this.kind(side), cx: 22, cy: y - 7, r: 10 }),
      this.write(player === scene.player ? ['name'] : ['name', 'waits'], [42, y], short(scene.players[player])),
      this.write(['pips'], [isScored ? 546 : 610, y], `pips ${state.pips[player]}`),
      ...(isScored ? [
        drawn('rect', { class: this.kind(side), x: 560, y: y - 21, width: 50, height: 28, rx: 6 }),
        this.write([`on-${side}`], [585, y], state.score[player]),
      ] : []),
    ];
  }

  /** @param {number} player @param {number} x @param {string} face */
  drawDie(player, x, face) {
    const { middle } = this.places;
    const dots = PIPS[face].map(([dx, dy]) => `M${x + 4 * dx} ${middle + 4 * dy}h0`).join('');
    return drawn('g', { class: this.kind(SIDES[player]) },
      drawn('rect', { x: x - 17, y: middle - 17, width: 34, height: 34, rx: 7 }),
      drawn('path', { class: this.kind('pip'), d: dots }));
  }

  /** @param {XY} place @param {number} value */
  drawCube([x, y], value) {
    return [
      drawn('rect', { class: this.kind('cube'), x: x - 17, y: y - 17, width: 34, height: 34, rx: 5 }),
      squeezed(this.write(['on-first'], [x, y + 7], value), 30),
    ];
  }

  /** Cube, dice and match length; the dice lie to the right of the player on roll. @param {Scene} scene @param {Standing} state */
  drawMiddle({ player, roll, doubles }, state) {
    const { middle, cube: cubePlaces } = this.places;
    const [dice, words] = this.seat(player) ? [168, 452] : [452, 168];
    const parts = [];
    const owner = state.owner === null ? 0 : this.seat(state.owner) + 1;
    if (state.doubled || doubles) parts.push(...this.drawCube([doubles ? words : dice, middle], state.cube * 2 * (doubles || 1)));
    else if (!state.crawford || state.cube > 1) parts.push(...this.drawCube(cubePlaces[owner], state.cube));
    parts.push(...[...roll].map((face, at) => this.drawDie(player, dice - 21 + 42 * at, face)));
    const about = state.length ? `${state.length} point${state.crawford ? 's, Crawford' : ' match'}` : state.jacoby ? 'Jacoby rule' : '';
    if (about && !doubles) parts.push(squeezed(this.write(['note'], [words, middle + 7], about), 232));
    return parts;
  }

  /** @param {Arrows} arrows */
  drawArrows({ shafts, hits, rings }) {
    if (!shafts) return [];
    return [
      ...rings.map(([cx, cy]) => drawn('circle', { class: this.kind('ring'), cx, cy, r: this.places.radius - 1 })),
      drawn('path', { class: this.kind('line', 'halo'), d: shafts + hits }),
      drawn('path', { class: this.kind('line', 'arrow'), d: shafts }),
      ...(hits ? [drawn('path', { class: this.kind('line', 'hit'), d: hits })] : []),
    ];
  }

  /** The parts of a scene, with the arrows of a play; `half` as for `standing`. @param {Scene} scene @param {string} said @param {Sides | null} half */
  drawing(scene, said, half = null) {
    const { player } = scene;
    const state = standing(scene, half);
    const arrows = arrowsOf(this, said, player, state);
    return [
      ...state.sides.flatMap((side, at) => [
        this.drawCheckers(side, at), ...this.drawOff(state.off[at], at), ...this.drawStrip(scene, state, at),
      ]),
      ...this.drawArrows(arrows),
      ...this.drawMiddle(scene, state),
      ...state.sides.flatMap((side, at) => this.drawHeights(side, at, at === player ? arrows.arriving : new Map())),
    ];
  }

  /** Number the points from the player on roll. @param {any} svg @param {number} player */
  number(svg, player) {
    const isDown = this.seat(player) === 1;
    svg.querySelectorAll(`.${this.kind('number')} text`).forEach((/** @type {Element} */ text, /** @type {number} */ at) => {
      text.textContent = String(isDown ? 24 - at : at + 1);
    });
  }

  /** @param {Scene} scene @param {string} said @param {Sides | null} half */
  show(scene, said = '', half = null) {
    if (!scene.board) {
      this.now.replaceChildren(this.write(['note'], [310, this.places.middle + 7], 'board unknown'));
      return;
    }
    this.number(this.svg, scene.player);
    this.now.replaceChildren(...this.drawing(scene, said, half));
  }

  /** A separate drawing of a scene. @param {Scene} scene @param {string} said */
  copy(scene, said) {
    const svg = this.svg.cloneNode(true);
    svg.removeAttribute('aria-labelledby');
    this.number(svg, scene.player);
    svg.lastChild.replaceChildren(...this.drawing(scene, said));
    return svg;
  }

  /** The place of a pointer in the drawing's own units. @param {MouseEvent} event @returns {XY} */
  spotOf(event) {
    const box = this.svg.getBoundingClientRect();
    const { width, height } = this.svg.viewBox.baseVal;
    const scale = Math.min(box.width / width, box.height / height);
    return [
      (event.clientX - box.left - (box.width - width * scale) / 2) / scale,
      (event.clientY - box.top - (box.height - height * scale) / 2) / scale,
    ];
  }

  /** The player in whose half of the board the pointer is. @param {MouseEvent} event */
  halfAt(event) {
    return this.seat(Number(this.spotOf(event)[1] < this.places.middle));
  }

  /** The player's point that was clicked: 25 the bar, 0 off, -1 the dice or nothing. @param {MouseEvent} event @param {number} player */
  pointAt(event, player) {
    const { middle, radius, checkers } = this.places;
    const [x, y] = this.spotOf(event);
    if (x > 576) return 0;
    if (x > 290 && x < 330) return BAR;
    if (Math.abs(y - middle) < radius) return -1;
    const near = checkers[this.seat(player)].slice(0, 24).findIndex(([cx, cy]) => Math.abs(cx - x) < 20 && (cy < middle) === (y < middle));
    return near + 1 || -1;
  }
}
