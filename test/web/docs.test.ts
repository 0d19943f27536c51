/** The documentation in a real Chromium, over the whole service with its sample and the open trial. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { PublishedDocument } from '../edge/edge.ts';
import { useWholeService } from '../support/use-whole-service.ts';
import { LAPTOP, PHONE, axeFindings, describePages, expectGood } from './browser.ts';
import type { PageOptions } from './browser.ts';
import { FAINT_TEXTS, OVERFLOWING } from './in-page.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';

/** By day on a phone alone: what is narrow is what overflows. */
const SIZES = [
  ['phone', PHONE, 'dark'] as const,
  ...(isHeavy ? [['laptop', LAPTOP, 'light'] as const] : []),
];
/** A body, an address whole or in parts, lists; test/http/examples.test.ts sends what the page sends of all. */
const PRESSED_BY_NIGHT = isHeavy
  ? ['dagi-dagiBatch', 'adresser-datavask', 'adresser-adresser']
  : [];
/** What unfolds a part of a page. */
const OPENERS = 'summary, .opblock-summary-control';
const MOST_OPENERS = 4;
/** Of phones, CSS pixels. */
const NARROWEST = 320;
const IS_OPEN = `window.unfolds.ariaExpanded === 'true' || window.unfolds.parentElement.open === true`;

