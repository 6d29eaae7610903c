// The door in Discord: the page speaks with Discord's client as an Activity does, without its SDK.

import { Door, tongue } from "./door.js";
import { random } from "./me.js";
import { begin } from "./words.js";

const dcHosts = document.body.dataset.hosts.split(" ").filter(Boolean);
const handshake = 0; // the kinds of messages
const frame = 1;
const close = 2;
const crowd = "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE";
const unlocked = 1; // the table goes either way up
const slow = 20000; // how long the client may take for its first word

// denied is an error that the page has words for.
const denied = (why) => Object.assign(new Error(why), { why });

// Discord is the client around the page.
class Discord {
  constructor() {
    const query = new URLSearchParams(location.search);
    this.frame = query.get("frame_id") || "";
    this.instance = query.get("instance_id") || "";
    this.key = this.frame && `${this.frame} ${this.instance}`;
    this.mobile = query.get("platform") === "mobile";
    this.renews = true;
    this.asked = new Map();
    this.pictures = new Map();
    this.host = window.parent === window ? null : window.parent.opener || window.parent;
    addEventListener("message", (e) => this.receive(e));
  }

  // send tells the client something, if it has an origin that may show this page.
  send(kind, what) {
    const seen = this.origin || [...(location.ancestorOrigins || []), document.referrer && new URL(document.referrer).origin].find((o) => dcHosts.includes(o));
    for (const host of seen ? [seen] : dcHosts) this.host?.postMessage([kind, what], host);
  }

  receive({ source, origin, data }) {
    if (source !== this.host || !dcHosts.includes(origin) || !Array.isArray(data)) return;
    this.origin = origin;
    const [kind, what] = data;
    if (kind === close) {
      this.failed?.(denied("ended"));
      this.door?.shut("ended");
    }
    if (kind !== frame || !what) return;
    if (what.cmd === "DISPATCH") {
      if (what.evt === "READY") this.greeted?.();
      if (what.evt === crowd) this.meet(what.data);
      if (what.evt === "ACTIVITY_LAYOUT_MODE_UPDATE") this.door?.live.shown(document.body.classList.toggle("tiny", what.data?.layout_mode > 0));
      return;
    }
    const { done, fail } = this.asked.get(what.nonce) || {};
    this.asked.delete(what.nonce);
    if (what.evt === "ERROR") fail?.(what.data);
    else done?.(what.data || {});
  }

  // command has the client do something, and answers with what it says.
  command(cmd, args, more) {
    const nonce = random(16);
    return new Promise((done, fail) => {
      this.asked.set(nonce, { done, fail });
      this.send(frame, { cmd, args, nonce, ...more });
    });
  }

  // greet says which application this is, once, and waits until the client is ready.
  greet() {
    this.ready ||= new Promise((done, fail) => {
      Object.assign(this, { greeted: done, failed: fail });
      setTimeout(() => fail(denied("door-away")), slow);
      this.send(handshake, { v: 1, encoding: "json", client_id: this.client, frame_id: this.frame });
    });
    return this.ready;
  }

  // login asks the client for a code that says who is there. Where it can't have one silently, its person is asked.
  async login() {
    if (!this.frame || !this.instance || !this.host) throw denied("nobody");
    if (!this.client) {
      const config = await fetch(this.door.address("config")).then((r) => r.json()).catch(() => null);
      if (!config?.client_id) throw denied("door-away");
      this.client = config.client_id;
    }
    try {
      await this.greet();
    } catch (e) {
      this.ready = null;
      throw e;
    }
    const wanted = { client_id: this.client, response_type: "code", state: random(8), scope: ["identify"] };
    const answer = await this.command("AUTHORIZE", { ...wanted, prompt: "none" }).catch(() => this.command("AUTHORIZE", wanted)).catch(() => {
      throw denied("consent");
    });
    this.settle();
    return { login: answer.code || "", instance: this.instance };
  }

  // settle asks, once, to be told how the page is shown, and lets its person turn a phone as they like. Without it the page is as it was.
  settle() {
    if (this.settled) return;
    this.settled = true;
    const ask = (...what) => this.command(...what).catch(() => {});
    ask("SUBSCRIBE", {}, { evt: "ACTIVITY_LAYOUT_MODE_UPDATE" });
    ask("SUBSCRIBE", {}, { evt: crowd });
    ask("GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS").then((all) => this.meet(all));
    if (this.mobile) ask("SET_ORIENTATION_LOCK_STATE", { lock_state: unlocked });
  }

  // meet takes who looks at this with one: Discord's client knows their pictures, and Discord alone is asked for these. Whose they are
  // their names say, unless two go by one.
  meet(all) {
    const people = (all?.participants || []).filter((p) => /^\d+$/.test(p.id));
    const names = (p) => new Set([p.nickname, p.global_name || p.username].filter(Boolean));
    this.pictures.clear();
    for (const p of people.filter((p) => /^\w+$/.test(p.avatar || ""))) {
      const own = (name) => people.every((o) => o === p || !names(o).has(name));
      for (const name of names(p)) if (own(name)) this.pictures.set(name, `https://cdn.discordapp.com/avatars/${p.id}/${p.avatar}.png?size=64`);
    }
    if (this.door.scene) this.door.show();
  }

  stands() {}

  feel(what) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.({ turn: 120, flip: 15, refusal: [40, 60, 40] }[what] || 0);
  }

  leave() {
    this.send(close, { code: 1000, message: "left", nonce: random(16) });
  }
}

const discord = new Discord();
await begin(tongue(discord));
discord.door = new Door(discord);
discord.door.connect();
