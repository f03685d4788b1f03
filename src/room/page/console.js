// Starts the console: the view that the address names, drawn anew when that or the language changes.

import { byId, h, replace } from "/dom.js";
import { nextLanguage, switchLanguage, t } from "/i18n.js";
import { drawApprovals } from "/console_approvals.js";
import { drawChannel } from "/console_channel.js";
import { drawFaults } from "/console_faults.js";
import { drawMemory } from "/console_memory.js";
import { drawOverview } from "/console_overview.js";
import { drawPersonas } from "/console_personas.js";
import { drawSettings } from "/console_settings.js";
import { drawSpend } from "/console_spend.js";
import { drawTurn } from "/console_turn.js";
import { drawTurns } from "/console_turns.js";

// The token came in the address once; from here on the cookie carries it, and nobody reads it off the address bar.
if (location.search) history.replaceState(null, "", location.pathname + location.hash);
// Where the companion lives in the room, the console stands beside it; elsewhere it is the front page itself.
byId("room").hidden = location.pathname !== "/console";

/** Every view by the first part of its address, and the entry of the navigation it belongs to. */
const VIEWS = {
  overview: [drawOverview, "overview"],
  channel: [drawChannel, "overview"],
  memory: [drawMemory, "memory"],
  turns: [drawTurns, "turns"],
  turn: [drawTurn, "turns"],
  spend: [drawSpend, "spend"],
  faults: [drawFaults, "faults"],
  approvals: [drawApprovals, "approvals"],
  personas: [drawPersonas, "personas"],
  settings: [drawSettings, "settings"],
};
const ENTRIES = ["overview", "memory", "turns", "spend", "faults", "approvals", "personas", "settings"];

/** Which drawing is the latest: an older one that comes late is dropped. */
let latest = 0;
/** Ends what a view does by itself. */
let leave = new AbortController();

function drawNavigation(current) {
  document.documentElement.lang = t("html");
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
  byId("language").textContent = nextLanguage();
  byId("language").setAttribute("aria-label", t("switch_label", { name: nextLanguage() }));
  const entry = (name) =>
    h(
      "li",
      null,
      h("a", { class: "entry", href: `#${name}`, "aria-current": name === current && "page" }, t(`view_${name}`)),
    );
  replace(byId("views"), ENTRIES.map(entry));
}

async function show(isMove) {
  const [name, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  const [draw, entry] = VIEWS[name] ?? VIEWS.overview;
  const number = ++latest;
  leave.abort();
  leave = new AbortController();
  drawNavigation(entry);
  const { signal } = leave;
  const content = await draw(rest, signal).catch((error) => [
    h("h1", null, t(`view_${entry}`)),
    h("p", { class: "problem", role: "alert" }, error.message),
  ]);
  if (number !== latest) return;
  const place = byId("view");
  replace(place, content);
  document.title = `${place.querySelector("h1").textContent} · Kith`;
  if (isMove) {
    place.scrollTop = 0;
    place.focus({ preventScroll: true });
  }
}

let toastTimer = 0;

// Whatever a click could not do is told here, in one place.
window.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  const toast = byId("toast");
  toast.textContent = event.reason.message;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    toast.hidden = true;
  }, 6000);
});
window.addEventListener("hashchange", () => show(true));
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("view").focus();
});
byId("language").addEventListener("click", () => {
  switchLanguage();
  show(false);
});
show(false);
