// The address of the page.

/** Go to an anchor: a `jump` adds to the history, a `step` replaces its last entry, `none` does neither. @type {(id: string, way: Way) => void} */
export function address(id, way) {
  if (way === 'none' || location.hash === `#${id}`) return;
  try {
    if (way === 'jump') history.pushState(null, '', `#${id}`);
    else history.replaceState(null, '', `#${id}`);
  } catch {
    // Safari allows 100 changes in 30 seconds; the address lags behind, the page does not.
  }
}
