/** File downloads: the listing, the proof, the formats, against the sample's own service. */
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createDownloads } from '../../src/downloads/client.ts';
import { cutRows } from '../../src/downloads/json-rows.ts';
import { chooseFile, readListingPage } from '../../src/downloads/listing.ts';
import type { ListedFile } from '../../src/downloads/listing.ts';
import { openMember } from '../../src/downloads/unzip.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import type { FileSource } from '../../src/layers/source.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { zipOf } from '../../sample/files/zip.ts';
import { anyText } from '../support/any-text.ts';
import { amountOf } from '../support/run-settings.ts';
import { opened, ownFolder } from '../support/opened.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const KEY = 'hemmelig-noegle-123';

const upstream = await opened(startSampleUpstream());
const dir = ownFolder('downloads');
const clock = { nowMs: () => NOW_MS };
const downloads = createDownloads({ dir, clock, wait: () => Promise.resolve() });
const { files } = sampleCatalogue(upstream.url, { files: true }).areas.region;
if (files === null) throw new Error('The region is to come as a file.');
const source: FileSource = { ...files, tries: 3 };
afterAll(() => downloads.close());
afterEach(() => {
  upstream.shelf.spoil();
  upstream.faults.clear();
  upstream.forgetRequests();
});

const list = () => downloads.list(source, { apiKey: KEY });
const choose = async () => {
  const file = chooseFile(await list(), source, NOW_MS);
  if (file === null) throw new Error('Nothing to choose.');
  return file;
};

async function failureOf(work: Promise<unknown>): Promise<UpstreamFailure> {
  const error: unknown = await work.then(
    () => 'no failure',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamFailure);
  return error as UpstreamFailure;
}

describe('the listing', () => {
  test('is walked to its end, whatever page size the server has', async () => {
    expect(await list()).toHaveLength(8);
    const asked = upstream.requests().map(({ operation }) => operation);
    expect(asked).toEqual(['listing', 'listing', 'listing']);
  });

  test('that holds fewer files than it announces is incomplete, not short', async () => {
    upstream.shelf.spoil({ totalCount: (count) => count + 1 });
    const failure = await failureOf(list());
    expect(failure.kind).toBe('incomplete');
    expect(failure.message).toMatch(/8 files \(8 distinct\) received of 9 announced/);
  });

  test('is asked again after a reset, a 429 and one 401', async () => {
    upstream.faults.set([
      { fault: 'unauthorized', operation: 'listing', times: 1 },
      { fault: 'rate-limited', operation: 'listing', skip: 0, times: 1 },
    ]);
    expect(await list()).toHaveLength(8);
  });

  test.each([
    ['no JSON', '<html>'],
    ['no list', '{"availableFileDownloads": 3}'],
    ['no name', '[{"version": "1"}]'],
    ['no object', '[7]'],
  ])('with %s is refused', (_what, text) => {
    expect(() => readListingPage(text)).toThrow(UpstreamFailure);
  });
});

describe('the choice', () => {
  const file = (name: string, change: Partial<ListedFile> = {}): ListedFile => ({
    ...{ name, entity: null, generatedAt: null, expiresAtMs: null },
    ...{ bytes: 5_000_000, md5: null, isPart: false, ...change },
  });
  const wanted = {
    ...({ register: 'DAGI', entity: 'Kommuneinddeling', format: 'gpkg' } as const),
    ...{ versions: ['1', '2', '3'], minBytes: 10_000 },
  };
  const named = (version: number, generation: number, part = '') =>
    `DAGI_V${version}_Kommuneinddeling_${part}TotalDownload_gpkg_Current_${generation}.zip`;
  const stub = { bytes: 408 };

  test.each<readonly [string, readonly ListedFile[], string | undefined]>([
    [
      'the newest generation, by number and not by text',
      [file(named(1, 99)), file(named(1, 673)), file(named(1, 672))],
      named(1, 673),
    ],
    ['of the preferred version', [file(named(2, 900)), file(named(1, 673))], named(1, 673)],
    ['of the next for a stub', [file(named(1, 673), stub), file(named(2, 118))], named(2, 118)],
    ['of the next for nothing', [file(named(3, 4))], named(3, 4)],
    ['a stub of stubs', [file(named(1, 673), stub), file(named(2, 1), stub)], named(1, 673)],
    ['never expired', [file(named(1, 673), { expiresAtMs: NOW_MS - 1 })], undefined],
    ['never a part', [file(named(1, 673), { isPart: true })], undefined],
    ['never one municipality', [file(named(1, 673, '0766_'))], undefined],
    ['never of another version', [file(named(4, 673))], undefined],
  ])('is %s', (_, files, chosen) => {
    expect(chooseFile(files, wanted, NOW_MS)?.name).toBe(chosen);
  });

  test('reads sizes and sums in every spelling', () => {
    const md5Hash = 'ABCDEF0123456789ABCDEF0123456789';
    const a = { fileName: 'a.zip', fileSizeInBytes: '408', md5Hash };
    const b = { fileName: 'b.zip', fileSizeInBytes: null, md5Hash: '1B2M2Y8AsgTpgAmY7PhCfg==' };
    const [read] = readListingPage(JSON.stringify({ availableFileDownloads: [a, b] })).files;
    expect(read).toMatchObject({ bytes: 408, md5: md5Hash.toLowerCase() });
  });
});

