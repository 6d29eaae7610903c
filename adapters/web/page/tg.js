// The door in Telegram: the page speaks with Telegram's client as it does with its own script's pages, without that script.

import { Door, tongue } from "./door.js";
import { begin } from "./words.js";

const tgHosts = document.body.dataset.hosts.split(" ").filter(Boolean);
const folded = 100; // pixels: a lower window shows nothing, and some phones don't tell how high it is once it is unfolded

// tgParameters are those of the launch. They stand in the fragment, and are taken out of the address.
function tgParameters() {
  const all = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
  return all;
}

// asJSON is what a text says; nothing if it says nothing.
function asJSON(text) {
  try {
    return JSON.parse(text) || {};
  } catch {
    return {};
  }
}

// luminance of a colour like #aabbcc.
function luminance(color) {
  const part = (i) => parseInt(color.slice(i, i + 2), 16) / 255;
  const line = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * line(part(1)) + 0.7152 * line(part(3)) + 0.0722 * line(part(5));
}

// readable says whether one colour can be read on another.
function readable(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05) >= 4.5;
}

const isColor = (c) => /^#[0-9a-f]{6}$/i.test(c);

// Telegram is the client around the page.
class Telegram {
  constructor(parameters) {
    this.data = parameters.get("tgWebAppData") || "";
    const query = new URLSearchParams(this.data);
    const user = asJSON(query.get("user"));
    this.start = query.get("start_param") || parameters.get("tgWebAppStartParam") || "";
    this.key = this.data && `${user.id} ${this.start}`;
    this.lang = user.language_code || "";
    this.version = parameters.get("tgWebAppVersion") || "6.0";
    this.platform = parameters.get("tgWebAppPlatform") || "";
    this.renews = false;
    this.theme(asJSON(parameters.get("tgWebAppThemeParams")));
  }

  // since says whether the client knows what came with a version.
  since(version) {
    const [a, b] = [this.version, version].map((v) => v.split(".").map(Number));
    return a[0] > b[0] || (a[0] === b[0] && (a[1] || 0) >= (b[1] || 0));
  }

  // listen takes the client's events, by each of the ways that clients have.
  listen(door) {
    this.door = door;
    const receiveEvent = (name, data) => this.take(name, data || {});
    addEventListener("message", (e) => {
      if (e.source !== window.parent || !tgHosts.includes(e.origin) || typeof e.data !== "string") return;
      const { eventType, eventData } = asJSON(e.data);
      receiveEvent(eventType, eventData);
    });
    window.Telegram = { WebView: { receiveEvent } };
    window.TelegramGameProxy = { receiveEvent };
    window.TelegramGameProxy_receiveEvent = receiveEvent;
  }

  // post tells the client something.
  post(name, data = {}) {
    const { TelegramWebviewProxy: proxy, external } = window;
    if (proxy) proxy.postEvent(name, JSON.stringify(data));
    else if (external && "notify" in external) external.notify(JSON.stringify({ eventType: name, eventData: data }));
    else if (window.parent !== window) for (const host of this.host ? [this.host] : tgHosts) window.parent.postMessage(JSON.stringify({ eventType: name, eventData: data }), host);
  }

  // settle tells the client how this page wants to be shown.
  settle() {
    this.post("iframe_ready", { reload_supported: false });
    this.post("web_app_ready");
    this.post("web_app_expand");
    this.post("web_app_request_theme");
    this.post("web_app_request_viewport");
    if (this.since("7.7")) this.post("web_app_setup_swipe_behavior", { allow_vertical_swipe: false });
    if (this.since("8.0")) {
      this.post("web_app_request_safe_area");
      this.post("web_app_request_content_safe_area");
      if (/^(android|ios)/.test(this.platform)) this.post("web_app_request_fullscreen");
    }
    this.told = {};
    this.door.stand();
  }

  // take takes an event of the client's.
  take(name, data) {
    if (name === "theme_changed") this.theme(data.theme_params || {});
    else if (name === "viewport_changed") {
      const { height, is_state_stable: stable } = data;
      if (height > folded && stable !== false) document.documentElement.style.setProperty("--tg-height", `min(100dvh, ${Number(height)}px)`);
    } else if (name === "safe_area_changed" || name === "content_safe_area_changed") {
      this[name] = data;
      this.inset();
    } else if (name === "back_button_pressed") this.door.back();
    else if (name === "visibility_changed") this.door.live.shown(data.is_visible === false);
  }

  // inset keeps free what the device and the client have for themselves.
  inset() {
    for (const [side, name] of Object.entries({ top: "above", bottom: "below", left: "left", right: "right" })) {
      const px = (Number(this.safe_area_changed?.[side]) || 0) + (Number(this.content_safe_area_changed?.[side]) || 0);
      document.documentElement.style.setProperty("--tg-" + name, Math.max(0, Math.min(px, 300)) + "px");
    }
  }

  // theme takes the client's colours, in pairs that can be read.
  theme(colors) {
    const root = document.documentElement;
    const pair = (back, fore, name, ink) => {
      const good = isColor(back) && isColor(fore) && readable(back, fore);
      for (const [key, value] of [[name, back], [ink, fore]]) {
        if (good) root.style.setProperty(key, value);
        else root.style.removeProperty(key);
      }
    };
    const { bg_color: bg, text_color: text } = colors;
    if (!isColor(bg)) return;
    this.ground = bg;
    root.dataset.theme = luminance(bg) < 0.18 ? "dark" : "light";
    pair(bg, text, "--bg", "--ink");
    const panel = colors.secondary_bg_color;
    if (isColor(panel) && isColor(text) && readable(panel, text) && readable(bg, text)) root.style.setProperty("--panel", panel);
    else if (isColor(text) && readable(bg, text)) root.style.setProperty("--panel", bg);
    else root.style.removeProperty("--panel");
    pair(colors.button_color, colors.button_text_color, "--knob", "--knob-ink");
    this.door?.stand(); // The cloth is another in the dark.
  }

  async login() {
    if (!this.data) throw Object.assign(new Error("no login"), { why: "nobody" });
    return { login: this.data, start: this.start };
  }

  // stands shows the way back where there is one, asks before the window is closed where others would wait, and has what is around the
  // page be of its colour.
  stands({ back, waited, cloth }) {
    const ground = cloth || this.ground;
    this.tell("6.1", "web_app_setup_back_button", { is_visible: back });
    this.tell("6.2", "web_app_setup_closing_behavior", { need_confirmation: waited });
    if (!ground) return;
    this.tell("6.9", "web_app_set_header_color", { color: ground });
    this.tell("6.1", "web_app_set_background_color", { color: ground });
    this.tell("7.10", "web_app_set_bottom_bar_color", { color: ground });
  }

  // tell tells a client that knows what came with a version what it hasn't been told last.
  tell(version, name, data) {
    const text = JSON.stringify(data);
    if (!this.told || this.told[name] === text || !this.since(version)) return;
    this.told[name] = text;
    this.post(name, data);
  }

  feel(what) {
    const kinds = {
      turn: { type: "notification", notification_type: "success" }, press: { type: "impact", impact_style: "light" },
      flip: { type: "impact", impact_style: "medium" }, refusal: { type: "notification", notification_type: "error" },
    };
    if (this.since("6.1")) this.post("web_app_trigger_haptic_feedback", kinds[what]);
  }

  leave() {
    this.post("web_app_close");
  }
}

const telegram = new Telegram(tgParameters());
await begin(tongue(telegram));
const tgDoor = new Door(telegram);
telegram.listen(tgDoor);
telegram.settle();
tgDoor.connect();
