// A channel's day as a plot with axes: messages, how willing each made the companion, the threshold, and its turns. The
// same by the hour in a table, and how often it spoke unasked: wanted and reached.

import { h, replace } from "/dom.js";
import { clock, percent, rounded, t, whole } from "/i18n.js";
import { ago, askConsole, fact, section, table, to } from "/console_parts.js";
import { axis, colour, plot } from "/console_plot.js";
import { turnTable } from "/console_turns.js";
import uPlot from "/uplot.mjs";

/** Messages are counted in stretches of so many milliseconds. */
const STRETCH = 15 * 60_000;
/** So near, in pixels, a click means a turn. */
const NEAR = 14;

/** The first and the last moment of a day of this browser's time zone. */
function bounds(day) {
  const [year, month, date] = day.split("-").map(Number);
  return [new Date(year, month - 1, date).getTime(), new Date(year, month - 1, date + 1).getTime()];
}

/** A day as dates are written in addresses. */
function dayName(at) {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

export async function drawChannel([channel, wanted], signal) {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(wanted ?? "") ? wanted : dayName(Date.now());
  const [from, until] = bounds(day);
  const record = await askConsole("day", { channel, from, until });
  const name = `#${record.name || channel}`;
  const go = (at) => {
    location.hash = `channel/${channel}/${dayName(at)}`;
  };
  const picker = h(
    "div",
    { class: "row filter" },
    h("button", { type: "button", class: "plain", onclick: () => go(from - 1) }, t("day_before")),
    h(
      "label",
      null,
      t("day"),
      h("input", {
        type: "date",
        value: day,
        max: dayName(Date.now()),
        onchange: (event) => event.target.value && go(bounds(event.target.value)[0]),
      }),
    ),
    h(
      "button",
      { type: "button", class: "plain", disabled: until > Date.now(), onclick: () => go(until) },
      t("day_after"),
    ),
    to(`turns/${channel}`, t("all_turns_here")),
    to(`memory/${channel}`, t("memory")),
  );
  const content =
    record.at.length + record.turns.length === 0
      ? [h("p", { class: "note" }, t("quiet_day"))]
      : [
          section(
            t("day_plot"),
            record.left_out > 0 && h("p", { class: "note" }, t("left_out_messages", { count: whole(record.left_out) })),
            plot(t("day_plot_of", { channel: name }), () => dayPlot(record, from, until), signal),
            h("p", { class: "note" }, t("day_plot_note")),
          ),
          section(t("talk_rate"), drawRate(record)),
          section(t("by_hour"), hourTable(record, from, until)),
          section(t("turns"), turnTable(record.turns)),
        ];
  return [h("h1", null, name), picker, content];
}

/** How willing it was at the last scored message before a moment. */
function scoreBefore(record, moment) {
  const at = record.at.findLastIndex((time, index) => time <= moment && record.score[index] !== null);
  return at < 0 ? 0 : record.score[at];
}

function dayPlot(record, from, until) {
  const seconds = (at) => at / 1000;
  const counts = new Array(Math.ceil((until - from) / STRETCH)).fill(0);
  for (const at of record.at) counts[Math.floor((at - from) / STRETCH)] += 1;
  const starts = counts.map((_, at) => seconds(from + at * STRETCH));
  const scored = record.at.map((_, at) => at).filter((at) => record.score[at] !== null);
  const column = (values) => scored.map((at) => values[at]);
  // One moment twice would be drawn once.
  const unique = (times) => times.map((time, at) => seconds(time) + at * 1e-6);
  const data = uPlot.join([
    [starts, counts],
    [unique(column(record.at)), column(record.score), column(record.threshold)],
    [
      unique(record.turns.map(({ started }) => started)),
      record.turns.map(({ started }) => scoreBefore(record, started)),
    ],
  ]);
  const share = (_, value) => (value === null || value === undefined ? "—" : percent(value));
  // Where there is little room the legend has to say it.
  const label = (key) => (matchMedia("(max-width: 720px)").matches ? {} : { label: t(key), labelSize: 18 });
  const points = (stroke, size, fill) => ({ show: true, size, stroke, fill, width: 1.5 });
  return {
    data,
    scales: {
      x: { range: () => [seconds(from), seconds(until)] },
      y: { range: [0, 1] },
      count: { range: (_u, _low, high) => [0, Math.max(4, high)] },
    },
    axes: [
      axis({ values: (_, ticks) => ticks.map((tick) => clock(tick * 1000)) }),
      axis({ ...label("axis_willingness"), size: 52, values: (_, ticks) => ticks.map(percent) }),
      axis({
        ...label("axis_messages"),
        size: 40,
        side: 1,
        scale: "count",
        grid: { show: false },
        values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? whole(tick) : "")),
      }),
    ],
    series: [
      { label: t("time"), value: (_, value) => (value ? clock(value * 1000) : "—") },
      {
        label: t("axis_messages"),
        scale: "count",
        stroke: colour("--strong-line"),
        fill: colour("--sunken"),
        width: 1,
        paths: uPlot.paths.stepped({ align: 1 }),
        points: { show: false },
        value: (_, value) => value ?? "—",
      },
      {
        label: t("axis_willingness"),
        stroke: colour("--for"),
        width: 0,
        paths: () => null,
        points: points(colour("--for"), 5, colour("--paper")),
        value: share,
      },
      {
        label: t("threshold"),
        stroke: colour("--muted"),
        width: 1.5,
        dash: [5, 4],
        points: { show: false },
        value: share,
      },
      {
        label: t("turns"),
        stroke: colour("--against"),
        width: 0,
        paths: () => null,
        points: points(colour("--against"), 11, colour("--against-soft")),
        value: (_, value) => (value === null || value === undefined ? "—" : "●"),
      },
    ],
    hooks: { ready: [(drawn) => drawn.over.addEventListener("click", () => openNearest(drawn, record.turns))] },
  };
}

