/** Properties from the file of records are those of the store, and go on while it is unavailable. */
import { writeFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { createPropertyBatches, propertyThreads } from '../../src/registers/property/batches.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import { auditOfProperties, compareProperties } from '../../src/registers/property/audit.ts';
import { createPropertyLoader } from '../../src/registers/property/load.ts';
import type { PropertyLoader } from '../../src/registers/property/load.ts';
import { SelfAudit } from '../../src/memory/snapshot-audit.ts';
import { propertyRecord } from '../../src/registers/property/record/record.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { id, publish, put, putAssessments } from '../support/property-store.ts';
import { sharedStore } from '../support/store.ts';
import { sharedWorkers } from '../support/sync-bench.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { ownFolder } from '../support/opened.ts';

const NOW_MS = Date.UTC(2026, 0, 10);
const LATER_MS = Date.UTC(2027, 0, 1);
const [SFE, FLAT, PARCEL_ONLY, UNKNOWN] = [9_100_001, 9_200_001, 9_100_003, 9_100_099];
/** Who EBR alone knows, and EBR beside the cadastre. */
const [LOCATED, BOTH] = [9_100_004, 9_100_005];
const ALL = [SFE, FLAT, PARCEL_ONLY, LOCATED, BOTH, UNKNOWN];

const workers = sharedWorkers();
const store = await sharedStore();
const directory = ownFolder('property-file');
let loader: PropertyLoader;
let nowMs = NOW_MS;
let isAway = false;
const alarms: string[] = [];
const clock = { nowMs: () => nowMs };

beforeAll(async () => {
  await put(store, 'bbr_property', { id: id(1), status: 7, bfe: SFE, type: 'SFE' });
  await put(store, 'bbr_property', { id: id(3), status: 7, bfe: FLAT, type: 'Ejerlejlighed' });
  await put(store, 'bbr_ground', { id: id(11), status: 7, property_id: id(1) });
  await put(store, 'bbr_ground_parcel', { id: id(12), ground_id: id(11), parcel_id: 501 });
  await put(store, 'cadastre_parcel', { id: 501, status: 3, bfe: SFE, number: '1a' });
  await put(store, 'cadastre_parcel', { id: 502, status: 3, bfe: PARCEL_ONLY, number: '2b' });
  const on = { status: 6, ground_id: id(11) };
  await put(store, 'bbr_building', { ...on, id: id(21), number: 1, use: '140', parcel_id: 501 });
  const later = { valid_from: new Date(LATER_MS).toISOString() };
  await put(store, 'bbr_building', { ...on, id: id(22), number: 2, ...later });
  await put(store, 'bbr_floor', { status: 6, id: id(31), building_id: id(21), area: 7 });
  await put(store, 'bbr_unit', { status: 6, id: id(51), floor_id: id(31) });
  await put(store, 'bbr_unit_property', { id: id(56), unit_id: id(51), property_id: id(3) });
  await put(store, 'bbr_facility', { status: 6, id: id(61), ground_id: id(11), class: '1110' });
  await putAssessments(store, SFE, [[2024, 3_000_000]]);
  await put(store, 'address_property', { id: id(90), status: 3, bfe: LOCATED });
  await put(store, 'address_property', { id: id(91), status: 3, bfe: BOTH });
  await put(store, 'cadastre_parcel', { id: 503, status: 3, bfe: BOTH, number: '3c' });
  // A flat in two buildings, on two grounds: the parcels of both.
  await put(store, 'bbr_ground', { id: id(13), status: 7, property_id: id(4) });
  await put(store, 'bbr_ground_parcel', { id: id(14), ground_id: id(13), parcel_id: 502 });
  await put(store, 'bbr_building', { id: id(23), status: 6, ground_id: id(13), number: 3 });
  await put(store, 'bbr_unit', { id: id(52), status: 6, building_id: id(23) });
  await put(store, 'bbr_unit_property', { id: id(57), unit_id: id(52), property_id: id(3) });
  await put(store, 'protection_survey', { id: 2, status: -1, value: 3, building_id: id(23) });
  await put(store, 'protection_listed', { id: 1, status: 1, value: -1, building_id: id(21) });
  for (const layer of ['bbr', 'matrikel', 'adresser', 'vurdering', 'fbb'] as const) {
    await publish(store, layer, { syncedAtMs: NOW_MS });
  }
  const place = { directory, storeName: 'test', log: () => undefined };
  loader = createPropertyLoader({ clock, store, workers, ...place });
  await loader.refresh();
});

function lookup(from: PropertyLoader | null) {
  return createProperties({
    catalogue: REGISTERS_CATALOGUE,
    clock,
    read: (asked) =>
      isAway ? Promise.reject(new Error('unavailable')) : readProperties(store, asked),
    file: () => from?.current ?? null,
    onDamagedFile: (held) => from?.suspend('bbr', held.buffer),
    addresses: () => null,
    municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
    nameSources: (names) => names.join(', '),
  });
}

interface Shown {
  readonly jordstykker: readonly { readonly matrikelnummer: string }[];
  readonly bygninger: readonly { readonly fredning: unknown }[];
  readonly meta: { readonly kilde: string };
}

async function answers(from: PropertyLoader | null, bfes: readonly number[] = ALL) {
  const { value, provenance } = await lookup(from).find(bfes, null);
  const records = value.map((each) =>
    each instanceof Failure ? each.code : propertyRecord(each.rows, each.around),
  );
  return { text: JSON.stringify(records), rungs: provenance.map(({ rung }) => rung) };
}

test('every property, alone and in a batch, is that of the store byte for byte', async () => {
  for (const bfes of [ALL, ...ALL.map((bfe) => [bfe])]) {
    const [file, stored] = [await answers(loader, bfes), await answers(null, bfes)];
    expect(file.text).toBe(stored.text);
    expect(file.rungs).toContain('snapshot');
  }
  const [, flat, parcel, located, both] = JSON.parse((await answers(loader)).text) as Shown[];
  expect(flat?.jordstykker.map(({ matrikelnummer }) => matrikelnummer)).toEqual(['1a', '2b']);
  expect(flat?.bygninger.at(-1)?.fredning).toMatchObject({ fredet: false, status: null });
  expect([parcel, located, both].map((each) => each?.meta.kilde)).toEqual([
    'BBR, Matriklen, VUR',
    'BBR, Matriklen, EBR, VUR',
    'BBR, Matriklen, EBR, VUR',
  ]);
});

test('while a register may not answer, who it alone knows is nobody’s to deny: file and store alike', async () => {
  const old = NOW_MS - 31 * 86_400_000;
  for (const away of [['matrikel'], ['adresser'], ['matrikel', 'adresser']] as const) {
    for (const layer of away) await publish(store, layer, { syncedAtMs: old });
    await loader.refresh();
    const [file, stored] = [await answers(loader), await answers(null)];
    expect(file.text).toBe(stored.text);
    expect(file.rungs).toContain('snapshot');
    const told = JSON.parse(file.text) as (string | { meta: { kilde: string } })[];
    const sources = told
      .slice(2)
      .map((each) => (typeof each === 'string' ? each : each.meta.kilde));
    const none = 'upstream_unavailable';
    const expected = {
      matrikel: [none, 'BBR, EBR, VUR', 'BBR, EBR, VUR', none],
      adresser: ['BBR, Matriklen, VUR', none, 'BBR, Matriklen, VUR', none],
      both: [none, none, none, none],
    };
    expect(sources).toEqual(expected[away.length > 1 ? 'both' : away[0]]);
    for (const layer of away) await publish(store, layer, { syncedAtMs: NOW_MS });
  }
  await loader.refresh();
});

test('assessments and listed buildings go on with the file while the store is unavailable', async () => {
  isAway = true;
  const { text, rungs } = await answers(loader, [SFE]);
  isAway = false;
  expect(text).toContain('"ejendomsvaerdi_kr":3000000');
  expect(text).toContain('"fredet":true');
  expect(text).toContain('BBR, Matriklen, VUR, FBB');
  expect(new Set(rungs)).toEqual(new Set(['snapshot']));
});

test('a later start without the store answers from the file', async () => {
  isAway = true;
  const again = createPropertyLoader({
    ...{ clock, workers, directory, storeName: 'test', log: () => undefined },
    store: { db: null as never, builds: null as never },
  });
  again.start();
  while (!again.isOpen) await sleep(20);
  expect((await answers(again)).text).toBe((await answers(loader)).text);
  isAway = false;
  await again.stop();
});

async function isBatchOfThreads(): Promise<boolean> {
  const held = loader.current!;
  const named = { generation: held.generation, copy: held.copy, byCode: new Map() };
  const batches = createPropertyBatches({
    ...{
      catalogue: REGISTERS_CATALOGUE,
      clock,
      threads: propertyThreads(workers),
      isInvented: true,
    },
    ...{ file: () => loader.current, addresses: () => null },
    municipalities: () => ({
      generation: named.generation,
      read: () => Promise.resolve(null),
      all: () => ({ ...named, by: 'snapshot' }),
    }),
    onThreadFailed: (cause) => expect.fail(String(cause)),
    threadWaitMs: HANG_MS,
  });
  const bfes = Array.from({ length: LIMITS.property.threadRecords }, (_, n) => SFE + n);
  const { signal } = new AbortController();
  return (await batches.render(bfes, { signal })) !== null;
}

test('from the instant at which a row begins the store answers, and the file as stale without it', async () => {
  nowMs = LATER_MS - 1;
  await store.pool.query('update layer_state set synced_at = $1', [new Date(LATER_MS)]);
  await loader.refresh();
  const before = await answers(loader);
  expect(before.text).toContain('"antal_bygninger":1');
  expect(new Set(before.rungs)).toEqual(new Set(['snapshot']));
  expect(before.text).toBe((await answers(null)).text);
  expect(await isBatchOfThreads()).toBe(true);
  nowMs = LATER_MS;
  expect(await isBatchOfThreads()).toBe(false);
  // Nothing to compare: the audit does not take a file out of service that nobody asks.
  const random = randomFrom(nowMs);
  expect(await compareProperties(loader.current!, store, { nowMs, random })).toBeNull();
  const stored = await answers(loader);
  expect(stored.text).toBe((await answers(null)).text);
  expect(stored.text).toContain('"antal_bygninger":2');
  expect(stored.rungs).toContain('store');
  isAway = true;
  const old = await answers(loader);
  expect(old.text).toContain('"antal_bygninger":1');
  expect(old.rungs).toContain('stale');
  isAway = false;
  nowMs = NOW_MS;
});

test('the next publication of any of the registers is answered from its own file', async () => {
  await store.pool.query(`update cadastre_parcel set number = '9z' where id = 501`);
  await store.pool.query('update protection_listed set value = 6');
  await publish(store, 'matrikel', { syncedAtMs: NOW_MS });
  await publish(store, 'fbb', { syncedAtMs: NOW_MS });
  await store.pool.query(`update layer_state set published_at = published_at + interval '1 s'`);
  await loader.refresh();
  const file = await answers(loader);
  expect(file.rungs).toContain('snapshot');
  expect(file.text).toContain('9z');
  expect(file.text).toContain('"bevaringsvaerdi":6');
  expect((await readdir(directory)).sort()).toHaveLength(3);
});

describe('the self-audit', () => {
  async function round(held = loader.current!) {
    const result = await compareProperties(held, store, { nowMs, random: randomFrom(nowMs) });
    return result;
  }

  function audit() {
    return new SelfAudit({
      memory: { current: null, suspend: () => undefined },
      ...{ store, sources: [], records: [auditOfProperties(loader, store)] },
      ...{ catalogue: REGISTERS_CATALOGUE, clock, searchRadiusM: 500, random: randomFrom(nowMs) },
      alarm: (line) => alarms.push(line),
    });
  }

  test('finds records as the store tells them, also after some were taken over', async () => {
    expect(await round()).toMatchObject({ differences: [] });
    const watch = audit();
    for (let i = 0; i < 6; i += 1) await watch.round();
    expect(watch.view()).toMatchObject({ differences: 0, alarms: [] });
    expect(watch.view().compared).toBeGreaterThan(3);
  });

  test('does not compare a file with what was published since', async () => {
    await publish(store, 'bbr', { syncedAtMs: NOW_MS });
    expect(await round()).toBeNull();
    await loader.refresh();
    expect(await round()).not.toBeNull();
  });

  test('takes the file out of service where the store says something else', async () => {
    await store.pool.query(`update bbr_building set number = number + 1`);
    await store.pool.query(`update cadastre_parcel set number = number || 'x'`);
    const watch = audit();
    for (let i = 0; i < 3; i += 1) await watch.round();
    expect(loader.current).toBeNull();
    expect(watch.view()).toMatchObject({ alarms: [{ layer: 'bbr', kind: 'answer' }] });
    expect(alarms.join()).toMatch(/ALARM: the snapshot of bbr .* answers otherwise than the store/);
    expect(loader.view().suspended).toEqual(['bbr']);
    const stored = await answers(loader);
    expect(stored.rungs).not.toContain('snapshot');
    // The next version is made of the store alone.
    await publish(store, 'matrikel', { syncedAtMs: NOW_MS });
    await loader.refresh();
    expect((await answers(loader)).text).toBe(stored.text);
    const { records } = loader.current!;
    expect(records.meta.written).toBe(records.count);
  });
});

test('a damaged file leaves service at once and the store answers', async () => {
  const before = await answers(null);
  const name = (await readdir(directory)).find((each) => each.endsWith('.rec')) ?? '';
  const bytes = await readFile(join(directory, name));
  await writeFile(join(directory, name), bytes.fill(7));
  expect((await answers(loader)).text).toBe(before.text);
  expect(loader.current).toBeNull();
});

test('the first publication behind that instant makes the file anew, and it answers', async () => {
  nowMs = LATER_MS;
  await store.pool.query('update layer_state set synced_at = $1', [new Date(LATER_MS)]);
  await publish(store, 'bbr', { syncedAtMs: LATER_MS });
  await loader.refresh();
  const file = await answers(loader);
  expect(file.text).toContain('"antal_bygninger":2');
  expect(file.rungs).toContain('snapshot');
  const { records } = loader.current!;
  expect(records.meta.written).toBe(records.count);
  nowMs = NOW_MS;
});
