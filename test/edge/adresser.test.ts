/** Addresses at the edge: shapes, parameters, errors, bills and public keys. */
import { describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { toWgs84 } from '../../src/geo/project.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { keptAccess } from './access.ts';
import { MUNICIPALITIES, X, Y, idOf, toldAddresses } from './address-edge.ts';
import { GENERATION, expectError, sharedApp, testApp } from './edge.ts';

const REVERSE = '/v1/adresser/reverse';
const BATCH = '/v1/adresser/reverse:batch';
const META = { kilde: 'DAR', service_version: '0.1.0' };

const app = await sharedApp({ addresses: toldAddresses() });

const get = (url: string) => app.inject(encodeURI(url));
const post = (payload: object) => app.inject({ method: 'POST', url: BATCH, payload });
const at = (dx: number, dy: number) => {
  const { lon, lat } = toWgs84({ xUtm32: X + dx, yUtm32: Y + dy });
  return { lon, lat };
};

// Whole answers are those of the recorded examples: test/http/examples.test.ts.
describe('the address nearest to a point', () => {
  test('is not found beyond the radius, in both languages', async () => {
    const url = `${REVERSE}?x=${X}&y=${Y + 251}&srid=25832`;
    expect(expectError(await get(url), 'not_found')).toMatchObject({
      error: 'No access address lies within 250 m of the point.',
      message: 'Ingen adgangsadresse ligger inden for 250 m af punktet.',
    });
    expect((await get(`${url}&radius=251`)).statusCode).toBe(200);
  });

  test.each(['0', '1001', '2.5', 'x'])(
    'refuses a radius of %s, as a batch does',
    async (radius) => {
      const url = `${REVERSE}?x=${X}&y=${Y}&srid=25832&radius=${radius}`;
      const many = await post({ punkter: [at(0, 0)], radius: Number(radius) });
      for (const response of [await get(url), many]) {
        expect(expectError(response, 'invalid_request')['error']).toContain('radius');
      }
    },
  );
});

test.each(['%zz', '%', 'Rø%2', 'R%F8d', '%C3', '%ED%A0%80', '%C0%AF'])(
  'a text written %s is refused: nothing would be found (D278)',
  async (q) => {
    const answer = await app.inject(`/v1/adresser?q=${q.replace('ø', '%C3%B8')}`);
    expect(expectError(answer, 'invalid_request')['error']).toContain('percent-encoding');
  },
);

describe('the addresses nearest to many points', () => {
  test('come in the order of the points, those without one as errors', async () => {
    const punkter = [
      { ...at(60, 0), id: 'b' },
      { ...at(2_000, 2_000), id: 'none' },
      at(1, 0),
      { ...at(60, 0), id: 'b' },
    ];
    const { results, errors } = (await post({ punkter, radius: 100 })).json<{
      results: { id?: string; adresse: { adgangsadresse_id: string } }[];
      errors: object[];
    }>();
    expect(results.map(({ id, adresse }) => [id, adresse.adgangsadresse_id])).toEqual([
      ['b', idOf(2)],
      [undefined, idOf(1)],
      ['b', idOf(2)],
    ]);
    expect(errors).toMatchObject([{ id: 'none', status: 404 }]);
  });

  test('are 1 to 150', async () => {
    const points = (n: number) => Array.from({ length: n }, () => at(0, 0));
    const most = await post({ punkter: points(LIMITS.addressPointsPerBatch) });
    expect(most.json()).toMatchObject({ succeeded: 150, radius: 250 });
    const { error } = expectError(await post({ punkter: points(151) }), 'invalid_request');
    expect(error).toMatch(/punkter may have at most 150 items/);
  });
});

describe('addresses by text', () => {
  test('come a page at a time', async () => {
    for (const [side, ids] of [
      [1, [1, 2]],
      [2, [3, 5]],
    ] as const) {
      const response = await get(`/v1/adresser?q=Ågade&per_side=2&side=${side}`);
      const adresser = ids.map((n) => ({ id: idOf(n) }));
      expect(response.json()).toMatchObject({ antal: 2, side, per_side: 2, adresser });
    }
  });

  test('keep to municipalities and postcodes, listed or sent again, padded or not', async () => {
    const found = async (query: string) =>
      (await get(`/v1/adresser?q=${query}`)).json<{ adresser: { id: string }[] }>().adresser;
    const [road, both] = ['Ågade', 'kommunekode=0998|0999'];
    expect(await found(`${road}&kommunekode=998`)).toEqual([]);
    for (const query of ['kommunekode=999', both, 'kommunekode=0998&kommunekode=0999']) {
      expect(await found(`${road}&${query}`), query).toHaveLength(4);
    }
    expect(await found(`Østre&${both}&postnr=9991`)).toHaveLength(1);
    expect(await found(`Østre&postnr=9990`)).toEqual([]);
  });

  test('keep to what is inside a box, and list the nearest first, in both systems', async () => {
    const found = async (query: string) => {
      const response = await get(`/v1/adresser?q=Ågade${query}`);
      return response.json<{ adresser: { id: string }[] }>().adresser.map(({ id }) => id);
    };
    const degrees = (dx: number, dy: number) => `${at(dx, dy).lon},${at(dx, dy).lat}`;
    const [first, second, third, without] = [1, 2, 3, 5].map(idOf);
    expect(await found('')).toEqual([first, second, third, without]);
    expect(await found(`&bbox=${X},${Y},${X + 99},${Y}&srid=25832`)).toEqual([first]);
    expect(await found(`&bbox=${X + 1},${Y},${X + 100},${Y}&srid=25832`)).toEqual([second, third]);
    expect(await found(`&bbox=${degrees(-5, -5)},${degrees(90, 90)}`)).toEqual([first]);
    expect(await found('&bbox=-180,-90,180,90')).toEqual([first, second, third]);
    expect(await found('&bbox=0,0,1,1')).toEqual([]);
    expect(await found(`&naer=${X + 90},${Y}&srid=25832`)).toEqual([second, third, first, without]);
    expect(await found(`&naer=${degrees(90, 0)}&per_side=1`)).toEqual([second]);
    expect(await found('&status=foreloebig')).toEqual([]);
    expect(await found('&status=gaeldende')).toHaveLength(4);
  });

  test.each([
    ['?q=1&kommunekode=Odense', /kommunekode must be codes of up to four digits/],
    ['?q=1&postnr=50000', /postnr must be codes/],
    [`?q=1&postnr=${Array(101).fill('1').join('|')}`, /postnr may list at most 100 values/],
    [`?q=1${'&postnr=1'.repeat(101)}`, /postnr has the wrong form/],
    ['?q=1&per_side=101', /per_side must be at most 100/],
    ['?q=1&side=11', /side must be at most 10/],
    ['?q=1&naer=12.5,x', /naer must be 2 numbers/],
    ['/autocomplete?q=1&naer=0,0', /naer.x, naer.y\) lies outside Denmark/],
    ['?q=1&bbox=1,2,3,Infinity', /bbox must be 4 numbers/],
    ['?q=1&bbox=0x1,2,30,0b111111', /bbox must be 4 numbers/],
    ['/autocomplete?q=1&naer=0xc,56', /naer must be 2 numbers/],
    ['?q=1&naer=12,5_6', /naer must be 2 numbers/],
    ['/autocomplete?q=1&bbox=3,2,1,4', /bbox must be west, south, east, north/],
    [`?q=1&bbox=${'1'.repeat(121)}`, /bbox may have at most 120 characters/],
    ['/autocomplete?q=1&status=3', /status must be one of gaeldende/],
    [`?q=${'x'.repeat(201)}`, /q may have at most 200 characters/],
    ['/autocomplete?q=a&type=postnr', /type must be one of vejnavn/],
    ['/autocomplete?q=a&caretpos=-1', /caretpos must be at least 0/],
  ])('refuse %s', async (asked, says) => {
    const refused = await get(`/v1/adresser${asked}`);
    expect(expectError(refused, 'invalid_request')['error']).toMatch(says);
  });

  test('are suggested while they are typed, as deep as asked, by the word at the caret', async () => {
    const suggested = async (query: string) => {
      const response = await get(`/v1/adresser/autocomplete?q=${query}`);
      return response.json<{ forslag: object[] }>().forslag;
    };
    for (const [type, n] of [
      ['vejnavn', 9001],
      ['adgangsadresse', 1],
      ['adresse', 1001],
    ] as const) {
      const [first, ...more] = await suggested(`Ågade 1&type=${type}&per_side=1`);
      expect([first, more]).toMatchObject([{ type, data: { id: idOf(n) } }, []]);
    }
    const at = async (caret: string) => (await suggested(`Å Å 1&type=vejnavn${caret}`)).length;
    expect([await at('&caretpos=1'), await at(''), await at('&caretpos=99')]).toEqual([1, 0, 0]);
  });
});

