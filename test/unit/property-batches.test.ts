/** Batches that threads answer are those of the request thread byte for byte, and never wait for them in vain. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { propertyBatchBody } from '../../src/registers/property/record/batch.ts';
import { sourceText } from '../../src/answers/sources.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { OtherRegister, PropertyRows } from '../../src/registers/property/property.ts';
import type { HeldMunicipalities } from '../../src/registers/areas/municipalities.ts';
import { createPropertyBatches, propertyThreads } from '../../src/registers/property/batches.ts';
import type { PropertyBatchesDeps, PropertyThreads } from '../../src/registers/property/batches.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import type { PropertiesInService } from '../../src/registers/property/load.ts';
import { packRows } from '../../src/registers/property/packed.ts';
import { PropertyRecords, writeRecords } from '../../src/snapshot/property-records.ts';
import { buildAddressIndex } from '../../src/registers/addresses/index/build-index.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { WorkersOptions } from '../../workers/pool.ts';
import { finderOver, smallIndex } from '../addresses/small-index.ts';
import {
  buildingRow,
  facilityRow,
  floorRow,
  groundRow,
  parcelRow,
  propertyRows,
  unitRow,
} from '../support/property-rows.ts';
import { ownFolder } from '../support/opened.ts';
import { amountOf } from '../support/run-settings.ts';

const NOW_MS = Date.UTC(2026, 0, 10);
const LONG_AGO_MS = Date.UTC(2001, 0, 1);
const { perBatch, recordsAtATime, threadRecords } = LIMITS.property;
const FIRST = 9_100_001;
const UNKNOWN = 9_199_999;
/** Every kind of record several times over, and a number that is unknown. */
const COUNT = amountOf({ gate: perBatch / 2, night: perBatch });
const KNOWN = Array.from({ length: COUNT - 1 }, (_, n) => FIRST + n);
const BFES = [...KNOWN, UNKNOWN];

const ROWS = smallIndex([
  { road: 'Østre "Allé"', place: '9990 Prøveby', numbers: '7B', units: 'st. 1. 2.' },
]);
const finder = finderOver(ROWS);
const UNITS = Array.from(ROWS.units, ({ id }) => id);
const COPY = { version: 1, syncedAtMs: NOW_MS, held: false, outdatedAtMs: null };

const OTHERS: readonly (readonly OtherRegister[])[] = [
  ['cadastre'],
  ['locations'],
  ['cadastre', 'locations'],
];

/** Something of everything that a record is made of, in turn. */
function rowsOf(bfe: number): PropertyRows {
  const turn = bfe % 6;
  const [g1, b1, f1] = [`g${bfe}`, `b${bfe}`, `f${bfe}`];
  const onIt = { groundId: g1, parcelId: bfe };
  // Who the cadastre knows, EBR, or both of them.
  if (turn === 5) {
    const knownTo = OTHERS[Math.floor(bfe / 6) % OTHERS.length]!;
    const ownParcels = knownTo.includes('cadastre') ? [parcelRow({ id: bfe })] : [];
    const unknown = { municipalityCode: null, grounds: [], facilities: [] };
    return propertyRows({ bfe, kind: null, knownTo, ...unknown, ownParcels });
  }
  return propertyRows({
    bfe,
    municipalityCode: turn === 0 ? null : '0101',
    grounds: [groundRow({ id: g1, municipalityCode: turn === 0 ? null : '0101' })],
    buildings: [
      // No list holds the code.
      buildingRow({ id: b1, ...onIt, use: turn === 1 ? '987' : '120' }),
      buildingRow({ id: `${b1}x`, ...onIt, number: 2, use: '910' }),
    ],
    floors: [floorRow({ id: f1, buildingId: b1, designation: 'kl', area: 40 })],
    units: [0, 1, 2].map((n) =>
      unitRow({
        id: `u${bfe}-${n}`,
        buildingId: b1,
        floorId: f1,
        // In the index, and not.
        addressId: n === 2 ? 'none' : UNITS[(bfe + n) % UNITS.length]!,
      }),
    ),
    facilities: turn === 2 ? undefined : [facilityRow({ id: `t${bfe}`, size: 2_500 })],
    groundParcels: [{ groundId: g1, parcelId: bfe }],
    parcels: new Map([[bfe, parcelRow({ id: bfe, number: '7æ "ø"' })]]),
    assessments: turn === 3 ? null : undefined,
    protections: [{ buildingId: b1, status: 1, value: turn, isOfListed: true }],
  });
}

