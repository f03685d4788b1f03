// The way to the daemon: one request, one answer. docs/ROOM_API.md describes it.

import { said, t } from "/i18n.js";

/** Asks the daemon. Throws an `Error` in words for people. */
export async function ask(name, fields, path = "/api") {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ask: name, ...fields }),
  }).catch(() => {
    throw new Error(t("unreachable"));
  });
  // The room was closed to this browser meanwhile; its page says how to come in again.
  if (response.status === 401) location.reload();
  const answer = await response.json();
  if (!response.ok) throw new Error(said(answer.told) || answer.error);
  return answer;
}

/** Asks about the memory, from the room and from the console. */
export const askMemory = (name, fields) => ask(name, fields, "/api/memory");
