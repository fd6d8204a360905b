// The quizzes, of this match alone: "your play?" at each mistake, and "which letter?".

const CHOICES = 6;

let asking = null; // the quiz that goes on
const score = { right: 0, wrong: 0 }; // of this session

const isChoice = (step) => Boolean(boardOf(step) && (step.cube ? step.cube[3] : candidates(step).length > 1));

// Whether that may be typed for a Nactation: in any form, with its number, or as a word.
function isSpelling(typed, name) {
  const [key, at] = data.names[name];
  const bare = name.replace(/\{\d+\}/, '');
  const forms = ['plain', ...Object.keys(data.like)].map((form) => spelled(name, form));
  if ([...forms, name.replace('_', '\u0332'), `${bare}{${at}}`].includes(typed)) return true;
  return name === key && [...key].length === 1 && typed.toLowerCase() === data.families[key][0];
}

function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

function questionsOf(subject, player) {
  const ofPlayer = (step) => player === 'both' || step.player === Number(player);
  if (subject === 'quiz') return steps.filter((step) => isMistake(step) && isChoice(step) && ofPlayer(step));
  return shuffled(steps.filter((step) => step.name && step.said.includes('/') && !step.forced && boardOf(step) && ofPlayer(step)));
}

function startQuiz(subject, player = 'both') {
  if (current < 0) go(0, { way: 'none' });
  dismiss();
  asking = { subject, player, questions: questionsOf(subject, player), at: 0 };
  document.documentElement.classList.add('asking');
  find('asked').hidden = false;
  find('players').value = player;
  nextQuestion(0);
}

function endQuiz() {
  asking = null;
  find('asked').hidden = true;
  document.documentElement.classList.remove('asking', 'answered');
}

function nextQuestion(by = 1) {
  asking.at += by;
  asking.hops = [];
  asking.dice = null;
  asking.done = false;
  document.documentElement.classList.remove('answered');
  find('verdict').replaceChildren();
  find('answer').value = '';
  panel.replaceChildren();
  const step = asking.questions[asking.at];
  current = step ? places.get(step.id) : current;
  showQuestion();
  const first = step && !step.cube && asking.subject === 'quiz' ? find('answer') : find('choices').querySelector('button');
  if (first && matchMedia('(pointer: fine)').matches) first.focus({ preventScroll: true });
}

function showQuestion() {
  const { questions, at, subject, done } = asking;
  const step = questions[at];
  find('question').textContent = question(step);
  find('score').textContent = `${score.right} right, ${score.wrong} wrong${questions.length ? ` · ${Math.min(at + 1, questions.length)} of ${questions.length}` : ''}`;
  const typing = Boolean(step) && subject === 'quiz' && !step.cube && !done;
  find('typing').hidden = !typing;
  find('solve').hidden = done || !step;
  find('choices').replaceChildren(...(step && !done ? choicesOf(step) : []));
  find('choices').hidden = typing || done || !step;
  find('further').textContent = done || !step ? 'Next' : 'Skip';
  find('further').disabled = !step;
  if (!step) return;
  if (subject === 'letters' || done) showBoard(step);
  else showBoard(step, '', handled(step));
  find('standing').textContent = boardWords(step);
}

function question(step) {
  const { questions, subject, at } = asking;
  if (!questions.length) return subject === 'quiz' ? 'No mistake is known here.' : 'There is no play with a choice here.';
  if (!step) return `That was the last one, ${at} of ${questions.length}.`;
  const who = playerName(step, step.player);
  if (subject === 'letters') return `${who} plays ${step.roll}: ${step.said}. Which letter?`;
  if (!step.cube) return `${who} to play ${step.roll}. Your play?`;
  return ['take', 'drop'].includes(step.cube[4]) ? `${who} is offered the cube. Your answer?` : `${who} to roll. Your cube action?`;
}

function choicesOf(step) {
  const button = (value, ...shown) => {
    const one = element('button', { className: 'choice' }, ...shown);
    one.dataset.choice = value;
    return one;
  };
  if (asking.subject === 'letters') return lettersFor(step).map((key) => button(key, glyph(key)));
  if (!step.cube) return [];
  const acts = ['take', 'drop'].includes(step.cube[4]) ? ['take', 'drop'] : ['no double', 'double'];
  return acts.map((act) => button(act, act === 'drop' ? 'pass' : act));
}

// The family of the play, and others of this page that have no right to it.
function lettersFor(step) {
  const rights = new Set([step.name, ...(step.others || []).map(([name]) => name)].map((name) => data.names[name][0]));
  const wrong = Object.keys(data.families).filter((key) => !rights.has(key) && !/[0-9]/.test(key) && data.names[key]);
  const key = data.names[step.name][0];
  asking.letters ??= {};
  asking.letters[step.id] ??= shuffled([key, ...shuffled(wrong).slice(0, CHOICES - 1)]);
  return asking.letters[step.id];
}

