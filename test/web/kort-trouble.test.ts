/** The map page where sources are silent: what is old or not answered is never seen as a "no". */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Composed } from '../../src/start/service.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import { openDatedService } from '../support/dated-service.ts';
import { openMirroredBench } from '../support/mirrored-store.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import { LAPTOP, PHONE, describePages, expectGood, signInByLink } from './browser.ts';
import { OVERFLOWING } from './in-page.ts';
import { goTo } from './kort-judge.ts';
import { listening } from '../support/free-port.ts';

/** A copy past its limit still answers, as an old one; past thirty days it does not (D34). */
const OLD = 'aa';
const TOO_OLD = 'skov';
const PLACE = { lon: 11.382222, lat: 56.9537267 };

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPYDwAA4gDhq7gVtgAAAABJRU5ErkJggg==',
  'base64',
);

class Pictures {
  readonly asked: IncomingMessage[] = [];
  isUp = true;
  readonly #server = createServer((request, response) => {
    this.asked.push(request);
    response.writeHead(this.isUp ? 200 : 500, {
      'content-type': 'image/png',
      'access-control-allow-origin': '*',
    });
    response.end(this.isUp ? PIXEL : '');
  });

  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listening(this.#server)}/{z}/{x}/{y}.png?token=kort`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describePages('the map page in trouble', 'kort', ({ newPage, picture }) => {
  const pictures = new Pictures();
  let bench: SyncBench;
  let service: Composed;
  let base: string;

  beforeAll(async () => {
    bench = await openMirroredBench();
    const { deps, store } = bench;
    await aged(OLD, '12 days');
    await aged(TOO_OLD, '40 days');
    bench.upstream.faults.set(LINE_KEYS.map((layer) => ({ fault: 'down', layer })));
    const settings = {
      BACKGROUND_MAP_URL: await pictures.listen(),
      BACKGROUND_MAP_ATTRIBUTION: 'Kortværket <b>opdigtet</b>',
    };
    service = await openDatedService({ deps, store, open: false, settings });
    base = await service.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await service.close();
    await bench.close();
    pictures.close();
  });

  async function aged(layer: string, age: string): Promise<void> {
    await bench.store.pool.query(
      'update layer_state set synced_at = now() - $2::interval where layer = $1',
      [layer, age],
    );
  }

  async function signedIn(viewport: typeof LAPTOP): Promise<Page> {
    const account = await service.accounts.accounts.create({
      name: 'Opdigtet',
      email: `kort-${viewport.width}@example.dk`,
      tier: 'pro',
    });
    const { token } = await service.accounts.sessions.newLink(account.id);
    // No header that the other server would have to allow.
    const page = await newPage({ viewport, extraHTTPHeaders: {} });
    // The browser says of each source that is silent that it is, also after the test.
    page.removeAllListeners('console');
    await signInByLink(page, `${base}/log-ind#${token}`);
    return page;
  }

  test.each([
    ['laptop', LAPTOP],
    ['phone', PHONE],
  ])('says what is old and what is not answered: %s', async (name, viewport) => {
    const page = await signedIn(viewport);
    await page.goto(`${base}/kort#lon=${PLACE.lon}&lat=${PLACE.lat}`);
    const silent = page.locator(`[data-line=${TOO_OLD}]`);
    await silent.waitFor();
    expect(await silent.innerText()).toContain('Kunne ikke afgøres');
    expect(await silent.innerText()).not.toContain('Gælder ikke her');
    const old = page.locator(`[data-line=${OLD}]`);
    expect(await old.innerText()).toContain('Gammel kopi: intet sikkert nej');
    expect(await old.innerText()).toContain('12 døgn');
    const headline = await page.locator('.head').innerText();
    expect(headline).toContain('1 kunne ikke afgøres');
    expect(headline).toContain('1 er svar fra en gammel kopi');
    // Registers that are not mirrored are no empty answers.
    const said = await page.locator('#answers').innerText();
    expect(said).toContain('Kunne ikke besvares: adressen, ejendommen slås op fra');
    expect(said).not.toContain('intet BFE-nummer');
    // A layer that does not come is said on the map.
    await page.locator('#map-trouble').getByText('Skovbyggelinje').waitFor();
    await page.waitForTimeout(500);
    await expectGood(page);
    // Printed, it stands at the head of the sheet, and in words: paper may have no colours.
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 703, height: 1031 });
    const sheet = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    const head = sheet.slice(0, sheet.indexOf('Byggelinjer og beskyttet natur'));
    expect(head).toContain('Ikke besvaret: Skovbyggelinje. Arket siger ikke');
    expect(head).toContain('Fra en gammel kopi: Åbeskyttelseslinje.');
    expect(await silent.innerText()).toContain('Kunne ikke afgøres');
    expect(await old.innerText()).toContain('Gammel kopi: intet sikkert nej');
    await picture(page, `${name}-trouble-sheet`);
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
  });

  test('lays the pictures of the operator under its layers, and says where they do not come', async () => {
    const page = await signedIn({ width: 900, height: 700 });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) complaints.push(message.text());
    });
    pictures.asked.length = 0;
    await page.goto(`${base}/kort`);
    await page.getByText('Kortværket <b>opdigtet</b>').waitFor();
    await expect.poll(() => pictures.asked.length).toBeGreaterThan(0);
    for (const { url = '', headers } of pictures.asked) {
      expect(url).toMatch(/^\/\d+\/\d+\/\d+\.png\?token=kort$/);
      for (const told of ['referer', 'authorization', 'cookie'])
        expect(headers[told]).toBeUndefined();
    }
    await picture(page, 'background');
    pictures.isUp = false;
    const trouble = page.locator('#map-trouble').getByText('Baggrundskort');
    await page.locator('.ol-zoom-in').click();
    await trouble.waitFor();
    await page.getByLabel('Baggrundskort').uncheck();
    await trouble.waitFor({ state: 'hidden' });
    expect(await page.getByText('Kortværket').isVisible()).toBe(false);
    expect(new URL(page.url()).hash).toContain('baggrund=0');
    expect(complaints).toEqual([]);
    pictures.isUp = true;
  });

  test('asks with a key that ends with the session and is nowhere but in memory', async () => {
    const page = await signedIn({ width: 1000, height: 700 });
    const asked = { questions: new Set<string>(), drawings: new Set<string>(), made: 0 };
    page.on('request', (request) => {
      const { authorization = '', cookie } = request.headers();
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/v1/kort/')) asked.drawings.add(authorization);
      else if (/^\/v1\/(natur|dagi|adresser)/.test(pathname)) asked.questions.add(authorization);
      if (pathname === '/v1/me/keys' && request.method() === 'POST') asked.made += 1;
      if (authorization !== '') expect(cookie).toBeUndefined();
      expect(request.url()).not.toContain('svc_');
    });
    await page.goto(`${base}/kort`);
    await page.locator('#map[data-drawn]').waitFor({ state: 'attached' });
    // Whoever only looks makes no key.
    expect([asked.made, asked.drawings.size]).toEqual([0, 1]);
    await goTo(page, PLACE);
    expect([asked.made, asked.questions.size, asked.drawings.size]).toEqual([1, 1, 1]);
    const [key = ''] = asked.questions;
    expect(key).toMatch(/^Bearer svc_test_/);
    expect(await page.content()).not.toContain(key.slice('Bearer '.length));
    const kept = '[...Object.values(localStorage), ...Object.values(sessionStorage)].join()';
    expect(await page.evaluate(kept)).not.toContain('svc_');
    const works = async () =>
      (await fetch(`${base}/v1/me`, { headers: { authorization: key } })).status;
    expect(await works()).toBe(200);
    // A live one where it is chosen; what was made before is handed back.
    await page.getByLabel('Spørg med en livenøgle').check();
    await expect.poll(works).toBe(401);
    await goTo(page, { ...PLACE, lon: PLACE.lon + 0.001 });
    const live = [...asked.questions].at(-1) ?? '';
    expect(live).toMatch(/^Bearer svc_live_/);
    expect(asked.made).toBe(2);
    await page.getByRole('button', { name: 'Log ud' }).click();
    await expect
      .poll(async () => (await fetch(`${base}/v1/me`, { headers: { authorization: live } })).status)
      .toBe(401);
  });
});
