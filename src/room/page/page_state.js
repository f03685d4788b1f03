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
  /** Of the channel on show, oldest first. */
  messages: [],
  more: false,
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
  /** Channels with something new. */
  unread: new Set(),
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

/** Fetches everything anew: at the start, and whenever the stream was broken. */
export function fetchAll() {
  return holding(async () => {
    const [{ people, channels, model }, { sessions }] = await Promise.all([ask("state"), ask("sessions")]);
    Object.assign(room, { people, channels, model, sessions });
    const stored = (name) => localStorage.getItem(`kith.${name}`);
    if (!here()) room.channel = (channels.find(({ id }) => id === stored("channel")) ?? channels[0])?.id ?? null;
    if (!me()) room.person = (people.find(({ id }) => id === stored("person")) ?? people[0])?.id ?? null;
    changed("channels");
    changed("people");
    changed("model");
    if (room.channel !== null) await show(room.channel);
  });
}

/** Puts a channel on show. */
export function show(channel) {
  if (channel !== room.channel) {
    const waiting = { intentions: [], held: null };
    Object.assign(room, { channel, messages: [], more: false, turns: [], mind: null, pinned: null, waiting, pending: [] });
    room.typing.clear();
    changed("history");
    changed("turns");
    changed("pending");
  }
  room.unread.delete(channel);
  localStorage.setItem("kith.channel", channel);
  changed("channels");
  return holding(async () => {
    const [history, { turns }, mind, waiting, { pending }] = await Promise.all([
      ask("history", { channel }),
      ask("turns", { channel }),
      ask("mind", { channel }),
      ask("intentions", { channel }),
      ask("pending", { channel }),
    ]);
    if (room.channel !== channel) return;
    Object.assign(room, history, { turns, waiting, pending });
    setMind(mind);
    changed("history");
    changed("turns");
    changed("pending");
    if (mind.turn !== null && !turns.some(({ turn }) => turn === mind.turn)) await joinRunning(mind.turn);
  });
}

async function joinRunning(turn) {
  const whole = await ask("turn", { id: turn });
  if (!whole.running || whole.report.channel !== room.channel) return;
  const raw = whole.report.rounds.at(-1)?.raw ?? "";
  room.turns.unshift({ ...whole.report, running: true, raw, news: whole.news });
  changed("turns");
}

/** Fetches the page of messages before the oldest one on show. */
export async function fetchOlder() {
  const { channel, messages } = room;
  const page = await ask("history", { channel, before: messages[0]?.id ?? null });
  if (room.channel !== channel) return;
  room.messages = [...page.messages, ...room.messages];
  room.more = page.more;
  changed("older");
}

/** Writes as this person from now on. */
export function become(person) {
  room.person = person;
  localStorage.setItem("kith.person", person);
  changed("people");
}

/** Shows why it spoke or kept silent at a message; `null` returns to now. */
export async function pin(message) {
  room.pinned = message && { message, explained: { decision: message.decision, beat: null, turn: null } };
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
    put(event);
  },
  edited({ message, text }) {
    const found = find(message);
    if (found) Object.assign(found, { text, edited: true });
    if (found) changed("message", found);
    if (room.pending.length > 0) refreshPending();
  },
  deleted({ messages }) {
    room.messages = room.messages.filter(({ id }) => !messages.includes(id));
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
  beat({ own }) {
    refreshMind();
    if (own) refreshWaiting();
  },
  intentions({ over }) {
    refreshWaiting();
    if (over?.kept) changed("lapsed", over.kept);
  },
  pending: refreshPending,
  next_beat({ at }) {
    if (room.mind) room.mind.next_beat = at;
    changed("mind");
  },
  turn_started({ turn, channel, at, wake }) {
    if (room.turns.some((known) => known.turn === turn)) return;
    room.turns.unshift({ turn, channel, wake, started: at, ended: at, rounds: [], notes: [], running: true, raw: "", news: [] });
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
  tool_news({ turn, number, tool, text, name, data }) {
    const known = room.turns.find((running) => running.turn === turn);
    if (!known?.running || known.news.some((told) => told.number === number)) return;
    known.news = [...known.news, { number, tool, text, name, data }].slice(-NEWS_KEPT);
    changed("news", known);
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
    if (channel === room.channel) return effects[event.type]?.(event);
    if (event.type === "message") room.unread.add(channel);
    return event.type === "message" && changed("channels");
  }
  const replaced = (list) =>
    list.some(({ id }) => id === event.id) ? list.map((old) => (old.id === event.id ? event : old)) : [...list, event];
  if (event.type === "channel") room.channels = replaced(room.channels);
  if (event.type === "person") room.people = replaced(room.people);
  if (event.type === "model") room.model = event;
  if (event.type === "notice") return changed("notice", event.text);
  changed({ channel: "channels", person: "people" }[event.type] ?? event.type);
}