// A play made by hand: each click moves a checker by one die, the higher one if both can.

const handled = (step) => asking.hops.reduce((sides, hop) => hopped(sides, step.player, hop), boardOf(step).sides);

function diceLeft(step) {
  const [high, low] = [...step.roll].map(Number);
  const all = high === low ? [high, high, high, high] : asking.dice || [high, low];
  const left = [...all];
  for (const { die } of asking.hops) left.splice(left.indexOf(die), 1);
  return left;
}

function move(step, source) {
  const dice = diceLeft(step);
  const sides = handled(step);
  const most = (now, left) => Math.max(0, ...waysToPlay(now, step.player, left).map(({ hops }) => hops.length));
  const view = step.player ? [sides[1], sides[0]] : sides;
  const needed = most(sides, dice);
  for (const die of new Set(dice)) {
    const hop = legalHop(view, source, die);
    const rest = [...dice];
    rest.splice(rest.indexOf(die), 1);
    if (hop && most(hopped(sides, step.player, hop), rest) === needed - 1) {
      asking.hops.push({ ...hop, die });
      break;
    }
  }
  showQuestion();
  const after = handled(step);
  if (!most(after, diceLeft(step)) && asking.hops.length) answerBoard(step, after);
}

function onBoard(event) {
  const step = asking && asking.questions[asking.at];
  if (!step || asking.done || asking.subject !== 'quiz' || !step.roll) return;
  const point = pointAt(event, step.player);
  if (point > 0 && handled(step)[step.player][point]) move(step, point);
  else if (point === -1 && !asking.hops.length) { // the dice, or between the points: the other die first
    asking.dice = [...(asking.dice || [...step.roll].map(Number))].reverse();
  }
}

function undo() {
  asking.hops.pop();
  showQuestion();
}

// Answers

function answerBoard(step, sides) {
  const reached = String(sides);
  const one = candidates(step).find(({ said }) => String(played(boardOf(step).sides, step.player, said)) === reached);
  answerPlay(step, one, 'that');
}

function answerText(step, text) {
  const typed = text.trim().replace(/^([1-6])-?([1-6])[-:\s]*(?=\S)/, '');
  if (!typed) return;
  if (/[0-9a-z]\/[0-9a-z]/i.test(typed)) {
    const start = boardOf(step).sides;
    const known = waysToPlay(start, step.player, allDice(step)).map(({ sides }) => String(sides));
    const reached = played(start, step.player, typed.toLowerCase());
    if (known.includes(String(reached))) answerBoard(step, reached);
    else tell('That is no legal play here.');
    return;
  }
  const plays = candidates(step);
  const one = plays.find(({ name }) => isSpelling(typed, name))
    || plays.find(({ accepted }) => [...accepted].some((name) => name && isSpelling(typed, name)));
  answerPlay(step, one, typed);
}

function allDice(step) {
  const [high, low] = [...step.roll].map(Number);
  return high === low ? [high, high, high, high] : [high, low];
}

function tell(...words) {
  find('verdict').replaceChildren(...words);
}

function answerPlay(step, one, given) {
  const [best] = candidates(step);
  const right = ['Best is ', glyph(best.name), ` ${best.said}.`];
  if (!one) finish(step, false, `No: ${given} is none of the best plays. `, ...right);
  else if (one.loss <= 0) finish(step, true, 'Right: ', glyph(one.name), ` ${one.said}.`);
  else finish(step, one.nearly, one.nearly ? 'Right, nearly: ' : 'No: ', glyph(one.name), ` ${one.said} loses ${points(one.loss)}. `, ...right);
}

function answerChoice(step, choice) {
  if (asking.subject === 'letters') {
    const key = data.names[step.name][0];
    const [word, meaning] = data.families[key];
    finish(step, choice === key, choice === key ? 'Right: ' : 'No: ', glyph(step.name), ` is ${word}. ${meaning}`);
    return;
  }
  const [none, take, pass, best] = step.cube;
  const right = { take: take <= pass, drop: pass <= take, double: Math.min(take, pass) >= none, 'no double': none >= Math.min(take, pass) }[choice];
  finish(step, right, right ? 'Right: ' : 'No: ', `${best}.`);
}

function finish(step, right, ...words) {
  score[right ? 'right' : 'wrong'] += 1;
  solve(step, element('b', { className: right ? 'right' : 'error' }, ...words));
}

function solve(step, ...words) {
  asking.done = true;
  asking.hops = [];
  showStep(step);
  showQuestion();
  document.documentElement.classList.add('answered');
  tell(...words);
  find('further').focus({ preventScroll: true });
}

function onAnswer(event) {
  event.preventDefault();
  const step = asking && asking.questions[asking.at];
  if (step && !asking.done) answerText(step, find('answer').value);
}

function onQuizClick({ target }) {
  const choice = target.closest('[data-choice]');
  const step = asking && asking.questions[asking.at];
  if (choice && step) answerChoice(step, choice.dataset.choice);
}
