// The way to the room and back: requests, and the live connection that tells what happens.

import { pause } from "./make.js";
import { me, random } from "./me.js";

// post sends what was said or pressed. While the room can't be reached it tries again, with the same id, so that what
// arrives twice counts once. It answers {toast, alert}, or {error: code}. The headers say who does it.
export async function post(path, body, headers = { "X-Zevaka-Tab": me.secret, "X-Zevaka-Admin": me.admin }) {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ id: random(16), name: me.name, lang: me.lang, ...body }),
  };
  for (let wait = 300; ; wait *= 2) {
    try {
      const answer = await fetch(path, { ...request, signal: AbortSignal.timeout?.(25000) });
      if (answer.status !== 503 || !answer.headers.has("Retry-After")) return await answer.json();
    } catch {
      // It is tried again.
    }
    if (wait > 3000) return { error: "lost" };
    await pause(wait);
  }
}

const silence = 50000; // the room says something every 20 s
const yawn = 5000; // how long a connection that may have slept has to say something
const handshake = 8000; // how long one may take to stand where there is another way: some browsers leave it pending for ever, over plain HTTP
const refused = 4000;
const maxTurns = 3; // how often in a row the server may send us elsewhere at once
const maxMute = 3; // how many WebSockets in a row may close without a word
const rarely = 60000; // how long one that goes on by requests waits before it tries another

// Posted stands for a WebSocket where none comes to stand: a request with all that is to be said at once, and its long answer, a line for each
// event, which the server ends after a while.
class Posted {
  constructor(address) {
    Object.assign(this, { readyState: WebSocket.OPEN, said: [], stop: new AbortController() });
    queueMicrotask(() => this.hear(address));
  }

  send(text) {
    this.said.push(text);
  }

  close() {
    this.readyState = WebSocket.CLOSED;
    this.stop.abort();
  }

  async hear(address) {
    const began = performance.now();
    this.sent = true;
    try {
      const { body } = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: `[${this.said}]`, signal: this.stop.signal });
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = "", next; !(next = await reader.read()).done; ) {
        const lines = (rest + next.value).split("\n");
        rest = lines.pop();
        for (const data of lines) {
          if (data.startsWith('{"code"')) this.onclose?.(JSON.parse(data));
          else this.onmessage?.({ data });
        }
      }
    } catch {
      // It is over all the same.
    }
    this.readyState = WebSocket.CLOSED;
    if (performance.now() - began > handshake) this.onend?.();
    else this.onclose?.({});
  }
}

// Live is the live connection. It connects by itself, again and again; event(e) gets what happens, the first of each
// connection being the whole room; state(up, why) says whether it stands, and with which code the room keeps us out if it
// does; no(code) answers whether there is no use in trying again. hello() is what is said first, or will be; nothing if nobody
// shall connect. first() is what is wished at once: where there is one the server takes a Posted, too. channel()
// is the one whose tables are looked at. With each connection anew becomes true: the server may have gone back to a backup.
export class Live {
  constructor({ event, state, no, first, channel = () => 1, address = location.origin + "/live", hello = () => ({ tab: me.secret, admin: me.admin, name: me.name, lang: me.lang }) }) {
    Object.assign(this, { event, state, no, first, channel, address, hello, early: window.early, tries: 0, turns: 0, mute: 0, at: "", away: false });
    const shown = () => this.shown();
    addEventListener("online", shown);
    document.addEventListener("visibilitychange", shown);
  }

  // open connects, anew if there is a connection: who we are may have changed.
  async open() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.abandon();
    const opening = (this.opening = {});
    const hello = await this.hello();
    if (!hello || this.opening !== opening) return;
    const posted = this.stuck || this.asks;
    const socket = posted ? new Posted(this.address) : this.early?.readyState < 2 ? this.early : this.dial();
    this.early = null;
    let seq = 0;
    this.socket = socket;
    this.watch(this.first && handshake);
    socket.onopen = () => {
      this.watch();
      socket.send(JSON.stringify(hello));
      if (this.first) this.wish(this.first());
      if (this.more) this.wish(this.more);
      this.more = null;
    };
    if (socket.readyState === WebSocket.OPEN) socket.onopen();
    socket.onmessage = ({ data }) => {
      const e = JSON.parse(data);
      if (e.seq !== ++seq) return this.lose({});
      this.watch();
      if (e.kind === "elsewhere") return this.turn(e);
      if (seq === 1) {
        this.turns = 0;
        this.anew = true;
        this.state(true);
        if (posted) this.trial();
        else this.mute = 0;
      } else this.tries = 0; // What was wished for is shown, too.
      this.event(e);
    };
    socket.onclose = (why) => {
      if (seq || why.code === refused || posted || !this.first || ++this.mute < maxMute) return this.lose(why);
      // A network on the way may refuse WebSockets alone. If the server is away a request fails, too, and the next try is a WebSocket.
      this.asks = true;
      this.open();
    };
    socket.onend = () => this.open();
  }

  dial() {
    return new WebSocket(this.address.replace(/^http/, "ws") + (this.at ? "?at=" + this.at : ""));
  }

  // trial has a WebSocket take the place of a Posted if one comes to stand, and tries another after a while: the network is another one, or was away.
  trial() {
    if (this.tried?.readyState === WebSocket.CONNECTING || performance.now() < this.next) return;
    this.next = performance.now() + rarely;
    const early = (this.tried = this.dial());
    early.onopen = () => {
      if (!this.stuck && !this.asks) return early.close();
      Object.assign(this, { early, stuck: false, asks: false });
      this.open();
    };
  }

  // turn connects again where the server says, after a while if it has said so too often.
  turn(e) {
    this.at = e.at;
    this.event(e);
    if (++this.turns > maxTurns) this.lose({});
    else this.open();
  }

  // wish tells what is to be seen, and whether anybody sees it, if the connection stands; whoever wishes wishes again when it comes back.
  wish(what) {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const text = JSON.stringify({ ...what, hidden: this.hidden });
    if (!socket.sent) socket.send(text);
    else if (what.log || !socket.said.includes(text)) {
      this.more = what;
      this.open();
    }
  }

  get hidden() {
    return document.hidden || this.away;
  }

  // shown looks whether anybody sees the page now; away says that the client around it doesn't show it.
  shown(away = this.away) {
    this.away = away;
    if (this.hidden) this.wish();
    else this.wake();
  }

  // lose gives the connection up and plans the next one.
  lose({ code, reason }) {
    this.abandon();
    this.asks = false;
    if (code === refused && this.no(reason)) return;
    this.state(false, code === refused ? reason : "");
    this.timer = setTimeout(() => this.open(), this.delay());
  }

  abandon() {
    clearTimeout(this.watchdog);
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = this.socket.onend = null;
    this.socket.close();
    this.socket = null;
  }

  delay() {
    return Math.min(8000, 250 * 1.7 ** this.tries++) * (0.7 + 0.6 * Math.random());
  }

  // wake looks at once whether the connection, which may have slept, still stands: the tables of a channel are told when one asks. One that
  // was being opened may never be, and of one that has closed the browser may not have told.
  wake() {
    const { socket } = this;
    if (socket?.readyState <= WebSocket.OPEN) {
      this.wish({ channel: this.channel() });
      this.watch(yawn);
    } else if (socket || this.timer) {
      this.tries = 0;
      this.open();
    }
  }

  // watch gives the connection up if nothing comes for so long.
  watch(most = silence) {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      this.stuck ||= most === handshake && this.socket.readyState === WebSocket.CONNECTING;
      this.lose({});
    }, most);
  }
}
