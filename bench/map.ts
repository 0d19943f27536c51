/**
 * The map page in a real Chromium over the whole service with its sample: from an empty cache to the map with
 * its lines drawn, and from a click until everything that is asked about the place is shown.
 */
import type { Browser, Page } from 'playwright-core';
import { findChromium, LAPTOP, startBrowser } from '../test/web/browser.ts';
import { startWholeService } from '../test/support/whole-service.ts';
import { quantile } from './harness/measure.ts';
import { numberOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';

const COLD_ROUNDS = 9;
/** A visitor of the open trial has 60 questions a minute, and a click asks five. */
const CLICKS_A_VISITOR = 8;
/** Milliseconds in which nothing more is drawn: the picture is whole. */
const STILL_MS = 600;

/** Rows for the table of `npm run bench`. `--clicks` says how many (80). */
export async function benchMap(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const chromium = findChromium();
  if (chromium === null) throw new Error('There is no Chromium to measure in.');
  process.env['TRUSTED_PROXIES'] = '127.0.0.1';
  const service = await startWholeService();
  cleanup.defer(() => service.close());
  const browser = await startBrowser(chromium);
  cleanup.defer(() => browser.close());
  const visitors = new Visitors(browser, service.base);
  const cold = [];
  // The first is not counted: the service has cut none of its tiles before.
  for (let round = 0; round <= COLD_ROUNDS; round++) cold.push(await firstPicture(visitors));
  const clicks = await clicked(visitors, numberOption('clicks', 80));
  const firstMs = cold.shift() ?? NaN;
  return [
    row('first map with lines, cold cache, the very first', firstMs, 'ms'),
    row('first map with lines, cold cache, p50', quantile(cold, 0.5), 'ms', {
      gate: '<= 2,000 (goal 1,000)',
    }),
    row('click to all answers shown, p50', quantile(clicks, 0.5), 'ms', {
      gate: '<= 300 (goal 100)',
    }),
    row('click to all answers shown, p95', quantile(clicks, 0.95), 'ms', {
      gate: '<= 300 (goal 100)',
    }),
  ];
}

class Visitors {
  readonly #browser: Browser;
  readonly #base: string;
  #count = 0;

  constructor(browser: Browser, base: string) {
    this.#browser = browser;
    this.#base = base;
  }

  /** Another client address, with nothing in its cache. */
  async open(): Promise<Page> {
    this.#count += 1;
    const context = await this.#browser.newContext({
      viewport: LAPTOP,
      locale: 'da-DK',
      extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${this.#count}` },
    });
    const page = await context.newPage();
    await page.goto(`${this.#base}/kort`);
    return page;
  }
}

/** Milliseconds from the navigation until the last tile was drawn. Throws where no line is to be seen. */
async function firstPicture(visitors: Visitors): Promise<number> {
  const page = await visitors.open();
  const ms = Number(await page.evaluate(STILL));
  const lines: number = await page.evaluate(COLOURED);
  if (lines === 0) throw new Error('The first map shows no lines.');
  await page.context().close();
  return ms;
}

const STILL = `new Promise((tell) => {
  const { dataset } = document.querySelector('#map');
  const look = () => {
    const atMs = Number(dataset.drawn ?? Infinity);
    if (performance.now() - atMs > ${STILL_MS}) tell(atMs);
    else setTimeout(look, 20);
  };
  look();
})`;

/** Pixels of the map's own canvases that have a colour. */
const COLOURED = `[...document.querySelectorAll('#map canvas')].reduce((sum, canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let coloured = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 0 && Math.max(data[i], data[i + 1], data[i + 2]) -
      Math.min(data[i], data[i + 1], data[i + 2]) > 30) coloured += 1;
  return sum + coloured;
}, 0)`;

/** In the page: from the pointer that is lifted to answers about another place than before. */
const WATCH = `addEventListener('pointerup', ({ timeStamp }) => {
  const answers = document.querySelector('#answers');
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => { window.shownMs = performance.now() - timeStamp; });
  });
  watch.observe(answers, { attributes: true, attributeFilter: ['data-place'] });
}, { capture: true })`;

/** Waits for it, and forgets it. */
const SHOWN = `new Promise((tell) => {
  const look = () => {
    const { shownMs } = window;
    window.shownMs = undefined;
    if (shownMs === undefined) setTimeout(look, 10);
    else tell(shownMs);
  };
  look();
})`;

async function clicked(visitors: Visitors, count: number): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) {
    const page = await visitors.open();
    await page.evaluate(STILL);
    await page.evaluate(WATCH);
    const box = await page.locator('#map').boundingBox();
    if (box === null) throw new Error('The map has no room.');
    for (let n = 0; n < CLICKS_A_VISITOR && taken.length < count; n++) {
      const [across, down] = [0.2 + (n % 4) * 0.18, 0.35 + (n % 3) * 0.15];
      await page.mouse.click(box.x + box.width * across, box.y + box.height * down);
      taken.push(await page.evaluate(SHOWN));
      // What is drawn of it is not part of the next.
      await page.waitForTimeout(STILL_MS);
    }
    await page.context().close();
  }
  return taken;
}
