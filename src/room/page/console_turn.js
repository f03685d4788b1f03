// One turn: where its time went as a waterfall, and for each round what its prompt changed of the one before, which part of
// it the provider had cached, the raw answer, and the calls.

import { block, describeTokens, drawRoundOutput } from "/call.js";
import { h, replace } from "/dom.js";
import { duration, moment, percent, t, whole } from "/i18n.js";
import { askConsole, channelLink, cost, fact, outcomeMark, outcomeOf, repeat, section, to } from "/console_parts.js";
import { diffLines } from "/prompt_diff.js";

/** So many unchanged lines stand on each side of a change; the others fold away. */
const AROUND = 2;
/** How often a running turn is fetched again, in milliseconds. */
const REFRESH = 2_000;

export async function drawTurn([id], signal) {
  const place = h("div", { class: "stack" });
  const over = new AbortController();
  let drawn = "";

  async function refresh() {
    const turn = await askConsole("turn", { id });
    const text = JSON.stringify(turn);
    // What was unfolded stays so where nothing is new.
    if (text !== drawn) replace(place, drawContent(id, turn));
    drawn = text;
    if (!turn.running) over.abort();
  }

  await refresh();
  repeat(refresh, REFRESH, AbortSignal.any([signal, over.signal]));
  return [place];
}

function drawContent(id, turn) {
  const { report, running, prompts, previous, prompt_before: promptBefore } = turn;
  const why = outcomeOf(report)[2];
  const usages = report.rounds.map(({ usage }) => usage).filter(Boolean);
  const sum = (name) => usages.reduce((all, usage) => all + usage[name], 0);
  return [
    h("h1", null, t("turn_number", { turn: whole(id) })),
    h(
      "p",
      { class: "row" },
      channelLink(report.channel, turn.channel_name),
      to(`turns/${report.channel}`, t("all_turns_here")),
      previous && to(`turn/${previous}`, t("turn_before")),
    ),
    h(
      "dl",
      { class: "facts" },
      fact(t("outcome"), running ? t("turn_running") : outcomeMark(report), why && h("p", { class: "small" }, why)),
      fact(t("began"), moment(report.started)),
      fact(t("took"), duration(report.ended - report.started)),
      fact(
        t("tokens_word"),
        t("token_counts", {
          prompt: whole(sum("prompt")),
          cached: whole(sum("cached")),
          completion: whole(sum("completion")),
        }),
      ),
      fact(t("cost"), cost(report.cost)),
    ),
    section(t("waterfall"), waterfall(report)),
    report.rounds.map((round, at) => {
      const shown = prompts.find(({ ask }) => ask === round.ask);
      const before = at === 0 ? promptBefore : prompts.find(({ ask }) => ask === report.rounds[at - 1].ask);
      return section(t("round", { ask: at + 1 }), drawRound(round, shown, before, at === 0));
    }),
    report.notes.length > 0 &&
      section(
        t("notes"),
        h(
          "ul",
          { class: "plain-list" },
          report.notes.map((note) => h("li", null, note)),
        ),
      ),
  ];
}

/** A titled piece of a round. */
const part = (title, ...content) => h("div", { class: "part" }, h("h3", { class: "part-title" }, title), content);

/** Every stretch of a turn: its name, its kind, when it began and how long it took. */
function stretches(report) {
  const all = [];
  const add = (name, kind, from, took) => took >= 0 && all.push({ name, kind, from, took });
  report.rounds.forEach((round, at) => {
    const { asked_at: asked, first_delta_ms: first, ended_ms: ended, calls } = round;
    const next = report.rounds[at + 1]?.asked_at ?? report.ended;
    const number = t("round", { ask: at + 1 });
    if (at === 0) add(t("stage_before"), "before", report.started, asked - report.started);
    const wait = first ?? ended ?? next - asked;
    add(`${number}: ${t("stage_first")}`, "first", asked, wait);
    if (first !== null && ended !== null)
      add(`${number}: ${t("stage_writing")}`, "writing", asked + first, ended - first);
    calls.forEach(({ call, at: began }, index) =>
      add(call.name, "acting", began, Math.max(0, (calls[index + 1]?.at ?? next) - began)),
    );
  });
  return all;
}

function waterfall(report) {
  const total = Math.max(1, report.ended - report.started);
  const row = ({ name, kind, from, took }) =>
    h(
      "li",
      null,
      h("span", { class: "label" }, name),
      h(
        "span",
        { class: "lane", "aria-hidden": "true" },
        h("span", { class: kind, "--from": (from - report.started) / total, "--share": took / total }),
      ),
      h("span", { class: "numbers" }, duration(took)),
    );
  return h("ol", { class: "waterfall" }, stretches(report).map(row));
}

function drawRound(round, shown, before, isFirst) {
  return [
    h("p", { class: "small" }, [shown?.model, describeTokens(round)].filter(Boolean).join(" · ")),
    shown ? drawPrompt(round, shown, before, isFirst) : h("p", { class: "note" }, t("prompt_gone")),
    drawRoundOutput(round, part),
  ];
}

const wholeText = ({ system, user }) => `${system}\n\n${user}`;

/** The prompt as what it changes of `before`. Providers cache prefixes: as much of its beginning is shaded as they counted. */
function drawPrompt({ usage }, shown, before, isFirst) {
  const text = wholeText(shown);
  const share = usage?.prompt ? Math.min(1, usage.cached / usage.prompt) : 0;
  const lines = before ? diffLines(wholeText(before), text) : text.split("\n").map((line) => ["same", line]);
  const count = (kind) => lines.filter(([known]) => known === kind).length;
  const against = isFirst ? t("diff_to_turn_before") : t("diff_to_round_before");
  const summary = before
    ? t("diff_summary", { against, added: whole(count("added")), removed: whole(count("removed")) })
    : t("nothing_to_compare");
  return part(
    t("prompt"),
    h("p", { class: "small" }, `${summary} · ${t("cached_part", { share: percent(share) })}`),
    h(
      "div",
      { class: "diff", role: "group", "aria-label": t("prompt"), tabindex: "0" },
      foldLines(lines, share * text.length, Boolean(before)),
    ),
    block(t("whole_prompt"), text, "user"),
  );
}

function foldLines(lines, cachedUntil, folds) {
  let place = 0;
  const drawn = lines.map(([kind, text]) => {
    const cached = kind !== "removed" && place < cachedUntil;
    if (kind !== "removed") place += text.length + 1;
    const tag = { same: "span", added: "ins", removed: "del" }[kind];
    const sign = { same: " ", added: "+", removed: "−" }[kind];
    return { kind, cached, element: h(tag, { class: cached ? "cached" : null }, `${sign} ${text}\n`) };
  });
  if (!folds)
    return h(
      "pre",
      null,
      drawn.map(({ element }) => element),
    );
  const isNear = drawn.map((_, at) =>
    drawn.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== "same"),
  );
  const pieces = [];
  for (let at = 0; at < drawn.length;) {
    let end = at;
    while (end < drawn.length && isNear[end] === isNear[at]) end += 1;
    const stretch = drawn.slice(at, end);
    const text = h(
      "pre",
      null,
      stretch.map(({ element }) => element),
    );
    const cached = stretch.every(({ cached: is }) => is);
    const words = t("unchanged_lines", { count: whole(stretch.length) });
    pieces.push(isNear[at] ? text : h("details", null, h("summary", { class: cached ? "cached" : null }, words), text));
    at = end;
  }
  return pieces;
}