const open: PropertyRecords[] = [];

const directory = ownFolder('property-batches');
afterEach(() => {
  for (const records of open.splice(0)) records.retire();
});

const FILE = {
  version: 1,
  textOf: (bfe: number): string | null => packRows(rowsOf(bfe)),
  ...{ cadastreAtMs: NOW_MS, locationsAtMs: NOW_MS },
};

async function fileOf(parts: Partial<typeof FILE> = {}): Promise<PropertiesInService> {
  const { version, textOf, cadastreAtMs, locationsAtMs } = { ...FILE, ...parts };
  const path = join(directory, `records-${version}`);
  const joined = (layer: 'matrikel' | 'adresser' | 'vurdering' | 'fbb', syncedAtMs = NOW_MS) =>
    ({ ...COPY, layer, syncedAtMs, publishedAtMs: NOW_MS }) as const;
  const meta = {
    ...{ version, publishedAtMs: NOW_MS, atMs: NOW_MS, untilMs: null, registers: [] },
    cadastre: joined('matrikel', cadastreAtMs),
    locations: joined('adresser', locationsAtMs),
    assessments: joined('vurdering'),
    protection: joined('fbb'),
  };
  const texts = KNOWN.map((bfe) => ({ bfe, text: textOf(bfe) }));
  const buffer = await writeRecords(path, { ...meta, earlier: null }, texts);
  const records = new PropertyRecords(buffer, path, { verified: true });
  open.push(records);
  const { cadastre, locations, assessments, protection } = meta;
  return {
    ...{ records, buffer, generation: version, cadastre, locations, assessments, protection },
    copy: { ...COPY, layer: 'bbr', version, publishedAtMs: NOW_MS },
    isPublished: () => true,
  };
}

const ADDRESSES = { finder, generation: 1, copy: COPY, buffer: buildAddressIndex(1, ROWS) };

const NAMES = new Map([
  ['0101', { kommune: { kode: '0101', navn: 'Prøveholm' }, region: { kode: '1084', navn: 'Øst' } }],
]);

function municipalities(generation = 1, syncedAtMs = NOW_MS): HeldMunicipalities {
  const all = { generation, copy: { ...COPY, syncedAtMs }, by: 'snapshot', byCode: NAMES } as const;
  return { generation, read: () => Promise.resolve(all), all: () => all };
}

type Parts = Partial<
  Pick<PropertyBatchesDeps, 'addresses' | 'municipalities' | 'threadWaitMs' | 'onThreadFailed'>
>;

function depsOf(file: () => PropertiesInService | null, parts: Parts) {
  const unlisted: string[] = [];
  const told: unknown[] = [];
  const deps = {
    catalogue: REGISTERS_CATALOGUE,
    clock: { nowMs: () => NOW_MS },
    file,
    addresses: () => ADDRESSES,
    municipalities: () => municipalities(),
    onUnlistedCode: (list: string) => void unlisted.push(list),
    watcher: { answered: (...asked: unknown[]) => void told.push(asked) },
    // Long enough for a thread to start on a busy machine.
    threadWaitMs: 60_000,
    ...parts,
  };
  return { deps, seen: { unlisted, told } };
}

const never = new AbortController();

const noStore = () => Promise.reject(new Error('the store was asked'));
const propertiesOf = (
  deps: ReturnType<typeof depsOf>['deps'],
  more: Partial<Parameters<typeof createProperties>[0]> = {},
) =>
  createProperties({
    ...{ ...deps, read: noStore, ...more },
    nameSources: (names) => sourceText(names, true),
  });

async function byRequestThread(held: PropertiesInService, parts: Parts = {}) {
  const { deps, seen } = depsOf(() => held, parts);
  const { value, generation, provenance } = await propertiesOf(deps).find(BFES, null);
  const text = (await propertyBatchBody(BFES, value)).toString();
  const found = value.filter((each) => !(each instanceof Failure)).length;
  return { text, generation, provenance, found, ...seen };
}

