// The views of the page, each by its name in the address.

/** @type {Record<string, View>} */
export const VIEWS = {};

/**
 * A view: its name, its section of index.html, what opens it, and whether
 * it opens once more when Python is ready.
 * @type {(name: string, section: string, open: View['open'], isAgain?: boolean) => void}
 */
export function addView(name, section, open, isAgain = false) {
  VIEWS[name] = { section, open, isAgain };
}
