/** Watch-lists of an account (D234): every answer as documented, every limit named, each account its own. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import { composeWatch } from '../../src/start/watch.ts';
import { WATCH_LIMITS } from '../../src/watch/limits.ts';
import { createWorkers } from '../../workers/pool.ts';
import { expectError } from '../edge/edge.ts';
import { sharedStore } from '../support/store.ts';
import { addEndpoint, logInto } from '../webhooks/webhook-bench.ts';
import { accountEdge, signIn } from './account-edge.ts';
import type { AccountEdge, Browser } from './account-edge.ts';

let account: string;
let browser: Browser;
const store = await sharedStore();
const workers = createWorkers({ threads: 1 });
const { lists: watches } = composeWatch({
  ...{ store, workers, log: logInto([]), compares: false, onDue: () => undefined },
  clock: { nowMs: () => edge.bench.clock.nowMs() },
});
const edge: AccountEdge = await accountEdge(store, { watches });
afterAll(async () => {
  await edge.app.close();
  await workers.close();
});
beforeEach(async () => {
  account = await edge.bench.account();
  browser = await signIn(edge, account);
});

interface Liste {
  readonly id: string;
  readonly navn: string;
  readonly antal: number;
  readonly registre: readonly string[];
}

const URL = '/v1/me/overvaagning';
const TRIANGLE = 'POLYGON((10 56,10.1 56,10.1 56.1,10 56))';
const post = (payload: object, by = browser) => by.ask({ method: 'POST', url: URL, payload });
const made = async (payload: object, by = browser): Promise<Liste> => {
  const answer = await post(payload, by);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ liste: Liste }>().liste;
};
const read = async (id: string, more = '') => {
  const answer = await browser.ask({ url: `${URL}/${id}${more}` });
  return answer.json<{ liste: Liste; objekter: unknown[] }>();
};
const csv = (payload: string, query: string): InjectOptions => ({
  ...{ method: 'POST', url: `${URL}?${query}`, payload },
  headers: { 'content-type': 'text/csv; charset=utf-8' },
});
const refusal = async (payload: object): Promise<string> =>
  String(expectError(await post(payload), 'invalid_request')['error']);
const uuid = (n: number) => `0a3f50b4-2737-32b8-e044-${n.toString(16).padStart(12, '0')}`;

describe('a list', () => {
  test('is made, read, renamed, paused, given other objects and removed; its acts are kept', async () => {
    const objekter = [7, '100453', 7, 2147483647];
    const { id } = await made({ navn: 'Huse', type: 'bfe', objekter });
    const shown = await read(id);
    expect(shown.liste).toMatchObject({ navn: 'Huse', antal: 3, paa_pause: false, modtagere: 0 });
    expect(shown.objekter).toEqual([7, 100_453, 2_147_483_647]);
    const patch = async (payload: object) => {
      const answer = await browser.ask({ method: 'PATCH', url: `${URL}/${id}`, payload });
      return answer.json<{ liste: object }>().liste;
    };
    expect(await patch({ navn: 'To' })).toMatchObject({ navn: 'To', antal: 3 });
    expect(await patch({ paa_pause: true })).toMatchObject({ paa_pause: true });
    expect(await patch({ paa_pause: false, objekter: [9] })).toMatchObject({ antal: 1 });
    expect((await read(id)).objekter).toEqual([9]);
    const all = await browser.ask({ url: URL });
    expect(all.json<{ lister: Liste[] }>().lister.map((each) => each.id)).toEqual([id]);
    expect((await browser.ask({ method: 'DELETE', url: `${URL}/${id}` })).statusCode).toBe(204);
    expectError(await browser.ask({ url: `${URL}/${id}` }), 'not_found');
    const { rows } = await store.pool.query<{ act: string; wanted: object }>(
      `select act, wanted from operator_act where account_id = $1 order by id`,
      [account],
    );
    expect(rows.map(({ act }) => act)).toEqual([
      ...['watch create', 'watch change', 'watch change', 'watch change', 'watch remove'],
    ]);
    expect(JSON.stringify(rows)).not.toContain('Huse');
  });

  test.each([
    ['adresse', [uuid(3).toUpperCase(), uuid(1).replaceAll('-', '')], [uuid(1), uuid(3)]],
    ['jordstykke', ['2000155-12A', '2000155/0007bø'], ['2000155-12a', '2000155-7bø']],
  ])('of %s is kept whole in 16 bytes an object', async (type, objekter, kept) => {
    const { id } = await made({ navn: 'x', type, objekter });
    expect(new Set((await read(id)).objekter)).toEqual(new Set(kept));
    const { rows } = await store.pool.query(
      'select octet_length(keys) as bytes from watch_list where id = $1',
      [id],
    );
    expect(rows).toEqual([{ bytes: 32 }]);
  });

  test('of 100,000 addresses is taken, read page by page, and one more is refused', async () => {
    const objekter = Array.from({ length: WATCH_LIMITS.objects }, (_, n) => uuid(n));
    const { id, antal } = await made({ navn: 'Alle', type: 'adresse', objekter });
    expect(antal).toBe(100_000);
    expect((await read(id, '?fra=99990&antal=100')).objekter).toEqual(objekter.slice(-10));
    expect(
      await refusal({ navn: 'x', type: 'adresse', objekter: [...objekter, uuid(1e6)] }),
    ).toMatch(/objekter.*100000/);
    const large = 'x'.repeat(WATCH_LIMITS.bodyBytes);
    expectError(await post({ navn: 'x', type: 'adresse', objekter: [large] }), 'payload_too_large');
  });

  test.each([
    ['bfe', '\ufeffBFE;Navn\r\n100453;Gården\r\n7;"Huset"\r\n', [7, 100_453]],
    ['bfe', '7\n8', [7, 8]],
    ['bfe', 'BFE;Navn\r8;b\r\r7;a\r7;c', [7, 8]],
    ['jordstykke', 'ejerlav_kode,matrikelnummer\n2000155,12a\n', ['2000155-12a']],
    ['adresse', `id\n"${uuid(5)}"\n\n`, [uuid(5)]],
    ['polygon', `wkt\n"${TRIANGLE}"\n`, [TRIANGLE]],
  ])('of %s is read from CSV', async (type, text, objects) => {
    const answer = await browser.ask(csv(text, `navn=Fra%20fil&type=${type}`));
    expect(answer.statusCode, answer.body).toBe(201);
    const { id } = answer.json<{ liste: Liste }>().liste;
    expect((await read(id)).objekter).toEqual(objects);
    const changed = await browser.ask({ ...csv(text, ''), method: 'PATCH', url: `${URL}/${id}` });
    expect(changed.statusCode, changed.body).toBe(200);
  });

  test.each([
    ['', /at least 1 object/],
    ['\ufeffBFE;Navn\r\n', /at least 1 object/],
    ['bfe\n7\nx', /objekter\[1\] is not a BFE number/],
    [`bfe\n${'7\n'.repeat(100_001)}`, /100001 objects; a list of bfe may have 100000/],
  ])('of CSV is refused where it cannot be read: %#', async (text, says) => {
    const answer = await browser.ask(csv(text, 'navn=x&type=bfe'));
    expect(String(expectError(answer, 'invalid_request')['error'])).toMatch(says);
  });

  test('of polygons: WKT in metres or degrees, GeoJSON, holes, the whole country', async () => {
    const pair = (lon: number, lat: number) => [lon, lat];
    const country = [pair(8, 54.6), pair(15, 54.6), pair(15, 57.7), pair(8, 57.7), pair(8, 54.6)];
    const objekter = [
      'SRID=25832;POLYGON((570000 6220000,571000 6220000,571000 6221000,570000 6221000,570000 6220000),(570100 6220100,570200 6220100,570200 6220200,570100 6220100))',
      { type: 'Polygon', coordinates: [country] },
    ];
    const { id } = await made({ navn: 'Steder', type: 'polygon', objekter });
    expect((await read(id)).objekter).toEqual(objekter);
    const { rows } = await store.pool.query<{ number: number; m2: number }>(
      `select number, round(sum(ST_Area(geom))) as m2 from watch_piece where list_id = $1
       group by number order by number`,
      [id],
    );
    expect(rows.map(({ number, m2 }) => [number, m2 > 1e11 || m2])).toEqual([
      [1, 995_000],
      [2, true],
    ]);
  });

  test.each([
    [{ type: 'bfe', objekter: ['x1'] }, /objekter\[0\] is not a BFE number, 1 to 2147483647: "x1"/],
    [{ type: 'adresse', objekter: [uuid(1), 5] }, /objekter\[1\] is not the UUID/],
    [{ type: 'jordstykke', objekter: ['12a'] }, /objekter\[0\] is not a parcel/],
    [
      { type: 'polygon', objekter: ['POLYGON((10 56,10.1 56.1,10.1 56,10 56.1,10 56))'] },
      /objekter\[0\]: the polygon crosses itself \(Self-intersection/,
    ],
    [
      { type: 'polygon', objekter: ['POLYGON((0 0,1 0,1 1,0 0))'] },
      /objekter\[0\]: .*not in Denmark/,
    ],
    [{ type: 'polygon', objekter: ['POINT(10 56)'] }, /objekter\[0\]: .*Polygon/],
    [
      { type: 'polygon', objekter: Array(1_001).fill(TRIANGLE) },
      /objekter: 1001 objects; a list of polygon may have 1000/,
    ],
    [{ type: 'bfe', objekter: [] }, /objekter/],
    [{ type: 'vej', objekter: [1] }, /type/],
    [{ type: 'bfe', objekter: [1], navn: '' }, /navn/],
  ])('%# is refused with its field', async (wrong, says) => {
    expect(await refusal({ navn: 'x', ...wrong })).toMatch(says);
  });

  test('is of one account; the 21st is refused', async () => {
    const { id } = await made({ navn: 'x', type: 'bfe', objekter: [1] });
    const stranger = await signIn(edge, await edge.bench.account());
    for (const method of ['GET', 'PATCH', 'DELETE', 'POST'] as const) {
      const url = `${URL}/${id}${method === 'POST' ? '/test' : ''}`;
      const payload = method === 'PATCH' && { payload: { navn: 'y' } };
      expectError(await stranger.ask({ method, url, ...payload }), 'not_found');
    }
    for (let n = 1; n < WATCH_LIMITS.perAccount; n++)
      await made({ navn: `${n}`, type: 'bfe', objekter: [n] });
    const full = expectError(await post({ navn: 'x', type: 'bfe', objekter: [1] }), 'conflict');
    expect(full).toMatchObject({ code: 'watch_limit' });
    expect(full['error']).toContain('20');
  });

  test('covers what the account’s working secret keys may read', async () => {
    const { id, registre } = await made({ navn: 'x', type: 'bfe', objekter: [1] });
    expect(registre).toEqual([]);
    const covered = async () => (await read(id)).liste.registre;
    const { key } = await edge.bench.key(account, { permission: 'restricted:bbr' });
    expect(await covered()).toEqual(['matrikel', 'bbr', 'fbb']);
    await edge.bench.key(account, { permission: 'restricted:vurdering' });
    expect(await covered()).toEqual(['matrikel', 'bbr', 'vurdering', 'fbb']);
    await edge.bench.keyAdmin.revoke(account, key.id);
    expect(await covered()).toEqual(['vurdering']);
  });

  test('is tried at the webhooks that ask for it, ten times a minute', async () => {
    const { id } = await made({ navn: 'Prøve', type: 'bfe', objekter: [1] });
    const asked = () => browser.ask({ method: 'POST', url: `${URL}/${id}/test` });
    expect(expectError(await asked(), 'conflict')['code']).toBe('watch_without_webhook');
    await addEndpoint(store, account);
    const answer = await asked();
    expect([answer.statusCode, answer.json()]).toEqual([202, { modtagere: 1 }]);
    const { rows } = await store.pool.query<{ body: string }>(
      `select body from webhook_delivery where endpoint_id = 'webhook_' || right($1, 20)`,
      [account],
    );
    expect(JSON.parse(rows[0]!.body)).toMatchObject({
      event: 'watch.changed',
      data: { liste: id, navn: 'Prøve', proeve: true, transaktion: null, antal: null },
    });
    for (let n = 1; n < WATCH_LIMITS.tests.limit; n++) {
      edge.bench.clock.turn(1);
      expect((await asked()).statusCode).toBe(202);
    }
    expectError(await asked(), 'rate_limited');
  });
});
