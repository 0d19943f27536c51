/** The map page in a real Chromium, over the whole service with its sample and the open trial. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { webBundle } from '../../src/http/pages/bundle.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import { startWholeService } from '../support/whole-service.ts';
import type { WholeService } from '../support/whole-service.ts';
import { LAPTOP, PHONE, axeFindings, findChromium, startBrowser } from './browser.ts';
import { FAINT_TEXTS, OVERFLOWING } from './in-page.ts';

const chromium = findChromium();
/** Where the pictures go, for a person to look at. */
const PICTURES = join(import.meta.dirname, '../../.tmp/kort');
/** Compressed bytes of script the page may load (issue 21). */
const MOST_SCRIPT_BYTES = 220 * 1024;
/** Every page comes from an address of its own, or the tests would share what one reader may ask. */
const ENVIRONMENT = { TRUSTED_PROXIES: '127.0.0.1', KORT_PER_SECOND: '500' };
const INSIDE = { lon: 11.382222, lat: 56.9537267 };
const AT_ADDRESS = { lon: 11.46659, lat: 56.94553 };

interface Lines {
  readonly linjer: Record<
    string,
    { status: string; inden_for: boolean | null; afstand_m: number | null; geometri: string }
  >;
}

describe.skipIf(chromium === null)('the map page', () => {
  let service: WholeService;
  let browser: Browser;
  const opened: BrowserContext[] = [];
  let complaints: string[] = [];
  let readers = 0;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    Object.assign(process.env, ENVIRONMENT);
    [service, browser] = await Promise.all([startWholeService(), startBrowser(chromium ?? '')]);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((context) => context.close()));
    expect(complaints).toEqual([]);
    complaints = [];
  });
  afterAll(async () => {
    for (const name of Object.keys(ENVIRONMENT)) Reflect.deleteProperty(process.env, name);
    await browser.close();
    await service.close();
  });

  async function open(
    hash = '',
    options: { viewport?: typeof LAPTOP; colorScheme?: 'light' | 'dark' } = {},
  ): Promise<Page> {
    const context = await browser.newContext({
      viewport: LAPTOP,
      locale: 'da-DK',
      extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${(readers += 1)}` },
      ...options,
    });
    opened.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${service.base}/kort${hash}`);
    await page.locator('#board').waitFor();
    return page;
  }

  const picture = (page: Page, name: string) =>
    page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });

  async function expectGood(page: Page): Promise<void> {
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
  }

  async function linesAt({ lon, lat }: typeof INSIDE): Promise<Lines> {
    const answer = await fetch(`${service.base}/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    return (await answer.json()) as Lines;
  }

  /** Waits until what is drawn belongs to the place. */
  async function segmentsOf(page: Page): Promise<Map<string, number>> {
    const drawn = page.locator('#map[data-segments]');
    await drawn.waitFor({ state: 'attached' });
    const text = await drawn.getAttribute('data-segments');
    return new Map(JSON.parse(text ?? '[]') as [string, number][]);
  }

  test.each([
    ['laptop', LAPTOP, 'light'],
    ['phone', PHONE, 'light'],
    ['laptop-dark', LAPTOP, 'dark'],
    ['phone-dark', PHONE, 'dark'],
  ] as const)('shows what holds at a place: %s', async (name, viewport, colorScheme) => {
    const page = await open(`#lon=${INSIDE.lon}&lat=${INSIDE.lat}`, { viewport, colorScheme });
    await page.locator('.line-answer').first().waitFor();
    await segmentsOf(page);
    await page.waitForTimeout(500);
    await picture(page, name);
    await expectGood(page);
    const text = (await page.locator('#answers').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Naturbeskyttelsesloven § 15');
    expect(text).toContain('124,4 m inde, til zonens kant');
    expect(text).toContain('Ringkilde Kommune (opdigtet) (0092)');
    await page.getByText('Lag og signaturer').click();
    await picture(page, `${name}-legend`);
    await expectGood(page);
  });

  test('loads no more script than it may', async () => {
    const { files, entries } = await webBundle();
    const entry = entries.get('kort');
    const names = [entry?.script ?? '', ...(entry?.imports ?? [])];
    const bytes = names.map((name) => gzipSync(files.get(name) ?? Buffer.alloc(0)).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MOST_SCRIPT_BYTES);
  });

  test('draws each distance as long as it is answered', async () => {
    for (const place of [INSIDE, AT_ADDRESS]) {
      const page = await open(`#lon=${place.lon}&lat=${place.lat}`);
      const drawn = await segmentsOf(page);
      const { linjer } = await linesAt(place);
      for (const key of LINE_KEYS) {
        const answered = linjer[key]?.afstand_m ?? null;
        const length = drawn.get(key) ?? null;
        if (answered === null) expect(length, key).toBeNull();
        else expect(Math.abs(length ?? NaN), key).toBeCloseTo(Math.abs(answered), 0.9);
      }
      await page.context().close();
    }
  });

  test('asks a click, and its address brings another reader to the same place', async () => {
    const page = await open();
    await page.waitForTimeout(800);
    await picture(page, 'laptop-start');
    const box = await page.locator('#map').boundingBox();
    await page.mouse.click((box?.x ?? 0) + 300, (box?.y ?? 0) + 300);
    await page.locator('.line-answer').first().waitFor();
    const told = await page.locator('#answers').innerText();
    const again = await open(new URL(page.url()).hash);
    await again.locator('.line-answer').first().waitFor();
    const place = '#answers [data-line]';
    expect(await again.locator(place).allInnerTexts()).toEqual(
      await page.locator(place).allInnerTexts(),
    );
    expect(told).toContain('EPSG:25832');
  });

  test('takes an address, and coordinates with a decimal comma, by keyboard alone', async () => {
    const page = await open();
    await page.getByLabel('Adresse eller koordinater').focus();
    await page.keyboard.type('ny prøvegade 12');
    await page.locator('#suggestions li').first().waitFor();
    await expectGood(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.line-answer').first().waitFor();
    const text = await page.locator('#answers').innerText();
    expect(text).toContain('Ny Prøvegade 12A');
    expect(text).toContain('9100001');
    await segmentsOf(page);
    await page.waitForTimeout(500);
    await picture(page, 'laptop-address');
    await page.getByLabel('Adresse eller koordinater').fill('644877,59 6314760,20');
    await page.keyboard.press('Enter');
    await page.getByText('x 644877.59, y 6314760.20').waitFor();
    await page.getByLabel('Adresse eller koordinater').fill('48,85 2,35');
    await page.keyboard.press('Enter');
    await page.getByText('Stedet ligger uden for Danmark.').waitFor();
    // The middle of the map, from the keyboard.
    await page.locator('#map').focus();
    const before = page.url();
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(400);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toBe(before);
  });

  test('gives what it shows as curl, JSON and GeoJSON, and speaks English', async () => {
    const page = await open(`#lon=${INSIDE.lon}&lat=${INSIDE.lat}`);
    await segmentsOf(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name }).click();
      await page.getByText('Kopieret.').waitFor();
      return await page.evaluate('navigator.clipboard.readText()');
    };
    const curl = await copied('Kopiér curl');
    expect(curl).toContain(`${service.base}/v1/natur/byggelinjer?lon=11.382222&lat=56.9537267`);
    expect(curl).not.toContain('svc_');
    const json = JSON.parse(await copied('Kopiér JSON')) as { byggelinjer: Lines };
    expect(json.byggelinjer.linjer).toEqual((await linesAt(INSIDE)).linjer);
    const { features } = JSON.parse(await copied('Kopiér GeoJSON')) as {
      features: { geometry: { type: string } }[];
    };
    expect(features.map(({ geometry }) => geometry.type)).toContain('LineString');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('What holds here?').waitFor();
    expect(await page.locator('#answers').innerText()).toContain("inside, to the zone's edge");
    await picture(page, 'laptop-english');
    await expectGood(page);
  });

  test('prints one sheet with place, time, generation and sources', async () => {
    const page = await open(`#lon=${INSIDE.lon}&lat=${INSIDE.lat}`);
    await segmentsOf(page);
    const sheet = await page.pdf({
      path: join(PICTURES, 'print.pdf'),
      preferCSSPageSize: true,
      printBackground: true,
    });
    await page.emulateMedia({ media: 'print' });
    const text = await page.locator('#answers').innerText();
    for (const said of ['Datageneration', 'Spurgt', 'Kilder', 'WGS84'])
      expect(text).toContain(said);
    await page.setViewportSize({ width: 703, height: 1031 });
    await picture(page, 'print');
    expect(await page.locator('#search').isVisible()).toBe(false);
    expect(sheet.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
});
