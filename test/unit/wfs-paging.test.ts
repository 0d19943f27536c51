import { describe, expect, test } from 'vitest';
import type { WfsSource } from '../../src/layers/source.ts';
import { inspect } from '../../src/wfs/inspect.ts';
import { featureDigest } from '../../src/wfs/join.ts';
import type { PageBytes } from '../../src/wfs/paging.ts';
import { readAllPages } from '../../src/wfs/paging.ts';
import type { Answer } from './wfs-server.ts';
import { exceptionReport, honest, openClient, page, startUpstream } from './wfs-server.ts';

async function readAll(answer: Answer, changes: Partial<WfsSource> = {}) {
  const upstream = await startUpstream(answer, changes);
  const { client } = openClient({ wait: () => Promise.resolve(), maxBytes: 3_000 });
  const run = readAllPages(upstream.source, { client });
  const pages: PageBytes[] = [];
  let failure: unknown = null;
  try {
    for await (const one of run) pages.push(one);
  } catch (error) {
    failure = error;
  }
  const ids = pages.flatMap(({ bytes }) => idsOf(bytes));
  return { pages, ids, failure, report: run.report(), queries: upstream.queries };
}

function idsOf(bytes: Uint8Array): string[] {
  const { features } = JSON.parse(Buffer.from(bytes).toString()) as { features: { id: string }[] };
  return features.map(({ id }) => id);
}

const range = (total: number): string[] => Array.from({ length: total }, (_, i) => `ting.${i}`);
const refusing =
  (text: string, unless: (query: URLSearchParams) => boolean, then: Answer): Answer =>
  (query, response, n) => {
    if (query.get('resultType') === 'hits' || unless(query)) then(query, response, n);
    else response.writeHead(400).end(exceptionReport(text));
  };

describe('reading all pages', () => {
  test('reads to the announced total and counts before and after', async () => {
    const { ids, report, failure, queries } = await readAll(honest(10));
    expect(failure).toBeNull();
    expect(ids).toEqual(range(10));
    expect(report).toMatchObject({
      mode: 'paged',
      sortBy: 'Objekt_id',
      pages: 3,
      received: 10,
      hitsBefore: 10,
      hitsAfter: 10,
      numberMatched: 10,
      numberMatchedMoved: false,
      notes: [],
    });
    // Each page begins with the last feature of the one before; the last is asked what follows it.
    expect(queries.map((query) => [query.get('startIndex'), query.get('count')])).toEqual([
      [null, null],
      ['0', '4'],
      ['3', '4'],
      ['6', '4'],
      ['9', '2'],
      [null, null],
    ]);
  });

  test('halves a page that is refused or too large, and grows back', async () => {
    const from8to15 = refusing(
      'no reason given',
      (query) => Number(query.get('startIndex')) < 8 || Number(query.get('count')) <= 12,
      honest(200),
    );
    const { ids, report } = await readAll(from8to15, { pageSize: 40 });
    expect(ids).toEqual(range(200));
    expect(report.smallestPage).toBe(10);
    expect(report.notes.length).toBeGreaterThan(0);
    const large = await readAll(honest(40), { pageSize: 40 });
    expect(large.ids).toEqual(range(40));
    expect(large.report.smallestPage).toBeLessThan(40);
  });

  test('tries the prefixed key, then no order, when an order is refused', async () => {
    const prefixed = await readAll(
      refusing(
        'Illegal property name in sortBy',
        (q) => q.get('sortBy') === 'dai:Objekt_id',
        honest(6),
      ),
    );
    expect(prefixed.ids).toEqual(range(6));
    expect(prefixed.report.sortBy).toBe('dai:Objekt_id');
    const unsorted = await readAll(refusing('sortBy', (q) => !q.has('sortBy'), honest(6)));
    expect(unsorted.ids).toEqual(range(6));
    expect(unsorted.report).toMatchObject({ mode: 'paged', sortBy: null });
    expect(unsorted.report.notes).toHaveLength(2);
  });

  test('asks once without pages when paging is refused for want of a natural order', async () => {
    const { ids, report, queries } = await readAll(
      refusing(
        'Cannot do natural order without a primary key',
        (query) => !query.has('startIndex'),
        honest(6),
      ),
    );
    expect(ids).toEqual(range(6));
    expect(report).toMatchObject({ mode: 'unpaged', received: 6 });
    expect(queries.at(-2)?.has('count')).toBe(false);
  });

  test('fails when the unpaged answer is too large', async () => {
    const { failure } = await readAll(
      refusing('natural order', (query) => !query.has('startIndex'), honest(60)),
    );
    expect(failure).toMatchObject({ kind: 'too_large' });
  });

  test('joins pages of a server that makes up an identifier at each request', async () => {
    const nameless: Answer = (query, response, n) => {
      const start = Number(query.get('startIndex'));
      const text = page(start, Math.min(10, start + Number(query.get('count'))), 10);
      if (query.get('resultType') === 'hits') honest(10)(query, response, n);
      else response.end(text.replaceAll(/"id":"ting/g, `"id":"fid-${n}`));
    };
    const { failure, ids } = await readAll(nameless);
    expect(failure).toBeNull();
    expect(ids.map((id) => id.split('.')[1])).toEqual(range(10).map((id) => id.split('.')[1]));
  });

  test('ends at the announced total where the server refuses to be asked for more', async () => {
    const { failure, ids, report } = await readAll(
      refusing('no paging here', (query) => query.get('startIndex') === '0', honest(3)),
    );
    expect(failure).toBeNull();
    expect(ids).toEqual(range(3));
    expect(report.notes).toEqual([expect.stringContaining('nothing more could be asked for')]);
  });
});

test('a feature of GML is the same under another identifier, and not with another content', () => {
  const digestOf = (id: string, text: string): string | null => {
    const feature = `<a:ting gml:id="${id}"><a:navn>${text}</a:navn></a:ting>`;
    const bytes = Buffer.from(
      `<w:FeatureCollection><w:member>${feature}</w:member></w:FeatureCollection>`,
    );
    const envelope = inspect(bytes);
    return envelope.kind === 'features' ? featureDigest(bytes, envelope.first) : null;
  };
  expect(digestOf('fid--1', 'a')).toMatch(/^[0-9a-f]{64}$/);
  expect(digestOf('fid--2', 'a')).toBe(digestOf('fid--1', 'a'));
  expect(digestOf('fid--1', 'b')).not.toBe(digestOf('fid--1', 'a'));
});
