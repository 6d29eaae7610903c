package browsertest

// Clock is a script to be run before those of a page: the page's clock stands, and goes on only by clock.pass(ms), and by 20 ms with
// each look of clock.until(ok), a promise that is kept when ok() is true, unless another was asked for meanwhile. Frames of the page's own
// origin have its time.
const Clock = `(() => {
	const later = window.setTimeout.bind(window), begun = Date.now(), due = new Map();
	let now = 0, last = 0;
	const begin = (f, ms, every, args) => (due.set(++last, { at: now + Math.max(0, ms || 0), every, f: () => f(...args) }), last);
	window.setTimeout = (f, ms, ...args) => begin(f, ms, 0, args);
	window.setInterval = (f, ms, ...args) => begin(f, ms, Math.max(1, ms || 0), args);
	window.clearTimeout = window.clearInterval = (id) => { due.delete(id); };
	Date.now = () => begun + now;
	performance.now = () => now;
	const pass = (ms) => {
		for (const end = now + ms; ; ) {
			const [id, one] = [...due].filter(([, one]) => one.at <= end).sort(([, a], [, b]) => a.at - b.at)[0] || [];
			if (!one) { now = end; return; }
			now = one.at;
			if (one.every) one.at += one.every; else due.delete(id);
			one.f();
		}
	};
	const windows = () => [window, ...Array.from(frames).filter((f) => { try { return f.clock; } catch { return false; } })];
	let asked = 0;
	window.clock = { pass, now: () => now, until: (ok) => new Promise((done) => {
		const mine = ++asked;
		const look = () => {
			if (mine !== asked) return;
			try { if (ok()) { done(true); return; } } catch {}
			for (const w of windows()) w.clock.pass(20);
			later(look, 4);
		};
		look();
	}) };
})()`
