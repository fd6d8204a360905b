// On paper: the blunders with their boards, drawn when they are to be printed.

function printed(step) {
  const svg = board.cloneNode(true);
  svg.removeAttribute('aria-labelledby');
  number(svg, step);
  const [best] = candidates(step);
  svg.lastChild.replaceChildren(...drawing(step, step.name ? step.said : ''));
  const made = candidates(step).find((one) => one.made);
  const lines = [paragraph(element('b', {}, `${step.game.title}, move ${step.move}: ${playerName(step, step.player)}`),
    step.roll ? ` to play ${step.roll}` : ', the cube')];
  if (made) lines.push(paragraph('Played ', glyph(step.name), ` ${made.said}, loses ${points(made.loss)}. Best `, glyph(best.name), ` ${best.said}.`));
  else if (step.cube) lines.push(paragraph(`${step.said}: ${errorWords(step, '')}. Right: ${step.cube[3]}.`));
  return element('figure', {}, svg, element('figcaption', {}, ...lines));
}

function showSheet() {
  const blunders = steps.filter((step) => boardOf(step) && step.lost && step.lost.some(([, , mark]) => mark === 'very bad'));
  find('sheet').replaceChildren(...(blunders.length ? [element('h2', {}, 'Blunders'), ...blunders.map(printed)] : []));
}
