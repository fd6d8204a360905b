// Written by tests/web/types.py from page.schema.json and cli/views.schema.json.
/** The first of a stack, and how far below it the next one is. */
type Stack = [number, number, number];
/** Where checkers and cube are drawn: for each player and point; the cube in the middle and with either player. */
type Places = { prefix: string; middle: number; radius: number; checkers: Stack[][]; off: Stack[]; cube: [number, number][]; };
/** A Nactation that the page mentions, with its forms for posts; the rest is a look. */
type NameData = { family: string; member: number; html?: string; bbcode?: string; commonmark?: string; reddit?: string; discord?: string; };
/** A game; the addresses of its steps begin with `start`. */
type GameData = { id: string; start: string; title: string; players: string[]; steps: number; };
/** The fault, its size and its mark. */
type StepError = [string, number | null, string];
/** The size of the family, the neighbour's name and play, and what decides. */
type Ranks = [number, string, string, string];
/** A cube decision; `equities` are the doubler's for no double, double and take, double and pass. */
type Cube = { equities: [number | null, number | null, number]; best: string; act: "no double" | "double" | "take" | "drop"; choices?: [string, number, number][]; made?: number | null; };
/** How often the roll was thrown in an archive; for each play how often it was made, and its mean error. */
type Archive = [number, Record<string, [number, number?]>];
/** A turn, or the decision not to double before a roll. */
type StepData = { move: number; player: number; on_cube?: 1; xgid?: string; unknown?: 1; roll?: string; name?: string; said?: string; token?: string; doubles?: 1 | 2; comment?: string; trouble?: string; lost?: StepError[]; right?: string; forced?: 1; ranks?: Ranks; others?: [string, string][]; cube?: Cube; cube_nacbrac?: string; source?: string; nacbrac?: (string | number)[]; equity?: number; made?: number; rank?: number; why_not?: [string, string, string]; legal?: string; plays?: number; archive?: Archive; };
/** A play of an analysis; chances in thousandths, of all but the best relative to the best. */
type PlayData = { name: string; said: string; loss: number; off?: number; level?: string; also?: string[]; win?: number; gammon?: number; backgammon?: number; lost_gammon?: number; lost_backgammon?: number; };
/** A mean, its margin of error, and the number of games. */
type Mean = [number, number | null, number];
/** A play or cube action in the explorer; `next` is the place of the node after a play, -1 for none. */
type Row = { name: string; said: string; count: number; error: Mean | null; adjusted: Mean | null; result: Mean | null; next?: number; left?: number; };
type RollData = { count: number; nacbrac: string; book: string; plays: Row[]; };
/** A position of the explorer, with the sequences that reach it and the number of further ones. */
type TreeNode = { count: number; more: number; ways: [string, number][]; cube: Row[]; rolls: Record<string, RollData>; };
/** a Nactation as it is shown: its character, tags of HTML, a dot below, a colour. */
type Look = { name: string; text: string; tags?: string; dot?: true; colour?: string; dark?: boolean; };
type Option = { said: string; token: string; look?: Look; others?: Look[]; };