function openNearest(drawn, turns) {
  const distance = ({ started }) => Math.abs(drawn.valToPos(started / 1000, "x") - drawn.cursor.left);
  const [nearest] = turns.toSorted((a, b) => distance(a) - distance(b));
  if (nearest && distance(nearest) <= NEAR) location.hash = `turn/${nearest.turn}`;
}

function drawRate({ rate, own }) {
  const { wanted_share: share, median_share: median, messages, reached } = rate;
  const said = own.filter(Boolean).length;
  const heard = own.length - said;
  const wanted = share === null ? null : share * messages;
  return [
    h(
      "dl",
      { class: "facts" },
      fact(t("rate_share"), heard > 0 ? percent(said / heard) : "—"),
      fact(t("rate_median"), median === null ? "—" : percent(median)),
      fact(t("rate_messages"), whole(messages)),
      fact(t("rate_wanted"), wanted === null ? "—" : `${rounded(wanted)} (${percent(share)})`),
      fact(t("rate_reached"), messages > 0 ? `${whole(reached)} (${percent(reached / messages)})` : whole(reached)),
    ),
    h("p", { class: "note" }, share === null ? t("rate_asleep") : t("rate_note")),
  ];
}

function hourTable(record, from, until) {
  const rows = [];
  for (let start = from; start < until; start += 3_600_000) {
    const within = (at) => at >= start && at < start + 3_600_000;
    const here = record.at.map((_, at) => at).filter((at) => within(record.at[at]));
    const turns = record.turns.filter(({ started }) => within(started));
    if (here.length + turns.length === 0) continue;
    const scores = here.map((at) => record.score[at]).filter((score) => score !== null);
    const bars = here.map((at) => record.threshold[at]).filter((bar) => bar !== null);
    const span = (values) =>
      values.length === 0 ? "—" : `${percent(Math.min(...values))} – ${percent(Math.max(...values))}`;
    rows.push([
      clock(start),
      whole(here.filter((at) => !record.own[at]).length),
      whole(here.filter((at) => record.own[at]).length),
      span(scores),
      span(bars),
      whole(turns.length),
      whole(turns.filter(({ unasked, outcome }) => unasked && outcome === "acted").length),
    ]);
  }
  const columns = [
    [t("hour")],
    [t("from_people"), "number"],
    [t("its_own"), "number"],
    [t("axis_willingness"), "number"],
    [t("threshold"), "number"],
    [t("turns"), "number"],
    [t("unasked_turns"), "number"],
  ];
  return table(t("by_hour"), columns, rows);
}
