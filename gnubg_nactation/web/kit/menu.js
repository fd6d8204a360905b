// Menus: each is a <details class="menu">, with its buttons in a box below or above its summary.

/** Close a menu; the focus of its buttons passes to its summary. @type {(menu: any) => void} */
function close(menu) {
  const hadFocus = menu.contains(document.activeElement);
  menu.open = false;
  if (hadFocus) menu.firstElementChild.focus({ preventScroll: true });
}

/** Close menus by Escape and after a click elsewhere, those with the class `acts` also after one on their buttons. */
export function startMenus() {
  /** @type {any[]} */
  const menus = [...document.querySelectorAll('details.menu')];
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') menus.filter(({ open }) => open).forEach(close);
  });
  addEventListener('click', (/** @type {any} */ { target }) => {
    for (const menu of menus.filter(({ open }) => open)) {
      const isAction = menu.matches('.acts') && target.closest('button, a');
      if (!menu.contains(target)) menu.open = false;
      else if (isAction) close(menu);
    }
  });
}
