/** The door for clients of DAWA: keys, pages of other sites, errors, formats, and what it costs. */
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '../../src/account/key-store.ts';
import { TRIAL_ACCOUNT } from '../../src/account/ids.ts';
import { Failure } from '../../src/kernel/failures.ts';
import type { AreaWithBox } from '../../src/core/held/snapshot-set.ts';
import type { AreaList } from '../../src/registers/areas/list.ts';
import { CADASTRE_LIMITS } from '../../src/registers/cadastre/limits.ts';
import { createRandom } from '../../sample/data/random.ts';
import { HANG_MS, oneIn } from '../support/run-settings.ts';
import { keptAccess, rateLimited } from './access.ts';
import { X, Y, idOf, toldAddresses } from './address-edge.ts';
import { AREA, EMPTY, HOST, doorParts as parts, routesOf } from './dawa-edge.ts';
import { AUTHORIZED, TOKEN } from './operator.ts';
import { fewParcels } from './parcel-edge.ts';
import { linesInto } from '../support/log.ts';
import { sharedApp, testApp, atGeneration } from './edge.ts';

const LIVE = 'svc_live_one';
const PAGE = 'svc_pub_live_page';
const access = keptAccess({
  [LIVE]: { keyId: 'key_live' },
  svc_live_dagi: { permission: 'restricted:dagi' },
  // As every public key is made.
  [PAGE]: {
    ...{ keyId: 'key_page', kind: 'public', origins: ['example.dk'] },
    permission: 'restricted:adresser',
  },
});

const logged: string[] = [];
const app = await sharedApp(
  { access, addresses: toldAddresses(), dawa: parts() },
  { logLevel: 'info', logStream: linesInto(logged), operatorToken: TOKEN },
);
const keyless = await sharedApp({ access, dawa: parts({ keyless: PAGE }) });
afterEach(() => {
  expect(access.outstanding()).toBe(0);
  access.settled.length = 0;
  for (const name of Object.keys(access.failing)) Reflect.deleteProperty(access.failing, name);
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/dawa${path}`, headers });
const keyed = (path: string) => ask(path, { authorization: `Bearer ${LIVE}` });

interface DawaError {
  readonly type: string;
  readonly title: string;
  readonly details: unknown;
}

const rowsOf = (lines: string) =>
  lines
    .trim()
    .split('\r\n')
    .map((row) => JSON.parse(row) as { type: string });
const errorOf = (answer: { json(): unknown }): DawaError => answer.json() as DawaError;

/** Areas of every theme in place of the one. */
function listing(value: readonly AreaWithBox[]): AreaList {
  const { areaList } = parts().lookups;
  return { ...areaList, all: async () => ({ ...(await areaList.all('kommune')), value }) };
}

describe('the page about the door', () => {
  test('stands at its prefix, where the door is mounted', async () => {
    const page = await app.inject('/dawa');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toMatch('text/html');
    expect(page.body).toContain('<form id="old-form">');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const without = await testApp({ access });
    expect((await without.inject('/dawa')).statusCode).toBe(404);
  });
});

describe('keys', () => {
  const url = '/vejnavne/autocomplete?q=%C3%85gade&caretpos=3&fuzzy=&multilinje=true';

  test.each([
    ['the parameter', `${url}&token=${LIVE}`],
    ['the path', `/k/${LIVE}${url}`],
    ['the path, with the slashes that a base URL adds', `/k/${LIVE}//vejnavne/autocomplete/?q=x`],
  ])('are taken from %s', async (_, path) => {
    const answer = await ask(path);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(Array.isArray(answer.json())).toBe(true);
    expect(answer.body).not.toContain('svc_');
    expect(access.settled).toMatchObject([{ operation: 'adresser', units: 1 }]);
  });

  test('in the path reach neither the log nor a link', async () => {
    logged.length = 0;
    const answer = await ask(`/k/${LIVE}/adgangsadresser/${idOf(1)}?struktur=mini`);
    expect(answer.json()).toMatchObject({
      href: `https://geo.example/dawa/adgangsadresser/${idOf(1)}`,
    });
    await ask(`/k/svc_live_wrong/adresser`);
    expect(logged.join('')).toContain('"path":"/dawa/adgangsadresser/');
    expect(logged.join('')).not.toContain('svc_live');
  });

  test('of pages answer their own origins on every resource', async () => {
    const origin = 'https://example.dk';
    const path = `/autocomplete?q=x&token=${PAGE}`;
    expect((await ask(path, { origin })).statusCode).toBe(200);
    expect((await ask(path, { origin: 'https://other.dk' })).statusCode).toBe(403);
    expect(
      (await ask(`/sogne/9990?token=${PAGE}`, { origin: 'https://other.dk' })).statusCode,
    ).toBe(403);
    // A link that is followed carries the page's key.
    const { href } = (await ask(`/sogne/0999?token=${PAGE}`, { origin })).json<{ href: string }>();
    expect(href).toBe(`https://geo.example/dawa/k/${PAGE}/sogne/0999`);
    const followed = await app.inject({ url: new URL(href).pathname, headers: { origin } });
    expect(followed.json()).toMatchObject({ href });
  });

  test('need the scope that they need under /v1', async () => {
    const answer = await ask('/adresser?token=svc_live_dagi');
    expect(answer.statusCode).toBe(403);
    expect(errorOf(answer)).toMatchObject({ details: { code: 'key_scope_missing' } });
  });

  test('that are public ask every resource, as they are made: for addresses alone', async () => {
    const [origin, refused] = ['https://example.dk', [] as string[]];
    for (const path of routesOf(parts())) {
      const asked = path.replaceAll(/:[a-z_]+/g, '1');
      const { statusCode } = await ask(`${asked}?token=${PAGE}&per_side=1`, { origin });
      if ([401, 403].includes(statusCode)) refused.push(path);
    }
    expect(refused).toEqual([]);
    expect(
      (await app.inject({ url: `/v1/dagi/reverse?token=${PAGE}`, headers: { origin } })).json(),
    ).toMatchObject({ code: 'public_key_scope' });
  });

  test('may be absent where the operator names a public key, from its origins alone', async () => {
    const from = (origin: string) =>
      keyless.inject({ url: '/dawa/autocomplete?q=x', headers: { origin } });
    expect((await from('https://example.dk')).statusCode).toBe(200);
    expect(access.settled).toMatchObject([{ keyId: 'key_page', units: 1 }]);
    expect((await from('https://other.dk')).statusCode).toBe(403);
    expect((await keyless.inject('/v1/adresser?q=x')).statusCode).toBe(401);
  });

  test('may be absent for visitors where the operator opens its trial to them (D152)', async () => {
    const open = keptAccess({ svc_test_trial: { accountId: TRIAL_ACCOUNT, keyId: 'key_trial' } });
    const key = () => Promise.resolve({ key: {} as ApiKey, secret: 'svc_test_trial' });
    const dawa = parts({ isOpen: true });
    const opened = await testApp({ access: open, dawa, trial: { key } });
    const without = await testApp({ access: open, dawa, trial: null });
    const answer = await opened.inject('/dawa/adgangsadresser?postnr=9991&struktur=mini');
    expect(answer.statusCode).toBe(200);
    expect(answer.json<{ href: string }[]>()[0]?.href).not.toContain('/k/');
    expect(open.settled).toMatchObject([{ keyId: 'key_trial' }]);
    const stranger = { url: '/dawa/autocomplete?q=x&token=svc_test_trial' };
    expect((await opened.inject(stranger)).statusCode).toBe(403);
    expect((await opened.inject('/v1/adresser?q=x')).statusCode).toBe(401);
    expect((await without.inject('/dawa/autocomplete?q=x')).statusCode).toBe(401);
  });
});

