// The openings to take away: the chart of replies to print, and flashcards for Anki.

import { element, find, small } from '../../web/kit/dom.js';
import { data } from '../data.js';
import { shownScore } from './openings.js';
import { button, field, save, tried } from '../parts.js';
import { ask, Stopped } from '../python.js';

const HTML = 'text/html';

/** Show the chart, which prints on one page. */
async function showChart() {
  const box = find('chart');
  box.replaceChildren(small('Making the chart…'));
  try {
    const page = await ask('opening_chart', [shownScore()]);
    const frame = element('iframe', { title: 'Chart of replies' });
    // Without `allow-scripts`; this page may print it.
    frame.setAttribute('sandbox', 'allow-same-origin allow-modals');
    frame.srcdoc = page;
    const file = `openings-${shownScore()}.html`;
    box.replaceChildren(element('div', { className: 'row' },
      button(() => frame.contentWindow.print(), 'Print'),
      button(() => save(file, new Blob([page], { type: HTML })), 'Save page'),
      button(() => box.replaceChildren(), 'Close')), frame);
    box.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    box.replaceChildren();
    if (!(error instanceof Stopped)) throw error;
  }
}

/** The openings of a subject of training; an empty one means the first rolls. @type {(subject: string) => string[]} */
function tokensOf(subject) {
  if (subject === 'first') return [''];
  if (subject === 'replies') return data.openings;
  return subject === 'all' ? ['', ...data.openings] : [subject];
}

/** Save the questions of the chosen subject as a file for Anki, opening by opening. */
async function saveCards() {
  const [subject, stakes] = [field('subject').value, field('stakes').value];
  const scores = stakes === 'all' ? [...find('stakes').options].map(({ value }) => value).filter((value) => value !== 'all') : [stakes];
  const parts = tokensOf(subject).flatMap((token) => (token ? scores : scores.slice(0, 1)).map((score) => [token, score]));
  const status = find('cards-status');
  let text = '';
  try {
    for (const [at, part] of parts.entries()) {
      status.textContent = `${at} of ${parts.length}…`;
      const { head, rows } = await ask('opening_cards', part);
      text = (text || head) + rows;
    }
    save(`openings-${subject}-${stakes}.txt`, new Blob([text], { type: 'text/plain' }));
  } finally {
    status.textContent = '';
  }
}

find('take-chart').addEventListener('click', tried(showChart));
find('take-cards').addEventListener('click', tried(saveCards));
