// The types of the scripts; data.d.ts has those of the data that Python gives them.

/** A child of an element. */
type Part = Node | string;
type XY = [number, number];
/** How the address changes: see kit/address.js. */
type Way = 'jump' | 'step' | 'none';

// Backgammon

/** The checkers of both players, each by that player's own numbers. */
type Sides = number[][];
/** The position of an XGID, and the fields after it. */
interface Setup { sides: Sides; fields: string[]; }
interface Hop { source: number; target: number; hits?: boolean; die?: number; }
/** A board with the player on roll; `doubles` is 1 for a double, 2 for a beaver. */
interface Scene { player: number; roll: string; doubles?: number; players: string[]; board: Setup; }
interface Standing {
  sides: Sides; pips: number[]; off: number[]; cube: number; owner: number | null;
  doubled: boolean; score: number[]; crawford: boolean; length: number; jacoby: boolean;
}
/** A play being entered: its hops so far, and whether the lower die comes first. */
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

// The page of a match: `page_data` of exports/page/data.py

/** A table by columns; null for what a row does not have. */
type Columns = Record<string, any[]>;
type Rules = [pattern: string, by: string][];
type Block = [begins: string, ends: string, indent: string, rules: Rules];
/** A kind of post: the form of its Nactations, and its markup. */
type Site = [form: string, markup: [
  Rules, Block, spoiler: string[], heading: string, paragraph: string,
  bold: string, lineBreak: string, board: string,
]];
interface PageData {
  board: Places; rights: Record<string, string>; tolerance: number; like: Record<string, string>;
  families: Record<string, [word: string, meaning: string]>; sites: Record<string, Site>;
  games: Game[]; names: Columns; turns: Columns; plays: Columns; summaries?: Summary[];
}
type Name = Look & NameData & Record<string, any>;
type Game = GameData & { moves: number };
type Step = Omit<StepData, 'plays' | 'nacbrac'> & Scene & {
  id: string; game: Game; number: number; said: string; token: string; nacbrac: string;
  plays: Play[]; lost: StepError[];
};
interface Play {
  name: string; said: string; loss: number; isClose: boolean; chances: number[]; made: boolean;
  accepted: string[]; level: string; equity: number; rank: number;
}
interface Going { focus?: string; follow?: boolean; way?: Way; }
interface Quiz {
  subject: string; questions: Step[]; at: number; entry: Entry; done: boolean;
  letters: Record<string, string[]>;
}

// The explorer: `format_explorer` of exports/explorer/html.py

interface Tree {
  board: Places; looks: Record<string, Look>; spellings: Record<string, string[]>;
  nodes: TreeNode[]; signs: [limit: number, sign: string, kind: string][]; players: string[];
  player: number; title: string; before: string[]; xgid: string;
}
interface Place { tokens: string[]; node: TreeNode | null; roll: string; scene: Scene; }
/** The place that tokens lead to, or the last before a wrong one. */
interface Found { place: Place; wrong?: string; }

// The playground: the results of the functions of answers.py; cli/views.schema.json has the turns

