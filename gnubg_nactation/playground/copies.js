// Share a sequence or the position on the board: as text, link, post or picture.

import { pngOf } from '../web/kit/copying.js';
import { element, find, small } from '../web/kit/dom.js';
import { isDark } from '../web/kit/theme.js';
import { button, copy, postButton, save, tried } from './parts.js';
import { ask } from './python.js';
import { shownBoard } from './stage.js';
import { chosenTurn, linkOf, shown, whenShown } from './typing.js';

async function picture() {
  const dark = isDark() ? 'dark' : 'light';
  const { xgid, roll, said, cube, bottom } = shownBoard();
  const svg = await ask('board_image', [xgid, cube ? '' : roll, said, dark, bottom]);
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  save('nactation.png', await pngOf(url, 1240, 1120));
  URL.revokeObjectURL(url);
}

const sequence = () => [shown.reply?.start, shown.reply?.sequence].filter(Boolean).join(' ') || shown.text;

/** A button that the view Edit does without. @type {(does: () => unknown, name: string) => any} */
function lesser(does, name) {
  const made = button(does, name);
  made.classList.add('lesser');
  return made;
}

find('copies').append(
  element('div', { className: 'row' },
    lesser(() => copy(sequence(), 'Sequence'), 'Copy sequence'),
    button(() => copy(linkOf(shown.text, shown.view === 'edit' ? 'edit' : 's'), 'Link'), 'Copy link'),
    postButton((target) => ask('as_post', [shown.text, target]))),
  element('div', { className: 'row' }, small('This board:'),
    lesser(() => copy(chosenTurn().xgid, 'XGID'), 'Copy XGID'),
    lesser(() => copy(chosenTurn().id || '', 'Position ID'), 'Copy Position ID'),
    button(tried(picture), 'Save picture')),
);

whenShown(() => { find('copies').hidden = !shown.text.trim() || !shown.reply?.state.id; });
