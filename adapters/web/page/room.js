// The room: what there is to see, where it stands, and what one does to it.

import { me, recall, renew, takeAdmin } from "./me.js";
import { dressUp, Join } from "./join.js";
import { Line } from "./line.js";
import { ask } from "./ask.js";
import { el } from "./make.js";
import { Shown, adorn, names } from "./show.js";
import { say, speak } from "./words.js";
import { Live, post } from "./wire.js";

const words = () => speak(me.lang);

// room is what the live connection told: messages by ref, and who is here.
const room = { run: "", mine: "", admin: false, messages: new Map(), people: [], commands: [], channels: 0 };
const unread = new Map(); // channel -> messages since it was looked at
const cleared = new Set(); // tables put away
let at = ""; // the table one plays at: where one pressed last
let asking = false; // the next table that comes is ours: we asked for it
let called = false; // somebody waits for us

const does = { words, press, dismiss, nameOf, unfocus: () => el("log").focus({ preventScroll: true }) };

// nameOf is a person's name, with the end of their id where two people go by one name.
function nameOf({ id, name }) {
  const key = name.toLowerCase();
  const twin = room.people.some((p) => p.id !== id && p.name.toLowerCase() === key);
  return twin ? `${name} #${id.slice(-3)}` : name;
}

function toast(text, alert) {
  const box = el(alert ? "alerts" : "status");
  const same = [...box.children].find((p) => p.said === text);
  clearTimeout(same?.timer);
  same?.remove();
  const line = document.createElement("p");
  line.said = text;
  adorn(line, text, words());
  line.addEventListener("click", () => line.remove());
  box.append(line);
  while (box.children.length > (alert ? 2 : 1)) box.firstChild.remove();
  line.timer = setTimeout(() => line.remove(), Math.max(alert ? 7000 : 4000, text.length * 70));
}

// onTable says whether the table tells this already.
function onTable(text) {
  const flat = (s) => s.replace(/[\s\uFE0E]+/g, "");
  return flat(el("felt").textContent).includes(flat(text));
}

// heed shows the answer to something done, and says whether it was taken. What the table is about to tell isn't told
// twice.
function heed({ toast: text, alert, error }) {
  if (error) toast(words().errors[error] || words().errors.broken, true);
  else if (text && alert) toast(text, true);
  else if (text) setTimeout(() => onTable(text) || toast(text, false), 100);
  if (!error && !alert) el("alerts").replaceChildren();
  return !error;
}

// press presses a button, or what is as good as one, and answers whether it was taken.
async function press(shown, { token, ask: question }) {
  const { ref, channel, table } = shown.message;
  const text = question ? await ask(question) : "";
  if (question && !text) return false;
  if (table && !shown.message.private && at !== table) {
    at = table;
    layOut();
  }
  called = false;
  title();
  const answer = await post("press", { channel, on: ref, token, text });
  return heed(answer) && !answer.alert;
}

async function dismiss({ message }) {
  heed(await post("dismiss", { channel: message.channel, on: message.ref }));
}

async function send(text) {
  atEnd = true;
  asking = text.startsWith("/");
  const taken = heed(await post("say", { channel: me.channel, text }));
  setTimeout(() => { asking = false; }, 500);
  return taken;
}

// What the live connection tells.
const told = {
  room(e) {
    const fresh = new Set(e.messages.map((m) => m.ref));
    for (const ref of room.messages.keys()) if (!fresh.has(ref)) remove(ref);
    Object.assign(room, { run: e.run, mine: e.you, admin: e.admin, commands: e.commands || [], channels: e.channels });
    entry.commands = room.commands;
    for (const m of e.messages) put(m);
    if (me.channel > room.channels) me.channel = 1;
    starters();
    tabs();
    rank();
    layOut();
  },
  put({ message }) {
    const old = room.messages.has(message.ref);
    put(message, true);
    if (!old && asking && message.table) at = message.table;
    if (!old && message.channel !== me.channel) {
      unread.set(message.channel, (unread.get(message.channel) || 0) + 1);
      tabs();
    }
    layOut();
  },
  drop({ ref }) {
    remove(ref);
    layOut();
  },
  people({ people }) {
    room.people = people;
    el("people").textContent = names(people, room.mine, words(), nameOf);
  },
  beat() {},
};

