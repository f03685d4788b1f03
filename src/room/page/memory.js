// The panel of the memory: people with what is known of them, what happened by day, core memory, and the search.

import { askMemory } from "/api.js";
import { drawBlocks } from "/core_memory.js";
import { byId, h, icon, replace } from "/dom.js";
import { t } from "/i18n.js";
import { drawEpisodes, drawPeople } from "/memory_lists.js";
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
/** What the daemon answered last for the channel on show; none before it did. */
let known = null;
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
  on("shown", () => {
    known = null;
    draw();
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
    askMemory("all_memories", { channel, limit }),
    askMemory("core_memory", { channel }),
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
  found = text && { text, ...(await askMemory("search_memory", { channel, text })) };
  if (room.channel === channel) draw();
}

function drawBody() {
  const body = panel.querySelector(".memory-body");
  if (!known) return replace(body);
  const drawn = found ? drawFound(found, acts) : LISTS[view]();
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
  /** What is seen in the channel on show is changed there. */
  placeOf: () => room.channel,
  channelName: (channel) => room.channels.find(({ id }) => id === channel)?.name,
  isInView: (line) => line.channel === room.channel && room.messages.some(({ id }) => id === line.id),
  /** The name of somebody. */
  nameOf: (id) => {
    const person = [...(known?.people ?? []), ...members()].find((one) => one.id === id);
    return person?.name ?? t("somebody");
  },
  /** Something changed: fetch it, and leave the focus at the entry that tells of it. */
  changed: async (id) => {
    panel.querySelector("form textarea")?.closest("form").remove();
    if (found) found = { text: found.text, ...(await askMemory("search_memory", { channel: room.channel, text: found.text })) };
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

function drawCore() {
  const change = async (name, fields) => {
    const { blocks } = await askMemory(name, { channel: room.channel, ...fields });
    known.blocks = blocks;
    draw();
    byId(`block-${fields.label}`)?.focus();
  };
  return drawBlocks(known.blocks, change, acts);
}

const LISTS = {
  people: () => drawPeople(known, unfolded, acts),
  episodes: () => drawEpisodes(known, acts),
  blocks: drawCore,
};
