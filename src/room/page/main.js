// Starts the page: wires the three parts to what happens, and draws them in the page's language.

import { listen } from "/live_events.js";
import * as cardDrop from "/card_drop.js";
import * as channels from "/channels.js";
import * as chat from "/chat.js";
import * as composer from "/composer.js";
import { byId } from "/dom.js";
import { nextLanguage, t } from "/i18n.js";
import * as intentions from "/intentions.js";
import * as memory from "/memory.js";
import * as companion from "/companion.js";
import * as approvals from "/approvals.js";
import * as notifications from "/notifications.js";
import * as search from "/search.js";
import * as turns from "/turns.js";
import * as unread from "/unread.js";
import { attemptAll } from "/outbox.js";
import { changed, fetchAll, happened, on } from "/page_state.js";

// The token came in the address once; from here on the cookie carries it, and nobody reads it off the address bar.
if (location.search) history.replaceState(null, "", "/");

/** Shows one of the three parts where not all of them fit. */
function showPane(pane) {
  document.body.dataset.pane = pane;
  for (const tab of document.querySelectorAll(".tabs button")) {
    tab.setAttribute("aria-current", String(tab.dataset.pane === pane));
  }
  for (const name of ["mind", "memory"]) {
    byId(`${name}-toggle`).setAttribute("aria-expanded", String(pane === name));
  }
  if (pane === "memory") memory.refresh();
}

function draw() {
  document.documentElement.lang = t("html");
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
    if (element.tagName === "BUTTON") element.title = t(element.dataset.tLabel);
  }
  byId("language").textContent = nextLanguage();
  byId("language").setAttribute("aria-label", t("switch_label", { name: nextLanguage() }));
  for (const topic of ["channels", "people", "model", "mind", "turns", "pending"]) changed(topic);
  chat.draw();
  composer.draw();
  memory.draw();
  search.draw();
  notifications.draw();
}

let toastTimer = 0;

function notice(text) {
  const toast = byId("toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    toast.hidden = true;
  }, 6000);
}

const away = (gone) => {
  byId("away").textContent = gone ? t("away") : "";
  byId("away").hidden = !gone;
};

async function back() {
  away(false);
  await fetchAll(unread.fetchUnread);
  await attemptAll();
}

channels.start(draw, () => showPane("chat"));
companion.start();
intentions.start();
turns.start();
const showTurn = (turn) => {
  showPane("mind");
  turns.open(turn);
};
approvals.start(showTurn);
chat.start({
  reply: composer.reply,
  write: composer.focus,
  showMind: () => {
    showPane("mind");
    byId("mind").scrollTop = 0;
  },
  showTurn,
});
memory.start({
  close: () => {
    showPane("chat");
    byId("memory-toggle").focus();
  },
  goTo: (id) => {
    // Where it lies over the conversation, or in its place.
    if (matchMedia("(max-width: 1100px)").matches) showPane("chat");
    chat.goTo(id);
  },
});
search.start({ goTo: chat.goTo, write: composer.focus });
unread.start();
notifications.start();
cardDrop.start(notice);
composer.start({ editLast: chat.editLast });
for (const tab of document.querySelectorAll(".tabs button")) {
  tab.addEventListener("click", () => showPane(tab.dataset.pane));
}
for (const pane of ["mind", "memory"]) {
  byId(`${pane}-toggle`).addEventListener("click", () => showPane(document.body.dataset.pane === pane ? "chat" : pane));
}
on("notice", notice);
// Whatever a click could not do is told here, in one place.
window.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  notice(event.reason.message);
});
showPane("chat");
draw();
listen(
  (event) => (event.type === "hello" ? back() : happened(event)),
  () => away(true),
);
