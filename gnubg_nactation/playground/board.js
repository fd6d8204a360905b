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
}

function flipOver() {
  flipped = !flipped;
  return flipped;
}

const bottom = () => Number(flipped);

export {
  BAR, bottom, boardOf, element, find, flipOver, hopped, legalHop, played, pointAt, showOn, stepOf, waysToPlay,
};
