/** Properties from the store: which rows belong to which number, at which instant, and what is left out when a table cannot be read (D57, D85 to D92). */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import type { PropertyAnswer } from '../../src/registers/property/answers.ts';
import type { PropertiesDeps } from '../../src/registers/property/lookup.ts';
import { propertyRecord } from '../../src/registers/property/record/record.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import { id, publish, put, putAssessments, withBroken } from '../support/property-store.ts';
import { sharedStore } from '../support/store.ts';

const SYNCED_AT_MS = Date.UTC(2026, 0, 10);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let nowMs = 0;

/** A ground with a house of two units and a garage, a BPFG on it, and a flat of the house. */
const SFE = 9_100_001;
const BPFG = 9_300_001;
const FLAT = 9_200_001;
const EMPTY = 9_100_002;
const PARCEL_ONLY = 9_100_003;
const LOCATED = 9_100_004;
const GONE = 9_100_005;

const IN_FORCE = { status: 6 };

const store = await sharedStore();
beforeAll(async () => {
  await put(store, 'bbr_property', { id: id(1), status: 7, bfe: SFE, type: 'SFE' });
  await put(store, 'bbr_property', { id: id(2), status: 7, bfe: BPFG, type: '2' });
  await put(store, 'bbr_property', { id: id(3), status: 7, bfe: FLAT, type: 'Ejerlejlighed' });
  await put(store, 'bbr_property', { id: id(4), status: 7, bfe: EMPTY, type: '1' });
  await put(store, 'bbr_property', { id: id(5), status: 10, bfe: GONE, type: '1' });
  await put(store, 'bbr_ground', {
    ...{ id: id(11), status: 7, property_id: id(1), municipality_code: '9001' },
    sewer_order_due: '2020-08-17',
  });
  await put(store, 'bbr_ground_parcel', { id: id(12), ground_id: id(11), parcel_id: 501 });
  await put(store, 'cadastre_district', { id: 77, code: 77, name: 'Opdigtet By' });
  await put(store, 'cadastre_parcel', {
    id: 501,
    status: 3,
    bfe: SFE,
    number: '1a',
    district_id: 77,
  });
  await put(store, 'cadastre_parcel', {
    ...{ id: 502, status: 3, bfe: PARCEL_ONLY, number: '2b', district_id: 77 },
    municipality_code: '9002',
  });
  await put(store, 'address_property', { id: id(90), status: 3, bfe: LOCATED });
  await buildings();
  await facilities();
  await putAssessments(store, SFE, [
    [2024, 3_000_000],
    [2022, 2_500_000],
  ]);
  await putAssessments(store, PARCEL_ONLY, [[2024, 90_000]]);
  await put(store, 'assessment', { bfe: BPFG, assessments: '[]', unresolved: 1 });
  // One of its references leads to no row: it may be the newest.
  await putAssessments(store, FLAT, [[2022, 700_000]]);
  await store.pool.query('update assessment set unresolved = 1 where bfe = $1', [FLAT]);
  await put(store, 'protection_listed', { id: 1, status: 1, value: -1, building_id: id(21) });
  await put(store, 'protection_survey', { id: 1, status: 3, value: 4, building_id: id(21) });
  await put(store, 'protection_survey', { id: 2, status: 3, value: -1, building_id: id(23) });
  // A value and no status.
  await put(store, 'protection_survey', { id: 3, status: -1, value: 5, building_id: id(22) });
});

