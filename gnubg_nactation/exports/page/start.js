// The beginning.

function listen() {
  find('flip').addEventListener('click', flip);
  find('help').addEventListener('click', () => find('keys').showModal());
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  document.addEventListener('pointerover', onPoint);
  document.addEventListener('pointerout', onLeave);
  document.addEventListener('focusin', onFocus);
  document.addEventListener('focusout', onLeave);
  find('board').addEventListener('pointerdown', onTouch);
  find('board').addEventListener('pointerup', onRelease);
  find('board').addEventListener('click', onBoard);
  find('typing').addEventListener('submit', onAnswer);
  find('choices').addEventListener('click', onQuizClick);
  find('undo').addEventListener('click', undo);
  find('solve').addEventListener('click', () => solve(asking.questions[asking.at], 'Not counted.'));
  find('further').addEventListener('click', () => nextQuestion());
  find('players').addEventListener('change', () => startQuiz(asking.subject, find('players').value));
  find('leave').addEventListener('click', () => jump(current));
  addEventListener('hashchange', () => follow(location.hash, 'none'));
  addEventListener('resize', dismiss);
  addEventListener('beforeprint', showSheet);
  matchMedia('print').addEventListener('change', ({ matches }) => { if (matches) showSheet(); });
}

function start() {
  document.documentElement.classList.add('scripted');
  for (const [id, link] of links) {
    link.parentNode.dataset.id ??= id;
    link.href = `#${id}`;
    for (const one of link.parentNode.children) one.tabIndex = -1;
    link.removeAttribute('id'); // the turn is shown on the board, so the page need not scroll to it
  }
  startTheme();
  listen();
  follow(location.hash, 'none');
}

start();
