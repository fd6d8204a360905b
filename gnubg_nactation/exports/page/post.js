// A decision as a post, word for word as `nactate post` writes it. What stands around what on each
// site comes with the page.

const into = (template, text) => template.replace('{}', () => text);
const replaced = (text, rules) => rules.reduce((now, [pattern, by]) => (
  now.replace(new RegExp(pattern, 'g'), (hit) => into(by, hit))), text);
const bareName = (step, player) => playerName(step, player).slice(1, -1); // without its direction

function preformatted(text, [begins, ends, indent, rules]) {
  const lines = replaced(text.split('\n').map((line) => line.trimEnd()).join('\n'), rules)
    .split('\n').map((line) => line && indent + line).join('\n');
  const longest = Math.max(2, ...(lines.match(/`+/g) || []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${into(begins, ticks)}${lines}${into(ends, ticks)}`;
}

// The spelling in a form, plain where it does not differ from that which it is most like.
function spelled(name, form) {
  return form === 'plain' ? name : data.looks[form][name] ?? spelled(name, data.like[form]);
}

// `+.159`, `-1.020`
function written(thousandths) {
  return `${thousandths < 0 ? '-' : '+'}${points(Math.abs(thousandths)).replace(/^0/, '')}`;
}

const lossWords = (loss) => (loss > 0 ? ` (${written(-loss)})` : '');

// Whether a step asks for something; a roll that is played by itself does not.
function isDecision(step) {
  if (!boardOf(step)) return false;
  if (!step.roll) return Boolean(step.sameAs || step.doubles || standing(step).doubled);
  return Boolean(step.trouble || (step.name && !step.forced));
}

function asks(step) {
  const { doubled, cube } = standing(step);
  const who = bareName(step, step.player);
  if (doubled) return `${who} is offered the cube at ${2 * cube}: take or pass?`;
  return step.roll ? `${who} to play ${step.roll}: your play?` : `${who} to roll: double?`;
}

function scoreWords(step) {
  const { length, score: won, crawford, jacoby } = standing(step);
  if (!length) return jacoby ? 'Money game, Jacoby rule' : 'Money game';
  const [own, other] = [step.player, 1 - step.player].map((player) => length - won[player]);
  const rule = crawford ? ', Crawford' : Math.min(own, other) === 1 && own !== other ? ', post-Crawford' : '';
  return `${own}-away ${other}-away${rule}`;
}

function cubeWords(step) {
  const { crawford, owner, cube } = standing(step);
  if (crawford) return 'no cube';
  return owner === null ? 'cube in the middle' : `${bareName(step, owner)} owns the cube at ${cube}`;
}

// The board with characters, from the side of who decides, who has the X.
function boardText(step) {
  const state = standing(step);
  const { player } = step;
  const { length, score: won, crawford, jacoby, owner, cube } = state;
  const named = [bareName(step, player), bareName(step, 1 - player)].map((name) => [...name].slice(0, 500).join(''));
  const [own, their] = [player, 1 - player].map((side) => state.sides[side]);
  const column = (sign, count) => Array.from({ length: 5 }, (_, row) => (
    row === 4 && count > 5 ? ` ${count} `.slice(count > 9 ? 1 : 0) : ` ${row < count ? sign : ' '} `));
  const half = (numbers, onBar) => {
    const columns = numbers.map((point) => (own[point] ? column('X', own[point]) : column('O', their[BAR - point])));
    return Array.from({ length: 5 }, (_, row) => {
      const [left, right] = [columns.slice(0, 6), columns.slice(6)].map((some) => some.map((one) => one[row]).join(''));
      return ` |${left}|${onBar[4 - row]}|${right}|`;
    });
  };
  const numbers = Array.from({ length: 12 }, (_, at) => at);
  const top = half(numbers.map((at) => 13 + at), column('O', their[BAR]));
  const bottom = half(numbers.map((at) => 12 - at), column('X', own[BAR])).reverse();
  top[0] += `  O: ${state.off[1 - player]} off, ${state.pips[1 - player]} pips`;
  bottom[4] += `  X: ${state.off[player]} off, ${state.pips[player]} pips`;
  const told = length || won.some(Number) || jacoby
    ? [` Score: X ${won[player]}, O ${won[1 - player]}, ${length ? `${length} point match` : 'money play'}${crawford ? ', Crawford game' : jacoby ? ', Jacoby rule' : ''}`] : [];
  const doing = state.doubled ? `is offered the cube at ${2 * cube}` : step.roll ? `to play ${step.roll}` : 'to roll';
  return [
    ` O  ${named[1]}`, ' +13-14-15-16-17-18------19-20-21-22-23-24-+', ...top,
    ' |                  |BAR|                  |', ...bottom, ' +12-11-10--9--8--7-------6--5--4--3--2--1-+',
    ` X  ${named[0]}`, '', ...told,
    ` Cube: ${cube}, ${owner === null ? 'in the middle' : `owned by ${owner === player ? 'X' : 'O'}`}`, ` X ${doing}`,
  ].join('\n');
}

// What is right, the choices, and who says so; nothing where it is not known.
function answerLines(step, form, escape) {
  const line = (name, said, made) => `${name}${escape(said)}${made ? ' (played)' : ''}`;
  if (step.cube) {
    const [verdict, source, ...found] = cubeChoices(step);
    return found.length ? [escape(verdict), ...found.map(([does, equity, loss, made]) => (
      line('', `${does}, ${written(equity)}${lossWords(loss)}`, made))), escape(source)] : [];
  }
  const plays = candidates(step);
  if (!plays.length) return [];
  const near = plays.filter(({ lesser }) => !lesser);
  const far = plays.filter(({ lesser, made }) => lesser && made);
  return [...[...near, ...far].map(({ name, said, equity, loss, made }) => (
    line(`${step.roll}${spelled(name, form)} `, `${said}, ${written(equity)}${lossWords(loss)}`, made))),
  escape(step.source)];
}

// The right action, who says so, and both choices of who decides: words, equity, loss, whether made.
function cubeChoices({ cube: [none, take, pass, best, act, , loss, source] }) {
  if (loss === undefined) return [];
  const answer = best.split(', ')[1];
  const doubled = `double, ${answer}`;
  const [made, right, ...choices] = act === 'take' || act === 'drop'
    ? [act.replace('drop', 'pass'), answer, ['take', -take], ['pass', -pass]]
    : [act.replace(/^double$/, doubled), best.replace(/^no .*/, 'no double'), ['no double', none], [doubled, Math.min(take, pass)]];
  if (choices[0][0] !== right) choices.reverse();
  const verdict = act === 'take' || act === 'drop' ? answer : best;
  return [verdict, source, ...choices.map(([does, equity], at) => [does, equity, at * loss, does === made])];
}

function post(step, site) {
  const [form, [rules, block, [before, between, behind], heading, plain]] = data.sites[site];
  const escape = (text) => replaced(text.split(/\s+/).filter(Boolean).join(' '), rules);
  const lines = answerLines(step, form, escape);
  return [
    into(heading, escape(asks(step))),
    `${into(plain, escape(`${scoreWords(step)}; ${cubeWords(step)}`))}\n${preformatted(`${boardText(step)}\n\n${xgidOf(step)}`, block)}`,
    ...(lines.length ? [`${before}${lines.join(between)}${behind}\n`] : []),
  ].join('\n');
}
