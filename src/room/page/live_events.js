// The stream of what happens, as the daemon tells it. docs/ROOM_API.md describes it.

import { ask } from "/api.js";

/**
 * Listens to what happens. Each connection starts with a `hello`: whatever was missed before it must be fetched.
 * `away` is called when the connection breaks; the browser keeps trying.
 */
export function listen(happened, away) {
  const stream = new EventSource("/api/live");
  stream.onmessage = (message) => happened(JSON.parse(message.data));
  stream.onerror = () => {
    away();
    // Some answers (a server that is starting up) end the browser's own attempts.
    if (stream.readyState !== EventSource.CLOSED) return;
    // A stream does not tell its status; a request does.
    ask("model").catch(() => {});
    setTimeout(() => listen(happened, away), 2000);
  };
}