async function buildings(): Promise<void> {
  const on = { ...IN_FORCE, ground_id: id(11) };
  await put(store, 'bbr_building', {
    ...{ ...on, id: id(21), number: 1, use: '140', parcel_id: 501, total_area: 200 },
    ...{ geom: 'POINT (600000.25 6200000.5)', coordinate_system: '5' },
  });
  await put(store, 'bbr_building', { ...on, id: id(22), number: 2, use: '910' });
  await put(store, 'bbr_building', { ...on, id: id(23), number: 3, use: '120' });
  await put(store, 'bbr_building_property', {
    ...{ id: id(24), building_id: id(23), property_id: id(2) },
  });
  // Projected, demolished, of a case, and of the year after.
  for (const [n, status] of [
    [25, 2],
    [26, 10],
    [27, 9],
  ] as const) {
    await put(store, 'bbr_building', { ...on, id: id(n), number: n, status, total_area: -46 });
  }
  const later = { valid_from: '2027-01-01T00:00:00Z' };
  await put(store, 'bbr_building', { ...on, id: id(28), number: 28, ...later });
  // The garage was a shed before.
  await put(store, 'bbr_building', {
    ...{ ...on, id: id(22), number: 2, use: '930', valid_to: '2010-06-30T22:00:00Z' },
  });
  await store.pool.query('update bbr_building set valid_from = $1 where id = $2', [
    '2010-06-30T22:00:00Z',
    id(22),
  ]);
  const floor = { ...IN_FORCE, building_id: id(21) };
  await put(store, 'bbr_floor', { ...floor, id: id(31), designation: 'st', type: '0', area: 0 });
  await put(store, 'bbr_floor', { ...floor, id: id(32), designation: 'kl', type: '0', area: 50 });
  await put(store, 'bbr_floor', { ...floor, id: id(33), building_id: id(26), type: '1', area: 9 });
  await put(store, 'bbr_entrance', { ...IN_FORCE, id: id(41), building_id: id(21) });
  await put(store, 'bbr_unit', { ...IN_FORCE, id: id(51), floor_id: id(31), entrance_id: id(41) });
  // By its entrance alone; by its own column, against its floor.
  await put(store, 'bbr_unit', { ...IN_FORCE, id: id(52), entrance_id: id(41) });
  await put(store, 'bbr_unit', { ...IN_FORCE, id: id(53), floor_id: id(31), building_id: id(23) });
  // In force in a building that is not; not in force.
  await put(store, 'bbr_unit', { ...IN_FORCE, id: id(54), floor_id: id(33) });
  await put(store, 'bbr_unit', { id: id(55), status: 10, floor_id: id(31) });
  await put(store, 'bbr_unit_property', { id: id(56), unit_id: id(52), property_id: id(3) });
}

async function facilities(): Promise<void> {
  const tank = { ...IN_FORCE, class: '1110' };
  await put(store, 'bbr_facility', { ...tank, id: id(61), ground_id: id(11), building_id: id(21) });
  await put(store, 'bbr_facility', { ...tank, id: id(62), foreign_property_id: id(2) });
  await put(store, 'bbr_facility', { ...tank, id: id(63), flat_property_id: id(3) });
  await put(store, 'bbr_facility', { ...tank, id: id(64), unit_id: id(52) });
  await put(store, 'bbr_facility', { ...tank, id: id(65), ground_id: id(11), status: 10 });
}

beforeEach(async () => {
  nowMs = SYNCED_AT_MS + HOUR_MS;
  await store.pool.query('delete from layer_state');
  for (const layer of ['bbr', 'matrikel', 'adresser'] as const) {
    await publish(store, layer, { syncedAtMs: SYNCED_AT_MS, firstMs: Date.UTC(2005, 0, 1) });
  }
});

function lookup(changes: Partial<PropertiesDeps> = {}) {
  return createProperties({
    catalogue: REGISTERS_CATALOGUE,
    clock: { nowMs: () => nowMs },
    read: (asked) => readProperties(store, asked),
    addresses: () => null,
    municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
    nameSources: (names) => names.join(', '),
    ...changes,
  });
}

async function find(bfe: number, asOf: string | null = null): Promise<PropertyAnswer | Failure> {
  const { value } = await lookup().find([bfe], asOf === null ? null : Date.parse(asOf));
  const [answer] = value;
  if (answer === undefined) throw new Error('No answer.');
  return answer;
}

