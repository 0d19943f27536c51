/** What the service says to browsers beside its pages, and to programs in spite of them. */
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { WEB_PAGES } from '../../src/http/pages/page-list.ts';
import { keptAccess } from './access.ts';
import { expectError, sharedApp, testApp } from './edge.ts';

const TEN = '/v1/natur/byggelinjer?lon=12.1&lat=55.6';
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const app = await sharedApp({ access: keptAccess({ svc_live_one: {} }) });

describe('an address of the API without a key', () => {
  test('is a page in words for a browser, and the same JSON as ever for a program', async () => {
    const page = await app.inject({ url: TEN, headers: BROWSER });
    expect(page.statusCode).toBe(401);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(String(page.headers['content-security-policy'])).not.toContain('unsafe');
    expect(page.body).toContain('href="../../konto"');
    expect(page.body).toContain('https://geo.example/v1/natur/byggelinjer?lon=12.1&amp;lat=55.6');
    for (const accept of [undefined, '*/*', 'application/json']) {
      const headers = accept === undefined ? {} : { accept };
      const answer = await app.inject({ url: TEN, headers });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expectError(answer, 'unauthorized');
    }
  });

  test('shows what was asked as text, whatever it is', async () => {
    const url = `${TEN}&x="'><img src=x onerror=alert(1)>`;
    const page = await app.inject({ url, headers: BROWSER });
    expect(page.body).not.toContain('<img src=x');
    expect(page.body).not.toContain(`"'>`);
  });

  test('is not explained to who shows a wrong key, or writes', async () => {
    const wrong = { ...BROWSER, authorization: 'Bearer svc_live_wrong' };
    expectError(await app.inject({ url: TEN, headers: wrong }), 'unauthorized');
    const write = { method: 'POST', url: '/v1/dagi:batch', headers: BROWSER } as const;
    expectError(await app.inject(write), 'unauthorized');
  });
});

describe('an address that leads nowhere', () => {
  test.each(['/kort/', '/om-os', '/v1/adresse/findes-ikke?q=1'])(
    'is a page with ways on for a browser, and JSON for a program: %s',
    async (url) => {
      const page = await app.inject({ url, headers: BROWSER });
      expect(page.statusCode).toBe(404);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers.vary).toContain('Accept');
      expect(page.body).toContain('Siden findes ikke');
      expect(page.body).toContain('lang="en"');
      const [, link = ''] = /<a href="([^"]*)">kortet</.exec(page.body) ?? [];
      expect(new URL(link, `https://geo.example${url}`).pathname).toBe('/kort');
      expectError(await app.inject({ url }), 'not_found');
      expectError(await app.inject({ method: 'POST', url, headers: BROWSER }), 'not_found');
    },
  );
});

describe('a background map', () => {
  const url = 'https://kort.example:8443/{z}/{x}/{y}.png?a=1&b="><img src=x>';
  const policyOf = async (of: FastifyInstance, page: string) =>
    String((await of.inject(page)).headers['content-security-policy']);

  test('shows the components of pages to who turns that on, and to nobody else', async () => {
    expect((await app.inject({ url: '/design' })).statusCode).toBe(404);
    const design = await testApp({}, { hasDesign: true });
    expect((await design.inject({ url: '/design' })).statusCode).toBe(200);
  });

  test('lets the map page alone ask where its reader is', async () => {
    const policyOf = async (url: string) =>
      (await app.inject({ url })).headers['permissions-policy'];
    expect(await policyOf('/kort')).toContain('geolocation=(self)');
    expect(await policyOf('/')).toContain('geolocation=()');
  });

  test('opens its own origin to the map page, and nothing else to anybody', async () => {
    const backgroundMap = { url, attribution: '"Kort" & <b>$1</b>' };
    const mapped = await testApp({}, { backgroundMap });
    expect(await policyOf(mapped, '/kort')).toContain("img-src 'self' https://kort.example:8443;");
    expect(await policyOf(mapped, '/')).toContain("img-src 'self';");
    const { body } = await mapped.inject('/kort');
    expect(body).toContain(
      'data-baggrund="https://kort.example:8443/{z}/{x}/{y}.png?a=1&amp;b=&quot;&gt;&lt;img src=x&gt;"',
    );
    expect(body).toContain('data-baggrund-kilde="&quot;Kort&quot; &amp; &lt;b&gt;$1&lt;/b&gt;"');
    expect(await policyOf(app, '/kort')).toContain("img-src 'self';");
    expect((await app.inject('/kort')).body).toContain('data-baggrund=""');
  });
});

