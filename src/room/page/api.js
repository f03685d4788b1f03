// The way to the daemon: one request, one answer; and the stream of what happens. docs/ROOM_API.md describes both.

import { t } from "/i18n.js";

/** Asks the daemon. Throws an `Error` in words for people. */
export async function ask(name, fields) {
  const response = await fetch("/api", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ask: name, ...fields }),
  }).catch(() => {
    throw new Error(t("unreachable"));
  });
  // The room was closed to this browser meanwhile; its page says how to come in again.
  if (response.status === 401) location.reload();
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

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
