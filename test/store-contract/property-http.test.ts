/**
 * What is null, absent and empty over HTTP (D89), with the table broken in the store: a column or the
 * table is gone, or it was never mirrored. Nobody answers a 0 or [] for what was not read.
 */
import { storeLookups } from '../support/lookups.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { CADASTRE_LIMITS } from '../../src/registers/cadastre/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { BBR_ENTITIES } from '../../sample/registers/property/buildings.ts';
import { keptAccess } from '../edge/access.ts';
import { expectError, sharedApp } from '../edge/edge.ts';
import { id, publish, put, withBroken } from '../support/property-store.ts';
import type { Break } from '../support/property-store.ts';
import { sharedStore } from '../support/store.ts';

const NOW_MS = Date.UTC(2026, 0, 10);
/** A house on two parcels; ground without anything; parcels alone; an address alone; nothing. */
const [HOUSE, BARE, PARCEL_ONLY, LOCATED, UNKNOWN] = [
  9_100_001, 9_100_002, 9_100_003, 9_100_004, 9_100_099,
];
/** A flat of a unit that names its building by its floor alone. */
const FLAT = 9_200_001;
/** Of more parcels than one answer may hold. */
const VAST = 9_100_005;
const NO_PARCEL = { matrikelnummer: null, ejerlav_kode: null, ejerlav_navn: null };
const PARCELS = [
  { matrikelnummer: '1a', ejerlav_kode: 77, ejerlav_navn: 'Opdigtet By' },
  { matrikelnummer: '2b', ejerlav_kode: 77, ejerlav_navn: 'Opdigtet By' },
];

const access = keptAccess({ svc_live_pro: { keyId: 'key_pro' } });

const store = await sharedStore();
const { properties, cadastre } = storeLookups(store, {
  catalogue: REGISTERS_CATALOGUE,
  clock: { nowMs: () => NOW_MS },
  isInvented: false,
});
const app = await sharedApp({ access, properties, cadastre });
beforeAll(async () => {
  await put(store, 'bbr_property', { id: id(1), status: 7, bfe: HOUSE, type: 'SFE' });
  await put(store, 'bbr_property', { id: id(2), status: 7, bfe: BARE, type: 'SFE' });
  await put(store, 'bbr_property', { id: id(3), status: 7, bfe: FLAT, type: 'Ejerlejlighed' });
  await put(store, 'bbr_ground', { id: id(11), status: 7, property_id: id(1) });
  await put(store, 'bbr_ground', { id: id(12), status: 7, property_id: id(2) });
  await put(store, 'cadastre_district', { id: 77, code: 77, name: 'Opdigtet By' });
  for (const [n, number] of [
    [501, '1a'],
    [502, '2b'],
  ] as const) {
    await put(store, 'bbr_ground_parcel', { id: id(n), ground_id: id(11), parcel_id: n });
    const parcel = { id: n, status: 3, bfe: HOUSE, number, district_id: 77 };
    await put(store, 'cadastre_parcel', parcel);
  }
  await put(store, 'cadastre_property', { id: 81, bfe: HOUSE, status: 3 });
  await put(store, 'cadastre_property', { id: 82, bfe: PARCEL_ONLY, status: 3 });
  await put(store, 'cadastre_parcel', { id: 503, status: 3, bfe: PARCEL_ONLY, number: '3c' });
  await put(store, 'address_property', { id: id(90), status: 3, bfe: LOCATED });
  const on = { status: 6, ground_id: id(11) };
  await put(store, 'bbr_building', { ...on, id: id(21), number: 1, use: '140', parcel_id: 501 });
  const floor = { status: 6, building_id: id(21), type: '0', area: 50 };
  await put(store, 'bbr_floor', { ...floor, id: id(31), designation: 'kl' });
  await put(store, 'bbr_entrance', { id: id(41), status: 6, building_id: id(21) });
  const unit = { status: 6, floor_id: id(31), address_id: id(99) };
  await put(store, 'bbr_unit', { ...unit, id: id(51), entrance_id: id(41) });
  await put(store, 'bbr_facility', { id: id(61), status: 6, ground_id: id(11), class: '1110' });
});
beforeEach(async () => {
  access.settled.length = 0;
  await store.pool.query('delete from layer_state');
  for (const layer of ['bbr', 'matrikel', 'adresser'] as const) {
    await publish(store, layer, { syncedAtMs: NOW_MS, firstMs: Date.UTC(2005, 0, 1) });
  }
});

