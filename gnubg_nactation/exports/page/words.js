// What is said of a step, and of a character when it is touched.

function boardWords(step) {
  if (!boardOf(step)) return 'The board is not known.';
  const { sides, pips, off, cube, owner } = standing(step);
  const words = sides.map((side, player) => {
    const stacks = side.flatMap((count, point) => (count
      ? [`${counted(count, 'checker')} on the ${point === BAR ? 'bar' : `${point} point`}`] : []));
    if (off[player]) stacks.unshift(`${off[player]} borne off`);
    return `${playerName(step, player)}: ${stacks.reverse().join(', ')}; ${counted(pips[player], 'pip')}.`;
  });
  const holder = owner === null ? 'in the middle' : `with ${playerName(step, owner)}`;
  return `${words.join(' ')} The cube is ${cube === 1 ? '' : `at ${cube}, `}${holder}.`;
}

function stepWords(step) {
  const roll = step.roll ? ` rolls ${step.roll[0]} and ${step.roll[1]}:` : '';
  const name = step.name ? ` ${step.name}, ${family(step.name)[0]}${placeWords(step, ', ')};` : '';
  return `${step.game.title}, move ${step.move} of ${step.game.moves}. ${playerName(step, step.player)}${roll}${name} ${step.said}${errorWords(step, ', ')}.`;
}

function placeWords({ ranks, name }, before) {
  return ranks ? `${before}member ${member(name)} of ${ranks[0]}` : '';
}

function errorWords(step, before) {
  const words = (step.lost || []).map(([fault, size, mark]) => [
    [fault, mark && `(${mark})`].filter(Boolean).join(' '),
    size === null ? '' : `loses ${points(size)}`,
  ].filter(Boolean).join(' '));
  return words.length ? before + words.join(', ') : '';
}

// The explanation of a character

const explanation = find('explanation');
const paragraph = (...children) => element('p', {}, ...children);
const small = (...children) => element('small', {}, ...children);
const rightOf = (step) => data.kinds[step.right || 'areal'];

function explained(turn) {
  const [name, meaning] = family(turn.name);
  const parts = [
    element('h3', {}, glyph(turn.name), element('span', {}, `${name} `, small(turn.said.includes('/') ? rightOf(turn) : 'symbol'))),
    paragraph(meaning),
    paragraph(small(`${turn.roll}: ${turn.said}`)),
  ];
  const [best] = candidates(turn);
  if (best && !best.made) parts.push(paragraph('The analysis prefers ', glyph(best.name), ` ${best.said}.`));
  if (turn.forced) parts.push(paragraph('Forced: the only legal play.'));
  if (turn.ranks) parts.push(decided(turn, best));
  if (turn.trouble) parts.push(element('p', { className: 'trouble' }, turn.trouble));
  if (turn.others) parts.push(paragraph('Also valid:'), namesOf(turn.others));
  return parts;
}

function decided(turn, best) {
  const [size, other, play, by] = turn.ranks;
  const at = member(turn.name);
  const known = play || candidates(turn).find((one) => one.name === other).said;
  const parts = [`Member ${at} of ${size}, ${at === 1 ? 'ahead of' : 'after'} `, glyph(other), ` ${known}`];
  const alias = best && best.said === known && best.name !== other;
  if (alias) parts.push(' (the play that is called ', glyph(best.name), ' above; a play has a name in each family)');
  return paragraph(...parts, ` by ${by}.`);
}

function namesOf(pairs) {
  return element('ul', { className: 'names' }, ...pairs.map(([name, right]) => element('li', {},
    glyph(name), element('span', {}, `${family(name)[0]} `, small(data.kinds[right])))));
}

let explainer = null; // the character whose explanation is open
let pinned = false; // opened by a click, so that it stays when the pointer leaves

function explain(button, turn, pin) {
  if (!turn.name) return;
  explainer = button;
  pinned = pin;
  explanation.replaceChildren(...explained(turn));
  explanation.hidden = false;
  const [at, box] = [button.getBoundingClientRect(), explanation.getBoundingClientRect()];
  const page = document.documentElement;
  const below = at.bottom + 6 + box.height <= page.clientHeight;
  explanation.style.left = `${Math.max(8, Math.min(at.left, page.clientWidth - box.width - 8))}px`;
  explanation.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - box.height - 6)}px`;
  button.setAttribute('aria-describedby', 'explanation');
}

function dismiss() {
  if (explainer) explainer.removeAttribute('aria-describedby');
  explainer = null;
  pinned = false;
  explanation.hidden = true;
}
