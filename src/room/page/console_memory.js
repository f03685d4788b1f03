// The memory in all channels: core memory with what it said before, what is known of people, what happened, and the search.
// By channel, server and person; said otherwise and erased as in the room, and by the same code.

import { askMemory } from "/api.js";
import { drawBlocks } from "/core_memory.js";
import { byId, h, replace } from "/dom.js";
import { t, whole } from "/i18n.js";
import { drawEpisodes, drawPeople } from "/memory_lists.js";
import { drawFound } from "/memory_search.js";
import { to } from "/console_parts.js";

/** The views, each with the message that names it. */
const VIEWS = ["people", "episodes", "blocks"];
/** So many memories more with each click, and the most. */
const [PAGE, MOST] = [500, 2_000];

/** What is looked for, kept while other views are shown. */
const query = { channel: "", guild: "", person: "", text: "", view: "people" };
/** Whose facts are unfolded. */
const unfolded = new Set();

export async function drawMemory([address], signal) {
  const channel = address ?? "";
  // Who was looked for elsewhere may not be known here.
  if (channel !== query.channel) Object.assign(query, { channel, person: "" });
  if (channel) query.guild = "";
  let limit = PAGE;
  /** What was answered last. Its people are all of that place, whoever is chosen. */
  let known = { people: [], memories: [], more: false, blocks: null };
  let found = null;
  const [views, body] = [h("div", { class: "memory-views", role: "group" }), h("div", { class: "memory-body", "aria-live": "polite" })];
  const places = await askMemory("memory_places");

  /** What the daemon is asked for: a channel, else a server, else everything. */
  const place = () => ({ channel: query.channel || null, guild: query.guild || null });

  async function refresh() {
    const person = query.person || null;
    const [overview, core] = await Promise.all([
      askMemory("all_memories", { ...place(), person, limit }),
      query.channel ? askMemory("core_memory", { channel: query.channel }) : { blocks: null },
    ]);
    if (signal.aborted) return;
    known = { ...overview, ...core };
    found = query.text && { text: query.text, ...(await askMemory("search_memory", { ...place(), person, text: query.text })) };
    if (!signal.aborted) fill();
  }

  const acts = {
    goTo: () => {},
    isInView: () => false,
    placeOf: ({ channel }) => channel,
    channelName: (id) => places.channels.find((one) => one.id === id)?.name,
    nameOf: (id) => known.people.find((one) => one.id === id)?.name ?? t("somebody"),
    /** Something changed: fetch it, and leave the focus at the entry that tells of it. */
    changed: async (id) => {
      await refresh();
      (byId(id) ?? views.querySelector("button")).focus();
    },
    /** Draws anew as it was: nobody is editing any more. */
    draw: (id) => {
      fill();
      byId(id)?.focus();
    },
  };

  function fill() {
    replace(views, VIEWS.map(drawChoice));
    const older = known.more && !found && query.view !== "blocks" && limit < MOST && olderButton();
    replace(body, found ? drawFound(found, acts) : LISTS[query.view](), older);
  }

  const LISTS = {
    people: () => drawPeople(known, unfolded, acts),
    episodes: () => drawEpisodes(known, acts),
    blocks: () => (known.blocks ? drawBlocks(known.blocks, changeBlock, acts) : h("p", { class: "note" }, t("memory_choose_channel"))),
  };

  async function changeBlock(name, fields) {
    Object.assign(known, await askMemory(name, { channel: query.channel, ...fields }));
    fill();
    byId(`block-${fields.label}`)?.focus();
  }

  function olderButton() {
    const fetchOlder = () => {
      limit = Math.min(limit + PAGE, MOST);
      return refresh();
    };
    return h("button", { type: "button", class: "plain", onclick: fetchOlder }, t("memory_older"));
  }

  function drawChoice(name) {
    const choose = () => {
      Object.assign(query, { view: name, text: "" });
      [found, field.value] = [null, ""];
      fill();
      views.querySelector(`[data-view="${name}"]`).focus();
    };
    const isChosen = String(!found && query.view === name);
    return h("button", { type: "button", "data-view": name, "aria-pressed": isChosen, onclick: choose }, t(`memory_view_${name}`));
  }

  const field = h("input", { type: "search", maxlength: 400, autocomplete: "off", value: query.text });
  await refresh();
  const choices = [
    choice("guild", t("server"), guildOptions(places), (guild) => choosePlace({ guild, channel: "" })),
    choice("channel", t("channel"), channelOptions(places), (channel) => choosePlace({ channel })),
    choice("person", t("person"), personOptions(known.people), (person) => {
      query.person = person;
      return refresh();
    }),
  ];
  const look = (event) => {
    event.preventDefault();
    query.text = field.value.trim();
    return refresh();
  };
  const form = h(
    "form",
    { class: "filter", role: "search", onsubmit: look },
    h("div", { class: "find" }, h("label", null, t("memory_search"), field), h("button", { class: "plain" }, t("memory_find"))),
    choices,
  );
  const name = query.channel && (acts.channelName(query.channel) ?? query.channel);
  return [
    h("h1", null, name ? t("memory_in", { channel: `#${name}` }) : t("view_memory")),
    name && h("p", { class: "row" }, to(`channel/${query.channel}`, t("day_plot")), to("memory", t("memory_everywhere"))),
    form,
    h("section", { class: "panel memory" }, h("h2", { class: "unseen" }, t("memory")), views, body),
  ];
}

/** Another place is another address, so that it can be linked to and gone back from. */
function choosePlace(wanted) {
  const address = wanted.channel ? `#memory/${wanted.channel}` : "#memory";
  Object.assign(query, { person: "" }, wanted);
  if (location.hash === address) return window.dispatchEvent(new HashChangeEvent("hashchange"));
  location.hash = address;
}

const guildOptions = ({ guilds }) => [["", t("all_servers")], ...guilds.map(({ id, name }) => [id, name || id])];

function channelOptions({ channels }) {
  const fits = ({ guild }) => !query.guild || guild === query.guild;
  const known = channels.filter(fits).map(({ id, name, memories }) => [id, `#${name || id} (${whole(memories)})`]);
  // A channel may be looked at in which nothing is remembered yet.
  const isKnown = !query.channel || known.some(([id]) => id === query.channel);
  return [["", t("all_channels")], ...(isKnown ? [] : [[query.channel, `#${query.channel}`]]), ...known];
}

const personOptions = (people) => [
  ["", t("everybody")],
  ...people.map(({ id, name }) => [id, name]).toSorted(([, one], [, other]) => one.localeCompare(other)),
];

function choice(name, label, options, chosen) {
  return h(
    "label",
    null,
    label,
    h(
      "select",
      { "data-filter": name, onchange: (event) => chosen(event.target.value) },
      options.map(([value, words]) => h("option", { value, selected: query[name] === value }, words)),
    ),
  );
}
