// Who sits at this tab. The secret is the person: the tab's own storage has it over reloads, the browser's, and a cookie that outlives it,
// for its other tabs and for whoever comes back later, and nobody else ever sees it. That of the room's admins stays with the tab that came
// by the address that has it.

import { post } from "./wire.js";
import { known } from "./words.js";

const memory = 12; // people that a browser remembers: as many as may sit at one table

// A browser may forbid storage. Then what is kept lasts as long as the page.
const spare = new Map();

export function recallOne(store, key) {
  try {
    return window[store].getItem("zevaka." + key);
  } catch {
    return spare.get(key) ?? null;
  }
}

export function stash(store, key, value) {
  try {
    window[store].setItem("zevaka." + key, value);
  } catch {
    spare.set(key, value);
  }
}

// random is n random bytes in hex.
export function random(n) {
  return Array.from(crypto.getRandomValues(new Uint8Array(n)), (b) => b.toString(16).padStart(2, "0")).join("");
}

// switches are what is on or off.
export const switches = ["keys", "sound", "left", "tap", "auto", "timeless"];

export const me = {
  secret: "",
  admin: "",
  name: "",
  guest: false, // The name is one that the page has given.
  lang: "en",
  theme: "auto",
  cards: "printed",
  keys: true,
  sound: true,
  left: false, // The stock of a patience lies on the left.
  tap: false, // One tap sends a card to its foundation.
  auto: false, // What can't go wrong any more is finished by itself.
  timeless: false, // No clock runs while one plays a patience.
  size: "fit",
  channel: 1,

  // save keeps what was chosen, and the person once they have a name.
  save() {
    for (const key of ["name", "lang", "channel"]) stash("sessionStorage", key, me[key]);
    stash("sessionStorage", "guest", me.guest ? "1" : "");
    for (const key of ["lang", "theme", "cards", "size"]) stash("localStorage", key, me[key]);
    for (const key of switches) stash("localStorage", key, me[key] ? "1" : "");
    const { secret, name, guest } = me;
    if (!name) return;
    stash("localStorage", "people", JSON.stringify([{ secret, name, guest }, ...people().filter((p) => p.secret !== secret)].slice(0, memory)));
    keep();
  },
};

// people are those whom the browser remembers, the latest first.
function people() {
  try {
    return JSON.parse(recallOne("localStorage", "people") || "[]").filter((p) => p.secret && p.name);
  } catch {
    return [];
  }
}

// keep has a cookie of the server's remember the people, too, and tells whom it remembers: Safari deletes after a week what scripts keep.
const keep = () => post("people", { people: people() });

let former = ""; // the secret that the tab had before it came by an address with another

// takeAdmin takes the admins' secret out of the address, where it shall not stand any longer, and says whether there was
// one.
export function takeAdmin() {
  const [, secret] = location.hash.match(/^#admin=(\w+)$/) || [];
  if (!secret) return false;
  history.replaceState(null, "", location.pathname + location.search);
  const had = me.admin || recallOne("sessionStorage", "admin") || "";
  if (had !== secret) former = had;
  me.admin = secret;
  stash("sessionStorage", "admin", secret);
  return true;
}

// dropAdmin gives a secret up that isn't the admins', and says whether the tab had another before: anybody can have somebody follow an address.
export function dropAdmin() {
  [me.admin, former] = [former, ""];
  stash("sessionStorage", "admin", me.admin);
  return Boolean(me.admin);
}

// recall finds out who sits here: as before in this tab, or else who was last in this browser, unless the address wants somebody new. The
// language is known at once.
export async function recall() {
  takeAdmin();
  const fresh = location.hash === "#new";
  if (fresh) history.replaceState(null, "", location.pathname);
  for (const key of ["theme", "cards", "size"]) me[key] = recallOne("localStorage", key) || me[key];
  for (const key of switches) me[key] = Boolean(recallOne("localStorage", key) ?? me[key]);
  me.lang = known([recallOne("sessionStorage", "lang"), recallOne("localStorage", "lang"), ...navigator.languages].filter(Boolean));
  me.channel = Number(recallOne("sessionStorage", "channel")) || 1;
  const secret = !fresh && recallOne("sessionStorage", "tab");
  const last = !fresh && people()[0];
  if (secret) {
    for (const key of ["name", "admin"]) me[key] = recallOne("sessionStorage", key) || "";
    Object.assign(me, { secret, guest: Boolean(recallOne("sessionStorage", "guest")) });
  } else if (last) become(last);
  else {
    renew(me.admin);
    const { people: all } = fresh ? {} : await keep();
    if (!all?.length) return;
    stash("localStorage", "people", JSON.stringify(all));
    become(all[0]);
  }
}

// renew makes the tab somebody new, who is no admin unless he comes as one.
export function renew(admin = "") {
  if (!admin) former = "";
  me.admin = admin;
  stash("sessionStorage", "admin", admin);
  become({ secret: random(16), name: "" });
}

// become makes the tab that of somebody known.
export function become({ secret, name, guest = false }) {
  Object.assign(me, { secret, name, guest });
  stash("sessionStorage", "tab", secret);
  stash("sessionStorage", "name", name);
  if (name) me.save();
}

// remembered tells, now and whenever that changes, who of those the browser knows sits at no tab.
export function remembered(tell) {
  let free = people().filter((p) => p.secret !== me.secret);
  setTimeout(() => tell(free), free.length ? 200 : 0);
  for (const p of free) {
    held(p.secret, () => {
      free = free.filter((o) => o !== p);
      tell(free);
    });
  }
}

// channel is where tabs of this browser hear each other; null where it has none, or keeps pages from it as from all that they could
// remember.
function channel() {
  try {
    return new BroadcastChannel("zevaka");
  } catch {
    return null;
  }
}

const others = channel();
const asked = new Map();
if (others) {
  others.onmessage = ({ data }) => {
    if (data.ask && data.ask === me.secret) others.postMessage({ taken: data.by });
    asked.get(data.taken)?.();
  };
}

// held calls heard if another tab has this secret.
function held(secret, heard) {
  const by = random(8);
  asked.set(by, heard);
  others?.postMessage({ ask: secret, by });
}
