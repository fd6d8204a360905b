// What stands before this is the board of the page of a match, with its model and its words.

const NAMES = { game: { players: ['\u2068White\u2069', '\u2068Black\u2069'], turns: [], title: '' }, number: 1 };

// A board of answers.py as a step that is drawn.
function stepOf({ xgid, player, roll, said = '', doubles = 0 }) {
  return { ...NAMES, xgid: xgid.replace('XGID=', ''), player, roll, said, name: said ? ' ' : '', doubles };
}

// Show a board, with the arrows of its play; `sides` are those of a play that is half made.
function showOn(answer, sides = null) {
  const step = stepOf(answer);
  showBoard(step, sides ? '' : step.said, sides);
  find('standing').textContent = boardWords(step);
  mover = step.player;
  markFree();
}

function flipOver() {
  flipped = !flipped;
  return flipped;
}

const bottom = () => Number(flipped);

let mover = 0; // the player of the board that is shown
let free = []; // points from which that player may move

function markFree() {
  const places = new Set(free.flatMap((point) => Array.from({ length: SHOWN }, (_, slot) => String(placeOf(mover, point, slot)))));
  for (const circle of now.querySelectorAll(`.${kind(SIDES[mover])} circle`)) {
    circle.classList.toggle('free', places.has(`${circle.getAttribute('cx')},${circle.getAttribute('cy')}`));
  }
}

// Say from which points a checker may be drawn.
function freeCheckers(points) {
  free = points;
  markFree();
}

// Draw a checker this far from its place, above the others.
function drawAway(circle, x, y) {
  const scale = board.getScreenCTM().a;
  circle.setAttribute('transform', `translate(${x / scale} ${y / scale})`);
  if (circle.parentNode !== now.lastChild) now.append(circle.parentNode);
}

export {
  BAR, bottom, boardOf, drawAway, element, find, flipOver, freeCheckers, hopped, legalHop, played, pointAt, showOn,
  stepOf, waysToPlay,
};
