/** The page of a whole parcel in a real Chromium, over the whole service with its sample and the open trial. */
import { expect, test } from 'vitest';
import type { Conditions, Parcels } from '../../src/web/shared/answers.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';
import { useWholeService } from '../support/use-whole-service.ts';
import { LAPTOP, LOOKS, changeAnswers, describePages, expectGood, lookFor } from './browser.ts';
import type { PageOptions, Told } from './browser.ts';
import { answerOf } from './kort-judge.ts';

const PARCEL = { path: '9900093/1a', hash: '#jordstykke=9900093-1a' };

interface Answer {
  readonly forhold: Conditions;
}

describePages('the page of a parcel', 'forhold', ({ complaints, newPage, openAt, picture }) => {
  const service = useWholeService();

  const open = (hash: string, options: PageOptions = {}) =>
    openAt(`${service.base}/forhold${hash}`, options);

  test.each([['laptop', LAPTOP, 'light'] as const, ...LOOKS])(
    'lists what touches it, and draws it: %s',
    async (_name, viewport, colorScheme) => {
      const page = await open(PARCEL.hash, { viewport, colorScheme });
      await page.locator('#map .own').first().waitFor({ state: 'attached' });
      await expectGood(page);
      const all = Object.values(
        (await answerOf<Answer>(service, `forhold/jordstykke/${PARCEL.path}`))!.forhold,
      );
      const touching = all.flatMap(({ navn, beroert }) => (beroert === true ? [navn] : []));
      expect(touching.length).toBeGreaterThan(0);
      const listed = page.locator('#list > ul:not(.unknown) > li .what > span:first-child');
      expect(await listed.allInnerTexts()).toEqual(touching);
      const everything = page.locator('#list .what > span:first-child');
      expect((await everything.allTextContents()).toSorted()).toEqual(
        all.map(({ navn }) => navn).toSorted(),
      );
      // On paper it says when it was asked, of which generation, and from whom.
      await page.emulateMedia({ media: 'print' });
      await picture(page, 'print');
      const facts = await page.locator('#facts').innerText();
      expect(facts).toMatch(/Spurgt .* · datageneration \d+ · Kilder: Plandata\.dk.*GRUKOS/);
      expect(await page.locator('#share').isVisible()).toBe(false);
    },
  );

  test('arrives with an example, which is nobody’s question', async () => {
    const page = await open('');
    await page.locator('#map .own').first().waitFor({ state: 'attached' });
    await page.getByText('Et eksempel', { exact: true }).waitFor();
    const title = await page.locator('#title').innerText();
    expect(await page.evaluate('[location.hash, document.activeElement.tagName, scrollY]')).toEqual(
      ['', 'BODY', 0],
    );
    const link = await page.getByRole('link', { name: 'Se det på kortet' }).getAttribute('href');
    await page.goto(`${service.base}/forhold#${link?.split('#')[1]}`);
    await page.reload();
    await page.locator('#list .what').first().waitFor();
    expect(await page.locator('#title').innerText()).toBe(title);
    expect(await page.getByText('Et eksempel', { exact: true }).count()).toBe(0);
  });

  test('waits with its example for a service that has just started', async () => {
    const page = await newPage();
    let [asked, isStarting] = [0, true];
    await changeAnswers<Told>(page, '**/v1/status', ({ lag }) => {
      asked += 1;
      if (isStarting) lag[0]!.tilstand = 'mangler';
    });
    await page.goto(`${service.base}/forhold`);
    await page.getByText('Henter et eksempel …').waitFor();
    await expect.poll(() => asked, { timeout: HANG_MS }).toBeGreaterThan(1);
    expect(await page.locator('#list').count()).toBe(0);
    isStarting = false;
    await page.locator('#list .what').first().waitFor();
    expect(await page.locator('#asking').innerText()).toBe('');
  });

  test('is found from a place, and its address opens the same again', async () => {
    const parcels = await answerOf<Parcels>(service, `matrikel/jordstykke/${PARCEL.path}`);
    const { lon = 0, lat = 0 } = parcels?.jordstykker[0]?.koordinat ?? {};
    const page = await open(`#lon=${lon}&lat=${lat}`);
    await page.locator('#list .what').first().waitFor();
    const { hash } = new URL(page.url());
    expect(hash).toMatch(/^#jordstykke=/);
    // The place that the link names is no step of its own: back would lead to it for ever.
    expect(await page.evaluate('history.length')).toBe(2);
    const title = await page.locator('#title').innerText();
    const again = await open(hash);
    await again.locator('#list .what').first().waitFor();
    expect(await again.locator('#title').innerText()).toBe(title);
    await lookFor(again, '55,7 12,5');
    await again.locator('#trouble').getByText('Prøveholm').waitFor();
    expect(await again.title()).toBe('Forhold · Geoopslag');
    complaints.splice(0);
  });

  test.each(['/', '/kort', '/forhold'])('%s says that a link names no place', async (path) => {
    const page = await newPage();
    // A browser without a GPU takes seconds for all layers of the country.
    const view = path === '/kort' ? '&lag=kirke&se=11.465,56.95,14.5' : '';
    // The three read it by the same code: by day all on the lightest.
    const hashes = ['#adresse=1234', '#lon=x&lat=56', '#jordstykke=1a', '#9900093-1a'];
    for (const hash of isHeavy || path === '/forhold' ? hashes : hashes.slice(0, 1)) {
      await page.goto('about:blank');
      await page.goto(`${service.base}${path}${hash}${view}`);
      await page.locator('#unread').getByText('klippet over').waitFor();
      for (const answer of ['#place', '#list', '.line-answer'])
        expect(await page.locator(answer).filter({ visible: true }).count()).toBe(0);
    }
    await lookFor(page, '56,9537 11,3822');
    await page.locator('#unread').waitFor({ state: 'hidden' });
  });

  test('shows what was asked about last, and says that a map could not be drawn', async () => {
    const page = await newPage();
    const held = Promise.withResolvers<null>();
    const refusal = { status: 503, json: { code: '', message: 'Svarer ikke.' } };
    // The place is answered last, and with an error.
    await page.route('**/v1/matrikel/jordstykke?**', async (route) => {
      await held.promise;
      await route.fulfill(refusal);
    });
    // First it is looked for, then drawn.
    let asked = 0;
    await page.route(`**/v1/matrikel/jordstykke/${PARCEL.path}`, (route) =>
      asked++ === 0 ? route.continue() : route.fulfill(refusal),
    );
    const first = page.waitForRequest('**/v1/matrikel/jordstykke?**');
    await page.goto(`${service.base}/forhold#lon=11.382222&lat=56.9537267`);
    await first;
    await page.evaluate(`location.hash = '${PARCEL.hash}'`);
    await page.locator('#map').getByText('Kortet kunne ikke tegnes: Svarer ikke.').waitFor();
    const overtaken = page.waitForResponse('**/v1/matrikel/jordstykke?**');
    held.resolve(null);
    await overtaken;
    await page.waitForTimeout(300);
    expect(await page.locator('#list .what').count()).toBeGreaterThan(0);
    expect(await page.locator('#trouble').isVisible()).toBe(false);
    for (const said of complaints.splice(0)) expect(said).toContain('503');
  });

  test('of what could not be answered says that it is no "no"', async () => {
    const page = await newPage();
    await changeAnswers<{ forhold: Record<string, object> }>(page, '**/v1/forhold/**', (body) => {
      body.forhold['bnbo'] = { ...body.forhold['bnbo'], status: 'utilgaengelig', beroert: null };
    });
    await page.goto(`${service.base}/forhold${PARCEL.hash}`);
    const unknown = page.locator('#list .unknown .what');
    await unknown.first().waitFor();
    expect(await unknown.allInnerTexts()).toEqual([expect.stringContaining('Boringsnært')]);
  });
});
