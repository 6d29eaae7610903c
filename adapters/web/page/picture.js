// A table's picture: gets it as wide as the screen needs it, and shows it without a flicker.

import { make, pause } from "./make.js";
import { Touch } from "./touch.js";

const widths = [800, 1200, 1600];
const again = [400, 1500, 5000]; // after how long a picture that didn't come is asked for again

// Picture is the picture of one message.
export class Picture {
  // press(token) makes a move, and answers whether it was taken.
  constructor(press) {
    this.el = make("div", "picture");
    this.touch = new Touch(this.el, press);
    this.width = 0;
    new IntersectionObserver((seen) => {
      this.visible = seen.at(-1).isIntersecting;
      this.load();
    }).observe(this.el);
    new ResizeObserver(() => this.load()).observe(this.el);
  }

  // update shows what the picture has become; nothing, if there is none any more.
  update(view) {
    this.view = view;
    this.el.hidden = !view;
    if (!view) {
      Object.assign(this, { name: "", coming: null });
      this.touch.disarm();
      this.touch.settle();
      return;
    }
    this.el.style.setProperty("--w", view.w);
    this.el.style.setProperty("--h", view.h);
    this.load();
  }

  // load gets the picture, if it is to be seen, and shows it in one go once it is ready: the one before stands until
  // then, and one that was overtaken is never shown.
  async load() {
    const { view } = this;
    if (!view || !this.visible) return;
    const sharp = this.el.clientWidth * devicePixelRatio * 0.97;
    const width = widths.find((w) => w >= sharp) || widths.at(-1);
    if (this.name === view.name && this.width >= width) {
      if (!this.coming) this.touch.arm(view, this.img);
      return;
    }
    if (this.name !== view.name) this.touch.disarm();
    Object.assign(this, { name: view.name, width });
    const img = make("img");
    Object.assign(img, { alt: view.alt, draggable: false, src: `picture/${view.name}/${width}.png` });
    this.coming = img;
    let ready = false;
    for (const wait of [0, ...again]) {
      if (wait) await pause(wait);
      if (this.coming !== img) return;
      if (wait) img.src = img.src;
      ready = await img.decode().then(() => true, () => false);
      if (this.coming !== img) return;
      if (ready) break;
    }
    if (!ready) this.name = ""; // Its words stand for it until there is a reason to try again.
    this.coming = null;
    if (this.img) this.img.replaceWith(img);
    else this.el.prepend(img);
    this.img = img;
    this.touch.arm(this.view, img);
  }
}
