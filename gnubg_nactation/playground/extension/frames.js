// Questions to the readers of a page and of its frames.

/** @typedef {{frameId: number, texts: [text: string, kind: string][], left: number, busy: boolean, problem: string, at: number, opened: number}} FrameReply */

const PAUSE = 200; // milliseconds between looks at frames that are being read

/** Ask all frames of a tab, or one; the page itself answers first. @type {(tabId: number, message: object, frameId?: number) => Promise<FrameReply[]>} */
export async function askFrames(tabId, message, frameId) {
  const target = frameId === undefined ? { tabId, allFrames: true } : { tabId, frameIds: [frameId] };
  const results = await chrome.scripting.executeScript({
    target,
    injectImmediately: true, // a frame that never finishes loading must not stop the others
    args: [message],
    func: (/** @type {object} */ question) => /** @type {any} */ (globalThis).nactationReader?.heed(question),
  });
  return results.flatMap((/** @type {any} */ { frameId: id, result }) => (result ? [{ frameId: id, ...result }] : []))
    .sort((/** @type {FrameReply} */ one, /** @type {FrameReply} */ other) => one.frameId - other.frameId);
}

/** What the frames have found so far, again and again until all are read. @type {(tabId: number) => AsyncGenerator<FrameReply[]>} */
export async function* watchFrames(tabId) {
  for (;;) {
    const frames = await askFrames(tabId, { name: 'list' });
    yield frames;
    if (!frames.some(({ busy }) => busy)) return;
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
  }
}