describePages('the documentation pages', 'docs', ({ complaints, newPage, openAt, picture }) => {
  const service = useWholeService();

  const open = (path: string, options: PageOptions) => openAt(service.base + path, options);

  // Chromium takes seconds for its operations: all on one visit.
  test.each(SIZES)(
    'show every operation, try one with a key, and search the guides: %s',
    { timeout: 10 * HANG_MS },
    async (name, viewport, colorScheme) => {
      const page = await newPage({ viewport, colorScheme });
      await page.addInitScript(`
        new MutationObserver(() => {
          const shown = document.querySelector('#reference:not([hidden])');
          if (shown?.textContent.includes('No operations')) window.flashed = true;
        }).observe(document, { childList: true, subtree: true });`);
      await page.goto(`${service.base}/docs`);
      await page.locator('.opblock').first().waitFor();
      const document = (await (
        await fetch(`${service.base}/openapi.json`)
      ).json()) as PublishedDocument;
      const operations = Object.values({ ...document.paths, ...document.webhooks }).flatMap(
        (methods) => Object.keys(methods ?? {}),
      );
      expect(await page.locator('.opblock').count()).toBe(operations.length);
      const guide = page.getByRole('link', { name: 'Job: et regneark besvaret' });
      expect(await guide.getAttribute('href')).toBe('docs/job');
      await picture(page, name);
      expect(await page.evaluate(OVERFLOWING)).toEqual([]);
      const block = await execute(page, 'natur-byggelinjer');
      const writing = page.locator('#operations-jobs-createJob');
      await writing.locator('.opblock-summary-control').click();
      await writing.locator('.responses-table').waitFor();
      for (const width of [NARROWEST, viewport.width]) {
        await page.setViewportSize({ ...viewport, width });
        const message = `${width} px`;
        await expect.poll(() => page.evaluate(OVERFLOWING), { message }).toEqual([]);
      }
      await writing.locator('.opblock-summary-control').click();
      expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
      expect(await axeFindings(page)).toEqual([]);
      await picture(block, `${name}-tried`);
      await page.route('**/v1/natur/byggelinjer?*', (route) =>
        route.fulfill({ contentType: 'text/plain', body: 'x'.repeat(10 * 2 ** 20 + 1) }),
      );
      await block.getByRole('button', { name: 'Execute' }).click();
      await block.getByText('Svaret er for langt til denne side.').waitFor();
      await searchGuides(page);
      for (const id of PRESSED_BY_NIGHT) {
        await page.locator('#key').fill(service.key);
        await execute(page, id);
      }
      const named = block.locator('.opblock-summary-description');
      await named.getByText('Byggelinjer og beskyttet natur i et punkt', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'English' }).click();
      await named.getByText('Building lines and protected nature at a point').waitFor();
      expect(await page.evaluate('window.flashed ?? false')).toBe(false);
    },
  );

  /** With what the page fills in. */
  async function execute(page: Page, id: string): Promise<Locator> {
    const block = page.locator(`#operations-${id}`);
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const status = block.locator('.live-responses-table .response-col_status').last();
    await expect.poll(() => status.innerText(), { timeout: HANG_MS, message: id }).toContain('200');
    return block;
  }

  /** By Danish words and by what they say. */
  async function searchGuides(page: Page): Promise<void> {
    const field = page.getByLabel('Søg i vejledninger, opslag og fejl');
    for (const [sought, found] of [
      ['regneark', 'li:first-child a[href="docs/job"]'],
      ['X-Service-Signature', 'a[href^="docs/webhooks#"]'],
      ['quota_exceeded', 'a[href="v1/errors/quota_exceeded"]'],
      ['/v1/dhm/kote', 'a[href="docs#/dhm/dhmKote"]'],
    ] as const) {
      await field.fill(sought);
      await page.locator(`#found ${found}`).first().waitFor();
    }
    await field.fill('xyzzy');
    await page.getByText('Intet fundet.').waitFor();
    await page.route('**/docs/soeg.json*', (route) => route.abort());
    await field.fill('regneark');
    await page.locator('#search-said').getByText('Tjenesten svarer ikke.').waitFor();
    expect(await page.locator('#found a').count()).toBe(0);
    await page.unroute('**/docs/soeg.json*');
    await page.locator('#found a[href="docs/job"]').waitFor();
    expect(await page.locator('#search-said').innerText()).not.toContain('svarer ikke');
    complaints.splice(0);
    const bad = await fetch(`${service.base}/docs/soeg.json?q=${'x'.repeat(101)}`);
    expect(bad.status).toBe(400);
  }

  test.each([
    ...[['/', '#place details'] as const, ['/forhold', '.noes'] as const],
    ['/kort#lag=kirke&se=11.465,56.95,14.5', '#legend'] as const,
    ...[['/dawa', '#examples details'] as const, ['/konto', '#have-link'] as const],
    // Chromium takes seconds for its operations.
    ...(isHeavy ? [['/docs', '.opblock'] as const] : []),
  ])('Escape folds what is open around the focus: %s', async (path, part) => {
    const page = await open(path, {});
    await page.locator(part).first().waitFor();
    const openers = page.locator(`${OPENERS} >> visible=true`);
    const count = Math.min(MOST_OPENERS, await openers.count());
    // The inner ones first: they go with what is around them.
    for (let n = count - 1; n >= 0; n--) {
      await openers.nth(n).focus();
      await page.evaluate('window.unfolds = document.activeElement');
      const isOpen = () => page.evaluate(IS_OPEN);
      if (!(await isOpen())) await page.keyboard.press('Enter');
      await expect.poll(isOpen, { timeout: HANG_MS }).toBe(true);
      await page.keyboard.press('Escape');
      await expect.poll(isOpen, { timeout: HANG_MS }).toBe(false);
      expect(await page.evaluate('window.unfolds === document.activeElement')).toBe(true);
    }
    expect(count).toBeGreaterThan(0);
    // The skip link is no step in the address, where a place, a job or a sign-in link stands.
    await page.locator('a.skip').focus();
    await page.keyboard.press('Enter');
    // A library that scrolls there writes its step a second later.
    if (path === '/docs') await page.waitForTimeout(2_000);
    const [hash, id] = await page.evaluate<string[]>('[location.hash, document.activeElement.id]');
    expect([/indhold|svar/.test(hash ?? ''), id]).toEqual([
      false,
      expect.stringMatching(/indhold|svar/),
    ]);
    await page.setViewportSize({ ...PHONE, width: NARROWEST });
    // A map is drawn anew.
    await expect.poll(() => page.evaluate(OVERFLOWING), { timeout: HANG_MS }).toEqual([]);
    complaints.splice(0);
  });

  test('the door arrives with an answer, has recipes to copy, names what it refuses, and shows nothing old', async () => {
    const page = await open('/dawa', { viewport: PHONE, colorScheme: 'dark' });
    await page.locator('#answer').getByText('"nr": "0091"').waitFor();
    expect(await page.locator('#new-url').innerText()).toBe(
      `${service.base}/dawa/postnumre?per_side=2`,
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('jQuery').click();
    await page.getByRole('button', { name: 'Kopiér' }).click();
    await page.getByText('Kopieret.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('$.getJSON');
    await expectGood(page);
    await page
      .locator('#many')
      .fill(
        [
          'https://dawa.aws.dk/postnumre?nr=0093&zone=x&format=jsonp',
          ...['', 'http://dawa.aws.dk/vejnavne?x=1&geometri=y&polygon=z&regionskode=1#kort'],
          ...['https://api.dataforsyningen.dk/postnumre?navn=Nowhere by', 'no url'],
        ].join('\n'),
      );
    await page.getByRole('button', { name: 'Tjek' }).click();
    await page.getByText('2 af 4 besvares her.').waitFor();
    const lines = await page.locator('#checked li').allInnerTexts();
    expect(lines).toEqual([
      expect.stringMatching(/besvares null: .*stormodtageradresser/),
      expect.stringMatching(/afvises: .*polygon: .*; x: .*/),
      expect.stringMatching(/besvares tom liste$/),
      expect.stringMatching(/er ingen URL fra DAWA/),
    ]);
    // The two that were refused.
    expect(complaints.splice(0)).toHaveLength(2);
    await expectGood(page);
    await page.getByLabel('Skriv en adresse').fill('ny p');
    await page.locator('.suggestions button').first().click();
    await page.locator('#chosen').waitFor();
    await page.route('**/dawa/autocomplete*', (route) => route.abort());
    await page.getByLabel('Skriv en adresse').fill('strand');
    await page.getByText('Døren svarer ikke.').waitFor();
    expect(await page.locator('.suggestions button, #chosen').count()).toBe(0);
    complaints.splice(0);
  });

  // By day the darker of the two, whose contrasts are the nearer to their limits.
  test.each(isHeavy ? (['light', 'dark'] as const) : (['dark'] as const))(
    'the components of pages are good in all states: %s',
    async (colorScheme) => {
      const page = await open('/design', { colorScheme });
      await page.getByRole('heading', { name: 'Knapper' }).waitFor();
      await expectGood(page);
      await page.setViewportSize(PHONE);
      await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'Buttons' }).waitFor();
      await expectGood(page);
    },
  );

  test.each(SIZES)(
    'guides have a way back, and links that lead on: %s',
    async (_name, viewport) => {
      const page = await open('/docs/job', { viewport });
      await expectGood(page);
      await page.getByRole('link', { name: 'Dokumentation' }).click();
      await page.waitForURL('**/docs', { waitUntil: 'commit' });
    },
  );
});
