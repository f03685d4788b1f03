// What was written and is not yet acknowledged. It survives a reload, and a retry cannot post twice: the nonce stays.

import { ask } from "/api.js";
import { changed, put, room, show } from "/page_state.js";

const STORED = "kith.outbox";

/** Messages on their way, oldest first: `{ channel, person, text, reply_to, client_nonce, problem }`. */
export let waiting = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");

function keep() {
  sessionStorage.setItem(STORED, JSON.stringify(waiting));
  changed("outbox");
}

/** Sends a message as the person one writes as. */
export async function post(text, replyTo) {
  const entry = {
    channel: room.channel,
    person: room.person,
    text,
    reply_to: replyTo ?? null,
    client_nonce: crypto.randomUUID(),
  };
  waiting.push(entry);
  keep();
  await attempt(entry);
}

/** Tries once more. */
export async function attempt(entry) {
  const { channel, person, text, reply_to, client_nonce } = entry;
  entry.problem = null;
  keep();
  try {
    const message = await ask("post", { channel, person, text, reply_to, client_nonce });
    discard(entry);
    if (message.channel !== room.channel || room.messages.some(({ id }) => id === message.id)) return;
    // Who looks at what was said long ago comes back to where they write.
    if (room.newer) await show(room.channel);
    else put(message);
  } catch (error) {
    entry.problem = error.message;
    keep();
  }
}

/** Gives a message up. */
export function discard(entry) {
  waiting = waiting.filter((other) => other !== entry);
  keep();
}

/** Tries everything that is left once more: after a reload, and when the connection is back. */
export async function attemptAll() {
  for (const entry of [...waiting]) await attempt(entry);
}