/** A board: a turn, a question or a state. */
interface Answer {
  xgid: string; player: number; roll: string; id?: string; said?: string; doubles?: number;
  cube?: unknown; token?: string; look?: Look; word?: string; reading?: string; offered?: boolean;
  sure?: string; note?: string; others?: string[]; error?: number; players?: string[];
}
interface Trouble {
  message: string; before?: string; wrong?: string; after?: string; possible?: Look[];
}
/** The reply to a text: see `read_text` of answers.py. */
interface Reply {
  turns: Answer[]; state: Answer; options?: Option[]; keep?: string; front?: number;
  start?: string; sequence?: string; named?: boolean; over?: boolean; unfinished?: string;
  instead?: string[]; prose?: boolean; error?: Trouble;
}
/** The engine's judgement of a turn: see `equities` of answers.py. */
interface Judgement {
  level: string; nacbrac?: string; plays?: RatedPlay[]; unfinished?: number;
  actions?: [action: string, equity: string, loss: string][]; chances?: string[]; equity?: string;
}
interface RatedPlay {
  said: string; equity: string; loss: string; chances: string[]; level: string;
}
/** A table of scores that grows: see `score_cells` of answers.py. */
interface ScoreCells {
  done: number; total: number; level: string; labels: string[]; cells: ScoreCell[];
  letters: [look: Look, words: string, times: string][]; lines: string[];
}
interface ScoreCell {
  at: [row: string, column: string]; letters: Look[]; shade: string; differs: boolean; here: boolean; words: string;
}
/** A position of the opening book: see `opening` of answers.py. */
interface OpeningReply extends Reply { book: BookNode; }
interface BookNode {
  text: string; score: string; source: string; xgid: string; plays?: BookPlay[]; rolled_out?: boolean;
  beyond?: number; rolls?: { roll: string; plays: BookPlay[] }[];
  scores?: { score: string; words: string; plays?: BookPlay[] }[];
}
interface BookPlay extends Option {
  look: Look; equity: string; loss: string; mills: number; differs?: boolean; goes_on?: boolean;
}
/** A question about an opening: see `training_question` of training.py. */
interface TrainingQuestion extends OpeningReply { choices: Option[]; }
/** A question's box of schedule.js, and the day on which it comes again. */
interface Card { box: number; due: number; }
type Progress = Map<string, Card>;
interface Counts { due: number; fresh: number; learnt: number; }
/** A match that is written: see `write_match` of answers.py. */
interface Writing {
  sheet: string; board: Answer; question: string; note: string; news: string; pending: string;
  choices: [key: string, words: string][]; options: Option[]; rolls: boolean;
  games: [title: string, result: string, first: number][]; turns: Answer[]; first: number;
  is_open?: boolean; lost?: number;
}
/** The names of a play, with the reasons. */
interface Explained { reason: string; order: string; names: NameDetails[]; }
interface NameDetails {
  look: Look; word: string; right: string; meaning: string; note: string; member: number;
  size: number; rule: string; members: { look: Look; said: string; why: string }[];
}
/** A finding in a post. */
interface Finding {
  text: string; kind: string; line: number; sure: string; note: string; error: string;
  link: string; state: Answer | null; turns: Answer[]; place: [start: number, end: number];
}
/** A character of the alphabet, with an example. */
interface Family extends Answer {
  key: string; looks: Look[]; word: string; meaning: string; right: string; section: string;
}
/** A question about the letter of a play. */
interface LetterQuestion extends Answer { said: string; right: string; choices: Look[]; }
interface PlaygroundData {
  board: Places; python: string; samples: string[]; titles: string[];
  start: string; largest: number; targets: string[]; boards: string[]; alphabet: Family[]; openings: string[];
  engine: EngineFile | null; first: { text: string; reply: Reply; judgement: Judgement };
}
/** The engine's file, from the worker, its hash, and addresses of its source. */
interface EngineFile { file: string; integrity: string; source: string; scripts: string; }
/** A view whose plays are entered on the board, with a box for its buttons. */
interface Desk {
  toPlay: () => Answer | null; play: (isPlayed: (said: string) => boolean) => boolean;
  moved?: () => void; instead?: (turn: Answer | null) => Node[]; box: Element; after: () => any;
}
/** A checker held by the pointer, from a player's point. */
interface Grip { point: number; player?: number; checker: Element | null; }
/** How a view uses the pointer on the board: a click, or a drag from `grab` to `drop`. */
interface Hand {
  grab: (event: any) => Grip | null; drop: (grip: Grip, event: PointerEvent) => void;
  click: (event: MouseEvent, isFinger: boolean) => void;
}
/** A view; `texts` are those of the address, none for the first screen. */
interface View {
  section: string; open: (text: string, name: string, texts: string[]) => unknown; isAgain: boolean;
  walk?: (by: number) => void;
}
/** A match in short: see `match_view` of exports/page/html.py. */
interface Summary {
  players: string[]; score: number[]; ratings: { pr: string; luck: string }[];
  games: { anchor: string; title: string; scores: string[]; result: string }[];
}
/** The state of Python. `engine` is empty if there are equities, or says why not; null while it starts. */
interface PythonState {
  phase: 'starting' | 'ready' | 'failed' | 'impossible'; done: number; message: string;
  busy: boolean; engine: string | null;
}
/** A worker with Python; after `end` what it was asked is refused. */
interface Assistant {
  isBusy: () => boolean; needEngine: () => void; end: () => void;
  reply: (name: string, args: unknown[], bytes?: ArrayBuffer) => Promise<{ value: any; error?: string; hasStopped?: boolean }>;
}
/** The library: `done` of `total` files of an activity; without one, `total` files wait. */
interface ShelfState {
  phase: 'closed' | 'opening' | 'open' | 'none' | 'failed'; problem: string; isReadOnly: boolean;
  done: number; total: number; activity: string; refused: Record<string, string>;
}
/** A match of the library: see `library_matches` of playground/library.py. */
interface KeptMatch {
  file: string; place: number; players: string[]; date: string; event: string; length: number;
  score: number[]; games: number; rating: (number | null)[]; luck: (number | null)[];
  worst: (number | null)[]; analysed: boolean; copies: string[];
}
/** Which files are being analysed, and how many wait. */
interface AnalysisState {
  isOn: boolean; waiting: number; problem: string;
  running: Record<string, { done: number; total: number; plies: number }>;
}
/** A decision in an address: see board/decision.js; equity and loss as they are shown. */
interface SharedDecision {
  xgid: string; source: string;
  choices: { name: string; said: string; equity: string; loss: string; note: string; isMade: boolean }[];
}
/** What a visitor has written about a decision. */
interface Note { isStarred: boolean; tags: string[]; text: string; decision: Decision; }
/** A wrong decision: see `example_view` of exports/leaks.py; those to study have more. */
interface Decision {
  place: string; file: string; xgid: string; roll: string | null; made: string;
  play: string | null; best: string | null; best_play?: string | null; lost: number;
  players: string[]; date?: string | null; theme: string; phase: string; opening: string;
}

// The extension

/** The browser's interface for extensions. */
declare const chrome: any;
/** What the user of the extension chooses. */
interface Options { theme: string; bottom: string; plays: boolean; engine: boolean; }