function put(message, news) {
  const shown = room.messages.get(message.ref);
  if (!shown) {
    room.messages.set(message.ref, new Shown(message, does));
  } else if (JSON.stringify(shown.message) !== JSON.stringify(message)) {
    const changed = shown.update(message);
    if (news && message.channel === me.channel && changed.length) speakUp(changed.join("; "));
  }
  if (news && message.mention?.includes(room.mine)) {
    called = document.hidden || called;
    navigator.vibrate?.(80);
    title();
  }
}

function remove(ref) {
  room.messages.get(ref)?.el.remove();
  room.messages.delete(ref);
}

// speakUp tells a screen reader what changed on a table.
function speakUp(text) {
  el("spoken").textContent = text;
}

// Here is the table of this channel: where one plays, or where it is one's turn, or the newest that can be played at, or
// the newest of all.
function chosen(list) {
  const tables = list.filter(({ message: m }) => m.table && !m.private && !cleared.has(m.table));
  const open = tables.filter(({ message: m }) => m.buttons && !m.final);
  const mine = open.findLast(({ message: m }) => m.table === at) || open.findLast(({ message: m }) => m.turn === room.mine);
  return mine || open.at(-1) || tables.at(-1);
}

let atEnd = true; // whether the talk is scrolled to its end

// layOut puts every message of the channel in its place: on the table, or in the talk.
function layOut() {
  const list = [...room.messages.values()].filter(({ message: m }) => m.channel === me.channel);
  list.sort((a, b) => a.message.n - b.message.n);
  const table = chosen(list);
  const hand = list.filter(({ message: m }) => table && m.private && m.table === table.message.table);
  const onTable = table ? [...hand, table] : [];
  settle(el("felt"), onTable.map((s) => s.el));
  settle(el("log"), list.filter((s) => !onTable.includes(s)).map((s) => s.el));
  el("start").hidden = Boolean(table);
  el("table").classList.toggle("free", !table);
  clearing(table);
  turn();
  if (atEnd) scrollDown();
  else el("newest").hidden = false;
}

// settle makes the elements the only children of box, in order, moving none that is in its place; the focus stays.
function settle(box, elements) {
  const focus = document.activeElement;
  for (const child of [...box.children]) if (!elements.includes(child)) child.remove();
  elements.forEach((child, i) => {
    if (box.children[i] !== child) box.insertBefore(child, box.children[i] || null);
  });
  if (document.activeElement !== focus && focus.isConnected) focus.focus({ preventScroll: true });
}

// clearing offers to put a table away at which there is nothing more to press.
function clearing(table) {
  el("putaway")?.remove();
  if (!table || !table.message.final && table.message.buttons) return;
  const b = document.createElement("button");
  Object.assign(b, { id: "putaway", type: "button", textContent: words().putAway });
  b.addEventListener("click", () => {
    cleared.add(table.message.table);
    layOut();
  });
  el("felt").after(b);
}

// scrollDown shows the newest message: its end, or its beginning if it is longer than the talk is high.
function scrollDown() {
  const log = el("log");
  const last = log.lastElementChild;
  const long = last && last.offsetHeight > log.clientHeight;
  log.scrollTop = long ? last.offsetTop - log.offsetTop : log.scrollHeight;
  el("newest").hidden = true;
}

// turn marks the table, and the tab, when it is our turn, and counts the time that is left for it.
function turn() {
  const shown = [...room.messages.values()].find((s) => s.el.parentElement === el("felt") && s.message.table);
  // A patience waits for nobody else: there is nothing to hurry for.
  const mine = shown?.message.turn === room.mine && !shown.message.final && !shown.message.picture;
  el("table").classList.toggle("ours", Boolean(mine));
  countDown(shown);
  title();
}

let ticking = 0;