/** By threads; null where they leave it to the request thread. */
async function byThreads(
  held: PropertiesInService | null,
  threads: PropertyThreads,
  { bfes = BFES, ...parts }: Parts & { bfes?: number[] } = {},
) {
  const { deps, seen } = depsOf(() => held, parts);
  const batches = createPropertyBatches({ ...deps, isInvented: true, threads });
  const batch = await batches.render(bfes, never);
  if (batch === null) return null;
  const { body, ...facts } = batch;
  return { text: Buffer.from(body).toString(), ...facts, ...seen };
}

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

function workersOf(options: Partial<WorkersOptions> = {}) {
  const workers = createWorkers({ threads: 1, ...options });
  closing.push(() => workers.close());
  return propertyThreads(workers);
}

const shared = workersOf();

describe('threads answer to the byte what the request thread answers', () => {
  const OLD_MS = NOW_MS - 4 * 86_400_000;
  const tooOld = { ...ADDRESSES, copy: { ...COPY, syncedAtMs: LONG_AGO_MS } };
  test.each<[title: string, says: string, parts: { file?: Partial<typeof FILE> } & Parts]>([
    ['with all registers', '"vejnavn"', {}],
    ['without addresses', '"_error"', { addresses: () => null }],
    ['with addresses that are too old', '"_error"', { addresses: () => tooOld }],
    ['with a cadastre that is old', '"stale":true', { file: { cadastreAtMs: OLD_MS } }],
    ['with a cadastre that is away', '"status":503', { file: { cadastreAtMs: LONG_AGO_MS } }],
    ['with locations that are old', '"stale":true', { file: { locationsAtMs: OLD_MS } }],
    ['with locations that are away', '"status":503', { file: { locationsAtMs: LONG_AGO_MS } }],
    [
      'without both',
      'Matriklen, EBR',
      { file: { cadastreAtMs: LONG_AGO_MS, locationsAtMs: LONG_AGO_MS } },
    ],
    [
      'with names that may not be told',
      '(BBR, Matriklen, DAR, VUR, FBB)',
      { municipalities: () => municipalities(1, LONG_AGO_MS) },
    ],
    ['with names of a generation before', 'Prøveholm', { municipalities: () => municipalities(0) }],
  ])('%s', async (_title, says, { file, ...parts }) => {
    const held = await fileOf(file);
    const expected = await byRequestThread(held, parts);
    expect(await byThreads(held, shared, parts)).toEqual(expected);
    expect(JSON.parse(expected.text)).toMatchObject({ requested: BFES.length });
    const all = [says, 'Ukendt kode', '"fredet":true', '"status":'];
    expect(all.filter((part) => !expected.text.includes(part))).toEqual([]);
    expect(expected.unlisted.length).toBeGreaterThan(10);
  });

  test('a body longer than its buffer', async () => {
    const name = 'x'.repeat(LIMITS.property.bodyBytesPerRecord);
    const held = await fileOf({
      textOf: (bfe) =>
        packRows({
          ...rowsOf(bfe),
          parcels: new Map([[bfe, parcelRow({ id: bfe, number: name })]]),
        }),
    });
    expect(await byThreads(held, shared)).toEqual(await byRequestThread(held));
  });

  test('each from its own file, also when the file before is gone meanwhile', async () => {
    const [older, newer] = [
      await fileOf({ version: 1 }),
      await fileOf({ version: 2, textOf: (bfe) => packRows({ ...rowsOf(bfe), units: [] }) }),
    ];
    const expected = [await byRequestThread(older), await byRequestThread(newer)];
    expect(expected[0]?.text).not.toBe(expected[1]?.text);
    const asked = Array.from({ length: 12 }, (_, n) =>
      byThreads(n % 2 === 0 ? older : newer, shared),
    );
    for (const [n, answer] of (await Promise.all(asked)).entries()) {
      expect(answer).toEqual(expected[n % 2]);
    }
    // Removed while a thread has it open: a batch that began with it is answered from it.
    const late = byThreads(newer, shared);
    newer.records.retire();
    await rm(newer.records.path);
    expect(await late).toEqual(expected[1]);
  });
});

