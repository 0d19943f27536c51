/** The file of records: what is written is read, what is unknown is unknown, and nothing damaged is believed. */
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { PropertyRecords, writeRecords } from '../../src/snapshot/property-records.ts';
import { testFolder } from '../support/opened.ts';

const META = {
  ...{ version: 3, publishedAtMs: 4, atMs: 5, untilMs: null, registers: [] },
  ...{ cadastre: null, locations: null, assessments: null, protection: null },
};
const WHOLE = { ...META, earlier: null };
const RECORDS = [
  { bfe: 2, text: '{"bfe":2,"navn":"Sø"}' },
  { bfe: 7, text: null },
  { bfe: 2_147_483_647, text: '{"bfe":2147483647,"navn":"Å"}' },
];

let path: string;
const opened = async (all: Parameters<typeof writeRecords>[2]) =>
  new PropertyRecords(await writeRecords(path, WHOLE, all), path, { verified: false });
beforeEach(() => {
  path = join(testFolder('property-records'), 'records');
});

test('a file without records knows nobody', async () => {
  const records = await opened([]);
  expect(await records.read([1])).toEqual(new Map());
  records.retire();
});

test('records that did not change are taken over, those that did are not, and who is gone is gone', async () => {
  const many = Array.from({ length: 3_000 }, (_, i) => ({
    bfe: 2 * (i + 1),
    text: `{"bfe":${2 * (i + 1)},"navn":"${'x'.repeat((i * 37) % 2_000)}"}`,
  }));
  const earlier = await opened(many);
  const next = `${path}-next`;
  const changes = [
    { bfe: 1, text: '{"new":1}' },
    { bfe: 2, text: undefined },
    { bfe: 3, text: undefined },
    { bfe: 2_000, text: '{"other":2000}' },
    { bfe: 4_000, text: null },
    { bfe: 6_000, text: undefined },
    { bfe: 7_000, text: '{"new":7000}' },
  ];
  const index = await writeRecords(next, { ...META, earlier }, changes);
  earlier.retire();
  const records = new PropertyRecords(index, next, { verified: false });
  expect(records.meta.written).toBe(4);
  const expected = new Map<number, string | null>(many.map(({ bfe, text }) => [bfe, text]));
  for (const { bfe, text } of changes) {
    if (text === undefined) expected.delete(bfe);
    else expected.set(bfe, text);
  }
  const asked = Array.from({ length: 7_001 }, (_, bfe) => bfe);
  expect(await records.read(asked)).toEqual(
    new Map([...expected].sort(([one], [other]) => one - other)),
  );
  expect(records.count).toBe(expected.size);
  records.retire();
});

test('a file that was cut, or is longer, is refused when it is opened', async () => {
  const index = await writeRecords(path, WHOLE, RECORDS);
  const whole = await readFile(path);
  await truncate(path, whole.length - 1);
  expect(() => new PropertyRecords(index, path, { verified: true })).toThrow('bytes long');
  await writeFile(path, Buffer.concat([whole, whole]));
  expect(() => new PropertyRecords(index, path, { verified: true })).toThrow('bytes long');
});

test('a record with another byte is refused, the others are read', async () => {
  const index = await writeRecords(path, WHOLE, RECORDS);
  const bytes = await readFile(path);
  bytes[0]! ^= 1;
  await writeFile(path, bytes);
  const records = new PropertyRecords(index, path, { verified: false });
  await expect(records.read([2])).rejects.toThrow('the record of 2 is damaged');
  expect(await records.read([2_147_483_647])).toHaveProperty('size', 1);
  records.retire();
});

test('an index that was damaged is refused', async () => {
  const index = await writeRecords(path, WHOLE, RECORDS);
  new Uint8Array(index)[index.byteLength - 1]! ^= 1;
  expect(() => new PropertyRecords(index, path, { verified: false })).toThrow('checksum');
});