test('a page is told what it may ask before it asks, also at a path that is not there', async () => {
  const asked = 'x-requested-with, cache-control, x-odd';
  for (const url of ['/dawa/kommuner', '/dawa/findes/ikke', '/v1/adresser/autocomplete']) {
    const { statusCode, headers } = await app.inject({
      ...{ method: 'OPTIONS', url },
      headers: { origin: 'https://example.dk', 'access-control-request-headers': asked },
    });
    expect(statusCode, url).toBe(204);
    expect(headers['access-control-allow-headers'], url).toBe(asked);
  }
});

test('every resource is there in any case, with slashes before, within and after', async () => {
  const plain = (path: string) => path.replaceAll(/:\w+/g, '0');
  const odd = (path: string) => `${plain(path).replaceAll('/', '//').toUpperCase()}/`;
  const missed: string[] = [];
  for (const path of routesOf(parts())) {
    const [as, other] = [await keyed(plain(path)), await keyed(odd(path))];
    if (as.statusCode !== other.statusCode) missed.push(path);
  }
  expect(missed).toEqual([]);
});

test('an answer is a file where that is asked for', async () => {
  const of = async (query: string) =>
    (await keyed(`/kommuner?${query}`)).headers['content-disposition'];
  expect(await of('format=csv&download')).toBe('attachment; filename="kommuner.csv"');
  expect(await of('download=true')).toBe('attachment; filename="kommuner.json"');
  expect(await of('download=false')).toBeUndefined();
});

describe('what an answer costs', async () => {
  const unitsOf = async (url: string) => {
    const { headers } = await priced.inject({ url, headers: { authorization: `Bearer ${LIVE}` } });
    return Number(headers['x-service-units']);
  };
  const priced = await sharedApp({ access, addresses: toldAddresses(), dawa: parts() });

  test('is one unit for an address that is typed and chosen, however many keystrokes (D153)', async () => {
    const typed = ['%C3%85', '%C3%85g', '%C3%85ga', '%C3%85gade'];
    for (const [suggest, one] of [
      ['/dawa/autocomplete?q=', `/dawa/adgangsadresser/${idOf(1)}`],
      ['/v1/adresser/autocomplete?q=', `/v1/adresser/${idOf(1)}`],
    ] as const) {
      const costs = [];
      for (const q of typed) costs.push(await unitsOf(suggest + q));
      costs.push(await unitsOf(one));
      expect(costs).toEqual([1, 0, 0, 0, 0]);
      expect(await unitsOf(one)).toBe(1);
      for (let n = 0; n < 40; n++) await unitsOf(`${suggest}%C3%85`);
      expect(await unitsOf(`${suggest}%C3%85`)).toBe(1);
      await unitsOf(one);
    }
    expect(access.settled.reduce((sum, { units }) => sum + units, 0)).toBe(8);
  });

  test('is told before, and nothing for what the caller has', async () => {
    const url = '/dawa/adgangsadresser?struktur=mini&postnr=9991';
    const headers = { authorization: `Bearer ${LIVE}` };
    const first = await priced.inject({ url, headers });
    const { etag } = first.headers;
    expect(first.headers['cache-control']).toBe('private, max-age=300');
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await priced.inject({ url, headers: { ...headers, 'if-none-match': etag } });
    const told = [again.statusCode, again.body, again.headers['x-service-units']];
    expect(told).toEqual([304, '', '0']);
    expect(access.settled.map(({ units }) => units)).toEqual([1]);
  });
});