describe('one address', () => {
  const one = (n: number) => get(`/v1/adresser/${idOf(n)}`);

  test('is as old as the older of the two copies it is read from, however its id is spelled', async () => {
    const response = await get(`/v1/adresser/${idOf(1001).toUpperCase()}`);
    expect(response.json()).toMatchObject({ id: idOf(1001), omraader: [{ kode: '0999' }] });
    expect(response.headers['x-service-data-age']).toBe('90');
    const retired = { status: { kode: '4', tekst: 'Nedlagt' } };
    expect((await one(4)).json()).toMatchObject(retired);
  });

  test('says nothing of areas where it has no point to ask for', async () => {
    const response = await one(5);
    expect(response.json()).toMatchObject({ koordinat: null, epsg25832: null, postnr: null });
    expect(response.json()).not.toHaveProperty('omraader');
  });

  test('has null for areas that could not be read', async () => {
    const areas = {
      at: () => Promise.resolve({ generation: 0, value: [new Failure('upstream_error')] }),
    };
    const other = await testApp({ addresses: toldAddresses({}, { areas }) });
    const response = await other.inject(`/v1/adresser/${idOf(6)}`);
    expect(response.json()).toMatchObject({ vejnavn: 'Østre "Allé"', omraader: null });
  });

  test.each([idOf(77), 'x', '%20', 'æ'])('does not exist: %s', async (id) => {
    expectError(await app.inject(`/v1/adresser/${encodeURI(id)}`), 'not_found');
  });
});

