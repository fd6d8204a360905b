// The lines of a game that was tried in several ways. A line is a text; lines part at a turn.

/** The tokens of a reply's turns, as a sequence writes them. @type {(reply: Reply) => string[]} */
export const tokensOf = ({ turns }) => turns.map(({ roll, look, said, token = '' }) => (roll && (look || !said) ? roll + (look?.name || '') : token));

/** The text before the letter of a turn: `54S-63` for the second turn of `54S-63R-31P`. @type {(reply: Reply, text: string, at: number) => string} */
export function textBefore(reply, text, at) {
  const { turns, front = 0 } = reply;
  const before = [...tokensOf(reply).slice(0, at), turns[at].roll].join('-');
  const start = text.slice(0, front) || /^\s*N[\s:]*(?=[-1-6])/i.exec(text)?.[0] || ''; // a position, or Nackgammon
  return start + (start && !/\s$/.test(start) ? ' ' : '') + (turns[0].player ? '-' : '') + before;
}

const parts = (/** @type {string} */ line) => line.split(/[-\s]+/).filter(Boolean);

/** The other lines by the number of the turn at which they leave the text, each with its rest. @type {(reply: Reply, text: string, lines: string[]) => Map<number, [line: string, rest: string][]>} */
export function branches({ turns }, text, lines) {
  const own = parts(text);
  const extra = own.length - turns.length; // words of a position
  /** @type {Map<number, [string, string][]>} */
  const found = new Map();
  for (const line of lines) {
    const other = parts(line);
    const at = Math.max(own.findIndex((token, place) => token !== other[place]), extra);
    const turn = Math.min(at - extra, turns.length - 1);
    found.set(turn, [...(found.get(turn) || []), [line, other.slice(at).join('-')]]);
  }
  return found;
}
