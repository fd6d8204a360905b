// What is copied of a step: its IDs, the sequence, a link, the board as a picture, a post.

function sequence(step) {
  const { turns } = step.game;
  const before = steps.slice(firstOf.get(step.game), places.get(step.id) + 1).filter(({ sameAs }) => !sameAs);
  const starts = steps.slice(firstOf.get(step.game)).find(({ roll }) => roll);
  const tokens = before.slice(0, turns.length).map(({ token }) => token).filter(Boolean);
  return (starts && starts.player ? '-' : '') + tokens.join('-');
}

// There the page is in a frame, which has no address; but positions have one.
const inPlayground = window.name === 'playground';

const copied = {
  xgid: xgidOf,
  id: positionIdOf,
  sequence,
  link: (step) => `${document.baseURI.split('#')[0]}#${inPlayground ? `s=${xgidOf(step)}` : step.id}`,
  post: (step) => post(step, find('site').value),
};

const tellCopied = (text) => { find('copied').textContent = text; };

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    tellCopied('Copied');
  } catch {
    tellCopied(text); // to be copied by hand
  }
}

// The board as it is seen, drawn twice as large as it is made for.
const PAINT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin',
  'paint-order', 'font-family', 'font-size', 'font-weight', 'text-anchor'];

async function picture() {
  const svg = board.cloneNode(true);
  const parts = (one) => [one, ...one.querySelectorAll('*')];
  const seen = parts(board);
  parts(svg).forEach((part, at) => {
    const style = getComputedStyle(seen[at]);
    for (const name of PAINT) part.setAttribute(name, style.getPropertyValue(name));
  });
  svg.querySelector(`.${kind('page')}`).setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  const { width, height } = board.viewBox.baseVal;
  svg.setAttribute('width', 2 * width);
  svg.setAttribute('height', 2 * height);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = element('canvas', { width: 2 * width, height: 2 * height });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
}

async function copyPicture({ id }) {
  const made = picture();
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': made })]);
    tellCopied('Copied');
  } catch {
    const link = element('a', { href: URL.createObjectURL(await made), download: `${id}.png` });
    link.click();
    URL.revokeObjectURL(link.href);
    tellCopied(`Saved as ${id}.png`);
  }
}

function copy(what) {
  const step = steps[current];
  if (what === 'picture') copyPicture(step);
  else copyText(copied[what](step));
}

// What of a step can be copied.
function offerCopies(step) {
  const known = Boolean(boardOf(step));
  const can = { xgid: known, id: known, picture: known, post: isDecision(step), link: inPlayground ? known : location.protocol !== 'about:' };
  for (const [what, is] of Object.entries(can)) query(`[data-copy=${what}]`).disabled = !is;
  tellCopied('');
}