describe('what another register adds to a row, and how long an answer is kept', () => {
  const { lookups } = parts();
  const away = () => Promise.reject(new Failure('upstream_unavailable'));
  const old = async () => {
    const provenance = [{ rung: 'stale', ageS: 9e5 }] as const;
    return { ...(await lookups.areaList.all('sogn')), provenance };
  };
  const noRegions: AreaList['all'] = (area) =>
    area === 'kommune' ? lookups.areaList.all(area) : away();
  const KEPT = [200, 'private, max-age=300'] as const;
  const ASKED_AGAIN = [200, 'private, no-cache'] as const;
  const NAMED = ['vejstykker?navn=%C3%85gade', 'vejnavne?navn=%C3%85gade', 'supplerendebynavne2'];

  test.each([
    ...[...NAMED, 'kommuner'].map((path) => [path, {}, KEPT] as const),
    ...[...NAMED, 'kommuner'].map((path) => [path, { isAway: true }, ASKED_AGAIN] as const),
    ...NAMED.map((path) => [path, { all: away }, ASKED_AGAIN] as const),
    ['kommuner', { all: noRegions }, ASKED_AGAIN],
    // Nothing is known of its municipality.
    ['afstemningsomraader', {}, ASKED_AGAIN],
    ...['kommuner', 'afstemningsomraader'].map(
      (path) => [path, { changes: () => Promise.resolve(null) }, ASKED_AGAIN] as const,
    ),
    // Nothing is known of its district.
    ['postnumre', {}, ASKED_AGAIN],
    ['sogne', { all: old }, ASKED_AGAIN],
    ['sogne', { all: away }, [503, 'no-store']],
  ] as const)('%s %o', async (path, change, said) => {
    const { isAway = false, ...others } = change as { isAway?: boolean } & Partial<AreaList>;
    const { all } = others;
    const areaList = { ...lookups.areaList, ...others };
    const door = await testApp({
      dawa: { ...parts(), lookups: { ...lookups, areaList } },
      isStoreUnavailable: () => isAway,
    });
    const { statusCode, headers, body } = await door.inject(`/dawa/${path}`);
    expect([statusCode, headers['cache-control']]).toEqual(said);
    if (all === away && statusCode === 200 && NAMED.includes(path))
      expect(body).toContain('"navn": null');
    await door.close();
  });
});

describe('nulls of an address that were not measured are told, whatever form it has (D282)', () => {
  const { lookups } = parts();
  const away = () => Promise.reject(new Failure('upstream_unavailable'));
  const details = { sinceMs: 0, unitSinceMs: null, direction: null, point: null, roadPoint: null };
  const found = { parcels: [], source: '', ...EMPTY };
  const whole: typeof lookups = {
    ...lookups,
    addresses: toldAddresses({}, { readDetails: (all) => Promise.resolve(all.map(() => details)) }),
    parcels: { ...lookups.parcels, tryAtSync: () => found, at: () => Promise.resolve(found) },
  };
  const parcels = { ...whole.parcels, tryAtSync: () => null, at: away };
  const old = { ...found, provenance: [{ rung: 'stale', ageS: 9e5 }] as const };
  const ONE = [`adgangsadresser/${idOf(1)}`, `adresser/${idOf(1001)}?struktur=flad`];
  const LISTS = ['adresser', 'adgangsadresser'].flatMap((path) =>
    ['', '&struktur=flad', '&format=csv', '&format=geojson'].map(
      (form) => `${path}?postnr=9990${form}`,
    ),
  );
  const ALL = [...ONE, ...LISTS, 'adgangsadresser?q=%C3%85gade'];
  const KEPT = ['private, max-age=300', undefined];
  const LACKS = ['private, no-cache', 'true'];
  const districtsAt = away;
  test.each<readonly [string, Partial<typeof whole>, readonly string[], readonly unknown[]]>([
    ['all is there', {}, ALL, KEPT],
    ['no parcels', { parcels }, ALL, LACKS],
    ['old parcels', { parcels: { ...parcels, tryAtSync: () => old } }, ALL, [LACKS[0], undefined]],
    ['parcels of the store', { parcels: { ...whole.parcels, tryAtSync: () => null } }, ONE, KEPT],
    ['no details', { addresses: lookups.addresses }, ALL, LACKS],
    ['no heights', { heightAt: away }, ONE, LACKS],
    ['no places', { places: { ...lookups.places, near: away } }, ONE, LACKS],
    ['no districts', { areaList: { ...lookups.areaList, districtsAt } }, ONE, LACKS],
  ])('%s', async (_, change, paths, said) => {
    const door = await testApp({ dawa: { ...parts(), lookups: { ...whole, ...change } } });
    for (const path of paths) {
      const { headers, statusCode } = await door.inject(`/dawa/${path}`);
      const told = [headers['cache-control'], headers['x-service-partial']];
      expect([statusCode, ...told], path).toEqual([200, ...said]);
    }
    await door.close();
  });
});