describe('a price of a unit', () => {
  test('is told where one is set', async () => {
    const priced = await testApp({}, { unitPriceDkk: 0.05 });
    for (const page of ['/konto', '/job']) {
      expect((await app.inject(page)).body).toContain('data-pris=""');
      expect((await priced.inject(page)).body).toContain('data-pris="0.05"');
    }
  });
});

describe('beside the pages', () => {
  test('there are an icon, the word for robots and a front page', async () => {
    const icon = await app.inject('/favicon.ico');
    expect(icon.headers['content-type']).toBe('image/x-icon');
    expect(icon.rawPayload.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
    const robots = await app.inject('/robots.txt');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(robots.body).toContain('Disallow: /v1/');
    // Nobody gives trial keys here.
    expect((await app.inject('/')).body).toMatch(/<body[^>]* data-proeve="off"/);
    expectError(await app.inject({ method: 'POST', url: '/v1/demo/noegle' }), 'not_found');
  });

  test('every page has the same header, no script of its own, and little to load', async () => {
    for (const path of ['/', '/konto', '/drift']) {
      const page = (await app.inject(path)).body;
      for (const way of ['konto', 'docs']) expect(page).toMatch(`href="${way}"`);
      expect(page).not.toMatch(/<script>|<style|style="|onclick=|build:/);
      const scripts = [...page.matchAll(/(?:src|href)="(web\/[^"]+\.js)"/g)];
      const sizes = await Promise.all(
        scripts.map(async ([, file = '']) => {
          const headers = { 'accept-encoding': 'gzip' };
          return (await app.inject({ url: `/${file}`, headers })).rawPayload.byteLength;
        }),
      );
      // Issue 21: at most 60 KB of JavaScript a page, compressed; the map has its own limit.
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
    }
  });
});

describe('while the data are invented', () => {
  const inventedData = {
    land: 'Ø & <b>holm',
    address: 'Ny Prøvegade 12A',
    x: 650_040.5,
    y: 6_314_025,
  };
  const PAGES = WEB_PAGES.flatMap(({ paths }) => paths);

  test('every page says so, with an address to try', async () => {
    const invented = await testApp({}, { inventedData });
    for (const path of [...PAGES, '/v1/errors/not_found']) {
      const { body } = await invented.inject({ url: path, headers: BROWSER });
      const ofRegisters = (await app.inject({ url: path, headers: BROWSER })).body;
      expect(ofRegisters, path).not.toContain('opdigtede');
      expect(body, path).toContain('Data er opdigtede.');
      expect(body, path).toContain('data-en="The data are invented."');
      expect(body, path).toContain('Ø &amp; &lt;b&gt;holm');
      const root = path === '/v1/errors/not_found' ? '../../' : '';
      expect(body, path).toContain(
        `<a href="${root}kort#x=650040.5&amp;y=6314025">Ny Prøvegade 12A</a>`,
      );
    }
  });
});

test('the map is told the land that is covered, by name and outline', async () => {
  const at = (lon: number, lat: number) => [lon, lat] as const;
  const ring = [at(11.3, 56.9), at(11.5, 56.9), at(11.4, 57), at(11.3, 56.9)];
  const partly = await testApp({
    coveredLand: () => Promise.resolve([{ name: 'Prøveholm', rings: [ring] }]),
  });
  const answer = await partly.inject('/kort/daekning.json');
  expect(answer.json()).toEqual([{ navn: 'Prøveholm', ringe: [ring] }]);
  expect((await app.inject('/kort/daekning.json')).json()).toEqual([]);
});