describe('the request thread answers', () => {
  const refusing = (error: Error) => ({ propertyBatch: vi.fn(() => Promise.reject(error)) });
  const onThreadFailed = vi.fn();
  beforeEach(() => void onThreadFailed.mockReset());

  test('few numbers', async () => {
    const threads = refusing(new Error('asked'));
    const bfes = BFES.slice(0, threadRecords - 1);
    expect(await byThreads(await fileOf(), threads, { bfes })).toBeNull();
    expect(threads.propertyBatch).not.toHaveBeenCalled();
  });

  test('what the file does not tell of now, and of names or addresses that threads cannot see', async () => {
    const threads = refusing(new Error('asked'));
    const held = await fileOf();
    const past = { ...held, isPublished: () => false };
    const { buffer: _, ...unshared } = ADDRESSES;
    const stored: HeldMunicipalities = { generation: null, read: () => Promise.resolve(null) };
    for (const [file, parts] of [
      [null, {}],
      [past, {}],
      [held, { municipalities: () => municipalities(2) }],
      [held, { municipalities: () => stored }],
      [held, { addresses: () => unshared }],
    ] as const) {
      expect(await byThreads(file, threads, parts)).toBeNull();
    }
    expect(threads.propertyBatch).not.toHaveBeenCalled();
  });

  test('a batch with a record that the file does not keep', async () => {
    const held = await fileOf({
      textOf: (bfe) => (bfe === FIRST + 7 ? null : packRows(rowsOf(bfe))),
    });
    expect(await byThreads(held, shared, { onThreadFailed })).toBeNull();
    expect(onThreadFailed).not.toHaveBeenCalled();
  });

  test('not when too many batches wait: those are refused, and threads go on with the others', async () => {
    const held = await fileOf();
    const workers = workersOf({ batchQueue: 1 });
    const expected = await byRequestThread(held);
    const { deps } = depsOf(() => held, { onThreadFailed });
    const batches = createPropertyBatches({ ...deps, isInvented: true, threads: workers });
    const asked = Array.from({ length: 8 }, () => batches.render(BFES, never));
    const [first, ...others] = await Promise.allSettled(asked);
    expect(first).toMatchObject({ status: 'fulfilled' });
    const refused = others.filter((each) => each.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const { reason } of refused) expect(reason).toMatchObject({ type: 'overloaded' });
    for (const each of [first, ...others])
      if (each?.status === 'fulfilled') expect(each.value?.body.toString()).toBe(expected.text);
    expect((await batches.render(BFES, never))?.body.toString()).toBe(expected.text);
    expect(onThreadFailed).not.toHaveBeenCalled();
  });

  test('when a file cannot be opened by a thread: told once, and for a while no thread is asked', async () => {
    const held = await fileOf({ version: 9 });
    await rm(held.records.path);
    const { deps } = depsOf(() => held, { onThreadFailed });
    const batches = createPropertyBatches({ ...deps, isInvented: true, threads: shared });
    for (let i = 0; i < 3; i += 1) expect(await batches.render(BFES, never)).toBeNull();
    expect(onThreadFailed).toHaveBeenCalledOnce();
    const other = await fileOf({ version: 10 });
    expect(await byThreads(other, shared)).toEqual(await byRequestThread(other));
  });
});

describe('of a file the request thread', () => {
  test('reads some records at a time, and answers all of them', async () => {
    const held = await fileOf({ textOf: (bfe) => packRows(propertyRows({ bfe })) });
    const read = vi.spyOn(held.records, 'read');
    const { value } = await propertiesOf(depsOf(() => held, {}).deps).find(KNOWN, null);
    expect(value.map((each) => (each instanceof Failure ? each.code : each.rows.bfe))).toEqual(
      KNOWN,
    );
    expect(read.mock.calls.flatMap(([bfes]) => bfes)).toEqual(KNOWN);
    expect(Math.max(...read.mock.calls.map(([bfes]) => bfes.length))).toBe(recordsAtATime);
  });

  test('asks the store where it is replaced meanwhile, and takes nothing for damaged', async () => {
    const held = await fileOf();
    let current: PropertiesInService | null = held;
    const [read, onDamagedFile] = [vi.fn(noStore), vi.fn()];
    const { deps } = depsOf(() => current, {});
    const answer = propertiesOf(deps, { read, onDamagedFile }).find(BFES, null);
    current = null;
    held.records.retire();
    await expect(answer).rejects.toBeInstanceOf(Failure);
    expect(read).toHaveBeenCalledOnce();
    expect(onDamagedFile).not.toHaveBeenCalled();
  });
});