describe('datavask', () => {
  test('gives candidates with what differs, and the address as it is now', async () => {
    const response = await get('/v1/datavask?betegnelse=Gammel Ågde 1, 9990 hos Æ&type=adresse');
    const { resultater } = response.json<{ resultater: object[] }>();
    expect(resultater[0]).toMatchObject({
      adresse: {
        id: idOf(1001),
        vejnavn: 'Gammel Ågade',
        virkningslut: '2011-06-30T22:00:00.000Z',
      },
      aktueladresse: { id: idOf(1001), vejnavn: 'Ågade', status: { kode: '3' } },
      vaskeresultat: {
        forskelle: { vejnavn: 1, etage: 2, doer: 2 },
        parsetadresse: { vejnavn: 'Gammel Ågde', etage: null },
        ukendtetokens: ['hos', 'Æ'],
      },
    });
  });

  test('takes parts, empty ones among them', async () => {
    const url = '/v1/datavask?vej=Ågade&husnr=1&etage=&doer=&postnr=9990&by=&type=adgangsadresse';
    expect((await get(url)).statusCode).toBe(200);
  });

  test('says null and nothing where nothing is alike', async () => {
    const response = await get('/v1/datavask?betegnelse=ukendt');
    expect(response.json()).toEqual({ kategori: null, resultater: [], meta: META });
  });

  test.each([
    ['', /address is missing: send betegnelse, or vej/],
    ['?husnr=1', /address is missing/],
    ['?vej=%20', /address is missing/],
    ['?betegnelse=a&vej=b', /either betegnelse, or vej.*not both/],
    [`?betegnelse=${'x'.repeat(201)}`, /betegnelse may have at most 200 characters/],
  ])('refuses %s', async (query, says) => {
    const refused = await app.inject(`/v1/datavask${query}`);
    expect(expectError(refused, 'invalid_request')['error']).toMatch(says);
  });
});

describe('postcodes', () => {
  test.each([
    ['?nr=9991', ['9991']],
    ['?nr=9991|9990', ['9990', '9991']],
    ['?navn=prøveby', ['9990']],
    ['?navn=Prøve', []],
    ['?kommunekode=998', ['9991']],
    ['?q=æble', ['9991']],
    ['?q=999', ['9990', '9991']],
    ['?q=9990 pr', ['9990']],
    ['?q=by', []],
  ])('narrowed by %s are %j', async (query, wanted) => {
    const body = (await get(`/v1/postnumre${query}`)).json<{ postnumre: { nr: string }[] }>();
    expect(body.postnumre.map(({ nr }) => nr)).toEqual(wanted);
  });

  test('can be asked for one by one', async () => {
    expect((await get('/v1/postnumre/9990')).json()).toMatchObject({ nr: '9990', meta: META });
    for (const nr of ['9999', 'x', '%00']) {
      expectError(await app.inject(`/v1/postnumre/${nr}`), 'not_found');
    }
  });

  test.each([
    ['cannot be read', () => Promise.reject(new Error('away'))],
    ['are past their limit', () => Promise.resolve({ ...MUNICIPALITIES, copy: LONG_AGO })],
  ])('have no names of municipalities while those %s', async (_, read) => {
    const addresses = toldAddresses({}, { municipalities: () => ({ read }) });
    const other = await testApp({ addresses });
    const answer = await other.inject('/v1/postnumre/9990');
    expect(answer.json()).toMatchObject({ kommuner: [{ kode: '0999', navn: null }] });
    expect(answer.headers).toMatchObject({ 'x-service-partial': 'true' });
  });
});

