/** A real Chromium for tests of pages: Debian's package, driven by playwright-core. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { findChromiumProgram } from '../support/programs.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';
import { FAINT_TEXTS, OVERFLOWING } from './in-page.ts';

/** Where Chromium is, or null after saying so; with REQUIRE_ALL=1 a missing one is a failure. */
export function findChromium(): string | null {
  const found = findChromiumProgram();
  if (found !== null) return found;
  const missing =
    "Chromium is missing: install Debian's chromium-headless-shell to test the pages in it.";
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(missing);
  console.log(`SKIPPED: ${missing}`);
  return null;
}

export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Fewer processes beside each other: a tenth of the time of all pages together.
      '--in-process-gpu',
      '--renderer-process-limit=1',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export const LAPTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

const BY_DAY = [['phone-dark', PHONE, 'dark']] as const;
const BY_NIGHT = [
  ['laptop', LAPTOP, 'light'],
  ['phone', PHONE, 'light'],
  ['laptop-dark', LAPTOP, 'dark'],
] as const;

/**
 * Name, size and colours a page is seen in: by day the narrow and dark one, beside the laptop in light of
 * the other tests; by night all four.
 */
export const LOOKS = [...BY_DAY, ...(isHeavy ? BY_NIGHT : [])] as const;

export type PageOptions = Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'extraHTTPHeaders' | 'deviceScaleFactor' | 'reducedMotion'
>;

/** By day what moves arrives at once: a browser without a GPU draws each step of the way itself. */
const MOTION = { reducedMotion: isHeavy ? 'no-preference' : 'reduce' } as const;
/** By day a map is drawn five times a second: a third of a map page's processor time. */
const FEW_FRAMES = `window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 200);
  window.cancelAnimationFrame = clearTimeout;`;

/** The address of one more reader: each may ask so much. */
export const visitor = (): string => `10.${randomBytes(3).join('.')}`;

/** For a service that is reached through a proxy. */
export const from = (address: string) => ({ 'x-forwarded-for': address });

export interface Pages {
  /** Errors of pages that no test has taken: one that is left fails its test. */
  readonly complaints: string[];
  /** A Danish reader's empty page in a context and from an address of its own; a laptop's, unless told. */
  readonly newPage: (options?: PageOptions) => Promise<Page>;
  /** The same, gone to an address. */
  readonly openAt: (url: string, options?: PageOptions) => Promise<Page>;
  /**
   * A picture for a person to look at: at night, and where PICTURES=1 asks for it. It takes as long as
   * much of what a page is tested for, and nothing is held against it.
   */
  readonly picture: (seen: Page | Locator, name: string) => Promise<void>;
}

const keepsPictures = isHeavy || process.env['PICTURES'] === '1';

/** A suite in Chromium, skipped where it is missing. Its pictures are in that folder of `.tmp`; null: it is skipped. */
export function describePages(
  name: string,
  folder: string | null,
  suite: (pages: Pages) => void,
): void {
  const program = folder === null ? null : findChromium();
  describe.skipIf(program === null)(name, () => {
    const opened: BrowserContext[] = [];
    const complaints: string[] = [];
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser(program ?? '');
    });
    afterAll(() => browser.close());
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((context) => context.close()));
      expect(complaints.splice(0)).toEqual([]);
    });
    const newPage: Pages['newPage'] = async (options = {}) => {
      const context = await browser.newContext({
        ...{ viewport: LAPTOP, locale: 'da-DK', ...MOTION, extraHTTPHeaders: from(visitor()) },
        ...options,
      });
      opened.push(context);
      return await watchedPage(context, complaints);
    };
    suite({
      complaints,
      newPage,
      openAt: async (url, options) => {
        const page = await newPage(options);
        await page.goto(url);
        return page;
      },
      picture: async (seen, picture) => {
        const path = join(import.meta.dirname, '../../.tmp', folder ?? '', `${picture}.png`);
        if (keepsPictures)
          await seen.screenshot({ path, ...('goto' in seen && { fullPage: true }) });
      },
    });
  });
}

async function watchedPage(context: BrowserContext, complaints: string[]): Promise<Page> {
  if (!isHeavy) await context.addInitScript(FEW_FRAMES);
  const page = await context.newPage();
  page.setDefaultTimeout(2 * HANG_MS);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // That no address is near is an answer.
    const isNone = message.location().url.includes('/v1/adresser/reverse');
    if (message.type() === 'error' && !isNone) complaints.push(message.text());
  });
  return page;
}

/** Lets the service answer what the page asks for there, and changes it on the way; also its headers. */
export async function changeAnswers<Body>(
  page: Page,
  path: string | RegExp,
  change: (body: Body, headers: Record<string, string>) => Body | undefined,
): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    const body = (await response.json()) as Body;
    await route.fulfill({ response, json: change(body, headers) ?? body, headers });
  });
}

export async function lookFor(page: Page, text: string): Promise<void> {
  await page.locator('#q').fill(text);
  await page.locator('#q').press('Enter');
}

/** The states of layers, of an answer that a test changes. */
export interface Told {
  readonly lag: { readonly lag: string; tilstand: string }[];
}

/** Signed in with a link, on `/konto`, by a double click: the link works once. */
export async function signInByLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Log ind' }).dblclick();
  await page.locator('#board').waitFor();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A third of axe's time: by day FAINT_TEXTS holds the contrast, beside which axe does at night. */
const WITH_FAINT_TEXTS = isHeavy ? {} : { 'color-contrast': { enabled: false } };

/** What axe finds against WCAG 2.2 AA and best practice, as rule and element. Nothing of it is loaded. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  // Neither what passes nor style sheets again (for rules that are off): a third of its time.
  const less = `resultTypes: ['violations'], preload: false`;
  const rules = JSON.stringify(WITH_FAINT_TEXTS);
  return await page.evaluate(`axe.run(document, { ${less}, rules: ${rules}, runOnly: [
    'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice',
  ] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary)))`);
}

const pictured = new Map<string, number>();

/** Nothing overflows or is faint, and axe finds nothing. Its picture goes by the name of the test. */
export async function expectGood(page: Page): Promise<void> {
  if (keepsPictures) {
    const test = (expect.getState().currentTestName ?? '').replaceAll(/[^\p{L}\d]+/gu, '-');
    pictured.set(test, (pictured.get(test) ?? 0) + 1);
    const path = join(import.meta.dirname, '../../.tmp/pages', `${test}-${pictured.get(test)}.png`);
    await page.screenshot({ path, fullPage: true });
  }
  expect(await page.evaluate(OVERFLOWING)).toEqual([]);
  expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
  expect(await axeFindings(page)).toEqual([]);
}
