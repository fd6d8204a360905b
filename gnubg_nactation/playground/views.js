// The views of the page by their names in the address.

/** @type {Record<string, View>} */
export const VIEWS = {};

/** Add a view with its section of index.html; with `isAgain` it opens again once Python is ready. @type {(name: string, section: string, open: View['open'], isAgain?: boolean) => void} */
export function addView(name, section, open, isAgain = false) {
  VIEWS[name] = { section, open, isAgain };
}