const LONG_AGO = { ...MUNICIPALITIES.copy, syncedAtMs: 0 };

const GETS = [
  `${REVERSE}?x=${X}&y=${Y}&srid=25832`,
  '/v1/adresser?q=1',
  `/v1/adresser/${idOf(1)}`,
  '/v1/adresser/autocomplete?q=1',
  '/v1/datavask?betegnelse=%C3%85gade%201',
  '/v1/postnumre',
  '/v1/postnumre/9990',
];

describe('addresses that cannot answer', () => {
  const askAll = async (asked: FastifyInstance) => {
    const batch = { method: 'POST' as const, url: BATCH, payload: { punkter: [at(0, 0)] } };
    const answers = await Promise.all(GETS.map((url) => asked.inject(url)));
    return [...answers, await asked.inject(batch)];
  };

  test.each([
    ['are not loaded, and the store is away', toldAddresses({ memory: null }), '60'],
    ['are past their hard limit', toldAddresses({ ageS: 31 * 86_400 }), '60'],
  ])('are 503 everywhere when they %s', async (_, addresses, retryAfter) => {
    const other = await testApp({ addresses });
    for (const response of await askAll(other)) {
      expectError(response, 'upstream_unavailable');
      expect(response.headers['retry-after']).toBe(retryAfter);
    }
  });

  // Of these postcodes no district is known.
  test.each([false, true])(
    'say so where the cadastre is not here: %s (D282)',
    async (lacksJoined) => {
      const other = await testApp({ addresses: toldAddresses({ lacksJoined }) });
      const told = (await askAll(other)).map(
        ({ headers }) => headers['x-service-partial'] === 'true',
      );
      expect(told).toEqual([...GETS, BATCH].map((url) => lacksJoined || url.includes('postnumre')));
    },
  );

  test('answer as an old copy, and ask for a sync, past their limit', async () => {
    let asked = 0;
    const onExpired = () => void (asked += 1);
    const addresses = toldAddresses({ ageS: 3 * 86_400 }, { onExpired });
    const other = await testApp({ addresses });
    for (const response of await askAll(other)) {
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'x-service-stale': 'true',
        'x-service-data-age': String(3 * 86_400),
        'x-service-generation': String(GENERATION),
      });
      expect(response.headers['cache-status']).toContain('stale');
    }
    expect(asked).toBe(GETS.length + 1);
  });
});

describe('keys', async () => {
  const PAGE = 'svc_pub_live_page';
  const access = keptAccess({
    [PAGE]: { kind: 'public', permission: 'restricted:adresser', origins: ['a.example.dk'] },
    svc_live_pro: { tier: 'pro' },
  });
  const keyed = await sharedApp({ access, addresses: toldAddresses() });

  const ask = (key: string, url: string, payload?: object) =>
    keyed.inject({
      method: payload === undefined ? 'GET' : 'POST',
      url,
      headers: { authorization: `Bearer ${key}`, origin: 'https://a.example.dk' },
      ...(payload !== undefined && { payload }),
    });

  test('of pages open what pages may ask, and neither reverse nor batches', async () => {
    for (const url of GETS.slice(1)) {
      const response = await ask(PAGE, url);
      expect(response.statusCode, url).toBe(200);
      expect(response.headers['access-control-allow-origin']).toBe('*');
    }
    const body = { punkter: [at(0, 0)] };
    for (const refused of [await ask(PAGE, GETS[0]!), await ask(PAGE, BATCH, body)]) {
      expectError(refused, 'public_key_scope');
    }
  });

  test('pay one unit an answered lookup, one a found point, and nothing for nothing', async () => {
    const billed = async (url: string, payload?: object) => {
      access.settled.length = 0;
      await ask('svc_live_pro', url, payload);
      return access.settled.reduce((sum, { units }) => sum + units, 0);
    };
    // Ends what was typed before (D153).
    await billed(`/v1/adresser/${idOf(1)}`);
    for (const url of GETS) expect(await billed(url), url).toBe(1);
    expect(await billed('/v1/adresser?q=findes-ikke')).toBe(1);
    expect(await billed('/v1/datavask?betegnelse=ukendt')).toBe(0);
    expect(await billed(`${REVERSE}?x=${X}&y=${Y + 2_000}&srid=25832`)).toBe(0);
    expect(await billed(`/v1/adresser/${idOf(77)}`)).toBe(0);
    const punkter = [at(0, 0), at(2_000, 2_000), at(0, 0)];
    expect(await billed(BATCH, { punkter })).toBe(2);
    expect(access.outstanding()).toBe(0);
  });
});
