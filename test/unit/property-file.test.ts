/** Batches from the file of records: some at a time, and a file that is replaced meanwhile is not damaged. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { PropertyRows } from '../../src/registers/property/property.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import type { PropertiesInService } from '../../src/registers/property/load.ts';
import { packRows } from '../../src/registers/property/packed.ts';
import { PropertyRecords, writeRecords } from '../../src/snapshot/property-records.ts';
import { testFolder } from '../support/opened.ts';

const NOW_MS = Date.UTC(2026, 0, 10);
const JOINED = { cadastre: null, locations: null, assessments: null, protection: null };
const META = {
  ...{ version: 1, publishedAtMs: NOW_MS, atMs: NOW_MS, untilMs: null, registers: [] },
  ...{ ...JOINED, earlier: null },
};
const { perBatch, recordsAtATime } = LIMITS.property;
const BFES = Array.from({ length: perBatch }, (_, n) => 9_100_001 + n);

let held: PropertiesInService;
/** As the loader has it. */
let current: PropertiesInService | null;
const storeRead = vi.fn(() => Promise.reject(new Error('the store was asked')));
const onDamagedFile = vi.fn();

beforeEach(async () => {
  vi.resetAllMocks();
  storeRead.mockRejectedValue(new Error('the store was asked'));
  const path = join(testFolder('property-file'), 'records');
  const texts = BFES.map((bfe) => ({ bfe, text: packRows(rowsOf(bfe)) }));
  const buffer = await writeRecords(path, META, texts);
  const records = new PropertyRecords(buffer, path, { verified: true });
  const copy = {
    ...{ layer: 'bbr' as const, version: 1, syncedAtMs: NOW_MS, held: false },
    ...{ publishedAtMs: NOW_MS, outdatedAtMs: null },
  };
  held = { records, buffer, generation: 1, copy, ...JOINED, isPublished: () => true };
  current = held;
});

afterEach(() => held.records.retire());

function rowsOf(bfe: number): PropertyRows {
  return {
    ...{ bfe, kind: 'ground', municipalityCode: null, grounds: [], groundParcels: [] },
    ...{ buildings: [], floors: [], units: [], facilities: [], parcels: null, ownParcels: [] },
  };
}

function find() {
  return createProperties({
    ...{ catalogue: REGISTERS_CATALOGUE, clock: { nowMs: () => NOW_MS } },
    ...{ read: storeRead, file: () => current, onDamagedFile },
    addresses: () => null,
    municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
    nameSources: (names) => names.join(', '),
  }).find(BFES, null);
}

test('a batch reads some records at a time, and answers all of them', async () => {
  const read = vi.spyOn(held.records, 'read');
  const { value } = await find();
  expect(value.map((each) => (each instanceof Failure ? each.code : each.rows.bfe))).toEqual(BFES);
  expect(read.mock.calls.flatMap(([bfes]) => bfes)).toEqual(BFES);
  expect(Math.max(...read.mock.calls.map(([bfes]) => bfes.length))).toBe(recordsAtATime);
  expect(storeRead).not.toHaveBeenCalled();
});

test('of a file that is replaced while a batch is read the store answers, and nothing is damaged', async () => {
  const answer = find();
  current = null;
  held.records.retire();
  await expect(answer).rejects.toBeInstanceOf(Failure);
  expect(storeRead).toHaveBeenCalledOnce();
  expect(onDamagedFile).not.toHaveBeenCalled();
});
