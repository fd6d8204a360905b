// Share a sequence or the position on the board: as text, link, post or picture.

import { pngOf } from '../../web/kit/copying.js';
import { find, small } from '../../web/kit/dom.js';
import { isDark } from '../../web/kit/theme.js';
import { addressOf } from './decision.js';
import { sharedNow } from './equities.js';
import { coded, embedAnchor, embedCode, readAnchor } from '../embedded.js';
import { button, copy, isPublic, postButton, save, tried } from '../parts.js';
import { ask } from '../python.js';
import { shownBoard } from '../stage.js';
import { chosenTurn, isAnswered, linkNow, linkOf, openTyping, shown, whenShown } from './typing.js';
import { addView } from '../views.js';

async function picture() {
  const dark = isDark() ? 'dark' : 'light';
  const { xgid, roll, said, cube, bottom } = shownBoard();
  const svg = await ask('board_image', [xgid, cube ? '' : roll, said, dark, bottom]);
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  save('nactation.png', await pngOf(url, 1240, 1120));
  URL.revokeObjectURL(url);
}

/** The sequence, as it was typed until Python has read it. */
const sequence = () => (isAnswered() && [shown.reply?.start, shown.reply?.sequence].filter(Boolean).join(' ')) || shown.text;

/** A button that the view Edit does without. @type {(does: () => unknown, name: string) => any} */
const lesser = (does, name) => Object.assign(button(does, name), { className: 'lesser' });

const smallView = new URL('embed.html', location.href.split('#')[0]).href;

/** The turns of the reply, or the position if it has none. @type {() => Answer[]} */
const turns = () => (shown.reply?.turns.length ? shown.reply.turns : [chosenTurn()]);
const anchor = () => (isAnswered() ? embedAnchor(sequence(), turns()) : `#embed=${coded(shown.text)}`);

// `#embed=54S-63R-31P` without the turns: Python works them out, and the small view follows.
/** @type {(text: string) => void} */
function openEmbedded(text) {
  if (readAnchor(location.hash)) location.replace(smallView + location.hash);
  else openTyping(text.split('&turns=')[0], 'embed');
}

function followEmbedded() {
  if (!shown.active || shown.view !== 'embed' || !isAnswered() || !shown.text.trim()) return;
  if (!shown.reply?.error && readAnchor(anchor())) location.replace(smallView + anchor());
  else location.replace(linkOf(shown.text)); // with the mistake marked
}

addView('embed', 'board', openEmbedded);
find('copies').append(
  ...isPublic ? [button(() => copy(linkNow(), 'Link'), 'Copy link')] : [],
  lesser(() => copy(sequence(), 'Sequence'), 'Copy sequence'),
  ...isPublic ? [lesser(() => copy(embedCode(smallView + anchor(), sequence()), 'Embed code'), 'Copy embed')] : [],
  postButton((target) => ask('as_post', [shown.text, target])),
  small('This board'),
  ...isPublic ? [
    lesser(tried(() => copy(addressOf(sharedNow(), 'decision'), 'Link')), 'Copy analysis link'),
    lesser(tried(() => copy(addressOf(sharedNow(), 'question'), 'Question')), 'Copy question'),
  ] : [],
  lesser(() => copy(chosenTurn().xgid, 'XGID'), 'Copy XGID'),
  lesser(() => copy(chosenTurn().id || '', 'Position ID'), 'Copy Position ID'),
  button(tried(picture), 'Save picture'),
);

whenShown(followEmbedded);
whenShown(() => { find('copies').hidden = !shown.active || !shown.text.trim() || !shown.reply?.state.id; });