test('a list beyond every limit is told whole, while it is sent', async () => {
  const { lookups } = parts();
  const all = Array.from({ length: 5_000 }, (_, n) => ({
    ...AREA,
    code: String(n).padStart(4, '0'),
  }));
  const areaList = listing(all);
  const long = await testApp({ dawa: { ...parts(), lookups: { ...lookups, areaList } } });
  const ask = (query: string, headers = {}) =>
    long.inject({ url: `/dawa/sogne?${query}`, headers });
  for (const query of [
    ...['', 'struktur=mini', 'format=geojson', 'callback=f', 'ndjson', 'format=csv'],
  ]) {
    const { body, headers } = await ask(query);
    expect(headers['etag'], query).toBeUndefined();
    expect(headers['cache-control'], query).toBe('private, no-cache');
    expect(Number(headers['x-service-units']), query).toBe(query === 'format=geojson' ? 5_000 : 5);
    const rows = query.startsWith('callback') ? body.slice(6, -2) : body;
    if (query === 'ndjson') expect(rowsOf(body)).toHaveLength(5_000);
    else if (query === 'format=csv') expect(body.trim().split('\r\n')).toHaveLength(5_001);
    else {
      const value = JSON.parse(rows) as readonly unknown[] & { readonly features?: unknown };
      expect(value.features ?? value, query).toHaveLength(5_000);
    }
  }
  const zipped = await ask('', { 'accept-encoding': 'gzip' });
  expect(gunzipSync(zipped.rawPayload).toString()).toBe((await ask('')).body);
  const lines = await ask('format=geojson&ndjson&per_side=2');
  expect(rowsOf(lines.body).map(({ type }) => type)).toEqual(['Feature', 'Feature']);
});

describe('a host of its own', () => {
  const at = (url: string) =>
    app.inject({ url, headers: { host: HOST, authorization: `Bearer ${LIVE}` } });

  test('answers without prefix, and links to itself', async () => {
    const answer = await at(`/adgangsadresser/${idOf(1)}?struktur=mini`);
    expect(answer.json()).toMatchObject({ href: `https://${HOST}/adgangsadresser/${idOf(1)}` });
    expect((await at('/v1/adresser?q=x')).json()).toHaveProperty('antal');
    expect(errorOf(await at('/nothing')).type).toBe('ResourceNotFoundError');
    const asked = { method: 'OPTIONS', url: '/adresser', headers: { host: HOST } } as const;
    const { statusCode, headers } = await app.inject(asked);
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, '*']);
  });

  test('offers lookups alone: no page, account or operator, however it is asked for', async () => {
    const paths = ['/drift', '/metrics', '/v1/drift/lag', '/v1/drift/varsler', '/v1/me', '/kort'];
    const hosts = [HOST, HOST.toUpperCase(), `${HOST}.`, `${HOST}:8443`, `${HOST}.:443`];
    const more = ['/v1/me/session', '/v1/%64rift/lag', '/healthz', '/openapi.json'];
    for (const path of [...paths, ...more]) {
      const urls = [path, `http://${HOST}${path}`];
      for (const [url, host] of urls.flatMap((url) => hosts.map((host) => [url, host] as const))) {
        const headers = { host, ...AUTHORIZED };
        expect((await app.inject({ url, headers })).statusCode, `${host} ${url}`).toBe(404);
      }
    }
    expect((await app.inject({ url: '/v1/drift/lag', headers: AUTHORIZED })).statusCode).toBe(503);
  });
});