describe('a fetched file', () => {
  test('is fetched anew after resets, and whole', async () => {
    const file = await choose();
    upstream.faults.set([{ fault: 'reset', operation: 'file', times: 2 }]);
    await using fetched = await downloads.fetch(source, file, { apiKey: KEY });
    expect(fetched.bytes).toBe(file.bytes);
  });

  test.each([
    ['reset', 'truncated'],
    ['truncated-body', 'truncated'],
    ['garbled-body', 'truncated'],
    ['empty-body', 'truncated'],
    ['html-200', 'truncated'],
    ['http-404', 'status'],
    ['http-500', 'status'],
    ['unauthorized', 'key_refused'],
    ['moved-to-html', 'redirect'],
    ['down', 'connection'],
  ] as const)('that comes by %s fails as %s and leaves nothing behind', async (fault, kind) => {
    const file = await choose();
    upstream.faults.set([{ fault, operation: 'file' }]);
    const failure = await failureOf(downloads.fetch(source, file, { apiKey: KEY }));
    expect(failure.kind === 'too_large' ? 'truncated' : failure.kind).toBe(kind);
    expect(`${failure.message} ${failure.stack}`).not.toContain(KEY);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is given up when asked to', async () => {
    const file = await choose();
    upstream.faults.set([{ fault: 'stall', operation: 'file' }]);
    const stop = new AbortController();
    const asked = downloads.fetch(source, file, { apiKey: KEY, signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect((await failureOf(asked)).kind).toBe('aborted');
    expect(readdirSync(dir)).toEqual([]);
  });

  test('of a process that died is swept up', async () => {
    const old = join(dir, 'dead.zip');
    writeFileSync(old, 'x');
    utimesSync(old, NOW_MS / 1000 - 5 * 3600, NOW_MS / 1000 - 5 * 3600);
    const fetched = await downloads.fetch(source, await choose(), { apiKey: KEY });
    await fetched[Symbol.asyncDispose]();
    expect(readdirSync(dir)).toEqual([]);
  });
});

// Cut, damaged, another file inside or a page: test/faults/matrix-files.ts.
describe('a zip file', () => {
  const wanted = { extension: '.json', stem: 'table', maxBytes: 1_000_000 };
  const bytes = Buffer.from(JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id }))));
  const put = (zip: Buffer): string => {
    const path = join(dir, 'test.zip');
    writeFileSync(path, zip);
    return path;
  };
  afterEach(() => rmSync(join(dir, 'test.zip'), { force: true }));

  async function unpack(zip: Buffer): Promise<Buffer> {
    using member = await openMember(put(zip), wanted);
    const chunks: Uint8Array[] = [];
    for await (const chunk of member.bytes()) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  test('gives its only member of the kind, or the one named like it', async () => {
    expect(await unpack(zipOf([{ name: 'x/other.json', bytes }]))).toEqual(bytes);
    const readme = { name: 'readme.txt', bytes: Buffer.from('x') };
    const meta = { name: 'meta.json', bytes: Buffer.from('{}') };
    expect(await unpack(zipOf([readme, meta, { name: 'Table.json', bytes }]))).toEqual(bytes);
  });

  const zip = zipOf([{ name: 'table.json', bytes }]);
  const changed = (change: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(zip);
    change(copy);
    return copy;
  };
  const DIRECTORY = zip.length - 22 - 46 - 'table.json'.length;

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['several members', zipOf(['a.json', 'b.json'].map((name) => ({ name, bytes })))],
    ['a name that climbs out', zipOf([{ name: '../table.json', bytes }])],
    ['a wrong sum', changed((copy) => copy.writeUInt32LE(1, DIRECTORY + 16))],
    ['a wrong size', changed((copy) => copy.writeUInt32LE(bytes.length + 5, DIRECTORY + 24))],
    ['a size too small', changed((copy) => copy.writeUInt32LE(bytes.length - 5, DIRECTORY + 24))],
    ['another method', changed((copy) => copy.writeUInt16LE(9, DIRECTORY + 10))],
    ['encryption', changed((copy) => copy.writeUInt16LE(0x0801, DIRECTORY + 8))],
  ])('with %s is refused', async (_what, spoiled) => {
    expect((await failureOf(unpack(spoiled))).kind).toBe('unreadable');
  });

  test('that unpacks to more than may be is refused before a byte of it is unpacked', async () => {
    const bomb = zipOf([{ name: 'table.json', bytes: Buffer.alloc(2_000_000) }]);
    expect(bomb.length).toBeLessThan(10_000);
    expect((await failureOf(unpack(bomb))).kind).toBe('too_large');
  });

  test('of too many entries is refused', async () => {
    const many = Array.from({ length: 101 }, (_, i) => ({ name: `${i}.json`, bytes }));
    expect((await failureOf(unpack(zipOf(many)))).kind).toBe('too_large');
  });
});

