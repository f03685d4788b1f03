// One call of a turn: what it was given, what came of it, and of a task the rounds it took.

import { copyButton } from "/copy.js";
import { h } from "/dom.js";
import { list, t, whole } from "/i18n.js";

/** A titled piece of a turn. */
export const part = (title, ...content) => h("div", { class: "part" }, h("h4", { class: "part-title" }, title), content);

/** Long text that folds away, and can be copied. */
export function block(title, text, kind, open) {
  return h(
    "details",
    { class: "block", open: Boolean(open) },
    h("summary", null, title),
    h(
      "div",
      null,
      h("pre", { class: kind, tabindex: "0", role: "group", "aria-label": title }, text),
      copyButton(text),
    ),
  );
}

/** What a model wrote in a round and what came of it. `titled` draws a titled piece with the heading the view has. */
export function drawRoundOutput({ failure, thoughts, calls, repairs, raw, cut }, titled = part) {
  return [
    block(t("raw"), raw, "raw", true),
    thoughts && titled(t("thoughts"), h("p", { class: "thoughts" }, thoughts)),
    titled(t("calls"), calls.length > 0 ? calls.map(drawCall) : h("p", { class: "small" }, t("no_calls"))),
    repairs.length > 0 &&
      titled(
        t("repairs"),
        h(
          "ul",
          { class: "plain-list" },
          repairs.map((repair) => h("li", null, repair)),
        ),
      ),
    cut && h("p", { class: "small" }, t("cut_short")),
    failure && h("p", { class: "problem" }, failure.message),
  ];
}

/** How many tokens a round took, in words. */
export function describeTokens({ usage, prompt_tokens: estimate }) {
  // The stand-in takes none, and not every server counts.
  if (!usage?.prompt) return t("prompt_size", { count: whole(estimate) });
  const { prompt: sent, cached, completion, estimated, truncated } = usage;
  const counts = t("token_counts", { prompt: whole(sent), cached: whole(cached), completion: whole(completion) });
  return list([counts, estimated && t("estimated"), truncated && t("truncated")].filter(Boolean));
}

/** A call with its result, where it has one. */
export function drawCall({ call, kind, result, message }) {
  const parameters = Object.entries(call.params ?? {}).map(([name, value]) => [
    h("dt", null, name),
    h("dd", null, typeof value === "string" ? value : JSON.stringify(value)),
  ]);
  const { rendered, ...details } = result?.details ?? {};
  const outcome = result ? [result.guide, result.content].filter(Boolean).join("\n") : message ? t("delivered") : t("not_run");
  return h(
    "div",
    { class: result?.is_error ? "call error" : "call" },
    h("code", null, call.name),
    kind && h("span", { class: "small" }, kind),
    typeof rendered === "string" && h("p", null, rendered),
    h("dl", null, parameters),
    h("p", { class: "result" }, outcome),
    call.name === "task" && Array.isArray(details.rounds)
      ? details.rounds.filter(isTaskRound).map(drawTaskRound)
      : Object.keys(details).length > 0 && block(t("details"), JSON.stringify(details, null, 2), "details"),
  );
}

/** Whether something a tool told is a round of a task: tools may publish anything. */
export const isTaskRound = (data) => Array.isArray(data?.calls);

/** A round of a task: what was thought, called and answered in it. */
export function drawTaskRound({ round, thoughts, calls, answer }) {
  const called = ({ name, params, result, is_error }) =>
    drawCall({ call: { name, params }, result: { content: result, is_error } });
  return h(
    "section",
    { class: "round" },
    h("h4", null, t("task_round", { round })),
    thoughts && h("p", { class: "thoughts" }, thoughts),
    calls.map(called),
    answer && h("p", null, answer),
  );
}
