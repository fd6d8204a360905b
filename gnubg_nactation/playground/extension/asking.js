// Questions of a page to Python and to the background.

/** @type {(message: any) => Promise<any>} */
async function send(message) {
  return valueOf(await chrome.runtime.sendMessage(message));
}

function valueOf(/** @type {any} */ reply) {
  if (!reply) throw new Error('The extension does not answer. Reload the page.');
  if (reply.error) throw new Error(reply.error);
  return reply.value;
}

/** Ask Python. @type {(name: string, args: unknown[]) => Promise<any>} */
export async function askPython(name, args) {
  const question = { to: 'host', name, args };
  await send({ to: 'start' });
  const reply = await chrome.runtime.sendMessage(question).catch(() => null);
  if (reply) return valueOf(reply);
  await send({ to: 'start' }); // it has ended just now
  return send(question);
}

/** @type {(name: string, args?: unknown[]) => Promise<any>} */
export const askBackground = (name, args = []) => send({ to: 'background', name, args });
