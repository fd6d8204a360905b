// The types of what Python gives the scripts, and of what they make of it.

/** A child of an element. */
type Part = Node | string;
type XY = [number, number];
/** Where the first of a stack is, and how far below it the next one. */
type Stack = [x: number, y: number, step: number];
/** What becomes of the address: see kit/address.js. */
type Way = 'jump' | 'step' | 'none';

/** A Nactation as it looks: `look_view` of exports/views.py. */
interface Look {
  name: string; text: string; tags?: string; dot?: boolean; colour?: string; dark?: boolean;
}

/** Where checkers and cube stand on the board: `board_places` of exports/page/board.py. */
interface Places {
  prefix: string; middle: number; radius: number; checkers: Stack[][]; off: Stack[]; cube: XY[];
}

// Backgammon

/** The checkers of both players, each by that player's own numbers. */
type Sides = number[][];
/** The position of an XGID, and its fields behind that. */
interface Setup { sides: Sides; fields: string[]; }
interface Hop { source: number; target: number; hits?: boolean; die?: number; }
/** Who is to move what where; `doubles` is 1 for a double, 2 for a beaver. */
interface Scene { player: number; roll: string; doubles?: number; players: string[]; board: Setup; }
interface Standing {
  sides: Sides; pips: number[]; off: number[]; cube: number; owner: number | null;
  doubled: boolean; score: number[]; crawford: boolean; length: number; jacoby: boolean;
}
/** A play that is being entered: its hops so far, and whether the lower die comes first. */
interface Entry { hops: Hop[]; swapped: boolean; }

// The drawing of the board

interface Table {
  places: Places; placeOf(player: number, point: number, slot: number): XY;
  offPlace(player: number, slot: number): XY;
}
interface Arrow extends Hop {
  start: XY; end: XY; tail: number; gap: number; rests?: boolean; full?: boolean;
}
interface Arrows { shafts: string; hits: string; rings: XY[]; arriving: Map<number, number>; }

// The page of a match: `page_data` of exports/page/html.py

/** Rows of which each column has as many values; null where a row has none. */
type Columns = Record<string, any[]>;
type Rules = [pattern: string, by: string][];
type Block = [begins: string, ends: string, indent: string, rules: Rules];
/** A kind of post: how Nactations are spelled, what is replaced, and what stands around what. */
type Site = [form: string, markup: [Rules, Block, spoiler: string[], heading: string, paragraph: string]];
interface PageData {
  board: Places; kinds: Record<string, string>; nearly: number;
  families: Record<string, [word: string, meaning: string]>; names: Columns;
  /** The form that each form of spelling differs little from. */
  like: Record<string, string>; sites: Record<string, Site>; games: Game[]; turns: Columns;
  plays: Columns;
}
/** A Nactation that the page mentions. */
interface Name extends Look { family: string; member: number; [form: string]: any; }
interface Game {
  id: string;
  /** What the addresses of its steps begin with. */
  start: string; title: string; players: string[]; steps: number; moves: number;
}
/** The size of the family, the neighbour's name and play, and what decides. */
type Ranks = [size: number, other: string, play: string, by: string];
/** Equities of the doubler, what is right, what was done and what it lost; the loss of the other choice. */
type Cube = [
  none: number | null, take: number | null, pass: number, best: string,
  act: 'no double' | 'double' | 'take' | 'drop', error: number, loss?: number, source?: string,
];
/** A turn, or before a roll the decision about the cube; losses in thousandths. */
interface Step extends Scene {
  id: string; game: Game; move: number; number: number; said: string; token: string;
  nacbrac: string; plays: Play[]; lost: [fault: string, size: number | null, mark: string][];
  on_cube?: number; name?: string; right?: string; forced?: number;
  others?: [name: string, right: string][]; ranks?: Ranks; cube?: Cube; cube_nacbrac?: string;
  source?: string; comment?: string; trouble?: string;
  /** How often the roll was thrown in an archive; of each play how often it was made, its mean error. */
  met?: [number, Record<string, [number, number?]>];
}
/** A play that was considered. */
interface Play {
  name: string; said: string; loss: number; nearly: boolean; chances: number[]; made: boolean;
  accepted: Set<string>; lesser: boolean; equity: number; rank: number;
}
interface Going { focus?: string; follow?: boolean; way?: Way; }
interface Quiz {
  subject: string; questions: Step[]; at: number; entry: Entry; done: boolean;
  letters: Record<string, string[]>;
}

// The explorer: `format_explorer` of exports/explorer/html.py

/** A mean, by how much it may be off, and of how many; in thousandths. */
type Mean = [value: number, within: number | null, count: number];
/** A play or cube action; `next` is the place of the node that it leads to, -1 for none. */
interface Row {
  name: string; said: string; count: number; error: Mean | null; adjusted: Mean | null;
  result: Mean | null; next: number; left: number;
}
interface TreeNode {
  count: number; ways: [sequence: string, count: number][]; more: number; cube: Row[];
  rolls: Record<string, { count: number; nacbrac: string; book: string; plays: Row[] }>;
}
interface Tree {
  board: Places; looks: Record<string, Look>; spellings: Record<string, string[]>;
  nodes: TreeNode[]; signs: [limit: number, sign: string, kind: string][]; players: string[];
  player: number; title: string; before: string[]; xgid: string;
}
interface Place { tokens: string[]; node: TreeNode | null; roll: string; scene: Scene; }
/** Where tokens lead, and what is wrong with the first that leads nowhere. */
interface Found { place: Place; wrong?: string; }

// The playground: what the functions of answers.py answer; docs/views.schema.json has the turns

/** A board: a turn, a question or a state, with what happens there. */
interface Answer {
  xgid: string; player: number; roll: string; id?: string; said?: string; doubles?: number;
  cube?: unknown; token?: string; look?: Look; word?: string; reading?: string; offered?: boolean;
  sure?: string; note?: string; others?: string[]; error?: number;
}
/** A play, or an answer to a double, that may follow. */
interface Option { token: string; said: string; look?: Look; others?: Look[]; }
interface Trouble {
  message: string; before?: string; wrong?: string; after?: string; possible?: Look[];
}
/** Of a text: see `read_text` of answers.py. */
interface Reply {
  turns: Answer[]; state: Answer; options?: Option[]; keep?: string; front?: number;
  start?: string; sequence?: string; named?: boolean; over?: boolean; unfinished?: string;
  instead?: string[]; prose?: boolean; error?: Trouble;
}
/** Of a play: why it has its name, and what else it is called. */
interface Explained { reason: string; names: NameDetails[]; }
interface NameDetails {
  look: Look; word: string; right: string; meaning: string; note: string; member: number;
  size: number; rule: string; members: { look: Look; said: string; why: string }[];
}
/** Something found in a post. */
interface Finding {
  text: string; kind: string; line: number; sure: string; note: string; error: string;
  link: string; state: Answer | null; turns: Answer[];
}
/** A character of the alphabet with an example. */
interface Family extends Answer {
  key: string; looks: Look[]; word: string; meaning: string; right: string; section: string;
}
/** A question for the letter of a play. */
interface LetterQuestion extends Answer { said: string; right: string; choices: Look[]; }
interface PlaygroundData {
  board: Places; python: string; archives: string[]; samples: string[]; titles: string[];
  start: string; largest: number; targets: string[]; alphabet: Family[];
}
interface View { section: string; open: (text: string, name: string) => unknown; isAgain: boolean; }
/** How Python fares. */
interface PythonState {
  phase: 'starting' | 'ready' | 'failed' | 'impossible'; done: number; what: string;
  busy: boolean;
}
