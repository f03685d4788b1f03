// What was spent by day, channel, function and model: in money where there are prices, else in tokens.

import { h } from "/dom.js";
import { dayOf, money, percent, t, whole } from "/i18n.js";
import { askConsole, channelLink, cost, section, table, to, tokens } from "/console_parts.js";
import { axis, plot } from "/console_plot.js";
import uPlot from "/uplot.mjs";

const SPANS = [7, 30, 90, 365];
const COLOURS = ["#5f7bc4", "#3f8f6b", "#c99b4a", "#a04a25", "#8a63b8", "#7a7466"];
const DAY = 86_400;

export async function drawSpend([wanted], signal) {
  const days = SPANS.includes(Number(wanted)) ? Number(wanted) : 30;
  const spend = await askConsole("spend", { days });
  const spans = SPANS.map((span) =>
    h("a", { href: `#spend/${span}`, "aria-current": span === days && "true" }, t("last_days", { count: span })),
  );
  const priced = spend.functions.some(({ cost: amount }) => amount > 0);
  const amountOf = (item) => (priced ? item.cost : item.prompt + item.completion);
  const columns = (first) => [
    [first],
    [t("calls_word"), "number"],
    [t("prompt_tokens"), "number"],
    [t("cached"), "number"],
    [t("answer_tokens"), "number"],
    [t("cost"), "number"],
  ];
  const cells = (item) => [
    whole(item.calls),
    whole(item.prompt),
    item.prompt > 0 ? percent(item.cached / item.prompt) : "—",
    whole(item.completion),
    cost(item.cost),
  ];
  const list = (title, first, items, name) =>
    section(
      title,
      table(
        title,
        columns(first),
        items.map((item) => [name(item), ...cells(item)]),
      ),
    );
  const plotted = () => dayPlot(spend.days, days, amountOf, priced);
  return [
    h("h1", null, t("view_spend")),
    h("nav", { class: "row spans", "aria-label": t("span_of_time") }, spans),
    spend.days.length === 0
      ? h("p", { class: "note" }, t("nothing_spent"))
      : [
          section(t("spend_by_day"), plot(t("spend_by_day"), plotted, signal), functionTable(spend, amountOf, priced)),
          list(t("spend_by_channel"), t("channel"), spend.channels, ({ label, name }) => channelLink(label, name)),
          list(t("spend_by_function"), t("function"), spend.functions, ({ label }) => functionName(label)),
          list(t("spend_by_model"), t("model"), spend.models, ({ label }) => label),
          h("p", { class: "note" }, t("days_are_utc"), " ", to("turns", t("view_turns"))),
        ],
  ];
}

const functionName = (name) => h("code", null, name);

/** Days since 1970 of the stretch of time that is shown. */
function daysShown(count) {
  const today = Math.floor(Date.now() / 1000 / DAY);
  return Array.from({ length: count }, (_, at) => today - count + 1 + at);
}

/** Stacked bars: each function's stand on those of the functions before it, the tallest is drawn first. */
function dayPlot(items, count, amountOf, priced) {
  const shown = daysShown(count);
  const functions = [...new Set(items.map(({ label }) => label))];
  const height = new Array(count).fill(0);
  const stacked = functions.map((name) => {
    const own = new Map(
      items.filter(({ label }) => label === name).map((item) => [Date.parse(item.day) / 1000 / DAY, amountOf(item)]),
    );
    return shown.map((day, at) => {
      const value = own.get(day) ?? 0;
      height[at] += value;
      return { value, top: height[at] };
    });
  });
  const order = functions.map((_, at) => at).reverse();
  const words = (value) =>
    value === null || value === undefined ? "—" : priced ? money(value) : whole(Math.round(value));
  return {
    data: [shown.map((day) => day * DAY), ...order.map((at) => stacked[at].map(({ top }) => top))],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC"),
    scales: {
      x: { range: () => [(shown[0] - 0.6) * DAY, (shown.at(-1) + 0.6) * DAY] },
      y: { range: (_u, _low, high) => [0, high || 1] },
    },
    axes: [
      axis({
        space: 70,
        incrs: [1, 2, 7, 14, 30, 60].map((step) => step * DAY),
        values: (_, ticks) => ticks.map((tick) => dayOf(tick * 1000)),
      }),
      axis({ size: 74, values: (_, ticks) => ticks.map(words) }),
    ],
    series: [
      { label: t("day"), value: (_, value) => (value ? dayOf(value * 1000) : "—") },
      ...order.map((at) => ({
        label: functions[at],
        fill: COLOURS[at % COLOURS.length],
        stroke: COLOURS[at % COLOURS.length],
        width: 0,
        paths: uPlot.paths.bars({ size: [0.8, 40] }),
        points: { show: false },
        value: (_u, _top, _series, index) => (index === null ? "—" : words(stacked[at][index].value)),
      })),
    ],
  };
}

/** What the plot shows, for who does not see it. */
function functionTable({ days }, amountOf, priced) {
  const byDay = Map.groupBy(days, ({ day }) => day);
  const rows = [...byDay].reverse().map(([day, items]) => {
    const sum = (of) => items.reduce((all, item) => all + of(item), 0);
    const names = items.map((item) => `${item.label} ${priced ? money(amountOf(item)) : tokens(item)}`);
    return [
      dayOf(Date.parse(day)),
      names.join(" · "),
      whole(sum(({ prompt, completion }) => prompt + completion)),
      cost(sum((item) => item.cost)),
    ];
  });
  const columns = [[t("day")], [t("function"), "wide"], [t("tokens_word"), "number"], [t("cost"), "number"]];
  return h("details", { class: "block" }, h("summary", null, t("as_table")), table(t("spend_by_day"), columns, rows));
}
