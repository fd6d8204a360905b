// The answer panel: the plays that were considered, or the cube's three equities. Without an
// analysis it has the names of the play.

const panel = find('panel');
let picked = -1; // the candidate whose arrows stay on the board

const percent = (thousandths) => (thousandths / 10).toFixed(1);
const unseen = (text) => element('span', { className: 'unseen' }, text);

function showPanel(step) {
  picked = -1;
  const plays = candidates(step);
  if (step.cube) panel.replaceChildren(...cubeRows(step));
  else if (plays.length) panel.replaceChildren(...playRows(step, plays));
  else panel.replaceChildren(...nameRows(step));
}

function heading(text, note) {
  return element('h2', {}, `${text} `, small(note));
}

function playRows(step, plays) {
  const made = plays.find((one) => one.made);
  const known = plays.some(({ chances }) => chances.length);
  return [
    heading('Best plays', known ? 'wins (gammons, backgammons) – losses, in percent' : ''),
    element('ol', { className: 'plays' }, ...plays.map((one, at) => element('li', {}, playButton(one, at)))),
    ...(step.nacbrac ? [paragraph(small(nacbracOf(step)))] : []),
    ...(made || !step.said.includes('/') ? [] : [paragraph(small('The play made is not among the plays of the analysis.'))]),
  ];
}

function playButton({ name, said, loss, chances, made, equity, rank }, at) {
  const [win, gammon, backgammon, lostGammon, lostBackgammon] = chances;
  const verdict = made ? (loss > 0 ? 'made wrong' : 'made right') : '';
  const button = element('button', { className: `play ${verdict}` },
    element('span', { className: 'rank' }, made ? (loss > 0 ? '✗' : '✓') : String(rank), unseen(made ? ` played, rank ${rank}` : '')),
    glyph(name),
    element('span', { className: 'way' }, said),
    element('span', { className: 'equity' }, unseen('equity '), signed(equity)),
    element('span', { className: 'loss' }, loss > 0 ? unseen('loses ') : '', loss > 0 ? points(loss) : ''));
  if (chances.length) {
    button.append(element('small', {},
      `${percent(win)} (${percent(gammon)} ${percent(backgammon)}) – ${percent(1000 - win)} (${percent(lostGammon)} ${percent(lostBackgammon)})`));
  }
  button.dataset.candidate = at;
  button.setAttribute('aria-pressed', 'false');
  return button;
}

const CUBE_ROWS = ['No double', 'Double, take', 'Double, pass'];

// Which of the rows was played, and what is right for who decides.
function cubeRows(step) {
  const [none, take, pass, best, act, error] = step.cube;
  const known = none !== null && take !== null;
  const worth = [none, take, pass];
  const doubled = Math.min(take, pass);
  const answers = act === 'take' || act === 'drop';
  const row = { 'no double': 0, double: take <= pass ? 1 : 2, take: 1, drop: 2 }[act];
  const target = answers ? doubled : Math.max(none, doubled);
  const right = known ? worth.findIndex((one, at) => one === target && (at || !answers)) : -1;
  const loser = answers ? -1 : 1; // equities are the doubler's
  const rows = CUBE_ROWS.map((name, at) => {
    const loss = known && !(answers && !at) ? loser * (target - worth[at]) : 0;
    const verdict = at !== row ? '' : error > 0 ? ' made wrong' : ' made right';
    return element('li', { className: `play${verdict}${at === right ? ' best' : ''}` },
      element('span', { className: 'rank' }, at === row ? (error > 0 ? '✗' : '✓') : '', unseen(at === row ? 'played' : '')),
      element('span', { className: 'way' }, name),
      element('span', { className: 'equity' }, worth[at] === null ? '?' : signed(worth[at])),
      element('span', { className: 'loss' }, loss > 0 ? unseen('loses ') : '', loss > 0 ? points(loss) : ''));
  });
  const faults = errorWords(step, '');
  return [
    heading('The cube', `equities of ${playerName(step, answers ? 1 - step.player : step.player)}`),
    element('ul', { className: 'plays cube' }, ...rows),
    paragraph(best ? 'Right: ' : '', element('b', {}, best), faults ? '; ' : '', element('span', { className: 'error' }, faults)),
    ...(step.cube_nacbrac ? [paragraph(small(step.cube_nacbrac))] : []),
  ];
}

function nameRows(step) {
  if (!step.name || !step.said.includes('/')) return [];
  if (step.forced) return [heading('The play', ''), namesOf([[step.name, step.right || 'areal']]), paragraph(small('Forced: the only legal play.'))];
  return [heading('Its names', 'each by its right'), namesOf([[step.name, step.right || 'areal'], ...(step.others || [])])];
}

// The arrows of a candidate: while it is pointed at, or until another is picked.
function preview(step, at) {
  const one = candidates(step)[at];
  showBoard(step, ...(one ? [one.said] : []));
}

function pick(step, at) {
  if (!panel.querySelector(`[data-candidate="${at}"]`)) return;
  picked = picked === at ? -1 : at;
  for (const button of panel.querySelectorAll('[data-candidate]')) {
    button.setAttribute('aria-pressed', String(Number(button.dataset.candidate) === picked));
  }
  preview(step, picked);
}
