// Clicking and dragging checkers on the board, for the views that use it.

import { find } from '../../web/kit/dom.js';
import { drawAway, markTargets, withoutMotion } from '../board.js';
import { putBack } from '../stage.js';

const CLICK_PIXELS = 5; // a pointer that moves less has clicked
/** @type {Hand[]} */
const hands = [];
/** What is held since the pointer went down, and where that was. @type {{hand: Hand, grip: Grip, x: number, y: number} | null} */
let held = null;
let dragged = false;
let isFinger = false;

/** Let a view handle the pointer on the board; while it is not open its `grab` returns null. @type {(hand: Hand) => void} */
export function handleBoard(hand) {
  hands.push(hand);
}

function onGrab(/** @type {any} */ event) {
  dragged = false;
  held = null;
  if (!event.isPrimary) return;
  isFinger = event.pointerType === 'touch';
  for (const hand of hands) {
    const grip = hand.grab(event);
    if (grip) held = { hand, grip, x: event.clientX, y: event.clientY };
  }
}

function onDrag(/** @type {PointerEvent} */ event) {
  if (!held || !event.isPrimary) return;
  const [x, y] = [event.clientX - held.x, event.clientY - held.y];
  if (!dragged && Math.hypot(x, y) < CLICK_PIXELS) return;
  dragged = true;
  find('board').setPointerCapture(event.pointerId);
  const { checker } = held.grip;
  if (checker?.isConnected) drawAway(checker, x, y);
}

/** Keep the page from scrolling while a finger drags a checker; parts of an SVG have no `touch-action`. @type {(event: Event) => void} */
function onTouch(event) {
  if (held?.grip.checker && event.cancelable) event.preventDefault();
}

function letGo() {
  held = null;
  markTargets(0, [], []);
  if (dragged) withoutMotion(putBack);
}

function onDrop(/** @type {PointerEvent} */ event) {
  if (!held || !event.isPrimary) return;
  const { hand, grip } = held;
  letGo();
  if (dragged) withoutMotion(() => hand.drop(grip, event));
}

function onClick(/** @type {MouseEvent} */ event) {
  if (!dragged) for (const hand of hands) hand.click(event, isFinger);
}

const handlers = {
  pointerdown: onGrab, pointermove: onDrag, pointerup: onDrop, pointercancel: letGo, touchmove: onTouch,
  click: onClick, dragstart: (/** @type {Event} */ event) => event.preventDefault(),
};
for (const [kind, handler] of Object.entries(handlers)) find('board').addEventListener(kind, handler, { passive: false });
