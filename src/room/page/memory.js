// The panel of the memory: people with what is known of them, what happened by day, core memory, and the search.

import { ask } from "/api.js";
import { drawBlocks } from "/core_memory.js";
import { byId, h, icon, replace, sign } from "/dom.js";
import { date, day, t, whole } from "/i18n.js";
import { drawEntry } from "/memory_entry.js";
import { drawFound } from "/memory_search.js";
import { members, on, room } from "/page_state.js";

const panel = byId("memory");
/** The views, each with the message that names it. */
const VIEWS = ["people", "episodes", "blocks"];
/** How often it is fetched while it is on show, in milliseconds: talks become memories in the background. */
const LOOK_AGAIN = 30_000;
/** So many memories more with each click. */
const PAGE = 500;

let page = {};
let view = "people";
let limit = PAGE;
/** What the daemon answered last. */
let known = { people: [], memories: [], more: false, blocks: [] };
/** What was looked for and found; none while nothing is looked for. */
let found = null;
/** Whose facts are unfolded. */
const unfolded = new Set();

/** Wires the panel. `acts` does what spans the page: close, goTo. */
export function start(acts) {
  page = acts;
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.isComposing) page.close();
  });
  on("history", () => {
    found = null;
    limit = PAGE;
    refresh();
  });
  on("turns gone", refresh);
  setInterval(() => document.visibilityState === "visible" && refresh(), LOOK_AGAIN);
}

const isShown = () => document.body.dataset.pane === "memory" && room.channel !== null;

/** Fetches what is remembered where the panel is on show, and draws it if it changed and nobody is editing. */
export async function refresh() {
  if (!isShown()) return;
  const { channel } = room;
  const [overview, { blocks }] = await Promise.all([
    ask("all_memories", { channel, limit }),
    ask("core_memory", { channel }),
  ]);
  if (room.channel !== channel || panel.querySelector("form textarea")) return;
  const fresh = { ...overview, blocks };
  if (panel.firstChild && JSON.stringify(fresh) === JSON.stringify(known)) return;
  known = fresh;
  draw();
}

/** Draws the panel in the language of the page. */
export function draw() {
  if (!panel.querySelector(".memory-body")) drawFrame();
  panel.querySelector("h2").textContent = t("memory");
  replace(panel.querySelector(".memory-views"), VIEWS.map(drawChoice));
  const field = panel.querySelector("input");
  field.placeholder = t("memory_search");
  field.setAttribute("aria-label", t("memory_search"));
  panel.querySelector(".memory-search button").textContent = t("memory_find");
  panel.querySelector("header button").setAttribute("aria-label", t("close"));
  drawBody();
}

function drawFrame() {
  const field = h("input", { type: "search", maxlength: 400, autocomplete: "off" });
  const search = h("form", { class: "memory-search", role: "search" }, field, h("button", { class: "plain" }));
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    find(field.value.trim());
  });
  replace(
    panel,
    h(
      "header",
      null,
      h("h2"),
      h("button", { type: "button", class: "quiet icon", onclick: () => page.close() }, icon("close")),
    ),
    search,
    h("div", { class: "memory-views", role: "group" }),
    h("div", { class: "memory-body", "aria-live": "polite" }),
  );
}

function drawChoice(name) {
  const choose = () => {
    view = name;
    found = null;
    panel.querySelector("input").value = "";
    draw();
    panel.querySelector(`[data-view="${name}"]`).focus();
  };
  return h(
    "button",
    { type: "button", "data-view": name, "aria-pressed": String(!found && view === name), onclick: choose },
    t(`memory_view_${name}`),
  );
}

async function find(text) {
  const { channel } = room;
  found = text && { text, ...(await ask("search_memory", { channel, text })) };
  if (room.channel === channel) draw();
}

function drawBody() {
  const body = panel.querySelector(".memory-body");
  const drawn = found ? drawFound(found, acts) : { people: drawPeople, episodes: drawEpisodes, blocks: drawCore }[view]();
  const more =
    !found && known.more && view !== "blocks" && h("button", { type: "button", class: "plain", onclick: fetchMore }, t("memory_older"));
  replace(body, drawn, more);
}

function fetchMore() {
  limit = Math.min(limit + PAGE, 2_000);
  return refresh();
}

/** What an entry, a line or a block can do, and knows of the rest. */
const acts = {
  goTo: (id) => page.goTo(id),
  /** The name of somebody. */
  nameOf: (id) => {
    const person = [...known.people, ...members()].find((one) => one.id === id);
    return person?.name ?? t("somebody");
  },
  /** Something changed: fetch it, and leave the focus at the entry that tells of it. */
  changed: async (id) => {
    panel.querySelector("form textarea")?.closest("form").remove();
    if (found) found = { text: found.text, ...(await ask("search_memory", { channel: room.channel, text: found.text })) };
    await refresh();
    draw();
    (byId(id) ?? panel.querySelector("[data-view]")).focus();
  },
  /** Draws anew as it was: nobody is editing any more. */
  draw: (id) => {
    draw();
    byId(id)?.focus();
  },
};

function drawPeople() {
  const facts = known.memories.filter(({ person }) => person !== null);
  const ids = [...new Set(facts.map(({ person }) => person))];
  if (ids.length === 0) return h("p", { class: "note" }, t("memory_no_facts"));
  return ids.map((id) => {
    const told = facts.filter(({ person }) => person === id);
    const person = known.people.find((one) => one.id === id) ?? { id, name: acts.nameOf(id) };
    const details = h(
      "details",
      { class: "remembered-person", open: unfolded.has(id) },
      h("summary", null, sign(person), h("strong", null, person.name), h("span", { class: "small count" }, whole(told.length))),
      h("ul", null, told.map((entry) => h("li", null, drawEntry(entry, acts)))),
    );
    details.addEventListener("toggle", () => (details.open ? unfolded.add(id) : unfolded.delete(id)));
    return details;
  });
}

function drawEpisodes() {
  const episodes = known.memories.filter(({ person }) => person === null);
  if (episodes.length === 0) return h("p", { class: "note" }, t("memory_no_episodes"));
  const days = Map.groupBy(episodes, ({ at }) => new Date(at).toDateString());
  const drawDay = (entries) => {
    const { at } = entries[0];
    const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
    const title = h("h3", null, isThisYear ? day(at) : date(at));
    return h("li", null, title, h("ul", null, entries.map((entry) => h("li", null, drawEntry(entry, acts)))));
  };
  return h("ol", { class: "episodes" }, [...days.values()].map(drawDay));
}

function drawCore() {
  const change = async (name, fields) => {
    const { blocks } = await ask(name, { channel: room.channel, ...fields });
    known.blocks = blocks;
    draw();
    byId(`block-${fields.label}`)?.focus();
  };
  return drawBlocks(known.blocks, change, acts);
}
