// Questions of a page to Python and to the background.

/** @type {(message: any) => Promise<any>} */
async function send(message) {
  const reply = await chrome.runtime.sendMessage(message);
  if (!reply) throw new Error('The extension does not answer. Reload the page.');
  if (reply.error) throw new Error(reply.error);
  return reply.value;
}

/** Ask Python. @type {(name: string, args: unknown[]) => Promise<any>} */
export async function askPython(name, args) {
  await send({ to: 'start' });
  return send({ to: 'host', name, args });
}

/** @type {(name: string, args?: unknown[], more?: object) => Promise<any>} */
export const askBackground = (name, args = [], more = {}) => send({ to: 'background', name, args, ...more });