// countDown shows how long the mover of the table has, second by second.
function countDown(shown) {
  clearTimeout(ticking);
  const mover = el("felt").querySelector(".turn");
  const left = shown?.message.left ? shown.until - performance.now() : 0;
  if (!mover || left <= 0) {
    mover?.removeAttribute("data-left");
    return;
  }
  const seconds = Math.ceil(left / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  mover.dataset.left = hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  mover.classList.toggle("late", seconds <= 10);
  ticking = setTimeout(() => countDown(shown), left % 1000 || 1000);
}

function title() {
  const w = words();
  const mark = el("table").classList.contains("ours") ? "▶ " : called ? "● " : "";
  document.title = `${mark}${w.brand} · ${w.channelNames[me.channel - 1] || me.channel}`;
}

// tabs draws the channels.
function tabs() {
  const w = words();
  const list = Array.from({ length: room.channels }, (_, i) => {
    const b = el("channel" + (i + 1)) || document.createElement("button");
    const news = unread.get(i + 1) || 0;
    Object.assign(b, { id: "channel" + (i + 1), type: "button", textContent: w.channelNames[i] || i + 1 });
    if (i + 1 === me.channel) b.setAttribute("aria-current", "page");
    else b.removeAttribute("aria-current");
    if (news) {
      const n = document.createElement("span");
      n.className = "news";
      n.textContent = news > 99 ? "99+" : news;
      n.setAttribute("aria-label", say(w.unread, { n: news }));
      b.append(" ", n);
    }
    b.onclick = () => go(i + 1);
    return b;
  });
  settle(el("channels"), list);
  title();
}

function go(channel) {
  me.channel = channel;
  me.save();
  unread.delete(channel);
  atEnd = true;
  tabs();
  layOut();
}

// rank shows whether one is an admin here.
function rank() {
  const w = words();
  document.body.classList.toggle("admin", Boolean(room.admin));
  el("settings").setAttribute("aria-label", room.admin ? `${w.settings} (${w.admin})` : w.settings);
  el("settings").title = room.admin ? w.admin : "";
}

// starters are the buttons of an empty table.
function starters() {
  el("starters").replaceChildren(...room.commands.filter((c) => c.start).map((c) => {
    const b = document.createElement("button");
    b.type = "button";
    const [name, about] = c.hint.split(/: (.*)/s);
    b.append(Object.assign(document.createElement("strong"), { textContent: name }));
    if (about) b.append(Object.assign(document.createElement("small"), { textContent: about }));
    b.title = c.line;
    b.addEventListener("click", () => send(c.line));
    return b;
  }));
}

// redraw puts new words on everything.
function redraw() {
  dressUp();
  el("myname").textContent = me.name;
  for (const shown of room.messages.values()) shown.update(shown.message);
  tabs();
  rank();
  layOut();
}

function keys(e) {
  if (e.key === "Escape") for (const shown of room.messages.values()) shown.picture?.touch.unpick();
  const typing = e.target.closest?.("input, textarea, select, dialog");
  if (typing || e.ctrlKey || e.altKey || e.metaKey || e.isComposing) return;
  if (e.key === "/") {
    if (entry.input.value) e.preventDefault();
    entry.input.focus();
  } else if (me.keys && !e.repeat && /^[1-9]$/.test(e.key) && el("felt").querySelector(".turn")) {
    // Only while cards are played: where there are numbers to press, or a table to close, a digit would mislead.
    const button = el("felt").querySelectorAll(".buttons button")[e.key - 1];
    if (button && !button.classList.contains("danger")) button.click();
  }
}

function enter() {
  el("room").hidden = false;
  redraw();
  live.open();
}

const entry = new Line({ send });
const join = new Join(enter);
const live = new Live({
  event: (e) => told[e.kind]?.(e),
  state(up, why) {
    el("lost").textContent = up ? "" : words().errors[why] || words().lost;
    document.body.classList.toggle("offline", !up);
  },
  no(code) {
    if (code === "tab") renew();
    if (code !== "tab" && code !== "name") return false;
    me.name = "";
    join.open();
    return true;
  },
});

el("settings").addEventListener("click", () => join.open());
el("newest").addEventListener("click", () => {
  atEnd = true;
  scrollDown();
});
el("log").addEventListener("scroll", () => {
  const log = el("log");
  atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  if (atEnd) el("newest").hidden = true;
}, { passive: true });
new ResizeObserver(() => atEnd && scrollDown()).observe(el("log"));
document.addEventListener("keydown", keys);
addEventListener("hashchange", () => takeAdmin() && me.name && live.open());
addEventListener("resize", () => {
  for (const shown of room.messages.values()) shown.picture?.load(); // The screen may have become a denser one.
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  called = false;
  title();
});

await recall();
dressUp();
if (me.name) enter();
else join.open();
