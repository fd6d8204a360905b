// The address of what is shown.

/**
 * A `jump` can be taken back, a `step` takes the place of another; `none` changes nothing.
 * @type {(id: string, way: Way) => void}
 */
export function address(id, way) {
  if (way === 'none' || location.hash === `#${id}`) return;
  try {
    if (way === 'jump') history.pushState(null, '', `#${id}`);
    else history.replaceState(null, '', `#${id}`);
  } catch {
    // Safari allows a hundred in half a minute; the page goes on without.
  }
}
