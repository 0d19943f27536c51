/** The map page in a real Chromium, over the whole service with its sample and the open trial. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CONDITIONS } from '../../src/layers/conditions/index.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import { useWholeService } from '../support/use-whole-service.ts';
import type { BuildingLines, NearestAddress } from '../../src/web/shared/answers.ts';
import { TEST_SEED, amountOf, isHeavy } from '../support/run-settings.ts';
import {
  LAPTOP,
  LOOKS,
  PHONE,
  changeAnswers,
  describePages,
  expectGood,
  from,
  visitor,
  lookFor,
} from './browser.ts';
import type { PageOptions, Told } from './browser.ts';
import { OVERFLOWING, OVERPRINTED } from './in-page.ts';
import { answerOf, edgesOf, expectDrawn, expectSaid, goTo, randomPlaces } from './kort-judge.ts';
import type { Degrees } from './kort-judge.ts';

const INSIDE = { lon: 11.382222, lat: 56.9537267 };
const IN_PARCEL = { x: 650_000, y: 6_314_000 };
const AT_ADDRESS = { lon: 11.46659, lat: 56.94553 };
/** Places held against the answers: five questions each, of a visitor of its own. */
const PLACES = { gate: 4, night: 1_000 };
const PLACE_MS = 15_000;

/** A sheet of A4 within its margins, in pixels of a page. */
const A4_INSIDE = { width: 703, height: 1031 };
/** Notes each time the page would be printed whether its map is whole, without a dialog. */
const COUNT_PRINTS = `window.prints = [];
  window.print = () => {
    dispatchEvent(new Event('beforeprint'));
    const { hidden } = document.getElementById('sheet-partly');
    const { offsetWidth } = document.getElementById('map');
    window.prints.push(hidden && offsetWidth > 690 ? 'whole' : 'partly');
    dispatchEvent(new Event('afterprint'));
  };`;

type Box = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;

/** Cells of 40 pixels of the map in which nothing at all is drawn. */
const BLANK_CELLS = `(() => {
  const [canvas] = document.querySelectorAll('#map canvas');
  const drawing = canvas.getContext('2d');
  const blank = [];
  for (let x = 0; x + 40 <= canvas.width; x += 40) {
    for (let y = 0; y + 40 <= canvas.height; y += 40) {
      const { data } = drawing.getImageData(x, y, 40, 40);
      if (data.every((byte, at) => at % 4 !== 3 || byte === 0)) blank.push([x, y]);
    }
  }
  return blank;
})()`;

/** By day half of a laptop's map: a browser without a GPU draws each pixel itself. */
const WINDOW = isHeavy ? LAPTOP : { width: 1024, height: 640 };

/** Tests of what is not drawn: a browser without a GPU takes ten seconds for all layers of the country. */
const FEW_TILES = '#lag=kirke';
/** And near by. */
const NEAR = `${FEW_TILES}&se=11.465,56.95,14.5`;

/** What a name may hold at worst: markup, a formula, a mark that turns the writing round. */
const HOSTILE = '<img src=x onerror=alert(1)>=cmd|/c\u202e';
const FIELDS = /navn|betegnelse|tekst|objekt_id|matrikelnummer|hjemmel|kilde|wfs|lag/;

/** An answer in which every name is hostile, and every address of a document a program. */
function hostile(answer: unknown, field = ''): unknown {
  if (Array.isArray(answer)) return answer.map((each) => hostile(each, field));
  if (answer !== null && typeof answer === 'object') {
    const entries = Object.entries(answer).map(([name, value]) => [name, hostile(value, name)]);
    return Object.fromEntries(entries) as unknown;
  }
  if (field === 'dokument_url') return 'javascript:alert(1)';
  return typeof answer === 'string' && FIELDS.test(field) ? `${HOSTILE}${answer}` : answer;
}