async function recordOf(bfe: number, asOf: string | null = null) {
  const answer = await find(bfe, asOf);
  if (answer instanceof Failure) throw answer;
  return propertyRecord(answer.rows, answer.around);
}

const idsOf = (rows: readonly { readonly id: string }[] | null | undefined) =>
  rows?.map((row) => Number(row.id.slice(-3)));

describe('a property with a ground', () => {
  it('has the buildings in force on it, those of others too, and no row of a case', async () => {
    const record = await recordOf(SFE);
    expect(idsOf(record.bygninger)).toEqual([21, 22, 23]);
    expect(record).toMatchObject({
      grund_id: id(11),
      kommunekode: '9001',
      antal_bygninger: 3,
      hovedbygning_index: 0,
      jordstykke: { matrikelnummer: '1a', ejerlav_kode: 77, ejerlav_navn: 'Opdigtet By' },
      grund_afloeb: { paabud_frist: '2020-08-17' },
      meta: { kilde: 'BBR, Matriklen' },
    });
    expect(record.jordstykker).toHaveLength(1);
    expect(record.bygninger[0]?.geometri?.epsg25832).toEqual([600_000.25, 6_200_000.5]);
    expect(idsOf(record.bygninger[0]?.etager?.registreringer)).toEqual([32]);
  });

  it('has each unit in its building: its own column, else its floor, else its entrance', async () => {
    const { bygninger } = await recordOf(SFE);
    expect(bygninger.map(({ enheder }) => idsOf(enheder))).toEqual([[51, 52], [], [53]]);
    expect(bygninger[0]?.enheder[0]?.etage?.betegnelse).toBe('st');
    expect(bygninger[0]?.enheder[1]?.etage).toBeNull();
  });

  it('has the facilities of its ground, buildings and units, each once', async () => {
    expect(idsOf((await recordOf(SFE)).tekniske_anlaeg)).toEqual([61, 62, 64]);
  });
});

it('a building on somebody else’s ground has itself, and the ground beneath as context', async () => {
  const record = await recordOf(BPFG);
  expect(idsOf(record.bygninger)).toEqual([23]);
  expect(idsOf(record.bygninger[0]?.enheder)).toEqual([53]);
  expect(record.grund_id).toBe(id(11));
  expect(record).not.toHaveProperty('grund_afloeb');
  expect(record.jordstykker).toHaveLength(1);
  expect(idsOf(record.tekniske_anlaeg)).toEqual([62]);
});

it('a flat has the building that holds it with its own unit alone', async () => {
  const record = await recordOf(FLAT);
  expect(idsOf(record.bygninger)).toEqual([21]);
  expect(record.bygninger.map(({ enheder }) => idsOf(enheder))).toEqual([[52]]);
  expect(record).toMatchObject({ grund_id: id(11), antal_bygninger: 1 });
  expect(record).toHaveProperty('grund_afloeb');
  expect(idsOf(record.tekniske_anlaeg)).toEqual([63, 64]);
});

describe('a number', () => {
  it('without anything on it is a property with 0 buildings', async () => {
    expect(await recordOf(EMPTY)).toMatchObject({
      antal_bygninger: 0,
      hovedbygning_index: null,
      tekniske_anlaeg: [],
      jordstykker: [],
    });
  });

  it('that only the cadastre or the register of locations holds is one as well', async () => {
    const record = await recordOf(PARCEL_ONLY);
    expect(record).toMatchObject({
      kommunekode: '9002',
      antal_bygninger: 0,
      jordstykke: { matrikelnummer: '2b' },
      tekniske_anlaeg: [],
    });
    expect(record).not.toHaveProperty('grund_afloeb');
    expect(record.meta.kilde).toBe('BBR, Matriklen');
    expect(await recordOf(LOCATED)).toMatchObject({
      ...{ antal_bygninger: 0, jordstykker: [] },
      meta: { kilde: 'BBR, Matriklen, EBR' },
    });
  });

  it.each([GONE, 1])('%i that nobody holds in force is not found', async (bfe) => {
    expect(await find(bfe)).toMatchObject({ type: 'not_found' });
  });
});

