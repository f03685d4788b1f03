// What was read, which this browser keeps over reloads, and how much came since.

import { ask } from "/api.js";
import { changed, on, room } from "/page_state.js";

const STORED = "kith.read";
/** The newest message that was read, by channel; `null` in a browser that comes for the first time. */
let read = JSON.parse(localStorage.getItem(STORED) ?? "null");

/** The newest message that the last count holds, by channel. */
let counted = {};

const isVisible = () => document.visibilityState === "visible";

/** Wires what counts as read. */
export function start() {
  on("heard", heard);
  on("shown", () => {
    room.unreadFrom = room.unread.has(room.channel) ? (read?.[room.channel] ?? "0") : null;
  });
  on("history said followed newer", markRead);
  document.addEventListener("visibilitychange", markRead);
}

/** Asks what came while nobody was here. */
export async function fetchUnread() {
  const marks = read && Object.fromEntries(room.channels.map(({ id }) => [id, read[id] ?? "0"]));
  const { counts, newest } = await ask("unread", { read: marks ?? {} });
  counted = newest;
  // Who comes for the first time begins with what is new from now on.
  read ??= newest;
  room.unread = new Map(Object.entries(counts).filter(([, count]) => count > 0));
  if (room.unread.has(room.channel)) room.unreadFrom ??= read[room.channel] ?? "0";
  keep();
}

function heard({ channel, id, author }) {
  // It came while the count was on its way, which holds it already.
  if (BigInt(id) <= BigInt(counted[channel] ?? 0)) return;
  const here = channel === room.channel && isVisible();
  if (here && ((room.following && !room.newer) || author.id === room.person)) return;
  room.unread.set(channel, (room.unread.get(channel) ?? 0) + 1);
  if (channel === room.channel) room.unreadFrom ??= read?.[channel] ?? String(BigInt(id) - 1n);
  changed("unread");
}

/** What stands at the end of the channel on show is read once somebody sees it. */
function markRead() {
  const last = room.messages.at(-1)?.id;
  if (!last || !isVisible() || !room.following || room.newer) return;
  const known = (read ??= {});
  if (known[room.channel] === last && !room.unread.has(room.channel)) return;
  known[room.channel] = last;
  room.unread.delete(room.channel);
  keep();
}

function keep() {
  localStorage.setItem(STORED, JSON.stringify(read));
  changed("unread");
}