const headers = { authorization: 'Bearer svc_live_pro' };
const get = (url: string) => app.inject({ url, headers });
const batch = (bfe: readonly number[]) =>
  app.inject({ method: 'POST', url: '/v1/bbr/ejendom:batch', headers, payload: { bfe } });

interface Shown {
  readonly jordstykke: unknown;
  readonly jordstykker: readonly unknown[];
  readonly antal_bygninger: number;
  readonly bygninger: readonly {
    readonly etager: unknown;
    readonly enheder: readonly { readonly etage: unknown; readonly adresse: unknown }[];
  }[];
  readonly tekniske_anlaeg?: readonly unknown[] | null;
  readonly meta: { readonly kilde: string };
}

async function shown(bfe: number): Promise<Shown> {
  const response = await get(`/v1/bbr/ejendom/${bfe}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Shown>();
}

const EACH_WAY: readonly Break[] = ['table', 'column'];

const without = <T>(table: string, way: Break, ask: () => Promise<T>) =>
  withBroken(store, table, ask, way);

const publishWithout = (entity: (typeof BBR_ENTITIES)[number]) =>
  publish(store, 'bbr', {
    syncedAtMs: NOW_MS,
    tables: BBR_ENTITIES.filter((each) => each !== entity),
  });

it('is as documented where floors, facilities and the cadastre are all away', async () => {
  const record = await without('bbr_floor', 'table', () =>
    without('bbr_facility', 'column', async () => {
      await store.pool.query(`delete from layer_state where layer = 'matrikel'`);
      return await shown(HOUSE);
    }),
  );
  expect(record).toMatchObject({
    ...{ jordstykke: NO_PARCEL, bygninger: [{ etager: null }], tekniske_anlaeg: null },
    meta: { kilde: 'BBR' },
  });
  await publishWithout('TekniskAnlaeg');
  expect(await shown(HOUSE)).not.toHaveProperty('tekniske_anlaeg');
});

describe.each(EACH_WAY)('with a %s gone', (way) => {
  it('facilities are null, and everything else is as it was', async () => {
    const whole = await shown(HOUSE);
    const broken = await without('bbr_facility', way, () => shown(HOUSE));
    expect(broken.tekniske_anlaeg).toBeNull();
    expect({ ...broken, tekniske_anlaeg: whole.tekniske_anlaeg }).toEqual(whole);
  });

  it('floors are null, and so is the floor of a unit', async () => {
    const broken = await without('bbr_floor', way, () => shown(HOUSE));
    expect(broken.bygninger).toMatchObject([{ etager: null, enheder: [{ etage: null }] }]);
  });

  it.each(['cadastre_parcel', 'cadastre_property'])(
    'of %s, parcels are nulls for each relation, and the source is not named',
    async (table) => {
      const broken = await without(table, way, () => shown(HOUSE));
      expect(broken).toMatchObject({ jordstykke: NO_PARCEL, antal_bygninger: 1 });
      expect(broken.jordstykker).toEqual([NO_PARCEL, NO_PARCEL]);
      expect(broken.meta.kilde).toBe('BBR');
    },
  );

  it('of the cadastre, no number is unknown that it may know: 503, and nothing is billed', async () => {
    await without('cadastre_parcel', way, async () => {
      for (const bfe of [PARCEL_ONLY, UNKNOWN]) {
        expectError(await get(`/v1/bbr/ejendom/${bfe}`), 'upstream_unavailable');
      }
      expect((await batch([PARCEL_ONLY, HOUSE, UNKNOWN])).json()).toMatchObject({
        results: [{ bfe: HOUSE }],
        errors: [
          { bfe: PARCEL_ONLY, status: 503 },
          { bfe: UNKNOWN, status: 503 },
        ],
        succeeded: 1,
      });
    });
    expect(access.settled.map(({ units }) => units)).toEqual([1]);
    expectError(await get(`/v1/bbr/ejendom/${UNKNOWN}`), 'not_found');
  });

  it('of the locations of addresses, a number that only they may know is 503', async () => {
    expect((await shown(LOCATED)).antal_bygninger).toBe(0);
    const broken = await without('address_property', way, () => get(`/v1/bbr/ejendom/${LOCATED}`));
    expectError(broken, 'upstream_unavailable');
  });

  it.each([
    ...['bbr_property', 'bbr_ground', 'bbr_ground_parcel', 'bbr_building'],
    ...['bbr_building_property', 'bbr_entrance', 'bbr_unit', 'bbr_unit_property'],
  ])('of %s, there is no record at all: 503, of a batch too', async (table) => {
    await without(table, way, async () => {
      expectError(await get(`/v1/bbr/ejendom/${HOUSE}`), 'upstream_unavailable');
      expectError(await batch([HOUSE, UNKNOWN]), 'upstream_unavailable');
    });
    expect(access.settled).toEqual([]);
  });

  it('of rows of the past, neither: what they hold may be in force', async () => {
    const broken = await without('bbr_building_former', way, () =>
      get(`/v1/bbr/ejendom/${HOUSE}?asOf=2020-01-01`),
    );
    expectError(broken, 'upstream_unavailable');
  });
});

describe('the cadastre itself', () => {
  const ask = () => get(`/v1/matrikel/ejendom/${HOUSE}`);

  it.each(['cadastre_parcel', 'cadastre_district', 'cadastre_property', 'cadastre_flat'])(
    'is 503 while %s cannot be read, and bills nothing',
    async (table) => {
      expectError(await without(table, 'table', ask), 'upstream_unavailable');
      expect(access.settled).toEqual([]);
    },
  );

  it('has parcels that lie nowhere while their faces cannot be read', async () => {
    expect((await without('cadastre_face', 'table', ask)).json()).toMatchObject({
      jordstykker: PARCELS.map((parcel) => ({ ...parcel, geometri: null })),
    });
  });
});

describe('a table that is not mirrored', () => {
  it('leaves facilities absent; none on the ground is an empty list', async () => {
    expect((await shown(BARE)).tekniske_anlaeg).toEqual([]);
    await publishWithout('TekniskAnlaeg');
    expect(await shown(BARE)).not.toHaveProperty('tekniske_anlaeg');
    expect(await shown(HOUSE)).not.toHaveProperty('tekniske_anlaeg');
  });

  it('leaves floors null', async () => {
    await publishWithout('Etage');
    expect((await shown(HOUSE)).bygninger).toMatchObject([{ etager: null }]);
  });

  it('of parcels leaves nulls for each relation, and [] where BBR relates none', async () => {
    await store.pool.query(`delete from layer_state where layer = 'matrikel'`);
    const record = await shown(HOUSE);
    expect(record.jordstykker).toEqual([NO_PARCEL, NO_PARCEL]);
    expect(record.meta.kilde).toBe('BBR');
    expect(await shown(BARE)).toMatchObject({ jordstykke: NO_PARCEL, jordstykker: [] });
    const own = await get(`/v1/matrikel/ejendom/${HOUSE}`);
    expectError(own, 'upstream_unavailable');
    expect(own.headers['retry-after']).toBe(String(LIMITS.retryAfterS.unavailable));
  });

  it.each(BBR_ENTITIES.filter((entity) => entity !== 'Etage' && entity !== 'TekniskAnlaeg'))(
    'of %s leaves no record: 503',
    async (entity) => {
      await publishWithout(entity);
      const { error } = expectError(await get(`/v1/bbr/ejendom/${HOUSE}`), 'upstream_unavailable');
      expect(error).toContain(entity);
    },
  );

  it('of all of BBR is 503, in a batch of each item, and nothing is billed', async () => {
    await store.pool.query(`delete from layer_state where layer = 'bbr'`);
    expectError(await get(`/v1/bbr/ejendom/${HOUSE}`), 'upstream_unavailable');
    expect((await batch([HOUSE, UNKNOWN])).json()).toMatchObject({
      results: [],
      errors: [
        { bfe: HOUSE, status: 503 },
        { bfe: UNKNOWN, status: 503 },
      ],
      succeeded: 0,
      failed: 2,
    });
    expect(access.settled).toEqual([]);
    // The cadastre has a word of its own.
    expect((await get(`/v1/matrikel/ejendom/${HOUSE}`)).statusCode).toBe(200);
  });
});

describe('a unit that only its floor places', () => {
  beforeAll(async () => {
    await put(store, 'bbr_unit', { id: id(52), status: 6, floor_id: id(31) });
    await put(store, 'bbr_unit_property', { id: id(53), unit_id: id(52), property_id: id(3) });
  });
  afterAll(async () => {
    await store.pool.query('delete from bbr_unit where id = $1', [id(52)]);
    await store.pool.query('delete from bbr_unit_property where id = $1', [id(53)]);
  });

  it('is no flat without a building while floors cannot be read', async () => {
    expect((await shown(FLAT)).antal_bygninger).toBe(1);
    const broken = await without('bbr_floor', 'table', () => get(`/v1/bbr/ejendom/${FLAT}`));
    expectError(broken, 'upstream_unavailable');
  });

  it('is not missing without a word from its building while floors cannot be read', async () => {
    expect((await shown(HOUSE)).bygninger[0]?.enheder).toHaveLength(2);
    const broken = await without('bbr_floor', 'table', () => get(`/v1/bbr/ejendom/${HOUSE}`));
    expectError(broken, 'upstream_unavailable');
  });
});

// Areas: the rung `area` of test/faults/matrix.test.ts; companies and assessments: test/edge/by-number.test.ts.
it('of copies past their hard limit is 503, of a batch for each number', async () => {
  for (const layer of ['bbr', 'matrikel'] as const) {
    await publish(store, layer, { syncedAtMs: NOW_MS - 400 * 86_400_000 });
  }
  for (const register of ['bbr', 'matrikel']) {
    expectError(await get(`/v1/${register}/ejendom/${HOUSE}`), 'upstream_unavailable');
  }
  const { errors } = (await batch([HOUSE])).json<{ errors: object[] }>();
  expect(errors).toMatchObject([{ bfe: HOUSE, status: 503 }]);
});

it('of more parcels than one answer may hold is 503, soon to be asked again', async () => {
  await put(store, 'cadastre_property', { id: 83, bfe: VAST, status: 3 });
  await store.pool.query(
    `insert into cadastre_parcel (id, status, bfe, number, registered_from, valid_from)
     select 1000000 + n, 3, $1::bigint, n::text, '2001-01-01Z', '2001-01-01Z'
     from generate_series(1, $2::integer) n`,
    [VAST, CADASTRE_LIMITS.parcels + 1],
  );
  const response = await get(`/v1/matrikel/ejendom/${VAST}`);
  const { error } = expectError(response, 'overloaded');
  expect(error).toMatch(new RegExp(String(CADASTRE_LIMITS.parcels)));
  expect(response.headers['retry-after']).toBe(String(LIMITS.retryAfterS.unavailable));
});