describePages('the map page', 'kort', ({ complaints, picture, ...pages }) => {
  const newPage = (options: PageOptions = {}) => pages.newPage({ viewport: WINDOW, ...options });
  const service = useWholeService();

  async function open(hash = '', options: PageOptions = {}): Promise<Page> {
    const page = await newPage(options);
    await page.goto(`${service.base}/kort${hash}`);
    await page.locator('#board').waitFor();
    return page;
  }

  const drawn = (page: Page) => page.locator('#map[data-segments]').waitFor({ state: 'attached' });

  test.each(LOOKS)('shows what holds at a place: %s', async (_name, viewport, colorScheme) => {
    const page = await open(`#lon=${INSIDE.lon}&lat=${INSIDE.lat}`, { viewport, colorScheme });
    await page.locator('.line-answer').first().waitFor();
    await drawn(page);
    await page.waitForTimeout(500);
    await expectGood(page);
    const text = (await page.locator('#answers').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Naturbeskyttelsesloven § 15');
    expect(text).toContain('124,4 m til zonens kant');
    expect(text).toContain('Ringkilde Kommune (opdigtet) (0092)');
    await page.getByText('Hvad er tegnet').click();
    await expectGood(page);
  });

  test('opens a short link that is followed on the page itself, and leaves no empty step behind', async () => {
    const page = await open(NEAR);
    const ask = `adresser/reverse?lon=${INSIDE.lon}&lat=${INSIDE.lat}&radius=1000`;
    const { adgangsadresse_id: id } = (await answerOf<NearestAddress>(service, ask))!.adresse;
    const steps = await page.evaluate<number>('history.length');
    await page.evaluate(`location.hash = '${NEAR}&adresse=${id}'`);
    await page.locator('.line-answer').first().waitFor();
    expect(page.url()).toMatch(new RegExp(`lon=.*&adresse=${id}`));
    expect(await page.evaluate('history.length')).toBe(steps + 1);
    await page.goBack();
    await page.getByText('Klik i kortet, søg en adresse').waitFor();
  });

  test('has every condition in its legend, and draws those that are chosen', async () => {
    const page = await open(`${FEW_TILES}&se=11.465,56.95,12`);
    const tile = page.waitForResponse(/v1\/kort\/forhold_zone\/\d+\/\d+\/\d+\.mvt/);
    const groups = page.locator('#layers details');
    const names = groups.locator('label');
    expect(await names.allTextContents()).toEqual(CONDITIONS.map(({ name }) => name));
    await groups.locator('summary').first().click();
    await page.getByLabel('Zonestatus').check();
    expect((await tile).status()).toBe(200);
    expect(new URL(page.url()).hash).toContain('lag=kirke,forhold_zone');
    expect(await groups.locator('summary').first().innerText()).toContain('(1 af 6)');
    await page.locator('[value=forhold_zone]:focus').waitFor();
    await page.locator('#map').press('-');
    await page.locator('#drawn-now').getByText('Zonestatus kommer frem').waitFor();
  });

  test('lists what touches the whole parcel at a place, as /forhold does', async () => {
    const page = await open(`#x=${IN_PARCEL.x}&y=${IN_PARCEL.y}&lag=kirke`);
    await page.locator('#parcel > summary').click();
    const listed = page.locator('#parcel .what > span:first-child');
    await listed.first().waitFor();
    const link = page.locator('#parcel a[href^="forhold#jordstykke="]');
    const [, parcel = ''] = decodeURIComponent((await link.getAttribute('href')) ?? '').split('=');
    const told = await fetch(`${service.base}/v1/forhold/jordstykke/${parcel.replace('-', '/')}`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    const { forhold } = (await told.json()) as { forhold: Record<string, { navn: string }> };
    expect((await listed.allTextContents()).toSorted()).toEqual(
      Object.values(forhold)
        .map(({ navn }) => navn)
        .toSorted(),
    );
    await expectGood(page);
  });

  test(
    'says the numbers of the answers and draws each distance as long as it is answered',
    { timeout: amountOf(PLACES) * PLACE_MS },
    async () => {
      const random = { seed: TEST_SEED, count: amountOf(PLACES) };
      const edges = await edgesOf(service);
      const page = await open(NEAR);
      for (const place of [INSIDE, AT_ADDRESS, ...(await randomPlaces(service, random))]) {
        await page.setExtraHTTPHeaders(from(visitor()));
        await goTo(page, place);
        await expectDrawn(page, await expectSaid(page, service, place), edges);
      }
    },
  );

  test('shows names as text, whatever they are', async () => {
    const page = await open(NEAR);
    const violations: string[] = [];
    await page.exposeFunction('violated', (rule: string) => violations.push(rule));
    await page.evaluate(
      `addEventListener('securitypolicyviolation', (event) => violated(event.violatedDirective))`,
    );
    await changeAnswers(page, /\/v1\/(natur|dagi|adresser|bbr|matrikel)\//, (body) =>
      hostile(body),
    );
    await page.locator('#q').fill('ny prøvegade 12');
    await page.locator('#suggestions li').first().waitFor();
    expect(await page.locator('#suggestions li').first().innerText()).toContain(HOSTILE);
    await goTo(page, AT_ADDRESS);
    const said = await page.locator('#answers').innerText();
    expect(said.split(HOSTILE).length).toBeGreaterThan(20);
    await picture(page, 'laptop-hostile');
    expect(await page.locator('#svar img, #svar script, #svar a[href^=javascript]').count()).toBe(
      0,
    );
    // What turns the writing direction ends where its name ends.
    const mixed = `[...document.querySelectorAll('#answers bdi')].filter((each) =>
      each.textContent.includes('\u202e')).length`;
    expect(await page.evaluate(mixed)).toBeGreaterThan(10);
    await expectGood(page);
    expect(violations).toEqual([]);
  });

  test('stands still for who wants no movement', async () => {
    const page = await open(NEAR, { reducedMotion: 'reduce' });
    await page.locator('#map[data-drawn]').waitFor({ state: 'attached' });
    const framesUntilMoved = (act: string) =>
      page.evaluate(`new Promise((tell) => {
        const before = location.hash;
        ${act};
        const look = (frames) => location.hash === before
          ? requestAnimationFrame(() => look(frames + 1)) : tell(frames);
        look(0);
      })`);
    expect(
      await framesUntilMoved(`document.querySelector('.ol-zoom-in').click()`),
    ).toBeLessThanOrEqual(3);
    await page.locator('#map').focus();
    const press = (key: string) =>
      framesUntilMoved(`document.querySelector('#map').dispatchEvent(
        new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))`);
    expect(await press('ArrowRight')).toBeLessThanOrEqual(3);
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  });

  test.skipIf(!isHeavy).each([
    ['a laptop', { width: 640, height: 400 }],
    ['a phone', { width: 195, height: 422 }],
  ])('can be read at 200 %%: %s', async (_name, viewport) => {
    const options = { viewport, deviceScaleFactor: 2 };
    const page = await open(`#lon=${INSIDE.lon}&lat=${INSIDE.lat}`, options);
    await drawn(page);
    await expectGood(page);
  });

  test('asks a click, and its address brings another reader to the same place', async () => {
    const page = await open(NEAR);
    await page.locator('#map[data-drawn]').waitFor({ state: 'attached' });
    await page.waitForTimeout(800);
    await picture(page, 'laptop-start');
    const box = await page.locator('#map').boundingBox();
    await page.mouse.click((box?.x ?? 0) + 300, (box?.y ?? 0) + 300);
    await drawn(page);
    const told = await page.locator('#answers').innerText();
    const again = await open(new URL(page.url()).hash);
    await drawn(again);
    // The copies grow older between the two.
    const linesOf = async (of: Page) =>
      (await of.locator('#answers [data-line]').allInnerTexts()).map((text) =>
        text.replace(/kontrolleret for .* siden/, ''),
      );
    expect(await linesOf(again)).toEqual(await linesOf(page));
    expect(told).toContain('EPSG:25832');
  });

  test.skipIf(!isHeavy)(
    'makes an entry of the history of each place, and of no view; back shows what it showed',
    async () => {
      const page = await open();
      await page.locator('#map[data-drawn]').waitFor({ state: 'attached' });
      await page.waitForTimeout(500);
      const length = () => page.evaluate<number>('history.length');
      const before = await length();
      const placeOf = () => page.locator('#answers').getAttribute('data-place');
      const clickAt = async (x: number, y: number): Promise<string> => {
        const known = await placeOf();
        const box = await page.locator('#map').boundingBox();
        await page.mouse.click((box?.x ?? 0) + x, (box?.y ?? 0) + y);
        await expect.poll(placeOf).not.toBe(known);
        return (await placeOf())!;
      };
      const first = await clickAt(300, 300);
      const headline = await page.locator('.head').innerText();
      await page.locator('.ol-zoom-in').click();
      await page.waitForTimeout(600);
      const second = await clickAt(500, 420);
      expect(await length()).toBe(before + 2);
      await page.goBack();
      await expect.poll(placeOf).toBe(first);
      expect(await page.locator('.head').innerText()).toBe(headline);
      await page.goBack();
      await page.locator('#take').waitFor({ state: 'hidden' });
      expect(await page.locator('#answers').innerText()).toContain('Klik i kortet, søg en adresse');
      expect(await page.title()).toBe('Kort · Geoopslag');
      await page.goForward();
      await page.goForward();
      await expect.poll(placeOf).toBe(second);
      const url = page.url();
      await page.locator('a.skip').focus();
      await page.keyboard.press('Enter');
      expect(page.url()).toBe(url);
    },
  );

  /** Six distances are answered there, and each has its number on the map. */
  async function expectApart(page: Page): Promise<void> {
    const { labels = '' } = await page.evaluate<Record<string, string>>(
      `({ ...document.getElementById('map').dataset })`,
    );
    const rects = JSON.parse(labels) as (Box | null)[];
    expect(rects).toHaveLength(6);
    const box = await page.locator('#map').boundingBox();
    for (const [index, rect] of rects.entries()) {
      expect(rect).not.toBeNull();
      const { left, top, width, height } = rect!;
      expect(left + width).toBeLessThanOrEqual(box!.width);
      expect(top + height).toBeLessThanOrEqual(box!.height);
      for (const other of rects.slice(0, index)) {
        const isApart =
          left >= other!.left + other!.width ||
          other!.left >= left + width ||
          top >= other!.top + other!.height ||
          other!.top >= top + height;
        expect(isApart, labels).toBe(true);
      }
    }
  }

  test('says that it is being fetched, and hatches what does not come', async () => {
    const page = await newPage();
    let isHeld = true;
    await page.route('**/v1/kort/skov/**', (route) => route.fulfill({ status: 503, body: '' }));
    await page.route('**/v1/kort/kirke/**', async (route) => {
      while (isHeld) await new Promise((resolve) => setTimeout(resolve, 50));
      await route.continue().catch(() => undefined);
    });
    await page.goto(
      `${service.base}/kort#se=${AT_ADDRESS.lon},${AT_ADDRESS.lat},14.5&lag=kirke,skov`,
    );
    await page.locator('#map-trouble').getByText('Skovbyggelinje').waitFor();
    expect(await page.getByText('Henter kortet').isVisible()).toBe(true);
    expect(await page.locator('#map').getAttribute('aria-busy')).toBe('true');
    await picture(page, 'laptop-fetching');
    for (const width of [320, 390, 960]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.locator('#invite').isVisible()).toBe(true);
      const over = await page.evaluate<readonly string[]>(OVERPRINTED);
      expect(over.filter((both) => /Klik i kortet.*Henter|Henter.*Klik i/.test(both))).toEqual([]);
    }
    await page.setViewportSize(WINDOW);
    isHeld = false;
    await page.getByText('Henter kortet').waitFor({ state: 'hidden' });
    expect(await page.locator('#map').getAttribute('aria-busy')).toBe('false');
    await page.waitForTimeout(500);
    await picture(page, 'laptop-hatched');
    expect(await page.evaluate(BLANK_CELLS)).toEqual([]);
    // Of a layer that is mirrored for the first time too.
    await page.route('**/v1/kort/kirke/**', (route) => route.fulfill({ status: 503 }));
    await changeAnswers<Told>(page, '**/v1/status', ({ lag }) => {
      for (const layer of lag) if (layer.lag === 'skov') layer.tilstand = 'mangler';
    });
    await page.reload();
    await expect
      .poll(() => page.locator('#map-trouble').innerText())
      .toBe('Kortlaget kunne ikke hentes: Kirkebyggelinje. Hentes endnu: Skovbyggelinje');
    expect(await page.locator('#layers').innerText()).not.toContain('503');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(complaints.splice(0).filter((text) => !text.includes('503'))).toEqual([]);
  });

  test('takes an address, and coordinates with a decimal comma, by keyboard alone', async () => {
    const page = await open(NEAR);
    await page.getByRole('combobox').focus();
    await page.keyboard.type('ny prøvegade 12');
    await page.locator('#suggestions li').first().waitFor();
    await expectGood(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.line-answer').first().waitFor();
    const text = await page.locator('#answers').innerText();
    expect(text).toContain('Ny Prøvegade 12A');
    expect(text).toContain('9100001');
    expect(text).not.toMatch(/opført (0|1000)\b/);
    await drawn(page);
    await page.waitForTimeout(500);
    await picture(page, 'laptop-address');
    await lookFor(page, '644877,59 6314760,20');
    await page.getByText('x 644877.59, y 6314760.20').waitFor();
    await lookFor(page, '48,85 2,35');
    await page.getByText('Stedet ligger uden for Danmark.').waitFor();
    // A place by its name, a property by its number; nothing is asked of a number while it is typed.
    await page.getByRole('combobox').fill('midtby');
    await page.getByRole('option', { name: /^Midtby by, .*sted$/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('sted=5e1c0de0-0091-4a00-8000-000000000001');
    await page.locator('#answers .chosen').getByText('Midtby', { exact: true }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('combobox').fill('9100001');
    await page.getByRole('option', { name: 'BFE 9100001 BFE-nummer ejendom' }).waitFor();
    expect(asked.filter((path) => !path.startsWith('/v1/kort/'))).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('#answers .chosen').getByText('Ejendom 9100001 (BFE)').waitFor();
    const link = page.url();
    await page.goBack();
    await page.locator('#answers .chosen').getByText('Midtby', { exact: true }).waitFor();
    expect(await page.getByRole('combobox').inputValue()).toBe('Midtby');
    const another = await open(new URL(link).hash);
    await another.locator('#answers .chosen').getByText('Ejendom 9100001 (BFE)').waitFor();
    // The middle of the map, from the keyboard.
    await page.locator('#map').focus();
    const before = page.url();
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(400);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toBe(before);
  });

  test('names roads and houses near by, each area once, and says in the legend what is not drawn yet', async () => {
    const page = await newPage();
    const tiles: string[] = [];
    const zooms = new Set<number>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (/husnumre|jordstykker/.test(pathname)) tiles.push(`${response.status()} ${pathname}`);
      const [, zoom] = /\/natur\/(\d+)\//.exec(pathname) ?? [];
      if (zoom !== undefined) zooms.add(Number(zoom));
    });
    const view = `se=${AT_ADDRESS.lon},${AT_ADDRESS.lat},16.6`;
    await page.goto(`${service.base}/kort#lag=natur,jordstykker,husnumre&${view}`);
    await page.locator('#map[data-drawn]').waitFor({ state: 'attached' });
    await expect.poll(() => tiles.length).toBeGreaterThan(3);
    expect(tiles.filter((tile) => !tile.startsWith('200 '))).toEqual([]);
    // The view's own level, and one that is drawn until it has come.
    expect([...zooms].toSorted()).toEqual([13, 15]);
    await picture(page, 'laptop-houses');
    const item = (name: string) => page.locator('#layers li').filter({ hasText: name });
    expect(await page.locator('#signs').innerText()).toMatch(
      /I kraft\s+Ophævet\s+Kunne ikke læses/,
    );
    expect(await item('Husnumre').innerText()).toBe('Husnumre og vejnavne');
    await page.evaluate(`document.querySelector('#map').focus()`);
    for (let out = 0; out < 3; out++) {
      await page.keyboard.press('-');
      await page.waitForTimeout(400);
    }
    await item('Husnumre').getByText('Tegnes først, når der zoomes ind').waitFor();
    expect(await page.locator('#drawn-now').innerText()).toMatch(
      /^Tegnet nu: \d+ af \d+\. .*Husnumre og vejnavne kommer frem, når der zoomes ind\.$/,
    );
    await expectGood(page);
  });

  test('gives what it shows to programs, measures without asking, finds its reader, and speaks English', async () => {
    const page = await newPage();
    await page.route('**/kort/daekning.json', async (route) => {
      // Longer than the map needs for its first picture.
      await page.locator('#map canvas').waitFor({ state: 'attached' });
      await page.waitForTimeout(500);
      await route.continue();
    });
    await page.goto(`${service.base}/kort${FEW_TILES}&lon=${INSIDE.lon}&lat=${INSIDE.lat}`);
    // At the place of its address, however late it learns what is covered.
    await expect.poll(() => new URL(page.url()).hash).toContain('se=11.382222,56.953727,14.50');
    await drawn(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name }).click();
      await page.getByText('Kopieret.').waitFor();
      return await page.evaluate('navigator.clipboard.readText()');
    };
    const curl = await copied('Kopiér curl');
    expect(curl).toContain(`${service.base}/v1/natur/byggelinjer?lon=11.382222&lat=56.9537267`);
    expect(curl).not.toContain('svc_');
    const json = JSON.parse(await copied('Kopiér JSON')) as { byggelinjer: BuildingLines };
    const at = `lon=${INSIDE.lon}&lat=${INSIDE.lat}`;
    const told = await answerOf<BuildingLines>(service, `natur/byggelinjer?${at}`);
    expect(json.byggelinjer.linjer).toEqual(told?.linjer);
    const { features } = JSON.parse(await copied('Kopiér GeoJSON')) as {
      features: { geometry: { type: string } }[];
    };
    expect(features.map(({ geometry }) => geometry.type)).toContain('LineString');
    const place = await page.locator('#answers').getAttribute('data-place');
    await page.getByRole('button', { name: 'Mål' }).click();
    await page.getByText('Vælg punkter i kortet').waitFor();
    const box = (await page.locator('#map').boundingBox())!;
    for (const x of [300, 420]) {
      await page.mouse.click(box.x + x, box.y + 300);
      // Two clicks at once are one that zooms.
      await page.waitForTimeout(450);
    }
    expect(await page.locator('#measured').innerText()).toMatch(/^\d{3},\d m$/);
    expect(await page.locator('#answers').getAttribute('data-place')).toBe(place);
    await expectGood(page);
    await page.keyboard.press('Escape');
    expect(await page.locator('#measured').innerText()).toBe('');
    const there = { latitude: 56.9460274, longitude: 11.4273191 };
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation(there);
    await page.getByRole('button', { name: 'Find mig' }).click();
    await expect
      .poll(() => page.locator('#answers').getAttribute('data-place'))
      .toContain(`"lon":${there.longitude}`);
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('What holds here?').waitFor();
    expect(await page.locator('#answers').innerText()).toContain("to the zone's edge");
    await expectGood(page);
  });

  test('brings one who has never seen it from the front page to a sheet for the case file', async () => {
    const page = await newPage({ viewport: LAPTOP });
    await page.addInitScript(COUNT_PRINTS);
    await page.goto(service.base);
    await page.getByRole('combobox', { name: 'Adresse' }).click();
    // A flat: its neighbours have the same place, and properties of their own.
    await page.keyboard.type('ny prøvegade 12a');
    await page.getByRole('option', { name: 'Ny Prøvegade 12A, 2. th' }).click();
    const address = await page
      .getByRole('heading', { name: 'Ny Prøvegade 12A, 2. th' })
      .innerText();
    const bfe = /BFE-nummer\s+(\d+)/.exec(await page.locator('#place').innerText())?.[1];
    await page.getByRole('link', { name: 'Se det på kortet' }).click();
    await drawn(page);
    expect(await page.getByRole('combobox').inputValue()).toBe(address);
    expect(await page.title()).toBe(`${address} · Kort · Geoopslag`);
    await page.getByRole('button', { name: 'Udskriv' }).click();
    await expect.poll(() => page.evaluate('window.prints')).toEqual(['whole']);
    const place = JSON.parse((await page.locator('#map').getAttribute('data-place'))!) as Degrees;
    const pages = await pagesPrinted(page);
    await onSheet(page, 'sheet');
    expect(pages).toBe(1);
    const lines = await expectSaid(page, service, { ...place, bfe: Number(bfe) });
    const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    expect(text.startsWith(address), text).toBe(true);
    for (const [key, { hjemmel, kilde }] of Object.entries(lines.linjer)) {
      const said = await page.locator(`[data-line=${key}]`).innerText();
      expect(said).toContain(hjemmel);
      // Its name on hover; a person reads that of the register.
      expect(await page.locator(`[data-line=${key}] [title="${kilde.lag}"]`).count()).toBe(1);
      expect(said).toMatch(/kilde (?:Matriklen|Miljøportalen|Fund og Fortidsminder)/);
      expect(said).toMatch(/kontrolleret for .+ siden/);
      expect(text).not.toContain(kilde.wfs);
    }
    const { generation } = (await answerOf<{ generation: number }>(service, 'status'))!;
    expect(text).toContain(`Datageneration ${generation}`);
    expect(text).toMatch(/Spurgt \d+\. \w+ 20\d\d/);
    for (const never of ['Ikke besvaret', 'Kunne ikke besvares', 'ikke tegnet'])
      expect(text).not.toContain(never);
    expect(await page.getByRole('search').isVisible()).toBe(false);
  });

  test('lays no distance over another, and says on the sheet that its map is not whole', async () => {
    const { lon, lat } = AT_ADDRESS;
    const hash = `#lag=${LINE_KEYS.join()}&lon=${lon}&lat=${lat}`;
    const page = await open(hash, { viewport: PHONE });
    await drawn(page);
    await expectApart(page);
    // The browser's own command: the sheet is wider than the map was.
    expect(await pagesPrinted(page)).toBe(1);
    await onSheet(page, 'sheet-partly');
    expect(await page.getByText('Kortet var ikke tegnet færdigt').isVisible()).toBe(true);
    await expectApart(page);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(COUNT_PRINTS);
    await page.getByRole('button', { name: 'Udskriv' }).click();
    await expect.poll(() => page.evaluate('window.prints')).toEqual(['whole']);
    for (const viewport of [PHONE, LAPTOP]) {
      await page.setViewportSize(viewport);
      await page.locator('.ol-zoom-out').click();
      await page.waitForTimeout(500);
      await expectApart(page);
      await picture(page, `labels-${viewport.width}`);
    }
  });

  async function pagesPrinted(page: Page): Promise<number> {
    const sheet = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    return sheet.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  }

  async function onSheet(page: Page, name: string): Promise<void> {
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(A4_INSIDE);
    // The map takes its new size a moment after the page has.
    await expect.poll(() => page.evaluate(OVERFLOWING)).toEqual([]);
    await picture(page, name);
  }
});
