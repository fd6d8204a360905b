// Train the openings: plays are tapped, typed or made on the board, and what was wrong comes again.

import { element, find, glyphOf, small } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { points } from '../../web/kit/words.js';
import { data } from '../data.js';
import { enterPlays } from '../board/moving.js';
import { showForm } from '../openings/openings.js';
import { field, isAt, keyOf, list, onSubmit, renew, trouble } from '../parts.js';
import { ask, Stopped } from '../python.js';
import { showDue } from './learn.js';
import { againWords, answered, CLOSE, countsOf, dayOf, formatProgress, nextQuestion, parseProgress } from './schedule.js';
import { playButton, ratingOf, stage, START } from '../stage.js';
import { leaveTyping, linkOf } from '../board/typing.js';
import { addView } from '../views.js';

const PROGRESS = keyOf('openings');
const SCORES = { money: 'money', dmp: 'double match point', gg: 'gammon go', gs: 'gammon save', all: 'all scores' };
const SUBJECTS = { first: 'first rolls', replies: 'all replies', all: 'first rolls and replies' };

let progress = parseProgress(recall(PROGRESS));
/** The questions of the subject, those asked so far, and the one on the board. @type {{questions: string[], asked: string[], text: string, question: TrainingQuestion | null, done: boolean, round: number}} */
const course = { questions: [], asked: [], text: '', question: null, done: false, round: 0 };
const isOpen = () => document.documentElement.dataset.view === 'train';
const today = () => dayOf(new Date());

function open(/** @type {string} */ subject) {
  leaveTyping();
  showForm('training');
  if (field('subject').querySelector(`[value="${CSS.escape(subject)}"]`)) {
    field('subject').value = subject;
    remember();
  }
  start(Boolean(subject));
}

function remember() {
  store(keyOf('subject'), `${field('subject').value} ${field('stakes').value}`);
}

/** Read the answers so far again: another tab may have changed them. */
function reread() {
  const stored = recall(PROGRESS);
  if (stored) progress = parseProgress(stored);
}

/** Begin with the subject, or with all openings if nobody has chosen it and only others are due. */
async function start(isChosen = true) {
  reread();
  const round = course.round += 1;
  const kept = [field('subject').value, field('stakes').value];
  const address = () => history.replaceState(null, '', linkOf(kept[0], 'train'));
  if (isChosen) address();
  try {
    const questions = await ask('training_questions', kept);
    if (round !== course.round || !isOpen() || !isAt('train')) return;
    const isDue = (/** @type {Iterable<string>} */ all) => countsOf([...all], progress, today()).due > 0;
    if (!isChosen && !isDue(questions) && isDue(progress.keys())) {
      field('subject').value = field('stakes').value = 'all';
      start();
      return;
    }
    address();
    Object.assign(course, { questions, asked: [] });
    await next();
  } catch (error) {
    fail(error);
  }
}

function fail(/** @type {any} */ error) {
  if (!isOpen()) return;
  stage(START, ['']);
  renew(find('train-asked'), [error instanceof Stopped ? 'The questions appear when the program has loaded.' : trouble(error.message)]);
}

async function next() {
  const round = course.round += 1;
  const text = nextQuestion(course.questions, progress, today(), course.asked);
  Object.assign(course, { text, question: null, done: true });
  find('train-outcome').hidden = true;
  find('train-type').hidden = !text;
  field('guess').value = '';
  showCounts();
  if (!text) {
    find('guesses').replaceChildren();
    renew(find('train-asked'), ['Nothing is left for today. Come back tomorrow, or choose more above.']);
    return;
  }
  try {
    const question = await ask('training_question', [text]);
    if (round !== course.round || !isOpen()) return;
    Object.assign(course, { question, done: false });
    course.asked.push(text);
    showQuestion(question);
  } catch (error) {
    fail(error);
  }
}

/** @type {(question: TrainingQuestion) => void} */
function showQuestion({ state, turns, book, choices }) {
  const before = turns.filter(({ said }) => said);
  const { words } = (book.scores || []).find(({ score }) => score === book.score) || { words: '' };
  renew(find('train-asked'), [...before.flatMap(({ roll, look, said }) => ['After ', roll, ...(look ? [glyphOf(look), ' '] : []), said, ': ']), element('b', {}, state.roll), ` at ${words.split(' for ')[0].toLowerCase()}`.replace(' at money', ''), '. Your play?']);
  list(find('guesses'), choices, (option) => Object.assign(playButton({ ...option, others: [] }, () => answer(option.said)), { value: option.said }));
  for (const guess of find('guesses').querySelectorAll('button')) guess.classList.remove('chosen', 'right', 'wrong');
  stage(state, [`White to play ${state.roll}`]);
  enterPlays(desk);
  find('train-asked').scrollIntoView({ block: 'nearest' });
}

