/** The journal of a process: what is on record when `append` returns, and only that. */
import { appendFileSync, readFileSync } from 'node:fs';
import { statSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { Journal, parseJournalName } from '../../src/metering/journal.ts';
import type { Entry, JournalOptions } from '../../src/metering/journal.ts';
import { readChunk, soundLines } from '../../src/metering/journal-lines.ts';
import { amountOf } from '../support/run-settings.ts';
import { testFolder } from '../support/opened.ts';

const INSTANCE = '0123456789abcdef';
let directory: string;

beforeEach(() => {
  directory = testFolder('journal');
});

const log = { error: (message: string) => console.error(message) };
const open = (more: Partial<JournalOptions> = {}): Journal =>
  new Journal({ directory, instance: INSTANCE, log, ...more });
const path = (n = 1): string => join(directory, `${INSTANCE}-${n}.journal`);

function entry(requestId: string, more: Partial<Entry> = {}): Entry {
  return {
    ...{ atMs: 1_700_000_000_000, date: '2023-11-14', keyId: 'key_a', accountId: 'account_a' },
    ...{ operation: 'lines', environment: 'live', units: 1, generation: 7, requestId },
    ...more,
  };
}

async function readBack(file = path(), maxBytes = 1 << 20): Promise<string[]> {
  const ids: string[] = [];
  const { size } = statSync(file);
  for (let from = 0; from < size;) {
    const { text, lines, end } = await readChunk(file, { from, size, maxBytes });
    const found = text.split('\n').filter((line) => line !== '');
    expect(found).toHaveLength(lines);
    ids.push(...found.map((line) => line.split('\t')[9] ?? ''));
    if (end === from) break;
    from = end;
  }
  return ids;
}

describe('a journal', () => {
  test('has a line in its file when append returns', async () => {
    const journal = open();
    journal.append(entry('a'));
    expect(await readBack()).toEqual(['a']);
    journal.append(entry('b', { generation: null }));
    const [, second = ''] = readFileSync(path(), 'latin1').split('\n');
    expect(second.split('\t').slice(0, 10)).toEqual([
      ...['2', '1700000000000', '2023-11-14', 'key_a', 'account_a', 'lines', 'live', '1', '-'],
      'b',
    ]);
    journal.close();
    expect(() => journal.append(entry('c'))).toThrow();
    expect(await readBack()).toEqual(['a', 'b']);
  });

  test('lets nothing in an id end a field or a line', async () => {
    const journal = open();
    journal.append(entry('a\tb\nc'));
    journal.append(entry('æ😀'));
    journal.append(entry(''));
    expect(await readBack()).toEqual(['a_b_c', '___', '_']);
    expect(() => journal.append(entry('x'.repeat(5000)))).toThrow(/too long/);
    journal.append(entry('d'));
    expect(await readBack()).toEqual(['a_b_c', '___', '_', 'd']);
    journal.close();
  });

  test('gives nobody else a look at it', () => {
    open().close();
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  test('takes several lines by one write, each as if it were alone', async () => {
    let writes = 0;
    const write = (fd: number, bytes: Buffer, start: number, length: number) => {
      writes++;
      return writeSync(fd, bytes, start, length);
    };
    const entries = Array.from({ length: 70 }, (_, i) =>
      entry(`r${i}`, i % 3 === 0 ? {} : { keyId: `key_${i % 5}`, generation: i % 2 ? null : i }),
    );
    const together = open({ write });
    together.append(...entries);
    const alone = open({ instance: 'alone' });
    for (const each of entries) alone.append(each);
    expect(writes).toBe(1);
    expect(await readBack()).toEqual(entries.map(({ requestId }) => requestId));
    const [other] = alone.segments;
    expect(readFileSync(path(), 'latin1')).toBe(readFileSync(other!.path, 'latin1'));
    together.close();
    alone.close();
  });

  test('begins a new file once one is large', async () => {
    const journal = open({ segmentBytes: 200 });
    for (let i = 0; i < 10; i++) {
      journal.append(entry(`r${i}`));
      journal.roll();
    }
    const ids: string[] = [];
    for (const { path: file } of journal.segments) ids.push(...(await readBack(file)));
    expect(ids).toEqual(Array.from({ length: 10 }, (_, i) => `r${i}`));
    expect(journal.segments.length).toBeGreaterThan(2);
    for (const { name, sealed } of journal.segments.slice()) if (sealed) journal.drop(name);
    expect(journal.segments.every(({ sealed }) => !sealed)).toBe(true);
    journal.close();
  });
});

describe('a disk that fails', () => {
  test('leaves no half line before the next one', async () => {
    let fail = false;
    const journal = open({
      write: (fd, line, at, size) => writeSync(fd, line, at, fail ? Math.floor(size / 2) : size),
    });
    journal.append(entry('a'));
    fail = true;
    expect(() => journal.append(entry('b'))).toThrow(/bytes were written/);
    fail = false;
    journal.append(entry('c'));
    expect(await readBack()).toEqual(['a', 'c']);
    journal.close();
  });

  test('that cannot even be cut back is left for a new file', async () => {
    const file = path(1);
    // Every write to it says that the disk is full, and it cannot be cut.
    symlinkSync('/dev/full', file);
    const journal = open();
    expect(() => journal.append(entry('a'))).toThrow(/ENOSPC/);
    journal.append(entry('b'));
    expect(await readBack(path(2))).toEqual(['b']);
    expect(journal.segments.map(({ sealed }) => sealed)).toEqual([true, false]);
    journal.close();
  });

  test('that is gone refuses every line', () => {
    const journal = open({
      write: () => {
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      },
    });
    for (let i = 0; i < 3; i++) expect(() => journal.append(entry('a'))).toThrow(/EIO/);
    expect(readFileSync(path()).length).toBe(0);
    journal.close();
  });
});

describe('reading a journal back', () => {
  test('ignores a torn last line, wherever it is torn', async () => {
    const journal = open();
    for (const id of ['a', 'b', 'c']) journal.append(entry(id));
    journal.close();
    const whole = readFileSync(path());
    const lastStart = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
    for (let size = lastStart; size < whole.length; size++) {
      truncateSync(path(), size);
      expect(await readBack()).toEqual(['a', 'b']);
    }
    writeFileSync(path(), Buffer.concat([whole, Buffer.alloc(4096)]));
    expect(await readBack()).toEqual(['a', 'b', 'c']);
    writeFileSync(path(), whole);
    appendFileSync(path(), 'rubbish\nmore rubbish\n');
    expect(await readBack()).toEqual(['a', 'b', 'c']);
  });

  test('skips a line in the middle that was damaged, and counts it', () => {
    const journal = open();
    for (const id of ['a', 'b', 'c']) journal.append(entry(id));
    journal.close();
    const bytes = readFileSync(path());
    bytes[bytes.indexOf('\tb\t') + 1] = 'x'.charCodeAt(0);
    const chunk = soundLines(bytes, 0, false);
    expect(chunk).toMatchObject({ lines: 2, unreadable: 1, end: bytes.length });
    expect(chunk.text).toMatch(/\ta\t.*\n.*\tc\t/);
    expect(chunk.text).not.toMatch(/\tx\t/);
  });

  test('finds the same lines however the file is cut into chunks', async () => {
    const journal = open();
    const ids = Array.from({ length: 60 }, (_, i) => 'r'.repeat(1 + (i % 40)) + String(i));
    for (const id of ids) journal.append(entry(id));
    journal.close();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 200, max: 3000 }), async (maxBytes) => {
        expect(await readBack(path(), maxBytes)).toEqual(ids);
      }),
      { numRuns: amountOf({ gate: 15, night: 50 }) },
    );
  });

  test('takes only its own files for journals', () => {
    const own = { name: '0123ab-12', instance: '0123ab' };
    expect(parseJournalName('0123ab-12.journal')).toEqual(own);
    const others = ['place', '0123ab.socket', '../x-1.journal', 'x-1.journal.bak', '-1.journal'];
    for (const name of others) expect(parseJournalName(name), name).toBeNull();
  });
});
