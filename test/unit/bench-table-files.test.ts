/** The files that benchmarks serve as the registers' own: read back by the program's reader, at any size. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { writeTable } from '../../bench/harness/table-files.ts';
import type { TableText } from '../../bench/harness/table-files.ts';
import { openMember } from '../../src/downloads/unzip.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { isHeavy } from '../support/run-settings.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function newDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-tables-'));
  dirs.push(dir);
  return dir;
}

const table = (rows: Iterable<string>): TableText => ({
  ...{ register: 'VUR', entity: 'Ejendomsvurdering', download: 'TotalDownload', format: 'csv' },
  ...{ generation: 690, contents: 'Bitemporal', head: 'id,text', rows, foot: null },
});

async function* unzipped(dir: string, name: string): AsyncGenerator<Uint8Array> {
  const stem = name.replace(/\.zip$/, '');
  const maxBytes = LIMITS.tableUnpackedBytes;
  const member = await openMember(join(dir, name), { extension: '.csv', stem, maxBytes });
  try {
    yield* member.bytes();
  } finally {
    member.close();
  }
}

test('a table is one member, proved by its size and sum, and lies open beside it', async () => {
  const dir = newDir();
  const plain = join(dir, 'plain.csv');
  const rows = Array.from({ length: 20_000 }, (_, n) => `${n},row ${n} æøå`);
  const file = await writeTable(dir, table(rows), plain);
  const chunks: Uint8Array[] = [];
  for await (const chunk of unzipped(dir, file.name)) chunks.push(chunk);
  const text = Buffer.concat(chunks);
  expect(text.toString()).toBe(`${['id,text', ...rows].join('\n')}\n`);
  expect(readFileSync(plain).equals(text)).toBe(true);
  expect(file).toMatchObject({ rows: rows.length, plainBytes: text.length });
  expect(readFileSync(join(dir, file.name))).toHaveLength(file.zipBytes);
  // A benchmark that is run again serves the same file.
  expect(await writeTable(newDir(), table(rows))).toEqual(file);
});

/** As the assessments of the whole country are. */
test.skipIf(!isHeavy)('a member above 4 GiB is read whole', async () => {
  const dir = newDir();
  const line = '0'.repeat(1024 * 1024 - 1);
  const count = 4 * 1024 + 8;
  const rows = (function* () {
    for (let n = 0; n < count; n += 1) yield line;
  })();
  const file = await writeTable(dir, table(rows));
  expect(file.plainBytes).toBe(count * 1024 * 1024 + 'id,text\n'.length);
  let bytes = 0;
  for await (const chunk of unzipped(dir, file.name)) bytes += chunk.length;
  expect(bytes).toBe(file.plainBytes);
});