function showCounts() {
  const { due, fresh, learnt } = countsOf(course.questions, progress, today());
  find('due').textContent = `${due} due, ${fresh} new, ${learnt} of ${course.questions.length} learnt`;
  showDue();
}

/** Judge a play. @type {(said: string) => void} */
function answer(said) {
  const { question, text } = course;
  if (!question || course.done) return;
  course.done = true;
  const { plays = [] } = question.book;
  const made = plays.find((play) => play.said === said);
  const isRight = made !== undefined && made.mills <= CLOSE;
  reread();
  progress = answered(progress, text, isRight, today());
  store(PROGRESS, formatProgress(progress));
  showCounts();
  showVerdict(question, said, made, isRight);
}

/** @type {(question: TrainingQuestion, said: string, made: BookPlay | undefined, isRight: boolean) => void} */
function showVerdict({ state, options = [], book }, said, made, isRight) {
  const [best] = book.plays || [];
  const look = options.find((option) => option.said === said)?.look;
  const name = look ? [glyphOf(look), ` ${said}`] : [said];
  const loss = made?.mills ? [` loses ${made.loss.slice(1)}`] : made ? [] : [` loses ${points(book.beyond || 0)} or more`];
  enterPlays(null);
  stage({ ...state, said: best.said }, [glyphOf(best.look), ` ${best.said}`]);
  renew(find('train-verdict'), [element('b', { className: isRight ? 'right' : 'trouble' }, isRight ? 'Right: ' : 'Wrong: '), ...name, ...loss, '. ',
    ...(made === best ? [] : ['The best play is ', glyphOf(best.look), ` ${best.said}. `]), small(againWords(progress, course.text))]);
  find('train-plays').replaceChildren(...(book.plays || []).map((play) => element('li', {}, playButton(play,
    () => stage({ ...state, said: play.said }, [glyphOf(play.look), ` ${play.said}`]), ratingOf(play, '')))));
  for (const guess of find('guesses').querySelectorAll('button')) {
    if (guess.value === best.said) guess.classList.add('right');
    else if (guess.value === said) guess.classList.add('chosen');
  }
  find('in-the-book').setAttribute('href', linkOf(course.text, 'openings'));
  find('train-outcome').hidden = false;
  find('train-type').hidden = true;
  find('train-next').focus({ preventScroll: true });
  find('train-verdict').scrollIntoView({ block: 'nearest' });
}

/** Judge what was typed: a letter, or points. */
async function type() {
  const { question } = course;
  const typed = field('guess').value.trim();
  if (!question || course.done || !typed) return;
  try {
    const said = await ask('play_named', [question.state.xgid, question.state.roll, typed]);
    if (question === course.question) answer(said);
  } catch (error) {
    if (!(error instanceof Stopped)) {
      find('train-outcome').hidden = false;
      find('in-the-book').setAttribute('href', linkOf(course.text, 'openings'));
      renew(find('train-verdict'), [trouble(`${error.message}. This does not count.`)]);
      find('train-plays').replaceChildren();
    }
  }
}

/** @type {Desk} */
const desk = {
  toPlay: () => (isOpen() && course.question && !course.done ? course.question.state : null),
  play(isPlayed) {
    const option = course.question?.options?.find(({ said }) => isPlayed(said));
    if (option) answer(option.said);
    return Boolean(option);
  },
  box: find('train-movers'),
  after: () => find('train-next'),
};

/** @type {(id: string, values: Record<string, string>) => void} */
const menu = (id, values) => field(id).append(...Object.entries(values).map(([value, name]) => element('option', { value }, name)));

menu('subject', { ...SUBJECTS, ...Object.fromEntries(data.openings.map((token) => [token, `replies to ${token}`])) });
menu('stakes', SCORES);
const [subject, stakes] = recall(keyOf('subject')).split(' ');
if (subject in SUBJECTS || data.openings.includes(subject)) field('subject').value = subject;
if (stakes in SCORES) field('stakes').value = stakes;
addView('train', 'openings', open, true);
for (const id of ['subject', 'stakes']) {
  field(id).addEventListener('change', () => {
    remember();
    start();
  });
}
onSubmit('training', type);
find('train-next').addEventListener('click', async (/** @type {MouseEvent} */ { detail }) => {
  await next();
  // Not after a finger, where the keyboard would cover the board.
  if (!detail || matchMedia('(pointer: fine)').matches) field(course.done ? 'subject' : 'guess').focus({ preventScroll: true });
});