describe('of a day', () => {
  it('is what was in force then, under the name of its instant', async () => {
    const uses = async (asOf: string) =>
      (await recordOf(SFE, asOf)).bygninger.map(({ anvendelse }) => anvendelse?.kode);
    expect(await uses('2010-06-30T21:59:59Z')).toEqual(['140', '930', '120']);
    expect(await uses('2010-06-30T22:00:00Z')).toEqual(['140', '910', '120']);
    const { meta } = await recordOf(SFE, '2010-07-01T00:00:00+02:00');
    expect(meta.as_of).toBe('2010-06-30T22:00:00.000Z');
  });

  it.each([-DAY_MS, 1])('is refused beyond what is known, naming both ends', async (beyondMs) => {
    const edge = beyondMs < 0 ? Date.UTC(2005, 0, 1) : nowMs;
    const asking = lookup().find([SFE], edge + beyondMs);
    await expect(asking).rejects.toMatchObject({ type: 'invalid_request' });
    await expect(asking).rejects.toThrow(/2005-01-01T00:00:00.000Z.*2026-01-10T01:00:00.000Z/);
  });

  it('has no parcels of a cadastre that is known from a later day', async () => {
    await publish(store, 'matrikel', { syncedAtMs: SYNCED_AT_MS });
    const record = await recordOf(SFE, '2020-01-01T00:00:00Z');
    expect(record.jordstykker).toEqual([
      { matrikelnummer: null, ejerlav_kode: null, ejerlav_navn: null },
    ]);
    expect(record.meta.kilde).toBe('BBR');
  });
});

describe('null, absent and empty', () => {
  // Past their hard limit: property-file.test.ts.
  const neverMirrored = (layer: string) =>
    store.pool.query('delete from layer_state where layer = $1', [layer]);

  it('of a cadastre that was never mirrored no number is unknown; EBR answers for what it holds', async () => {
    await neverMirrored('matrikel');
    for (const bfe of [PARCEL_ONLY, GONE, 1]) {
      expect(await find(bfe)).toMatchObject({ type: 'upstream_unavailable' });
    }
    expect((await recordOf(LOCATED)).meta.kilde).toBe('BBR, EBR');
  });

  it('of an EBR that was never mirrored neither; the cadastre answers for what it holds', async () => {
    await neverMirrored('adresser');
    for (const bfe of [LOCATED, GONE, 1]) {
      expect(await find(bfe)).toMatchObject({ type: 'upstream_unavailable' });
    }
    expect((await recordOf(PARCEL_ONLY)).meta.kilde).toBe('BBR, Matriklen');
  });

  it('a number is not unknown where EBR is not mirrored with the addresses', async () => {
    await publish(store, 'adresser', { syncedAtMs: SYNCED_AT_MS, tables: ['Husnummer'] });
    expect(await find(1)).toMatchObject({ type: 'upstream_unavailable' });
  });

  it('nor on a day before the first copy of a register that may know it', async () => {
    const day = '2020-01-01T00:00:00Z';
    expect(await find(1, day)).toMatchObject({ type: 'not_found' });
    for (const layer of ['matrikel', 'adresser'] as const) {
      await publish(store, layer, { syncedAtMs: SYNCED_AT_MS });
      expect(await find(1, day)).toMatchObject({ type: 'upstream_unavailable' });
      await publish(store, layer, { syncedAtMs: SYNCED_AT_MS, firstMs: Date.UTC(2005, 0, 1) });
    }
  });
});

it('is marked stale past its limit, and a sync is asked for', async () => {
  nowMs = SYNCED_AT_MS + 5 * DAY_MS;
  const expired: string[] = [];
  const { provenance } = await lookup({ onExpired: (mirror) => expired.push(mirror) }).find(
    [SFE],
    null,
  );
  expect(provenance.map(({ rung }) => rung)).toEqual(['stale', 'stale']);
  expect(provenance[0]?.ageS).toBe(5 * 24 * 3600);
  expect(expired).toContain('bbr');
});

