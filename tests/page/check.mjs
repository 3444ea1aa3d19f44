// Looks at pages as people do: check.mjs URL FOLDER TOKEN PATH...
//
// Each page, light and dark, on a screen and on a phone: nothing on the console, no request off the
// origin, nothing that axe-core finds, nothing wider than the screen, the first key leads past the
// head; a picture of it in FOLDER. A line of TAP each; TOKEN '' when reading needs none.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const [url, folder, token, ...paths] = process.argv.slice(2);
const require = createRequire(path.join(process.cwd(), 'package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const looks = [];
for (const scheme of ['light', 'dark'])
	for (const [device, width, height] of [['screen', 1280, 800], ['phone', 390, 844]])
		looks.push({ name: `${scheme}-${device}`, scheme, width, height });
let n = 0, bad = 0;

function tell(ok, name, details = []) {
	console.log(`${ok ? 'ok' : 'not ok'} ${++n} - ${name}`);
	for (const line of details)
		console.log(`# ${line}`);
	bad += !ok;
}

async function logIn(page) {
	await page.goto(url + '/login');
	await page.fill('input[name=token]', token);
	await Promise.all([page.waitForNavigation(), page.click('main button')]);
}

// What axe-core finds, a line each with the place.
async function faults(page) {
	await page.evaluate(axe);
	const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
	return found.violations.map(v =>
		`${v.impact} ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(x => x.html).join(' ')}`);
}

// With the keyboard alone: Tab shows the link that skips the head, Enter follows it.
async function keys(page) {
	await page.keyboard.press('Tab');
	const skip = await page.evaluate(() => {
		const at = document.activeElement, box = at.getBoundingClientRect();
		return at.className === 'skip' && box.left >= 0 && box.top >= 0;
	});
	if (!skip)
		return ['Tab does not lead to the link that skips the head'];
	await page.keyboard.press('Enter');
	await page.keyboard.press('Tab');
	const inside = await page.evaluate(() => !document.querySelector('main a, main input, main [tabindex]') ||
		document.querySelector('main').contains(document.activeElement));
	await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
	return inside ? [] : ['the link that skips the head does not lead into the page'];
}

// The picture of a history, with keys and with the mouse; only where the page has one that is alive.
async function picture(page) {
	const box = page.locator('[data-points]'), says = page.locator('.says');
	if (!await box.count())
		return [];
	const wrong = [], count = () => page.locator('.pawl-dots circle, .pawl-x text').count();
	const line = () => page.locator('.pawl-median').getAttribute('d');
	const expect = (ok, words) => ok || wrong.push(words);
	const whole = await line();
	await box.focus();
	await page.keyboard.press('End');
	expect(/^[0-9a-f]{7} \d{4}-\d\d-\d\d: [\d.]+ \S+ \[/.test(await says.textContent()), 'End tells nothing');
	expect(/compare\?base=[0-9a-f]{12}&head=[0-9a-f]{12}$/.test(
		await says.locator('a').first().getAttribute('href')), 'it does not lead to a comparison');
	const runs = await page.request.get(url + await says.locator('a').nth(1).getAttribute('href'));
	expect(runs.status() === 200 && /Picture of the runs/.test(await runs.text()), 'nor to its runs');
	const seen = await page.evaluate(() => document.querySelector('[data-points]').scrollWidth <=
		document.querySelector('[data-points]').clientWidth);
	expect(seen, 'not all of the picture is seen');
	const told = await says.textContent();
	await page.keyboard.press('ArrowLeft');
	expect(told !== await says.textContent(), 'an arrow key tells of no other point');
	await page.keyboard.press('+');
	expect(whole !== await line(), '+ does not zoom');
	const part = page.locator('.tools a'), is_part = await box.getAttribute('data-part') !== null;
	expect(await part.isVisible() === is_part, is_part ? 'no way to what is not drawn' : 'a way to nothing');
	if (is_part)
		expect(/[?&]since=\d{4}-\d\d-\d\d&until=\d{4}-\d\d-\d\d$/.test(await part.getAttribute('href')),
			'it leads elsewhere');
	await page.keyboard.press('Escape');
	const redrawn = await line();
	await page.click('text=Logarithmic');
	expect(redrawn !== await line(), 'Logarithmic changes nothing');
	await page.click('text=Logarithmic');
	await page.click('text=Relative to the marked one');
	expect((await page.locator('.pawl-y text').allTextContents()).every(t => t.endsWith(' %')), 'no percents');
	await page.click('text=Relative to the marked one');
	expect(redrawn === await line(), 'it does not come back to what it was');
	const place = await page.locator('[data-points] svg').boundingBox();
	await page.mouse.move(place.x + place.width * 0.6, place.y + 100);
	await page.mouse.down();
	await page.mouse.move(place.x + place.width * 0.8, place.y + 120, { steps: 4 });
	await page.mouse.up();
	expect(redrawn !== await line(), 'dragging does not zoom');
	await page.screenshot({ path: path.join(folder, 'zoomed.png') });
	await page.click('text=Show all');
	expect(redrawn === await line(), 'Show all does not');
	expect(await count() > 0, 'nothing is left');
	await page.reload();
	return wrong;
}

async function look(browser, how) {
	const context = await browser.newContext({ colorScheme: how.scheme,
		viewport: { width: how.width, height: how.height } });
	const page = await context.newPage();
	let talk = [];
	page.on('console', m => m.type() === 'error' && talk.push(`console: ${m.text()}`));
	page.on('dialog', d => { talk.push(`dialog: ${d.message()}`); d.dismiss(); });
	page.on('pageerror', e => talk.push(`error: ${e.message}`));
	page.on('request', q => new URL(q.url()).origin === url || talk.push(`off the origin: ${q.url()}`));
	if (token)
		await logIn(page);
	for (const [i, where] of paths.entries()) {
		talk = [];
		const reply = await page.goto(url + where);
		const wide = await page.evaluate(() =>
			document.documentElement.scrollWidth - document.documentElement.clientWidth);
		if (wide > 0)
			talk.push(`wider than the screen by ${wide}`);
		if (reply.status() !== 200)
			talk.push(`status ${reply.status()}`);
		talk.push(...await keys(page), ...await picture(page));
		talk.push(...await faults(page));
		await page.screenshot({ path: path.join(folder, `${i}-${how.name}.png`), fullPage: true });
		tell(!talk.length, `${how.name}: ${where}`, talk);
	}
	await context.close();
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu'] });
for (const how of looks)
	await look(browser, how);
await browser.close();
console.log(`1..${n}`);
process.exit(bad ? 1 : 0);
