// The way through what was looked at: each table, game that is shown again and dialog has an address or at least an entry in the browser's
// history, and Back and Forward lead through them.

// named are the dialogs that an address can name, and how.
const named = { newgame: "games", who: "settings", invited: "invite" };

// where is what the address says: at which table one is, empty for the list of them; after how many moves a game is shown once more,
// undefined where it isn't; and which dialog lies over it.
export function where() {
  const parts = location.hash.slice(1).split("&");
  const [, kind, table = "", n = 0] = parts.map((p) => p.match(/^(table|replay)=([\w/-]+)(?:\.(\d+))?$/)).find(Boolean) || [];
  return { table, moment: kind === "replay" ? Number(n) : undefined, over: Object.keys(named).find((id) => parts.includes(named[id])) || "" };
}

// spell is the address of what where says.
export function spell({ table, moment, over }) {
  const parts = [table && (moment === undefined ? "table=" + table : `replay=${table}.${moment}`), named[over]].filter(Boolean);
  return location.pathname + location.search + (parts.length ? "#" + parts.join("&") : "");
}

// Way keeps the history. What lies over the page is told by its element, which cover watches: it has an entry as long as it is open.
// open(id) opens one that an address names; led() goes where the address says by now.
export class Way {
  constructor(open, led) {
    Object.assign(this, { open, led, over: new Map(), i: history.state?.i || 0, href: location.href, closed: Boolean(history.state?.closed) });
    addEventListener("popstate", () => this.popped());
    // An address that somebody typed, or a link, has no state.
    history.replaceState({ ...history.state, i: this.i }, "");
  }

  // to goes on to somewhere; anew says that Back leads here again.
  to(place, anew = true) {
    const push = anew && !this.closed;
    this.i += Number(push);
    history[push ? "pushState" : "replaceState"]({ i: this.i, over: place.over }, "", spell(place));
    Object.assign(this, { href: location.href, closed: false });
  }

  // cover watches what may lie over the page: isOpen says whether it does, close puts it away.
  cover(el, isOpen, close) {
    this.over.set(el.id, { isOpen, close });
    new MutationObserver(() => this.covered(el.id)).observe(el, { attributes: true, attributeFilter: ["open", "hidden"] });
  }

  // covered has an entry for what was opened. That of what was closed is used for what comes next; Back passes it by.
  covered(id) {
    const open = this.over.get(id).isOpen();
    const { over } = history.state || {};
    if (open && over !== id) this.to({ ...where(), over: id });
    else if (!open && over === id) {
      history.replaceState({ i: this.i, closed: true }, "", spell({ ...where(), over: "" }));
      Object.assign(this, { href: location.href, closed: true });
    }
  }

  // popped is called where somebody went back or forward, and where an address was typed.
  popped() {
    const state = history.state || {};
    const back = state.i < this.i;
    const passed = this.closed && location.href === this.href;
    Object.assign(this, { i: state.i ?? this.i + 1, href: location.href, closed: state.closed });
    if (!history.state) history.replaceState({ i: this.i, over: where().over }, "");
    const lost = state.over && !named[state.over] && !this.over.get(state.over)?.isOpen();
    if (back && (passed || lost)) return history.back();
    for (const [id, { isOpen, close }] of this.over) if (id !== history.state.over && isOpen()) close();
    const { over } = history.state;
    if (named[over] && !this.over.get(over).isOpen()) this.open(over);
    this.led();
  }
}
