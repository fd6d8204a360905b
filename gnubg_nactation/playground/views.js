// The views of the page by their names in the address.

/** @type {Record<string, View>} */
export const VIEWS = {};

/** Add a view with its section of index.html; with `isAgain` it opens again once Python is ready. `walk` goes on by some turns. @type {(name: string, section: string, open: View['open'], isAgain?: boolean, walk?: View['walk']) => void} */
export function addView(name, section, open, isAgain = false, walk) {
  VIEWS[name] = { section, open, isAgain, walk };
}

/** The filters in the address of a view. @type {(text: string) => Record<string, string>} */
export const filtersOf = (text) => Object.fromEntries(new URLSearchParams(text));

/** Put the filters of a view that are set into its address. @type {(view: string, filters: Record<string, string>) => void} */
export function keepFilters(view, filters) {
  const parameters = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  history.replaceState(null, '', parameters ? `#${view}=${parameters.replaceAll('%', '%25')}` : `#${view}`); // `app.js` decodes the address once
}
