// Servers and channels: mode, willingness now, when it spoke last, and what was spent today. Filter, order and pages are
// the daemon's, for there may be thousands.

import { h, replace } from "/dom.js";
import { percent, t, whole } from "/i18n.js";
import { ago, askConsole, channelLink, cost, fact, repeat, table, to } from "/console_parts.js";

/** How often what is shown is fetched again, in milliseconds. */
const REFRESH = 10_000;
const ORDERS = ["heard", "spoke", "name"];
const MODES = ["on", "observe", "off"];

/** What is looked for, kept while other views are shown. */
const query = { text: "", guild: "", mode: "", order: "heard", page: 0 };

const fetchOverview = () =>
  askConsole("overview", { ...query, guild: query.guild || null, mode: query.mode || null });

export async function drawOverview(_, signal) {
  const [facts, list] = [h("dl", { class: "facts" }), h("div", { class: "stack" })];
  const first = await fetchOverview();
  const guild = choice("guild", t("server"), guildOptions(first), refresh);
  const form = h(
    "form",
    { class: "filter", role: "search", onsubmit: (event) => event.preventDefault() },
    h(
      "label",
      null,
      t("find_channel"),
      h("input", { type: "search", value: query.text, oninput: (event) => change({ text: event.target.value }) }),
    ),
    guild,
    choice("mode", t("mode"), [["", t("all_modes")], ...MODES.map((name) => [name, t(`state_${name}`)])], refresh),
    choice(
      "order",
      t("order"),
      ORDERS.map((name) => [name, t(`order_${name}`)]),
      refresh,
    ),
  );
  let number = 0;

  function change(wanted) {
    Object.assign(query, { page: 0 }, wanted);
    return refresh();
  }

  async function refresh() {
    const mine = ++number;
    const overview = await fetchOverview();
    if (mine === number && !signal.aborted) fill(overview);
  }

  function fill(overview) {
    replace(facts, drawFacts(overview));
    const focused = list.contains(document.activeElement) && document.activeElement.getAttribute("href");
    replace(list, drawChannels(overview), pager(overview, change));
    if (focused) list.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  }

  fill(first);
  repeat(refresh, REFRESH, signal);
  return [h("h1", null, t("view_overview")), facts, form, list];
}

const guildOptions = ({ guilds }) => [
  ["", t("all_servers")],
  ...guilds
    .filter(({ id }) => id)
    .map(({ id, name, channels }) => [
      id,
      `${name || (guilds.length === 1 ? t("the_room") : id)} (${whole(channels)})`,
    ]),
];

function choice(name, label, options, changed) {
  const onchange = (event) => {
    Object.assign(query, { page: 0, [name]: event.target.value });
    return changed();
  };
  return h(
    "label",
    null,
    label,
    h(
      "select",
      { "data-filter": name, onchange },
      options.map(([value, words]) => h("option", { value, selected: query[name] === value }, words)),
    ),
  );
}

function drawFacts({ model, cost_today: today, cost_cap: cap, total, processes }) {
  const share = model.daily_cap ? Math.min(1, model.tokens_today / model.daily_cap) : 0;
  return [
    fact(t("model"), model.name, model.trouble && h("p", { class: "problem" }, model.trouble)),
    fact(
      t("tokens_today"),
      model.daily_cap
        ? t("of_cap", { used: whole(model.tokens_today), cap: whole(model.daily_cap) })
        : whole(model.tokens_today),
      h("span", { class: "meter", "aria-hidden": "true" }, h("span", { "--share": share })),
    ),
    fact(t("cost_today"), cap ? t("of_cap", { used: cost(today), cap: cost(cap) }) : cost(today)),
    fact(t("channels"), whole(total)),
    processes.length > 0 && fact(t("processes"), h("ul", { class: "processes" }, processes.map(drawProcess))),
  ];
}

function drawProcess({ name, partitions, is_own: isOwn }) {
  const runs = partitions.length ? t("runs_partitions", { partitions: partitions.join(", ") }) : t("waits_to_take_over");
  return h("li", null, isOwn ? t("this_process", { name }) : name, " – ", runs);
}

function drawChannels({ channels, at, guilds }) {
  const names = new Map(guilds.map(({ id, name }) => [id, name]));
  const columns = [
    [t("channel")],
    [t("mode")],
    [t("willingness_now"), "wide"],
    [t("heard_last"), "number"],
    [t("spoke_last"), "number"],
    [t("tokens_today"), "number"],
  ];
  const rows = channels.map((channel) => [
    [
      channelLink(channel.id, channel.name),
      names.get(channel.guild) && h("span", { class: "small" }, " ", names.get(channel.guild)),
    ],
    channel.mode ? h("span", { class: `pill ${channel.mode}` }, t(`state_${channel.mode}`)) : t("state_gone"),
    willingness(channel),
    ago(channel.heard, at),
    ago(channel.spoke, at),
    channel.daily_cap
      ? t("of_cap", { used: whole(channel.tokens_today), cap: whole(channel.daily_cap) })
      : whole(channel.tokens_today),
  ]);
  return table(t("channels"), columns, rows, t("no_channel_fits"));
}

function willingness({ score, threshold, turn }) {
  if (turn) return to(`turn/${turn}`, t("thinking_now"));
  if (score === null || threshold === null) return "—";
  return h(
    "span",
    { class: score >= threshold ? "will speaks" : "will" },
    h(
      "span",
      { class: "track", "--score": score, "--bar": threshold, "aria-hidden": "true" },
      h("span", { class: "fill" }),
      h("span", { class: "mark" }),
    ),
    h("span", { class: "small" }, t("score_of_bar", { score: percent(score), bar: percent(threshold) })),
  );
}

function pager({ total, page_size: size }, change) {
  const pages = Math.max(1, Math.ceil(total / size));
  if (pages === 1) return null;
  const go = (page, words) =>
    h(
      "button",
      { type: "button", class: "plain", disabled: page < 0 || page >= pages, onclick: () => change({ page }) },
      words,
    );
  return h(
    "div",
    { class: "row pager" },
    go(query.page - 1, t("page_before")),
    h("span", { class: "small" }, t("page_of", { page: whole(query.page + 1), pages: whole(pages) })),
    go(query.page + 1, t("page_after")),
  );
}
