// Who sits at this tab. The secret is the person: it stays in the tab's own storage, over reloads, and nobody else
// ever sees it. So does the secret of the room's admins, for whoever came by the address that has it.

import { known } from "./words.js";

// A browser may forbid storage. Then what is kept lasts as long as the page.
const spare = new Map();

function read(store, key) {
  try {
    return window[store].getItem("zevaka." + key);
  } catch {
    return spare.get(key) ?? null;
  }
}

function stash(store, key, value) {
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

export const me = {
  secret: "",
  admin: "",
  name: "",
  lang: "en",
  theme: "auto",
  keys: true,
  channel: 1,

  save() {
    stash("sessionStorage", "name", me.name);
    stash("sessionStorage", "lang", me.lang);
    stash("sessionStorage", "channel", String(me.channel));
    stash("localStorage", "theme", me.theme);
    stash("localStorage", "keys", me.keys ? "1" : "0");
  },
};

// takeAdmin takes the admins' secret out of the address, where it shall not stand any longer, and says whether there was
// one.
export function takeAdmin() {
  const [, secret] = location.hash.match(/^#admin=(\w+)$/) || [];
  if (!secret) return false;
  history.replaceState(null, "", location.pathname + location.search);
  me.admin = secret;
  stash("sessionStorage", "admin", secret);
  return true;
}

// recall finds out who sits here. A tab that the browser copied from another one comes with that one's secret: if the
// other is still there, this one is somebody new.
export async function recall() {
  const came = takeAdmin();
  me.theme = read("localStorage", "theme") || "auto";
  me.keys = read("localStorage", "keys") !== "0";
  me.lang = read("sessionStorage", "lang") || known(navigator.languages || [navigator.language]);
  me.channel = Number(read("sessionStorage", "channel")) || 1;
  const secret = read("sessionStorage", "tab");
  if (!(await taken(secret)) && secret) {
    me.secret = secret;
    me.name = read("sessionStorage", "name") || "";
    me.admin = read("sessionStorage", "admin") || "";
  } else {
    renew(came ? me.admin : "");
  }
}

// renew makes the tab somebody new, who is no admin unless he comes as one.
export function renew(admin = "") {
  me.secret = random(16);
  me.name = "";
  me.admin = admin;
  stash("sessionStorage", "admin", admin);
  stash("sessionStorage", "tab", me.secret);
  stash("sessionStorage", "name", "");
}

const others = window.BroadcastChannel ? new BroadcastChannel("zevaka") : null;

// taken asks the other tabs whether one of them has this secret, and from then on answers the same question.
function taken(secret) {
  if (!others) return Promise.resolve(false);
  const mine = random(8);
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), secret ? 150 : 0);
    others.onmessage = ({ data }) => {
      if (data.ask && data.ask === me.secret) others.postMessage({ taken: data.by });
      if (data.taken === mine) resolve(true);
    };
    if (secret) others.postMessage({ ask: secret, by: mine });
  });
}
