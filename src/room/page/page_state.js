// What the page knows, and how live events change it. Views listen to the topics they show; nothing is drawn here.

import { ask } from "/api.js";

/** Everything the page knows. */
export const room = {
  people: [],
  channels: [],
  model: null,
  /** The id of the channel on show. */
  channel: null,
  /** The id of the person one writes as. */
  person: null,
  /** Of the channel on show, oldest first. Another list only where other lines are chosen: what happens changes this one. */
  messages: [],
  /** Whether the lines of the channel on show are there: it may have said nothing yet because they are still asked for. */
  isLoaded: false,
  /** Whether there are older ones, and newer ones, than those. */
  more: false,
  newer: false,
  /** Of the channel on show, newest first; running ones carry `running`, `raw` and `news`, what their tools told. */
  turns: [],
  /** How much it would like to speak in the channel on show. */
  mind: null,
  /** What it waits for in the channel on show, and what forbids it to wake for that. */
  waiting: { intentions: [], held: null },
  /** Which channels are sessions, with settings of their own. */
  sessions: [],
  /** What waits for somebody's approval in the channel on show, oldest first. */
  pending: [],
  /** The message whose decision is on show instead of now: `{ message, explained }`. */
  pinned: null,
  /** How many messages came that were not read, by channel. */
  unread: new Map(),
  /** The last message of the channel on show that was read when what is new came; `null` where nothing is. */
  unreadFrom: null,
  /** Whether the newest line of the channel on show is in view. */
  following: true,
  /** Until when somebody is typing in the channel on show, by id. */
  typing: new Map(),
  /** The daemon's clock minus this one, in milliseconds. */
  ahead: 0,
};

const listeners = new Map();

/** Calls `listener` whenever one of `topics` changes. */
export function on(topics, listener) {
  for (const topic of topics.split(" ")) listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
}

/** Tells that a topic changed. */
export function changed(topic, detail) {
  for (const listener of listeners.get(topic) ?? []) listener(detail);
}

/** The channel on show. */
export const here = () => room.channels.find((channel) => channel.id === room.channel);

/** Everybody in the channel on show, the companion last. */
export const members = () => [...room.people, ...(here() ? [here().companion] : [])];

/** The person one writes as. */
export const me = () => room.people.find((person) => person.id === room.person);

/** The daemon's time, in milliseconds. */
export const now = () => Date.now() + room.ahead;

let fetching = 0;
let held = [];

/** Fetches while live events wait, so that an answer that is older than an event never covers it. */
async function holding(fetch) {
  fetching += 1;
  try {
    await fetch();
  } finally {
    fetching -= 1;
    if (fetching === 0) {
      const waiting = held;
      held = [];
      waiting.forEach(happened);
    }
  }
}

/** Puts a channel on show that was just made. The event that tells of it may still be on its way. */
export async function showNew(channel) {
  const isKnown = () => room.channels.some(({ id }) => id === channel);
  if (!isKnown()) room.channels = (await ask("state")).channels;
  if (isKnown()) await show(channel);
}

/** Fetches everything anew: at the start, and whenever the stream was broken. `prepare` comes before the history. */
export function fetchAll(prepare) {
  return holding(async () => {
    const [{ people, channels, model }, { sessions }] = await Promise.all([ask("state"), ask("sessions")]);
    Object.assign(room, { people, channels, model, sessions });
    const stored = (name) => localStorage.getItem(`kith.${name}`);
    if (!here()) room.channel = (channels.find(({ id }) => id === stored("channel")) ?? channels[0])?.id ?? null;
    if (!me()) room.person = (people.find(({ id }) => id === stored("person")) ?? people[0])?.id ?? null;
    changed("channels");
    changed("people");
    changed("model");
    await prepare();
    if (room.channel !== null) await show(room.channel, true);
  });
}

/**
 * Puts a channel on show, at its newest lines. With `again` it is what the page does by itself: who reads far back, or
 * has gone elsewhere in the channel before the answer is here, stays there.
 */
export function show(channel, again = false) {
  if (channel !== room.channel) {
    const waiting = { intentions: [], held: null };
    Object.assign(room, { channel, messages: [], isLoaded: false, more: false, turns: [], mind: null, pinned: null, waiting, pending: [] });
    room.typing.clear();
    changed("shown");
    changed("history");
    changed("turns");
    changed("pending");
  }
  localStorage.setItem("kith.channel", channel);
  changed("channels");
  const shown = room.messages;
  const readsBack = again && !room.following && shown.length > 0;
  return holding(async () => {
    const [history, { turns }, mind, waiting, { pending }] = await Promise.all([
      readsBack ? fetchShown(channel, shown) : ask("history", { channel }),
      ask("turns", { channel }),
      ask("mind", { channel }),
      ask("intentions", { channel }),
      ask("pending", { channel }),
    ]);
    if (room.channel !== channel) return;
    const isLate = again && room.messages !== shown;
    // What is on show then was asked for before the stream was whole: the way down fetches what came since.
    Object.assign(room, isLate ? { newer: true } : { newer: false, ...history }, { isLoaded: true, turns, waiting, pending });
    setMind(mind);
    if (!isLate) changed(readsBack ? "newer" : "history");
    changed("turns");
    changed("pending");
    if (mind.turn !== null && !turns.some(({ turn }) => turn === mind.turn)) await joinRunning(mind.turn);
  });
}

