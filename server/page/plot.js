// Makes the picture of a history answer to pointer and keys; the page is whole without it.
//
// The points come with the picture, in data-points: value low high commit day verdict ratio moved id,
// one after another; "-" is what is not known. All text goes through textContent.
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const MOST_DOTS = 150, MOST_PLACES = 600, TICKS = 5, IDS = 7;
const NARROW = 640, LEAST = 420; // a picture in less than that is drawn anew, so wide at least

function element(name, attributes, text) {
	const e = document.createElementNS(SVG, name);
	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	if (text !== undefined)
		e.textContent = text;
	return e;
}

function html(name, className, text) {
	const e = document.createElement(name);
	e.className = className;
	e.textContent = text;
	return e;
}

function read(text) {
	return text.split(';').map(row => {
		const [value, low, high, commit, day, verdict, ratio, moved, id] = row.split(' ');
		const number = (x, other) => x === '-' ? other : Number(x);
		return { value: number(value, NaN), low: number(low, number(value, NaN)),
			high: number(high, number(value, NaN)), commit, day, verdict,
			ratio: number(ratio, NaN), moved: Number(moved), id };
	});
}

// Round numbers within the axis, at most TICKS + 1.
function ticks(low, high) {
	const rough = (high - low) / TICKS, power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map(n => n * power).find(s => s >= rough);
	const found = [];
	for (let t = Math.ceil(low / step) * step; t <= high + step / 1e6; t += step)
		found.push(t);
	return { at: found, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

class Plot {
	constructor(box) {
		this.box = box;
		this.svg = box.querySelector('svg');
		this.all = read(box.dataset.points);
		[this.left, this.right, this.top, this.bottom, this.inset] = box.dataset.frame.split(' ').map(Number);
		this.wide = { width: this.svg.viewBox.baseVal.width, right: this.right };
		this.factor = Number(box.dataset.factor);
		this.from = 0;
		this.to = this.all.length;
		this.at = null; // the point that is told about
		this.relative = null; // the value that levels are shown against
		this.log = false;
		this.addTools();
		this.listen();
	}

	addTools() {
		const bar = html('div', 'tools', '');
		const add = (words, act) => {
			const button = html('button', '', words);
			button.type = 'button';
			button.addEventListener('click', act);
			bar.append(button);
			return button;
		};
		this.whole = add('Show all', () => this.zoom(0, this.all.length));
		this.logarithmic = add('Logarithmic', () => { this.log = !this.log; this.draw(); });
		this.against = add('Relative to the marked one', () => {
			this.relative = this.relative === null && this.at !== null ? this.all[this.at].value : null;
			this.draw();
		});
		this.says = html('p', 'says', 'Point at the picture, or use the arrow keys; drag, + and - zoom.');
		this.says.setAttribute('aria-live', 'polite');
		this.part = html('a', '', '');
		bar.append(this.part);
		this.box.after(bar, this.says);
		this.cursor = element('g', { class: 'pawl-cursor' });
		this.chosen = element('rect', { class: 'pawl-chosen', y: this.top, height: this.bottom - this.top });
		this.svg.append(this.cursor, this.chosen);
		this.fit();
	}

	// On a phone all of it is seen, with letters of the usual size.
	fit() {
		const room = this.box.clientWidth, is_narrow = room < NARROW;
		const width = is_narrow ? Math.max(LEAST, room) : this.wide.width;
		this.right = width - (this.wide.width - this.wide.right);
		this.svg.setAttribute('viewBox', `0 0 ${width} ${this.svg.viewBox.baseVal.height}`);
		this.svg.setAttribute('width', width);
		this.svg.classList.toggle('fits', is_narrow);
		this.draw();
	}

	// What the buttons can do now.
	settle() {
		this.whole.disabled = this.from === 0 && this.to === this.all.length;
		this.logarithmic.setAttribute('aria-pressed', this.log);
		this.against.setAttribute('aria-pressed', this.relative !== null);
		this.against.disabled = this.at === null && this.relative === null;
		this.offer();
	}

	// Of a long history some are drawn: the way to more of what is zoomed in on.
	offer() {
		const address = this.box.dataset.part, asked = new URLSearchParams(location.search);
		const days = this.all.slice(this.from, this.to).map(p => p.day).filter(day => day !== '-').sort();
		const first = days[0], last = days[days.length - 1];
		this.part.hidden = !address || this.whole.disabled || !days.length ||
			(first === asked.get('since') && last === asked.get('until'));
		if (this.part.hidden)
			return;
		this.part.href = `${address}${address.includes('?') ? '&' : '?'}since=${first}&until=${last}`;
		this.part.textContent = `More results of ${first === last ? first : `${first} to ${last}`}`;
	}

	x(i) {
		const n = this.to - this.from, share = n > 1 ? (i - this.from) / (n - 1) : 0.5;
		return this.left + this.inset + share * (this.right - this.left - 2 * this.inset);
	}

	y(value) {
		const f = v => this.log ? Math.log(v) : v;
		const share = (f(value) - f(this.low)) / (f(this.high) - f(this.low));
		return this.bottom - Math.min(1, Math.max(0, share)) * (this.bottom - this.top);
	}

	index(event) {
		const box = this.svg.getBoundingClientRect();
		const x = (event.clientX - box.left) * this.svg.viewBox.baseVal.width / box.width;
		const room = this.right - this.left - 2 * this.inset;
		const i = this.from + Math.round((x - this.left - this.inset) / room * (this.to - this.from - 1));
		return Math.min(this.to - 1, Math.max(this.from, i));
	}

	words(value, decimals) {
		if (this.relative === null)
			return `${(value / this.factor).toFixed(decimals)}`;
		return `${((value / this.relative - 1) * 100).toFixed(decimals)} %`;
	}

	range() {
		const shown = this.all.slice(this.from, this.to).filter(p => isFinite(p.value));
		let low = Math.min(...shown.map(p => p.value)), high = Math.max(...shown.map(p => p.value));
		const more = high > low ? high - low : Infinity;
		low = Math.max(low - more, Math.min(...shown.map(p => p.low)));
		high = Math.min(high + more, Math.max(...shown.map(p => p.high)));
		if (this.log && low <= 0)
			low = Math.min(...shown.filter(p => p.value > 0).map(p => p.value), high);
		this.low = high > low ? low - (this.log ? 0 : (high - low) * 0.03) : low - Math.abs(low) * 0.01 - 1e-9;
		this.high = high > low ? high + (high - low) * 0.03 : high + Math.abs(high) * 0.01 + 1e-9;
	}

	draw() {
		this.range();
		this.drawLevels();
		this.drawCommits();
		this.drawLines();
		this.mark(this.at !== null && this.at >= this.from && this.at < this.to ? this.at : null);
	}

	drawLevels() {
		const unit = this.relative === null ? this.factor : this.relative / 100;
		const base = this.relative === null ? 0 : this.relative;
		const { at, decimals } = ticks((this.low - base) / unit, (this.high - base) / unit);
		this.svg.querySelector('.pawl-y').replaceChildren(...at.flatMap(t => {
			const value = base + t * unit, y = this.y(value);
			return [element('line', { class: 'pawl-grid', x1: this.left, x2: this.right, y1: y, y2: y }),
				element('text', { class: 'pawl-soft', 'font-size': 12, 'text-anchor': 'end',
					x: this.left - 10, y: y + 4 }, this.words(value, decimals))];
		}));
	}

	drawCommits() {
		const n = this.to - this.from, count = Math.min(IDS, n), parts = [];
		for (let k = 0, end = 0; k < count; k++) {
			const i = this.from + (count > 1 ? Math.floor(k * (n - 1) / (count - 1)) : 0), x = this.x(i);
			const anchor = count > 1 && !k ? 'start' : count > 1 && k === count - 1 ? 'end' : 'middle';
			if (anchor === 'middle' && k && (x - 50 < end || x + 150 > this.right))
				continue;
			end = x + (k ? 50 : 100);
			const how = { class: 'pawl-soft', 'font-size': 12, 'text-anchor': anchor, x };
			parts.push(element('line', { class: 'pawl-axis', x1: x, x2: x, y1: this.bottom, y2: this.bottom + 5 }),
				element('text', { ...how, y: this.bottom + 20 }, this.all[i].commit.slice(0, 7)),
				element('text', { ...how, y: this.bottom + 36 }, this.all[i].day));
		}
		this.svg.querySelector('.pawl-x').replaceChildren(...parts);
	}

	// Neighbours share a place, as in the picture that came: their least and greatest are drawn.
	drawLines() {
		const each = 1 + Math.floor((this.to - this.from) / MOST_PLACES), up = [], down = [], line = [];
		for (let i = this.from; i < this.to; i += each) {
			const here = this.all.slice(i, Math.min(i + each, this.to)).filter(p => isFinite(p.value));
			if (!here.length)
				continue;
			const x = this.x(i).toFixed(1), y = v => this.y(v).toFixed(1);
			const values = here.map(p => p.value), least = Math.min(...values), most = Math.max(...values);
			up.push(`${x} ${y(Math.max(...here.map(p => p.high)))}`);
			down.unshift(`${x} ${y(Math.min(...here.map(p => p.low)))}`);
			line.push(`${x} ${y(values.indexOf(least) < values.indexOf(most) ? least : most)}`);
			if (least < most)
				line.push(`${x} ${y(values.indexOf(least) < values.indexOf(most) ? most : least)}`);
		}
		this.svg.querySelector('.pawl-band').setAttribute('d', `M${[...up, ...down].join('L')}z`);
		this.svg.querySelector('.pawl-median').setAttribute('d', `M${line.join('L')}`);
		this.drawPoints();
	}

	drawPoints() {
		const dots = [], marks = [],
			room = (this.right - this.left) / (this.wide.right - this.left),
			few = this.to - this.from <= MOST_DOTS * room;
		for (let i = this.from; i < this.to; i++) {
			const p = this.all[i], x = this.x(i);
			if (few && isFinite(p.value))
				dots.push(element('circle', { class: 'pawl-level', cx: x, cy: this.y(p.value), r: 3 }));
			if (!p.moved)
				continue;
			const g = element('g', { class: p.moved > 0 ? 'pawl-regressed' : 'pawl-improved' });
			g.append(element('line', { x1: x, x2: x, y1: this.top - 10, y2: this.bottom, 'stroke-dasharray': '2 4' }),
				element('path', { d: `M${x} ${this.top - 12}${p.moved > 0 ? 'm0 -7l7 12h-14z' : 'm0 5l7 -12h-14z'}` }));
			marks.push(g);
		}
		this.svg.querySelector('.pawl-dots').replaceChildren(...dots);
		this.svg.querySelector('.pawl-marks').replaceChildren(...marks);
	}

	// The commit before that point which is another one; null: there is none.
	before(i) {
		const commit = this.all[i].commit;
		while (i > 0 && this.all[i].commit === commit)
			i--;
		return this.all[i].commit === commit ? null : this.all[i].commit;
	}

	// Tells about a point; null: about none.
	mark(i) {
		this.at = i;
		this.settle();
		this.cursor.replaceChildren();
		if (i === null)
			return;
		const p = this.all[i], x = this.x(i), base = this.before(i);
		const number = v => Number((v / this.factor).toPrecision(4));
		this.cursor.append(element('line', { class: 'pawl-axis', x1: x, x2: x, y1: this.top, y2: this.bottom }));
		if (isFinite(p.value))
			this.cursor.append(element('circle', { class: 'pawl-level', cx: x, cy: this.y(p.value), r: 5 }));
		let words = `${p.commit.slice(0, 7)} ${p.day}: ${number(p.value)} ${this.box.dataset.unit}`;
		if (p.high > p.low)
			words += ` [${number(p.low)}, ${number(p.high)}]`;
		if (this.relative !== null)
			words += `, ${this.words(p.value, 2)}`;
		if (p.verdict !== '-')
			words += `, ${p.verdict}`;
		if (p.moved && isFinite(p.ratio))
			words += ` ${p.ratio > 1 ? '+' : ''}${((p.ratio - 1) * 100).toFixed(2)} %`;
		this.says.textContent = words;
		this.link = null;
		if (base !== null)
			this.link = this.lead(this.box.dataset.part ? 'compare with the one to its left' : 'compare with the one before',
				`${this.box.dataset.compare}?base=${encodeURIComponent(base)}&head=${encodeURIComponent(p.commit)}`);
		if (p.id !== '-')
			this.lead('its runs', `${this.box.dataset.runs}&id=${encodeURIComponent(p.id)}`);
	}

	// A link behind what is told.
	lead(words, address) {
		const link = html('a', '', words);
		link.href = address;
		this.says.append(this.says.children.length ? ', ' : ': ', link);
		return link;
	}

	zoom(from, to) {
		if (to - from < 2)
			return;
		this.from = Math.max(0, from);
		this.to = Math.min(this.all.length, to);
		this.draw();
	}

	// Half as many points, or twice, around the one that is told about.
	scale(by) {
		const n = Math.max(2, Math.round((this.to - this.from) * by));
		const centre = this.at === null ? (this.from + this.to) / 2 : this.at;
		const from = Math.min(Math.max(0, Math.round(centre - n / 2)), Math.max(0, this.all.length - n));
		this.zoom(from, from + n);
	}

	key(event) {
		const last = this.to - 1, at = this.at;
		const acts = {
			ArrowRight: () => this.mark(at === null ? this.from : Math.min(last, at + 1)),
			ArrowLeft: () => this.mark(at === null ? last : Math.max(this.from, at - 1)),
			Home: () => this.mark(this.from),
			End: () => this.mark(last),
			Escape: () => this.zoom(0, this.all.length),
			'+': () => this.scale(0.5),
			'-': () => this.scale(2),
			Enter: () => at !== null && this.link && this.link.click(),
		};
		if (!acts[event.key] || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		acts[event.key]();
	}

	choose(begin, end) {
		const [a, b] = [this.x(Math.min(begin, end)), this.x(Math.max(begin, end))];
		this.chosen.setAttribute('x', a);
		this.chosen.setAttribute('width', b - a);
	}

	listen() {
		let begin = null;
		this.box.addEventListener('keydown', e => this.key(e));
		this.svg.addEventListener('pointermove', e => {
			const i = this.index(e);
			this.mark(i);
			if (begin !== null)
				this.choose(begin, i);
		});
		this.svg.addEventListener('pointerdown', e => {
			if (e.pointerType !== 'mouse' || e.button)
				return;
			e.preventDefault();
			this.box.focus({ preventScroll: true });
			this.svg.setPointerCapture(e.pointerId);
			begin = this.index(e);
		});
		const end = e => {
			const i = begin === null ? null : this.index(e), was = begin;
			begin = null;
			this.chosen.setAttribute('width', 0);
			if (i !== null && e.type === 'pointerup' && Math.abs(i - was) > 1)
				this.zoom(Math.min(i, was), Math.max(i, was) + 1);
		};
		this.svg.addEventListener('pointerup', end);
		this.svg.addEventListener('pointercancel', end);
		this.svg.addEventListener('dblclick', () => this.zoom(0, this.all.length));
		addEventListener('resize', () => this.fit());
	}
}

for (const box of document.querySelectorAll('[data-points]'))
	if (box.querySelector('svg'))
		new Plot(box);
