// The line at the bottom: what one says, and the commands it can be completed to.

import { el, make } from "./make.js";

const most = 8;

// Line is the form with id "line". does: send(text).
export class Line {
  constructor(does) {
    this.does = does;
    this.commands = [];
    this.found = [];
    this.active = -1;
    this.past = [];
    this.form = el("line");
    this.input = el("text");
    this.list = el("options");
    this.form.addEventListener("submit", (e) => this.submit(e));
    this.input.addEventListener("input", () => this.look());
    this.input.addEventListener("keydown", (e) => this.key(e));
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (e) => e.preventDefault());
    this.list.addEventListener("click", (e) => this.click(e));
    el("slash").addEventListener("click", () => this.begin());
  }

  // begin starts a command.
  begin() {
    if (!this.input.value.startsWith("/")) this.input.value = "/";
    this.input.focus();
    this.look();
  }

  // look offers the commands that begin with what is typed.
  look() {
    const typed = this.input.value;
    this.found = typed.startsWith("/") ? this.fitting(typed).slice(0, most) : [];
    this.active = -1;
    this.draw();
  }

  // fitting are the commands that go on from what is typed. A word that can follow a command can also follow after
  // others, but not beside another choice of the same thing, nor where one is whole by itself.
  fitting(typed) {
    const begins = (whole, part) => whole.toLowerCase().startsWith(part.toLowerCase()) && whole !== part;
    const whole = this.commands.filter((c) => begins(c.line, typed));
    const words = typed.split(" ");
    const last = words.pop();
    const choice = (word) => word.split("=")[0];
    for (let n = words.length; n > 0 && words.length > 1; n--) {
      const command = words.slice(0, n).join(" ") + " ";
      const chosen = words.slice(n).map(choice);
      const after = this.commands
        .filter((c) => c.line.startsWith(command))
        .map((c) => ({ word: c.line.slice(command.length), hint: c.hint, whole: c.whole }))
        .filter(({ word }) => !word.includes(" "));
      if (!after.length) continue;
      const over = after.some(({ word, whole }) => whole && words.slice(n).includes(word));
      const more = after
        .filter(({ word, whole }) => begins(word, last) && !chosen.includes(choice(word)) && !over && !(whole && chosen.length))
        .map(({ word, hint }) => ({ line: [...words, word].join(" "), hint }))
        .filter(({ line }) => whole.every((c) => c.line !== line));
      return [...whole, ...more];
    }
    return whole;
  }

  draw() {
    this.list.replaceChildren(...this.found.map((c, i) => {
      const li = make("li");
      li.id = "option" + i;
      li.setAttribute("role", "option");
      li.ariaSelected = i === this.active;
      li.append(make("b", "", c.line), " ", make("span", "", c.hint));
      return li;
    }));
    this.list.hidden = !this.found.length;
    this.input.ariaExpanded = !this.list.hidden;
    if (this.active < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", "option" + this.active);
      this.list.children[this.active].scrollIntoView({ block: "nearest" });
    }
  }

  close() {
    this.found = [];
    this.active = -1;
    this.draw();
  }

  key(e) {
    if (e.isComposing) return;
    const open = this.found.length > 0;
    if (open && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
      const step = e.key === "ArrowDown" ? 1 : -1;
      const first = this.active < 0 && step < 0 ? 0 : this.active;
      this.active = (first + step + this.found.length) % this.found.length;
      this.draw();
    } else if (open && e.key === "Tab" && !e.shiftKey) {
      this.accept(Math.max(this.active, 0));
    } else if (open && e.key === "Enter" && this.active >= 0) {
      this.accept(this.active);
    } else if (open && e.key === "Escape") {
      this.close();
    } else if (!open && e.key === "ArrowUp" && this.past.length && !this.input.value) {
      this.input.value = this.past.at(-1);
    } else {
      return;
    }
    e.preventDefault();
  }

  accept(i) {
    this.input.value = this.found[i].line;
    this.close();
  }

  click(e) {
    const i = [...this.list.children].indexOf(e.target.closest("li"));
    if (i < 0) return;
    this.accept(i);
    this.input.focus();
  }

  // submit sends the line. What could not be sent comes back, unless something else was begun meanwhile.
  async submit(e) {
    e.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    this.close();
    this.input.value = "";
    this.past = [text];
    if (!(await this.does.send(text)) && !this.input.value) this.input.value = text;
  }
}