/** Fetches what is on show once more. */
async function fetchShown(channel, shown) {
  const { more } = room;
  const messages = [];
  let after = String(BigInt(shown[0].id) - 1n);
  let newer = true;
  while (newer && messages.length < shown.length) {
    const page = await ask("history", { channel, after });
    messages.push(...page.messages);
    newer = page.more && page.messages.length > 0;
    after = messages.at(-1)?.id ?? after;
  }
  return { messages, more, newer };
}

async function joinRunning(turn) {
  const whole = await ask("turn", { id: turn });
  if (!whole.running || whole.report.channel !== room.channel) return;
  const raw = whole.report.rounds.at(-1)?.raw ?? "";
  room.turns.unshift({ ...whole.report, running: true, raw, news: whole.news, calling: whole.calls });
  changed("turns");
}

let paging = false;

/** Fetches the page of messages before the oldest one on show, or after the newest. */
async function fetchPage(fields, take) {
  if (paging) return;
  paging = true;
  const { channel, messages } = room;
  try {
    const page = await ask("history", { channel, ...fields });
    // Others may be on show by now.
    if (room.messages === messages) take(page);
  } finally {
    paging = false;
  }
}

/** Fetches the page of messages before the oldest one on show. */
export const fetchOlder = () =>
  fetchPage({ before: room.messages[0]?.id ?? null }, ({ messages, more }) => {
    Object.assign(room, { messages: [...messages, ...room.messages], more });
    changed("older");
  });

/** Fetches the page of messages after the newest one on show, where there are newer ones. */
export const fetchNewer = () =>
  fetchPage({ after: room.messages.at(-1)?.id ?? null }, ({ messages, more }) => {
    Object.assign(room, { messages: [...room.messages, ...messages], newer: more });
    changed("newer");
  });

/** Puts the messages around one on show. */
export async function showAround(id) {
  const { channel } = room;
  const [before, after] = await Promise.all([
    ask("history", { channel, before: String(BigInt(id) + 1n) }),
    ask("history", { channel, after: id }),
  ]);
  if (room.channel !== channel) return;
  Object.assign(room, { messages: [...before.messages, ...after.messages], more: before.more, newer: after.more });
  changed("around");
}

/** Writes as this person from now on. */
export function become(person) {
  room.person = person;
  localStorage.setItem("kith.person", person);
  changed("people");
}

/** Shows why it spoke or kept silent at a message; `null` returns to now. */
export async function pin(message) {
  room.pinned = message && { message, explained: { decision: message.decision, loading: true } };
  changed("mind");
  if (!message) return;
  const explained = await ask("decision", { channel: room.channel, message: message.id });
  if (room.pinned?.message !== message) return;
  room.pinned = { message, explained };
  changed("mind");
}

function setMind(mind) {
  room.mind = mind;
  room.ahead = mind.at - Date.now();
  changed("mind");
}

let mindTimer = 0;

/** Fetches the state of mind soon; several wishes at once become one. */
export function refreshMind() {
  clearTimeout(mindTimer);
  mindTimer = setTimeout(async () => {
    const channel = room.channel;
    const mind = await ask("mind", { channel }).catch(() => null);
    if (mind && room.channel === channel) setMind(mind);
  }, 80);
}

async function refreshWaiting() {
  const channel = room.channel;
  const waiting = await ask("intentions", { channel }).catch(() => null);
  if (!waiting || room.channel !== channel) return;
  room.waiting = waiting;
  changed("intentions");
}

async function refreshSessions() {
  const known = await ask("sessions").catch(() => null);
  if (!known) return;
  room.sessions = known.sessions;
  changed("channels");
}

/** Fetches what waits for approval; what quotes a message that is gone waits no more. */
export async function refreshPending() {
  const channel = room.channel;
  const answer = await ask("pending", { channel }).catch(() => null);
  if (!answer || room.channel !== channel) return;
  room.pending = answer.pending;
  changed("pending");
}

/** Puts a message at its place by id, or replaces it. */
export function put(message) {
  const at = room.messages.findIndex(({ id }) => id === message.id);
  if (at >= 0) {
    room.messages[at] = message;
    changed("message", message);
    return;
  }
  const after = room.messages.findLastIndex(({ id }) => BigInt(id) < BigInt(message.id));
  room.messages.splice(after + 1, 0, message);
  changed("said", message);
}

