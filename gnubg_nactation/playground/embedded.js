// The address of the small view: a sequence, and what the board of each of its turns needs, so
// that the view works without Python.

import { actorOf, parseXgid, played } from '../web/kit/game.js';

const MAX_TURNS = 300;
const MAX_TOKEN = 40;
const XGID = /^[-A-Oa-o]{26}:\d{1,2}:(?:-1|0|1):(?:-1|1):(?:[DBR]|00|[1-6]{2}):\d{1,5}:\d{1,5}:[0-3]:\d{1,5}:\d{1,2}$/;
const STEP = /^(?:bar|[1-9]|1\d|2[0-4])(?:\/(?:off|[1-9]|1\d|2[0-4])\*?){1,4}(?:\([2-4]\))?$/;

/** Keep the address readable where that is safe. @type {(text: string) => string} */
export const coded = (text) => encodeURIComponent(text).replace(/%(?:3A|2F)/g, decodeURIComponent);

/** The anchor of a sequence with its turns. @type {(text: string, turns: Answer[]) => string} */
export const embedAnchor = (text, turns) => `#embed=${coded(text)}&turns=${turns
  .map(({ xgid, token = '', said = '' }) => [xgid.replace('XGID=', ''), token, said].map(coded).join(',')).join(';')}`;

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The frame that shows an address of the small view in another page. @type {(address: string, text: string) => string} */
export function embedCode(address, text) {
  const escaped = (/** @type {string} */ words) => words.replace(/[&<>"]/g, (character) => ESCAPES[/** @type {'&'} */ (character)]);
  return `<iframe src="${escaped(address)}" title="Backgammon: ${escaped(text)}" loading="lazy" style="width:100%;max-width:30rem;aspect-ratio:1;border:0"></iframe>`;
}

/** Whether no point has fewer than no checkers, and no player more than 15. @type {(sides: Sides) => boolean} */
const isPossible = (sides) => sides.every((side) => side.every((count) => count >= 0) && side.reduce((sum, count) => sum + count, 0) <= 15);

/** A turn of the address; null if it is none. @type {(code: string) => Answer | null} */
export function turnOf(code) {
  const [xgid, token = '', said = '', ...more] = code.split(',').map(decodeURIComponent);
  if (more.length || !XGID.test(xgid) || token.length > MAX_TOKEN) return null;
  const { sides, fields } = parseXgid(xgid);
  const dice = fields[3];
  const player = actorOf(fields[2], dice);
  if (!isPossible(sides)) return null;
  if (said && !(said.length < 80 && said.split(' ').every((step) => STEP.test(step)) && isPossible(played(sides, player, said)))) return null;
  return { xgid: `XGID=${xgid}`, player, roll: /[1-6]/.test(dice) ? [...dice].sort().reverse().join('') : '', token, said };
}

/** The sequence and the turns of an anchor; null if anything in it is wrong. @type {(anchor: string) => {text: string, turns: Answer[]} | null} */
export function readAnchor(anchor) {
  const [, code, codes] = /^#embed=([^&]*)&turns=([^&]+)$/.exec(anchor) || [];
  if (!codes) return null;
  const parts = codes.split(';');
  if (parts.length > MAX_TURNS) return null;
  try {
    const turns = parts.flatMap((part) => turnOf(part) || []);
    return turns.length === parts.length ? { text: decodeURIComponent(code), turns } : null;
  } catch {
    return null; // not encoded as an address
  }
}
