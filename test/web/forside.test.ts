/** The front page in a real Chromium, over the whole service with its sample and the open trial. */
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { KNOWN_COMPANY } from '../../sample/registers/companies/rows.ts';
import { METERING_LIMITS } from '../../src/metering/limits.ts';
import type { NearestAddress } from '../../src/web/shared/answers.ts';
import { useWholeService } from '../support/use-whole-service.ts';
import {
  LOOKS,
  changeAnswers,
  describePages,
  expectGood,
  from,
  visitor,
  lookFor,
} from './browser.ts';
import type { PageOptions, Told } from './browser.ts';
import { OVERFLOWING, OVERPRINTED } from './in-page.ts';
import { answerOf } from './kort-judge.ts';

const LINES = '**/v1/natur/byggelinjer?*';
type Lines = { readonly linjer: Record<string, object> };
/** An answer of a service that fails. */
const failing = { status: 503, json: { message: 'Prøvet.' } };

describePages('the front page', 'forside', ({ complaints, newPage, openAt, picture }) => {
  const service = useWholeService();

  const open = (path = '/', options: PageOptions = {}) => openAt(service.base + path, options);

  test.each(LOOKS)('answers for a place at once: %s', async (_name, viewport, colorScheme) => {
    const page = await open('/', { viewport, colorScheme });
    await page.locator('#freshness').getByText('lag er friske').waitFor();
    await page.locator('#place-example').waitFor();
    await page.locator('#map svg[role=img]').waitFor();
    await expectGood(page);
    // Nothing was asked for: the reader is where the page begins.
    expect(new URL(page.url()).hash).toBe('');
    expect(await page.evaluate('[document.activeElement.tagName, scrollY]')).toEqual(['BODY', 0]);
    expect(await page.locator('#sentence').innerText()).toBe(
      '2 af 10 linjer gælder her: søbeskyttelseslinje og skovbyggelinje.',
    );
    const tops = await Promise.all(
      ['#sentence', '#map', '#lines'].map(
        async (part) => (await page.locator(part).boundingBox())?.y ?? 0,
      ),
    );
    if (viewport.width < 640) expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(await page.locator('#map path.own').count()).toBe(1);
    expect(await page.locator('#map .parcel').count()).toBeGreaterThan(5);
    expect(await page.locator('#map .house').count()).toBeGreaterThan(3);
    expect(await page.locator('#map .road').count()).toBeGreaterThan(0);
    const said = (await page.locator('#place').innerText()).replaceAll(/\s+/g, ' ');
    expect(said).toContain('Naturbeskyttelsesloven');
    expect(said).toContain('Gælder her');
    expect(said).toContain('Kommune');
    expect(await page.locator('#lines li').count()).toBe(10);
    for (const width of [320, 640, 1024, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(OVERPRINTED), `${width}`).toEqual([]);
      expect(await page.evaluate(OVERFLOWING), `${width}`).toEqual([]);
    }
  });

  test('finds an address by the keyboard alone, and says it in English too', async () => {
    const page = await open();
    await page.locator('#place-example').waitFor();
    await page.getByRole('combobox').focus();
    await page.keyboard.type('ny prø', { delay: 30 });
    await page.getByRole('option').first().waitFor();
    await expectGood(page);
    const kindLines = `(() => {
      document.querySelector('#suggestions bdi').textContent = 'Ny Prøvegade 12A '.repeat(9);
      const kind = document.querySelector('#suggestions li > small');
      return Math.round(kind.offsetHeight / parseFloat(getComputedStyle(kind).lineHeight));
    })()`;
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 320, height });
    expect(await page.evaluate(kindLines)).toBe(1);
    await page.setViewportSize({ width, height });
    // A road goes on to its houses, and those to what is asked about.
    for (let step = 0; step < 4; step++) {
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
        'suggestion-0',
      );
      await page.keyboard.press('Enter');
      // The example is no longer it, or the houses of the road are suggested.
      const next = page.locator('#place-example[hidden], #suggestions li >> nth=0');
      await next.first().waitFor({ state: 'attached' });
      if (await page.locator('#place-example').isHidden()) break;
    }
    await page.locator('#place-example').waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.id')).toBe('place');
    await page.getByRole('button', { name: 'English' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.getByRole('heading', { name: 'What applies at this place?' }).waitFor();
    await page.getByText('Municipality').waitFor();
    await expectGood(page);
    await page.reload();
    await page.getByRole('button', { name: 'Look up' }).waitFor();
  });

  /** The link of an address that has lines. */
  async function exampleHash(): Promise<string> {
    const ask = 'adresser/reverse?lon=11.4113137&lat=56.91959212';
    const { adresse } = (await answerOf<NearestAddress>(service, ask))!;
    const { lon, lat } = adresse.koordinat!;
    return `#lon=${lon}&lat=${lat}&adresse=${adresse.adgangsadresse_id}`;
  }

  test('keeps what it shows in its address: back leads to it, a link shows another reader the same', async () => {
    const page = await open();
    await page.locator('#place-example').waitFor();
    await page.evaluate(`location.hash = '${await exampleHash()}'`);
    const title = page.locator('#place-title');
    await page.locator('#place-example').waitFor({ state: 'hidden' });
    const first = { url: page.url(), title: await title.innerText() };
    expect(new URL(first.url).hash).toMatch(/^#lon=[\d.]+&lat=[\d.]+&adresse=[\da-f-]{36}$/);
    // The skip link is no other place.
    await page.keyboard.press('Tab');
    await page.locator('a.skip').focus();
    await page.keyboard.press('Enter');
    expect(page.url()).toBe(first.url);
    await lookFor(page, '56,9537 11,3822');
    await expect.poll(() => page.title()).toMatch(/^\d+,\d m fra .+ · Geoopslag$/);
    const second = page.url();
    expect(new URL(second).hash).toBe('#lon=11.3822&lat=56.9537');
    // Whose property it is, where it is not of the place itself.
    await page.getByText(/^Slået op fra nærmeste adresse, \d+,\d m herfra\.$/).waitFor();
    const told = await page.locator('#lines').innerText();
    await page.goBack();
    await expect.poll(() => title.innerText()).toBe(first.title);
    expect(await page.locator('#property-of').isVisible()).toBe(false);
    expect(page.url()).toBe(first.url);
    expect(await page.getByRole('combobox').inputValue()).toBe(first.title);
    await page.goBack();
    await page.locator('#place-example').waitFor();
    expect(await page.getByRole('combobox').inputValue()).toBe('');
    await page.goForward();
    await expect.poll(() => title.innerText()).toBe(first.title);
    const another = await open(new URL(second).hash.replace(/^/, '/'));
    await expect.poll(() => another.locator('#lines').innerText()).toBe(told);
    const named = await open(`/${new URL(first.url).hash}`);
    await expect.poll(() => named.locator('#place-title').innerText()).toBe(first.title);
    expect(await named.getByRole('combobox').inputValue()).toBe(first.title);
    // A short link names the address alone, and shows the same.
    const alone = await open(`/#${/adresse=.*/.exec(first.url)?.[0] ?? ''}`);
    await expect.poll(() => alone.locator('#place-title').innerText()).toBe(first.title);
    expect(await alone.locator('#sentence').innerText()).toBe(
      await named.locator('#sentence').innerText(),
    );
    // An address that lies elsewhere than the link says is not believed.
    const forged = await open(`/${new URL(first.url).hash.replace(/lon=[\d.]+/, 'lon=11.3822')}`);
    await forged.locator('#place-title').waitFor();
    expect(await forged.locator('#place-title').innerText()).not.toBe(first.title);
  });

  const search = (page: Page) => page.getByRole('combobox');

  test('takes a place name and a property number; back and a link show the same', async () => {
    const page = await open();
    const title = page.locator('#place-title');
    await search(page).pressSequentially('midt', { delay: 30 });
    await page.getByRole('option', { name: /^Midtby by, .*sted$/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await search(page).press('b');
    await page.getByRole('option', { name: /^Midtby Station .*sted$/ }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => title.innerText()).toBe('Midtby Station');
    const place = page.url();
    expect(new URL(place).hash).toMatch(/^#lon=[\d.]+&lat=[\d.]+&sted=[\da-f-]{36}$/);
    await search(page).fill('BFE-nr. 9100001');
    await page.getByRole('option', { name: 'BFE 9100001 BFE-nummer ejendom' }).click();
    await expect.poll(() => title.innerText()).toBe('Ejendom 9100001 (BFE)');
    // Its own number, not that of the nearest address.
    await page.locator('#property').getByText('9100001').waitFor();
    expect(await page.locator('#property-of').isVisible()).toBe(false);
    await expectGood(page);
    // A parcel by its number and the beginning of its district.
    await search(page).fill('1a skitsebjerg');
    await page
      .getByRole('option', { name: /^1a, Skitsebjerg By, Prøve, 93 .*jordstykke$/ })
      .click();
    await expect.poll(() => title.innerText()).toBe('1a, Skitsebjerg By, Prøve, 93');
    const parcel = page.url();
    expect(parcel).toMatch(/jordstykke=9900093-1a$/);
    await page.goBack();
    await expect.poll(() => title.innerText()).toBe('Ejendom 9100001 (BFE)');
    const ofParcel = await open(`/${new URL(parcel).hash}`);
    await expect
      .poll(() => ofParcel.locator('#place-title').innerText())
      .toBe('1a, Skitsebjerg By, Prøve, 93');
    expect(await ofParcel.locator('#property').innerText()).toContain('9100001');
    const property = page.url();
    await page.goBack();
    await expect.poll(() => title.innerText()).toBe('Midtby Station');
    expect(await search(page).inputValue()).toBe('Midtby Station');
    const another = await open(`/${new URL(property).hash}`);
    await expect
      .poll(() => another.locator('#place-title').innerText())
      .toBe('Ejendom 9100001 (BFE)');
    // What lies elsewhere than the link says is not believed.
    const forged = await open(`/${new URL(place).hash.replace(/lon=[\d.]+/, 'lon=11.3822')}`);
    await forged.locator('#place-title').waitFor();
    expect(await forged.locator('#place-title').innerText()).not.toBe('Midtby Station');
  });

  test('says what it cannot take, and never "none" of what could not be asked for', async () => {
    const page = await open();
    const said = page.locator('#q-error');
    for (const [typed, told] of [
      ['1012345678', /^P-numre kan ikke slås op her/],
      ['56,95', /^Skriv begge koordinater/],
      ['99999999', /./],
      ['zzqxzz', /^Ingen adresser eller stednavne passer\. Her dækkes kun Prøveholm/],
    ] as const) {
      await lookFor(page, typed);
      await expect.poll(() => said.innerText(), { message: typed }).toMatch(told);
    }
    // Pressed twice while it is asked for, it is not what was suggested for another text.
    await search(page).fill('midt');
    await page.getByRole('option').first().waitFor();
    await page.route('**/v1/adresser/autocomplete?*', (route) => route.fulfill(failing));
    await lookFor(page, 'zzqxz');
    await page.keyboard.press('Enter');
    await said.getByText('Prøvet.').waitFor();
    expect(await search(page).inputValue()).toBe('zzqxz');
    await search(page).fill('midt');
    await page.getByRole('option', { name: /^Midtby by/ }).waitFor();
    expect(await said.innerText()).toBe('Adresser: kunne ikke søges. Prøvet.');
    await page.route('**/v1/stednavne?*', (route) => route.fulfill(failing));
    await search(page).fill('zzqxzz');
    await expect
      .poll(() => said.innerText())
      .toBe('Adresser: kunne ikke søges. Prøvet. Stednavne: kunne ikke søges. Prøvet.');
    await expectGood(page);
    complaints.splice(0);
  });

  test('shows a company to who is signed in, and to nobody else', async () => {
    const page = await open();
    const { number } = KNOWN_COMPANY;
    await lookFor(page, `cvr ${number}`);
    await page.getByText(/^Virksomheder kan slås op, når du er logget ind/).waitFor();
    expect(page.url()).toBe(`${service.base}/`);
    // The session alone is played: its key is a real one.
    const session = { csrf_token: 'x', account: {} };
    await page.route('**/v1/me/session', (route) => route.fulfill({ json: { session } }));
    const key = { id: 'key_1', secret: service.key };
    await page.route('**/v1/me/keys', (route) => route.fulfill({ status: 201, json: { key } }));
    await page.route('**/v1/me/keys/*', (route) => route.fulfill({ status: 204 }));
    // It is read on when the reader goes on meanwhile.
    const goOn = () => page.keyboard.press('Tab');
    await page.route('**/v1/cvr/*', (route) => goOn().then(() => route.continue()));
    await page.keyboard.press('Enter');
    const told = () => page.locator('#company, #q-error').allInnerTexts();
    await expect.poll(told).toEqual(['', expect.stringContaining(`${number}`)]);
    expect(new URL(page.url()).hash).toMatch(new RegExp(`virksomhed=${number}$`));
    expect(await page.locator('#place-title').innerText()).toMatch(/Opdigtet Virksomhed 1 ApS/);
    expect(await page.locator('#company').innerText()).toMatch(/Anpartsselskab/);
    await page.locator('#lines li').first().waitFor();
    await expectGood(page);
    // One that lies nowhere on the map is shown without a place.
    await changeAnswers<object>(page, '**/v1/cvr/*', (body) => ({ ...body, adresse: null }));
    await lookFor(page, `CVR ${KNOWN_COMPANY.endedNumber}`);
    await page.getByText('Uden et punkt på kortet').waitFor();
    expect(await page.locator('#company').innerText()).toMatch(/Ophørt/);
    expect(await page.locator('#lines').isVisible()).toBe(false);
    expect(await page.locator('#to-map').isVisible()).toBe(false);
    await expectGood(page);
    await page.reload();
    await page.locator('#company').getByText(String(KNOWN_COMPANY.endedNumber)).waitFor();
    // The other page with this search field may look companies up too.
    const asked = page.waitForRequest('**/v1/me/keys');
    await page.goto(`${service.base}/forhold`);
    expect((await asked).postData()).toContain('cvr');
  });

  test('tells years that no register knows as that, and never a lookup that failed as a no', async () => {
    const page = await newPage();
    await changeAnswers<{ bygninger: { opfoerelsesaar: unknown }[] }>(
      page,
      '**/v1/bbr/ejendom/*',
      (answer) => {
        const years = [1000, 0, null, 1874];
        for (const [at, building] of answer.bygninger.entries())
          building.opfoerelsesaar = years[at % years.length];
      },
    );
    await page.route(LINES, (route) => route.fulfill(failing));
    await page.goto(service.base);
    await page.locator('#place').waitFor();
    const said = await page.locator('#property').innerText();
    expect(said.match(/opførelsesår ikke oplyst/g)).toHaveLength(4);
    expect(said).toContain('opført 1874');
    expect(said).not.toMatch(/\b1000\b|\bopført 0\b|null/);
    expect(await page.locator('#lines').innerText()).toBe('Intet svar. Prøvet.');
    expect(await page.locator('#areas li').count()).toBeGreaterThan(0);
    await picture(page, 'laptop-failing');
    for (const complaint of complaints.splice(0)) expect(complaint).toContain('503');
  });

  test("never shows an old copy's no as a plain one, nor a register that is not adopted as a near edge", async () => {
    const page = await newPage();
    await changeAnswers<Lines>(page, LINES, ({ linjer }, headers) => {
      Object.assign(linjer['kirke']!, { inden_for: false });
      Object.assign(linjer['soe']!, { inden_for: true, usikker: true, afstand_m: -12.3 });
      Object.assign(headers, { 'x-service-stale': 'true', 'x-service-stale-lines': 'kirke' });
    });
    await changeAnswers<Told>(page, '**/v1/status', ({ lag }) => {
      lag[0]!.tilstand = 'fejlet';
    });
    await page.goto(service.base);
    await page.locator('#place').waitFor();
    // Of a layer whose last run failed it says just that: its copy is not old.
    const freshness = page.locator('#freshness');
    await freshness.getByText('1 kunne ikke fornyes sidste gang').waitFor();
    expect(await freshness.innerText()).not.toContain('frist');
    const lineOf = (name: string) =>
      page.locator('#lines li').filter({ hasText: name }).innerText();
    expect(await lineOf('Kirkebyggelinje')).toContain('Gammel kopi: intet sikkert nej');
    expect(await lineOf('Kirkebyggelinje')).not.toContain('Gælder ikke her');
    await page.getByText(/^Gælder ikke her, ingen inden for/).click();
    expect(await lineOf('Klitfredningslinje')).toContain('Gælder ikke her');
    const sentence = await page.locator('#sentence').innerText();
    expect(sentence).toBe(
      '2 af 10 linjer gælder her: skovbyggelinje og søbeskyttelseslinje; 1 er svar fra en gammel kopi.',
    );
    const lake = await lineOf('Søbeskyttelseslinje');
    expect(lake).toContain('Gælder her');
    expect(lake).toContain('12,3 m til zonens kant');
    expect(lake).toContain('ikke endeligt vedtaget');
    await expectGood(page);

    // No unanswered line is among the noes; it says what to do, and what is not drawn.
    await page.unroute(LINES);
    await changeAnswers<Lines>(page, LINES, ({ linjer }) => {
      for (const line of Object.values(linjer))
        Object.assign(line, { inden_for: false, afstand_m: null, traef: null });
      Object.assign(linjer['kirke']!, { status: 'utilgaengelig', inden_for: null });
      Object.assign(linjer['dige']!, { afstand_m: 31.9 });
    });
    await page.route('**/v1/kort/dige/**', (route) => route.abort());
    await page.reload();
    await page.locator('#map .notice').waitFor();
    expect(await page.locator('#sentence').innerText()).toBe(
      'Ingen af de 9 linjer med sikkert svar gælder her; nærmest er beskyttet sten- og jorddige, 31,9 m herfra; 1 kunne ikke afgøres.',
    );
    expect(await page.locator('#map .notice').innerText()).toBe(
      'Ikke tegnet: Beskyttet sten- og jorddige, Kirkebyggelinje.',
    );
    await page.getByText('Det betyder ikke, at linjen ikke gælder her').waitFor();
    const church = page.locator('#lines li').filter({ hasText: 'Kirkebyggelinje' });
    expect(await church.innerText()).toContain('Kunne ikke afgøres');
    await expectGood(page);
    await page.unroute(LINES);
    await page.getByRole('button', { name: 'Spørg igen' }).click();
    await expect.poll(() => page.locator('#sentence').innerText()).toMatch(/^2 af 10 linjer/);
    complaints.splice(0);
  });

  test('waits with its example while the layers are fetched for the first time', async () => {
    const page = await open('/docs/keys');
    let all = 0;
    await changeAnswers<Told>(page, '**/v1/status', ({ lag: layers }) => {
      const lines = layers.filter(({ lag }) => ['skov', 'natur'].includes(lag));
      for (const layer of lines) layer.tilstand = 'mangler';
      all = layers.length;
    });
    await page.goto(`${service.base}/`);
    await page.getByText('registerlag er hentet, resten er på vej').waitFor();
    const said = await page.getByText('registerlag er hentet').innerText();
    expect(said).toContain(`${all - 2} af ${all} registerlag`);
    expect(await page.locator('#place').isVisible()).toBe(false);
    await expectGood(page);
    // One may be on its way.
    await page.unrouteAll({ behavior: 'wait' });
    await page.locator('#place-example').waitFor();
  });

  test('is given away: as text, as a link, on paper, and as programs that run', async () => {
    const page = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#place-example').waitFor();
    const taken = async (button: string): Promise<string> => {
      await page.getByRole('button', { name: button }).click();
      await page.getByText('Kopieret.').waitFor();
      return await page.evaluate<string>('navigator.clipboard.readText()');
    };
    const text = await taken('Kopiér svaret');
    expect(text).toContain('Søbeskyttelseslinje, Gælder her, 12,1 m til zonens kant');
    const link = await taken('Kopiér link');
    expect(link).toMatch(/\/#adresse=[\da-f-]{36}$/);
    expect(text.endsWith(link)).toBe(true);
    await page.getByText('Sådan spørger et program').click();
    const printed: Record<string, string> = {};
    for (const [language, run] of [
      ['curl', ['sh', '-c']],
      ['TypeScript', [process.execPath, '--input-type=module-typescript', '-e']],
      ['Python', ['python3', '-c']],
    ] as const) {
      await page.getByRole('button', { name: language }).click();
      const program = await taken('Kopiér programmet');
      const [command, ...options] = run;
      printed[language] = execFileSync(command, [...options, program], {
        env: { ...process.env, GEOOPSLAG_KEY: service.key },
        encoding: 'utf8',
      });
    }
    expect(printed['curl']).toContain('"soe":{"navn":"Søbeskyttelseslinje"');
    expect(printed['TypeScript']).toContain('Søbeskyttelseslinje true');
    expect(printed['Python']).toContain('Søbeskyttelseslinje True');
    await expectGood(page);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 690, height: 1000 });
    await page
      .locator('#source')
      .getByText(/slået op \d+\. .* kilde: /)
      .waitFor();
    for (const part of ['#search', '#place > .buttons', '.ways', '.top nav'])
      expect(await page.locator(part).isVisible()).toBe(false);
    expect(await page.locator('#map svg[role=img]').isVisible()).toBe(true);
    await picture(page, 'sheet');
  });

  test('tells a browser that opened a lookup how to ask, and its page is good', async () => {
    const page = await open("/v1/natur/byggelinjer?lon=11.4&lat=56.9&x='<b>");
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    const code = await page.locator('pre code').innerText();
    expect(code).toContain(`${service.base}/v1/natur/byggelinjer?lon=11.4&lat=56.9&x=%27`);
    await expectGood(page);
    await page.getByRole('link', { name: 'Log ind, og lav en nøgle' }).click();
    await page.getByText('Du er ikke logget ind').waitFor();
    expect(page.url()).toBe(`${service.base}/konto`);
  });

  test("asks with a key that answers this service's own pages alone, each address so often", async () => {
    const reader = from(visitor());
    const mint = (headers: Record<string, string>) =>
      fetch(`${service.base}/v1/demo/noegle`, {
        method: 'POST',
        headers: { ...reader, ...headers },
      });
    const own = { referer: `${service.base}/` };
    expect((await mint({})).status).toBe(403);
    expect((await mint({ origin: 'https://example.dk' })).status).toBe(403);
    expect((await mint({ ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const minted = await mint(own);
    const { noegle, rettighed } = (await minted.json()) as Record<string, string>;
    expect(minted.status).toBe(200);
    expect(rettighed).toBe('restricted:bbr,dagi,natur,adresser,dhm,stednavne,vurdering,miljoe');
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(`${service.base}${path}`, {
        headers: { authorization: `Bearer ${noegle ?? ''}`, ...reader, ...headers },
      });
    const lines = '/v1/natur/byggelinjer?lon=11.4273191&lat=56.9460274';
    const refused = await ask(lines, { referer: 'https://example.dk/' });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'origin_not_allowed' });
    expect((await ask(lines, {})).status).toBe(403);
    expect((await ask('/v1/cvr/10000009', own)).status).toBe(403);
    const { limit } = METERING_LIMITS.publicKeyRequests;
    const statuses = new Set<number>();
    for (let count = 0; count <= limit; count++) statuses.add((await ask(lines, own)).status);
    expect([...statuses]).toEqual([200, 429]);
  });
});