/** How many lines of its tools' news a turn shows. */
const NEWS_KEPT = 40;

const find = (id) => room.messages.find((message) => message.id === id);

const effects = {
  message(event) {
    room.typing.delete(event.author.id);
    changed("typing");
    // Where it belongs is not on show.
    if (!room.newer) put(event);
  },
  edited({ message, text }) {
    const found = find(message);
    if (found) Object.assign(found, { text, edited: true });
    if (found) changed("message", found);
    if (room.pending.length > 0) refreshPending();
  },
  deleted({ messages }) {
    room.messages.splice(0, Infinity, ...room.messages.filter(({ id }) => !messages.includes(id)));
    if (messages.includes(room.pinned?.message.id)) room.pinned = null;
    for (const id of messages) changed("gone", id);
    changed("mind");
    if (room.pending.length > 0) refreshPending();
  },
  reaction({ message, by, emoji, added }) {
    const found = find(message);
    if (!found) return;
    const one = found.reactions.find((reaction) => reaction.emoji === emoji) ?? { emoji, by: [] };
    one.by = one.by.filter(({ id }) => id !== by.id);
    if (added) one.by.push(by);
    if (added && !found.reactions.includes(one)) found.reactions.push(one);
    found.reactions = found.reactions.filter((reaction) => reaction.by.length > 0);
    changed("message", found);
  },
  typing({ user }) {
    room.typing.set(user, Date.now() + 10_000);
    changed("typing");
  },
  typing_ended({ user }) {
    room.typing.delete(user);
    changed("typing");
  },
  decision(event) {
    const found = find(event.message);
    if (found) found.decision = event;
    if (found) changed("message", found);
    refreshMind();
  },
  decision_point({ own }) {
    refreshMind();
    if (own) refreshWaiting();
  },
  intentions({ over }) {
    refreshWaiting();
    if (over?.kept) changed("lapsed", over.kept);
  },
  pending: refreshPending,
  next_decision_point({ at }) {
    if (room.mind) room.mind.next_decision_point = at;
    changed("mind");
  },
  turn_started({ turn, channel, at, wake }) {
    if (room.turns.some((known) => known.turn === turn)) return;
    room.turns.unshift({ turn, channel, wake, started: at, ended: at, rounds: [], notes: [], running: true, raw: "", news: [], calling: [] });
    if (room.mind) room.mind.turn = turn;
    changed("turns");
    changed("mind");
  },
  turn_progress({ turn, ask: round, delta }) {
    const known = room.turns.find((running) => running.turn === turn);
    if (!known?.running) return;
    known.raw = known.round === round ? known.raw + delta : delta;
    known.round = round;
    changed("progress", known);
  },
  tool_news({ turn, number, tool, text, name, data, log }) {
    const known = room.turns.find((running) => running.turn === turn);
    if (!known?.running || known.news.some((told) => told.number === number)) return;
    known.news = [...known.news, { number, tool, text, name, data, log }].slice(-NEWS_KEPT);
    changed("news", known);
  },
  running_calls({ turn, calls }) {
    const known = room.turns.find((running) => running.turn === turn);
    if (!known?.running) return;
    known.calling = calls;
    changed("calling", known);
  },
  turn_finished(report) {
    const at = room.turns.findIndex(({ turn }) => turn === report.turn);
    room.turns.splice(Math.max(at, 0), at < 0 ? 0 : 1, { ...report, news: room.turns[at]?.news });
    changed("turns");
    refreshMind();
  },
};

/** Takes in one live event. */
export function happened(event) {
  if (fetching > 0) return void held.push(event);
  if (event.type === "session") return void refreshSessions();
  const channel = event.type === "channel" ? null : (event.channel ?? null);
  if (channel !== null) {
    if (event.type === "message" && !find(event.id)) changed("heard", event);
    if (channel === room.channel) effects[event.type]?.(event);
    return;
  }
  if (event.removed) return removed(event);
  const replaced = (list) =>
    list.some(({ id }) => id === event.id) ? list.map((old) => (old.id === event.id ? event : old)) : [...list, event];
  if (event.type === "channel") room.channels = replaced(room.channels);
  if (event.type === "person") room.people = replaced(room.people);
  if (event.type === "model") room.model = event;
  if (event.type === "notice") return changed("notice", event.text);
  changed({ channel: "channels", person: "people" }[event.type] ?? event.type);
}

function removed({ type, removed: id }) {
  const kept = (list) => list.filter((one) => one.id !== id);
  if (type === "person_removed") {
    room.people = kept(room.people);
    if (!me()) return become(room.people[0]?.id ?? null);
    return changed("people");
  }
  room.channels = kept(room.channels);
  room.unread.delete(id);
  if (room.channel === id && room.channels.length > 0) return void show(room.channels[0].id);
  changed("channels");
}