describe('errors', () => {
  test.each([
    ['/autocomplete?q=x', 401, 'UnauthorizedError'],
    [`/adresser/${idOf(77)}?token=${LIVE}`, 404, 'ResourceNotFoundError'],
    [`/adresser/reverse?token=${LIVE}`, 404, 'ResourcePathFormatError'],
    [`/replikering/udtraek?token=${LIVE}`, 404, 'ResourceNotFoundError'],
    ['/', 404, 'ResourceNotFoundError'],
    [`/adresser?per_side=x&token=${LIVE}`, 400, 'QueryParameterFormatError'],
    [`/adresser?q=a&q=b&token=${LIVE}`, 400, 'QueryParameterFormatError'],
    ['/adresser/%zz', 400, 'QueryParameterFormatError'],
    [`/adresser?vejnavn=R%F8dovrevej&token=${LIVE}`, 400, 'QueryParameterFormatError'],
    [`/adresser/autocomplete?q=100%&token=${LIVE}`, 400, 'QueryParameterFormatError'],
  ])('%s is %i in its shape, readable by pages', async (path, status, type) => {
    const answer = await ask(path);
    expect(answer.statusCode, answer.body).toBe(status);
    expect(Object.keys(errorOf(answer))).toEqual(['type', 'title', 'details']);
    expect(errorOf(answer).type).toBe(type);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(access.settled).toEqual([]);
  });

  test('of unknown paths under /v1 are readable by pages too', async () => {
    const { statusCode, headers } = await app.inject('/v1/nothing');
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([404, '*']);
    const { headers: refused } = await app.inject(`/v1/adresser/reverse?token=${PAGE}`);
    expect(refused['access-control-allow-origin']).toBeUndefined();
  });

  test('tell where went what is not offered', async () => {
    const { details } = errorOf(await ask('/replikering/sognetilknytninger'));
    expect(JSON.stringify(details)).toContain('datamodel');
  });

  test('of what cannot be answered take no burst', async () => {
    access.failing.admit = rateLimited();
    expect((await keyed('/adresser?per_side=x')).statusCode).toBe(400);
    expect((await keyed('/autocomplete?q=x&callback=alert(1)')).statusCode).toBe(400);
    expect((await keyed('/autocomplete?q=x')).statusCode).toBe(429);
  });

  test('of a register that does not answer are no empty list, and take no burst', async () => {
    const own = keptAccess({ [LIVE]: {} });
    const lookups = { ...parts().lookups, addresses: toldAddresses({ memory: null }) };
    const down = await testApp({ access: own, dawa: { ...parts(), lookups } });
    const paths = ['/autocomplete?q=x', '/adresser?', '/vejnavne?q=x', '/postnumre?'];
    for (const [n, path] of paths.entries()) {
      const answer = await down.inject(`/dawa${path}&token=${LIVE}`);
      expect([answer.statusCode, own.restored(), own.settled], path).toEqual([503, n + 1, []]);
      expect(errorOf(answer).type).toBe('ServiceUnavailableError');
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
  });

  test('of areas that cannot be read are no address in no parish', async () => {
    const failure = new Failure('upstream_unavailable', { retryAfterS: 5 });
    const at = () => atGeneration([failure]);
    const lookups = { ...parts().lookups, reverseAreas: { at } };
    const down = await testApp({ dawa: { ...parts(), lookups } });
    const url = `/dawa/adgangsadresser/${idOf(1)}`;
    expect((await down.inject(url)).statusCode).toBe(503);
    expect((await down.inject(`${url}?struktur=mini`)).statusCode).toBe(200);
  });
});

const around = (...corners: readonly (readonly [dx: number, dy: number])[]) => {
  const ring = [...corners, corners[0]!].map(([dx, dy]) => [X + dx, Y + dy]);
  return `polygon=${JSON.stringify([ring])}`;
};

describe('formats', () => {
  const url = '/adgangsadresser?vejnavn=%C3%A5gade&husnr=1';

  test('are those of DAWA', async () => {
    const json = await keyed(`${url}&struktur=mini`);
    expect(json.body.startsWith('[\n{\n  "id":')).toBe(true);
    const rows = json.json<readonly { id: string }[]>();
    expect(rows.map(({ id }) => id)).toEqual([idOf(1)]);
    const jsonp = await keyed(`${url}&struktur=mini&callback=a.b&noformat`);
    expect(jsonp.headers['content-type']).toContain('javascript');
    expect(jsonp.body).toMatch(/^\/\*\*\/a\.b\(\[\n\{"id".*\}\n\]\);$/s);
    const nd = await keyed(`${url}&ndjson`);
    expect(rowsOf(nd.body)).toHaveLength(1);
    const csv = await keyed(`${url}&format=csv`);
    expect(csv.body.split('\r\n')[0]).toMatch(/^id,status,darstatus,oprettet/);
    const { lookups } = parts();
    const areaList = listing([{ ...AREA, name: '=1+1;-x' }]);
    const guarded = await testApp({ dawa: { ...parts(), lookups: { ...lookups, areaList } } });
    // No cell runs as a formula, however it is read (D73).
    const areas = await guarded.inject('/dawa/kommuner?format=csv');
    expect(areas.body).toContain(`,"'=1+1;'-x",`);
    const geo = await keyed(`${url}&format=geojson&srid=25832`);
    expect(geo.json()).toMatchObject({
      type: 'FeatureCollection',
      features: [{ geometry: { type: 'Point', coordinates: [X, Y] }, properties: { husnr: '1' } }],
    });
    // No mirror knows a height, and a null would be read as 0.
    const withHeight = await keyed(`${url}&format=geojsonz&srid=25832`);
    expect(withHeight.body).toBe(geo.body);
    const mini = await keyed(`/adgangsadresser/${idOf(1)}?format=geojson&struktur=mini`);
    expect(Object.keys(mini.json())).toEqual(['type', 'geometry', 'crs', 'properties']);
    expect(mini.json()).toMatchObject({
      crs: { properties: { name: 'EPSG:4326' } },
      properties: { id: idOf(1), betegnelse: 'Ågade 1, 9990 Prøveby' },
    });
    const field = await keyed('/jordstykker/12851/12a?format=geojson');
    expect(Object.keys(field.json())).toEqual(['type', 'geometry', 'crs', 'properties', 'bbox']);
    expect(field.json<{ properties: object }>().properties).not.toHaveProperty('bbox_xmin');
  });

  test.each([
    [`cirkel=${X},${Y},60`, [idOf(1)]],
    [around([99, -1], [101, -1], [101, -0.5]), []],
    [around([90, -9], [109, -9], [109, 9], [90, 9]), [idOf(2), idOf(3)]],
    ['kommunekode=998', [idOf(6)]],
    ['postnr=9991', [idOf(6)]],
    ['vejkode=10&kommunekode=0999&husnr=3a', [idOf(3)]],
    ['status=2&kommunekode=999', [idOf(4)]],
    [`id=${idOf(1)}|${idOf(2)}|${idOf(99)}`, [idOf(1), idOf(2)]],
    ['supplerendebynavn=n%C3%A6s&postnr=9991', [idOf(6)]],
    ['kvh=09990010__3A', [idOf(3)]],
    ['per_side=1&side=2', [idOf(2)]],
    ['side=2&postnr=9991', []],
    ['nosuchparameter=1&per_side=1', [idOf(1)]],
    ['ejerlavkode=12851&matrikelnr=12A', [idOf(1), idOf(2), idOf(3)]],
    ['ejerlavkode=12851&matrikelnr=12a&q=%C3%85gade+3', [idOf(2), idOf(3)]],
    ['ejerlavkode=12851&matrikelnr=9z', []],
    // Texts that name no road.
    ['q=dk-9991', [idOf(6)]],
    ['q=%C3%A6bleh', [idOf(6)]],
    ['q=9991+pr%C3%B8veby', []],
    ['q=9991&kommunekode=999', []],
    ['q=9990+3a', [idOf(3)]],
    ['q=n%C3%A6s', [idOf(6)]],
    ['q=%25', []],
    ['q=3&vejnavn=%C3%85gade&husnr=3', [idOf(2)]],
  ])('a list of %s', async (query, ids) => {
    const answer = await keyed(`/adgangsadresser?struktur=mini&srid=25832&${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json<readonly { id: string }[]>().map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ['/kommuner?autocomplete&q=pr%C3%B8', '0999 Prøveholm'],
    ['/supplerendebynavne2?autocomplete&q=n%C3%A6s', 'Næs'],
    ['/jordstykker?autocomplete&q=12a', /^12a .+ \(12851\)$/],
    ['/Postnumre?autocomplete&q=999', '9990 Prøveby'],
    ['/Ejerlav?struktur=mini', 'Åmark (93)'],
    ['/navngivneveje?autocomplete&q=%C3%A5', /^Ågade, /],
  ])('%s is short, with a label', async (path, label) => {
    const answer = await keyed(path);
    const [first] = answer.json<readonly { betegnelse: string }[]>();
    expect(first?.betegnelse, answer.body).toMatch(label);
  });

  test('a list that only the whole register could tell is refused', async () => {
    for (const query of ['husnr=1', 'etage=st', 'status=2', 'vejkode=10', 'q=7b', 'matrikelnr=1']) {
      expect((await keyed(`/adresser?${query}`)).statusCode, query).toBe(400);
    }
  });

  test('the number of a house goes on while it is typed', async () => {
    const typed = async (query: string) =>
      (await keyed(`/adgangsadresser/autocomplete?${query}`)).json<readonly { tekst: string }[]>();
    expect(await typed('q=3&vejnavn=%C3%85gade&postnr=9990')).toMatchObject([
      ...[{ tekst: 'Ågade 3, 9990 Prøveby' }, { tekst: 'Ågade 3A, 9990 Prøveby' }],
    ]);
    expect(await typed('q=7b')).toEqual([]);
  });

  test.each([
    '/adgangsadresser?zone=Byzone',
    '/kommuner?n%C3%A6rmeste=true',
    '/vejstykker?cirkel=1',
  ])('a filter that is not offered is refused, not ignored: %s', async (path) => {
    const answer = await keyed(path);
    expect(answer.statusCode).toBe(400);
    expect(JSON.stringify(errorOf(answer).details)).toContain('not offered');
  });
});

/** Members in their order, as in answers that were captured publicly but lie not beside the project. */
describe('members stand in the order that DAWA had', () => {
  const TOWN = [
    ...['ændret', 'geo_version', 'geo_ændret', 'bbox', 'visueltcenter', 'href', 'dagi_id', 'navn'],
    ...['darstatus', 'kommune', 'postnumre'],
  ];
  const BRIEF = [
    ...['matrikelnr', 'bbox', 'visueltcenter', 'href', 'ejerlav', 'kommune', 'esrejendomsnr'],
    ...['udvidet_esrejendomsnr', 'sfeejendomsnr', 'bfenummer'],
  ];
  const PARCEL = [
    ...[...BRIEF, 'ændret', 'geo_version', 'geo_ændret', 'fælleslod', 'moderjordstykke'],
    ...['registreretareal', 'arealberegningsmetode', 'vejareal', 'vejarealberegningsmetode'],
    ...['vandarealberegningsmetode', 'featureid', 'region', 'sogn', 'retskreds'],
  ];
  const DISTRICT = ['href', 'kode', 'navn', 'bbox', 'visueltcenter'];
  const WHOLE_ROAD = [
    ...['id', 'href', 'darstatus', 'navn', 'adresseringsnavn', 'administrerendekommune'],
    ...['retskrivningskontrol', 'udtaltvejnavn', 'visueltcenter', 'bbox', 'historik'],
    ...['vejstykker', 'postnumre', 'beliggenhed'],
  ];
  const SHORT_ROAD = [
    ...['id', 'darstatus', 'navn', 'adresseringsnavn', 'administrerendekommunekode'],
    ...['administrerendekommunenavn', 'visueltcenter_x', 'visueltcenter_y', 'href'],
  ];

  test.each([
    ['/supplerendebynavne2', TOWN],
    ['/supplerendebynavne2/690001', TOWN],
    ['/supplerendebynavne2/autocomplete?q=n%C3%A6', ['tekst', 'supplerendebynavn'], TOWN],
    ['/supplerendebynavne', ['href', 'navn', 'postnumre', 'kommuner']],
    [
      '/supplerendebynavne/autocomplete?q=n%C3%A6',
      ['tekst', 'supplerendebynavn'],
      ['navn', 'href'],
    ],
    ['/ejerlav', DISTRICT],
    ['/ejerlav/12851', DISTRICT],
    ['/ejerlav/autocomplete?q=pr%C3%B8', ['tekst', 'ejerlav'], ['href', 'kode', 'navn']],
    ['/jordstykker/12851/12a', PARCEL],
    ['/jordstykker?q=12a', PARCEL],
    ['/jordstykker?side=1&per_side=1', PARCEL],
    ['/jordstykker?bfenummer=9100001', PARCEL],
    ['/jordstykker/autocomplete?q=12a', ['tekst', 'jordstykke'], BRIEF],
    [`/navngivneveje/${idOf(9001)}`, WHOLE_ROAD],
    ['/navngivneveje/autocomplete?q=%C3%A5', ['tekst', 'navngivenvej'], SHORT_ROAD],
    ['/vejnavne/autocomplete?q=%C3%A5', ['tekst', 'vejnavn'], ['navn', 'href']],
    [
      '/vejstykker/autocomplete?q=%C3%A5',
      ['tekst', 'vejstykke'],
      ['href', 'kommunekode', 'kode', 'navn'],
    ],
  ])('%s', async (path, names, inner: readonly string[] = []) => {
    const answer = await keyed(path);
    expect(answer.statusCode, answer.body).toBe(200);
    const [first = {}] = [answer.json<object | readonly object[]>()].flat();
    expect(Object.keys(first)).toEqual(names);
    const members: readonly object[] = Object.values(first);
    if (inner.length > 0) expect(Object.keys(members[1] ?? {})).toEqual(inner);
  });
});

describe('districts of the cadastre', () => {
  const codes = async (query: string) =>
    (await keyed(`/ejerlav${query}`)).json<readonly { kode: number }[]>().map(({ kode }) => kode);

  test('are listed by code, and found by code, name and text', async () => {
    expect(await codes('')).toEqual([93, 12_851, 2_000_152]);
    expect(await codes('?kode=0093|12851')).toEqual([93, 12_851]);
    expect(await codes('?navn=%C3%A5mark')).toEqual([93]);
    expect(await codes('?q=pr%C3%B8veby')).toEqual([12_851, 2_000_152]);
    expect(await codes('?per_side=1&side=2')).toEqual([12_851]);
    const suggested = await keyed('/ejerlav/autocomplete?q=2000');
    expect(suggested.json()).toMatchObject([{ tekst: '2000152 Ny Mark, Prøveby' }]);
  });

  test('have the box of their parcels, and none without a place', async () => {
    const box = async (code: number) => (await keyed(`/ejerlav/${code}`)).json<{ bbox: unknown }>();
    expect((await box(12_851)).bbox).toHaveLength(4);
    expect((await box(2_000_152)).bbox).toBeNull();
    expect((await keyed('/ejerlav/1')).statusCode).toBe(404);
    expect(errorOf(await keyed('/ejerlav/reverse')).details).toEqual([['kode', 'notInteger']]);
  });

  test('are not all told beside a row that could not be read', async () => {
    const lookups = { ...parts().lookups, parcels: fewParcels(['9100001']) };
    const torn = await testApp({ dawa: { ...parts(), lookups } });
    for (const path of ['', '/autocomplete?q=x', '/1']) {
      expect((await torn.inject(`/dawa/ejerlav${path}`)).statusCode, path).toBe(503);
    }
    expect((await torn.inject('/dawa/ejerlav/12851')).json()).toMatchObject({ bbox: null });
  });
});

describe('parcels found by text', async () => {
  const MOST = CADASTRE_LIMITS.perPage.max;
  const lookups = { ...parts().lookups, parcels: fewParcels([], MOST) };
  const many = await sharedApp({ dawa: { ...parts(), lookups } });

  const ask = (query: string) => many.inject(`/dawa/jordstykker${query}`);

  test('are all that fit, or the page asked for, and never cut unasked', async () => {
    const refused = await ask('?q=ny+mark');
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(`more than ${MOST} rows fit: ask with side and per_side`);
    expect((await ask(`?q=ny+mark&per_side=${MOST}`)).json()).toHaveLength(MOST);
    expect((await ask(`?q=ny+mark&per_side=${MOST}&side=2`)).json()).toHaveLength(1);
    expect((await ask(`?q=ny+mark&per_side=${MOST + 1}`)).statusCode).toBe(400);
    expect((await ask('?q=12a')).json()).toHaveLength(1);
    const beside = '&ejerlavkode=2000152&per_side=2';
    expect((await ask(`?q=ny+mark${beside}`)).json()).toHaveLength(2);
    expect((await ask('/autocomplete?q=ny+mark')).json()).toHaveLength(20);
  });

  test('are those of a number in a municipality, but not in the country', async () => {
    expect((await ask('?matrikelnr=12A&kommunekode=999')).json()).toMatchObject([
      { matrikelnr: '12a' },
    ]);
    expect((await ask('?matrikelnr=12a|3&kommunekode=999')).json()).toHaveLength(2);
    expect((await ask('?matrikelnr=12a&kommunekode=998')).json()).toEqual([]);
    for (const query of ['?matrikelnr=12a', '?matrikelnr=12a&per_side=9']) {
      expect((await ask(query)).json(), query).toMatchObject({
        details: [['ejerlavkode', 'missing']],
      });
    }
  });
});

describe('supplementary town names', () => {
  test('are found by id, and all of one name with their municipalities', async () => {
    expect((await keyed('/supplerendebynavne2/700003')).json()).toMatchObject({
      href: 'https://geo.example/dawa/supplerendebynavne2/700003',
      kommune: { kode: '0999', navn: 'Prøveholm' },
      postnumre: [{ nr: '9990' }],
    });
    expect((await keyed('/supplerendebynavne/N%C3%A6s')).json()).toMatchObject({
      kommuner: [{ kode: '0998' }, { kode: '0999' }],
    });
  });

  test('have no area here: reverse is not offered, and says where to ask', async () => {
    const answer = await keyed(`/supplerendebynavne2/reverse?x=9&y=56`);
    expect(answer.statusCode).toBe(404);
    expect(JSON.stringify(errorOf(answer).details)).toContain('/adgangsadresser/reverse');
    expect(errorOf(await keyed('/supplerendebynavne2/Aa')).details).toEqual([
      ['dagi_id', 'notInteger'],
    ]);
  });
});

describe('what nobody means', () => {
  const LONG = 'x'.repeat(5_000);
  const BOMB = `[[${Array.from({ length: 5_000 }, (_, i) => `[9,${56 + i / 1e6}]`).join(',')}]]`;
  const QUERIES = [
    ...[
      'callback=%3Cscript%3E',
      `callback=${LONG}`,
      'callback=a.b.c.d.e.f.g.h',
      'callback=__proto__',
    ],
    ...['polygon=[', 'polygon=[[[1,2]]]', 'polygon=null', `polygon=${BOMB}`, 'polygon=[[[[[]]]]]'],
    ...['per_side=1e9', 'per_side=-1', 'per_side=0', 'side=99999999&per_side=1000', 'side=1e9'],
    ...['q=a&q=b', 'token=a&token=b', 'struktur=mini&struktur=flad', 'format=xml'],
    ...['format=geojson', 'format=geojsonz&struktur=mini', 'format=csv&struktur=nestet'],
    ...['srid=25832&cirkel=9,56,10', 'srid=4326&x=650000&y=6300000', 'srid=4326&srid=25832'],
    ...['cirkel=0x9,56,10', 'cirkel=9,56,0b11', 'cirkel=1,2', 'cirkel=9,56,1e9'],
    ...['cirkel=9,56,NaN', 'cirkel=650000,6300000,10', 'x=9&y=56'],
    ...['x=650000&y=6300000', 'srid=25832&x=9&y=56', 'id=1', 'kommunekode=x', 'status=9', 'q=%00'],
    ...['caretpos=-1', 'caretpos=99999', 'startfra=nowhere', 'adgangsadresseid=1', `q=${LONG}`],
  ];
  const PARTS: Readonly<Record<string, string>> = {
    ...{ id: idOf(1), kommunekode: '0999', kode: '0999', navn: 'x', nr: '9990' },
    ...{ dagi_id: '690001', ejerlavkode: '12851', matrikelnr: '12a' },
  };

  test('is refused or answered in bounded time at every route, and never a fault', async () => {
    const random = createRandom('dawa');
    const paths = routesOf(parts()).map((path) =>
      path.replaceAll(/:(\w+)/g, (_, name: string) => PARTS[name] ?? name),
    );
    expect(paths.length).toBeGreaterThan(60);
    for (const path of paths) {
      for (const query of oneIn(3, QUERIES, random.integer(0, 2))) {
        const more = random.pick(QUERIES);
        const began = performance.now();
        const answer = await keyed(`${path}?${query}&${more}`);
        expect(answer.statusCode, `${path}?${query}&${more}`.slice(0, 200)).toBeLessThan(500);
        expect(performance.now() - began).toBeLessThan(HANG_MS);
        if (answer.statusCode !== 200) {
          expect(Object.keys(errorOf(answer))).toEqual(['type', 'title', 'details']);
        }
      }
    }
  });
});