describe('assessments and listed buildings', () => {
  const join = async () => {
    for (const layer of ['vurdering', 'fbb'] as const) {
      await publish(store, layer, { syncedAtMs: SYNCED_AT_MS + 60_000 });
    }
  };
  const listed = ({ bygninger }: Awaited<ReturnType<typeof recordOf>>) =>
    bygninger.map(({ fredning }) => fredning && [fredning.fredet, fredning.bevaringsvaerdi]);

  it('are neither absent nor null where they are mirrored, and there', async () => {
    await join();
    const record = await recordOf(SFE);
    expect(record).toMatchObject({
      vurdering: {
        seneste: { aar: 2024, ejendomsvaerdi_kr: 3_000_000 },
        historik: [{ aar: 2022 }],
      },
      meta: { kilde: 'BBR, Matriklen, VUR, FBB' },
    });
    expect(listed(record)).toEqual([
      [true, 4],
      [false, 5],
      [false, null],
    ]);
    expect(record.bygninger[1]?.fredning).toMatchObject({ status: null, status_tekst: null });
    expect(record.bygninger[0]?.fredning?.hentet).toBe(
      new Date(SYNCED_AT_MS + 60_000).toISOString(),
    );
    expect(listed(await recordOf(FLAT))).toEqual([[true, 4]]);
    // Land is assessed, too; none; and references that lead nowhere.
    expect((await recordOf(PARCEL_ONLY)).vurdering?.seneste?.aar).toBe(2024);
    expect((await recordOf(EMPTY)).vurdering).toBeNull();
    expect((await recordOf(BPFG)).vurdering).toBeNull();
    expect((await recordOf(FLAT)).vurdering).toBeNull();
  });

  it('without the layer of listed buildings nothing is not listed', async () => {
    await join();
    await publish(store, 'fbb', { syncedAtMs: SYNCED_AT_MS, tables: ['bevaringssag', 'alle'] });
    const record = await recordOf(SFE);
    expect(listed(record)).toEqual([null, null, null]);
    expect(record.meta.kilde).toBe('BBR, Matriklen, VUR');
  });

  it('null where they cannot be read, and the rest is there', async () => {
    await join();
    const [whole, unassessed, unlisted] = [
      await recordOf(SFE),
      await withBroken(store, 'assessment', () => recordOf(SFE)),
      await withBroken(store, 'protection_survey', () => recordOf(SFE)),
    ];
    expect(unassessed).toEqual({
      ...{ ...whole, vurdering: null },
      meta: { ...whole.meta, kilde: 'BBR, Matriklen, FBB' },
    });
    expect(unlisted).toMatchObject({
      vurdering: whole.vurdering,
      meta: { kilde: 'BBR, Matriklen, VUR' },
    });
    expect(listed(unlisted)).toEqual([null, null, null]);
  });

  it('null past the hard limit, stale past the other', async () => {
    await join();
    await publish(store, 'vurdering', { syncedAtMs: nowMs - 31 * DAY_MS });
    await publish(store, 'fbb', { syncedAtMs: nowMs - 31 * DAY_MS });
    const record = await recordOf(SFE);
    expect(record.vurdering).toBeNull();
    expect(listed(record)).toEqual([null, null, null]);
    await publish(store, 'vurdering', { syncedAtMs: nowMs - 9 * DAY_MS });
    const answer = await find(SFE);
    if (answer instanceof Failure) throw answer;
    expect(answer.provenance.map(({ rung }) => rung)).toContain('stale');
  });

  it('absent and null in a record of another day (D87)', async () => {
    await join();
    const record = await recordOf(SFE, '2026-01-09T12:00:00Z');
    expect(record).not.toHaveProperty('vurdering');
    expect(listed(record)).toEqual([null, null, null]);
    expect(record.meta.kilde).toBe('BBR, Matriklen');
  });
});