describe('rows cut from a JSON array', () => {
  const small = { batchBytes: 200, rowBytes: 10_000 };

  async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) {
      await Promise.resolve();
      yield bytes.subarray(at, at + size);
    }
  }

  async function cut(text: string, size = 7, limits = small) {
    const batches: { rows: unknown[]; members: number }[] = [];
    for await (const { bytes, members } of cutRows(inChunks(text, size), limits)) {
      batches.push({ rows: JSON.parse(Buffer.from(bytes).toString()) as unknown[], members });
    }
    return batches;
  }

  test('are the rows, counted, wherever the bytes are cut', async () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        anyText,
        fc.constantFrom('\\', '"', '\\"', '}', ']', '[{', 'æøå€😀', ','),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    const rows = fc.array(fc.dictionary(fc.string(), value, { maxKeys: 4 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 60 }), async (given, size) => {
        const plain = JSON.parse(JSON.stringify(given)) as unknown[];
        for (const text of [JSON.stringify(plain), JSON.stringify(plain, null, 2)]) {
          const batches = await cut(text, size);
          expect(batches.flatMap((batch) => batch.rows)).toEqual(plain);
          expect(batches.reduce((sum, { members }) => sum + members, 0)).toBe(plain.length);
        }
      }),
      { numRuns: amountOf({ gate: 8, night: 150 }) },
    );
  });

  test('may follow a byte order mark, and none is none', async () => {
    expect(await cut('\ufeff [ {"a":1} ] ')).toEqual([{ rows: [{ a: 1 }], members: 1 }]);
    expect(await cut(' [ ] ')).toEqual([]);
  });

  test.each([
    ['', 'unreadable'],
    ['{"a":1}', 'unreadable'],
    ['[1]', 'unreadable'],
    ['[{"a":1} {"a":2}]', 'unreadable'],
    ['[{"a":1},]', 'unreadable'],
    ['[{"a":1}] x', 'unreadable'],
    ['[{"a":1}', 'truncated'],
    ['[{"a":"}]', 'truncated'],
    ['[{"a":1},', 'truncated'],
    ['[', 'truncated'],
  ])('from %j are refused as %s', async (text, kind) => {
    expect((await failureOf(cut(text))).kind).toBe(kind);
  });

  test('of any prefix of a file are refused: nothing cut off passes for whole', async () => {
    const text = JSON.stringify([{ a: 'x"y\\' }, { b: [1, { c: null }] }]);
    for (let length = 0; length < text.length; length += 1) {
      await failureOf(cut(text.slice(0, length), 3));
    }
  });

  test('have a largest size', async () => {
    expect((await failureOf(cut(`[{"a":"${'x'.repeat(20_000)}"}]`, 999))).kind).toBe('too_large');
  });
});
