// The way through what was looked at: each table, game that is shown again and dialog has an address or at least an entry in the browser's
// history, and Back and Forward lead through them.

// named are the dialogs that an address can name, and how.
const named = { newgame: "games", who: "settings", invited: "invite" };

// looks are what somebody can look up by an address: each is a command, or whose card it is, and its answer lies over the page.
const looks = /^(day|history|me|scores|stats|ledger|daily|person=.*)$/;
const told = "told"; // the dialog that has the answer

// where is what the address says: at which table one is, empty for the list of them; after how many moves a game is shown once more,
// undefined where it isn't; and which dialog lies over it, and what was looked up there.
export function where() {
  const parts = location.hash.slice(1).split("&");
  const [, kind, table = "", n = 0] = parts.map((p) => p.match(/^(table|replay)=([\w/-]+)(?:\.(\d+))?$/)).find(Boolean) || [];
  const looked = parts.find((part) => looks.test(part)) || "";
  const over = Object.keys(named).find((id) => parts.includes(named[id])) || (looked && told);
  return { table, moment: kind === "replay" ? Number(n) : undefined, over, looked };
}

// spell is the address of what where says.
export function spell({ table, moment, over, looked }) {
  const parts = [table && (moment === undefined ? "table=" + table : `replay=${table}.${moment}`), named[over] || looked].filter(Boolean);
  return location.pathname + location.search + (parts.length ? "#" + parts.join("&") : "");
}

// Way keeps the history. What lies over the page is told by its element, which cover watches: it has an entry as long as it is open.
// open(id, looked) opens one that an address names; asked() is what is looked up; led() goes where the address says by now.
export class Way {
  constructor(open, asked, led) {
    Object.assign(this, { open, asked, led, over: new Map(), i: history.state?.i || 0, href: location.href, closed: Boolean(history.state?.closed) });
    addEventListener("popstate", () => this.popped());
    // An address that somebody typed, or a link, has no state.
    const { over, looked } = where();
    history.replaceState({ over, looked, ...history.state, i: this.i }, "");
  }

  // to goes on to somewhere; anew says that Back leads here again.
  to(place, anew = true) {
    const push = anew && !this.closed;
    this.i += Number(push);
    history[push ? "pushState" : "replaceState"]({ i: this.i, over: place.over, looked: place.looked }, "", spell(place));
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
    const at = where();
    const looked = id === told ? open && this.asked() : at.looked;
    if (open && over !== id) this.to({ ...at, over: id, looked });
    else if (!open && over === id) {
      history.replaceState({ i: this.i, closed: true }, "", spell({ ...at, over: "", looked }));
      Object.assign(this, { href: location.href, closed: true });
    }
  }

  // popped is called where somebody went back or forward, and where an address was typed.
  popped() {
    const state = history.state || {};
    const back = state.i < this.i;
    const passed = this.closed && location.href === this.href;
    Object.assign(this, { i: state.i ?? this.i + 1, href: location.href, closed: state.closed });
    const at = where();
    if (!history.state) history.replaceState({ i: this.i, over: at.over, looked: at.looked }, "");
    const lost = state.over && !named[state.over] && !state.looked && !this.over.get(state.over)?.isOpen();
    if (back && (passed || lost)) return history.back();
    const { over, looked } = history.state;
    for (const [id, { isOpen, close }] of this.over) if ((id !== over || (id === told && looked && looked !== this.asked())) && isOpen()) close();
    if ((named[over] || (looked && over === told)) && !this.over.get(over).isOpen()) this.open(over, looked);
    this.led();
  }
}
