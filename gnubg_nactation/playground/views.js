// The views of the page by their names in the address.

/** @type {Record<string, View>} */
export const VIEWS = {};

/** Add a view with its section of index.html; with `isAgain` it opens again once Python is ready. `walk` goes on by some turns. @type {(name: string, section: string, open: View['open'], isAgain?: boolean, walk?: View['walk']) => void} */
export function addView(name, section, open, isAgain = false, walk) {
  VIEWS[name] = { section, open, isAgain, walk };
}
