import { describe, expect, test } from 'vitest';
import type { WfsSource } from '../../src/layers/source.ts';
import type { WfsClient, WfsClientOptions } from '../../src/wfs/client.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { inspect } from '../../src/wfs/inspect.ts';
import { featureDigest } from '../../src/wfs/join.ts';
import type { PageBytes } from '../../src/wfs/paging.ts';
import { readAllPages } from '../../src/wfs/paging.ts';
import type { Answer } from './wfs-server.ts';
import {
  exceptionReport,
  hitsAnswer,
  honest,
  openClient,
  page,
  startUpstream,
} from './wfs-server.ts';
import { HANG_MS } from '../support/run-settings.ts';

const FIRST_PAGE = { startIndex: 0, count: 4, sortBy: 'Objekt_id' };
const BBOX = { minX: 600000, minY: 6200000, maxX: 600100, maxY: 6200100 };
const KEY = 'secret-key-4711';

/** A client that does not really wait between tries; `waits` says how long it would have. */
function client(options: WfsClientOptions = {}): { wfs: WfsClient; waits: number[] } {
  const waits: number[] = [];
  const { client: wfs } = openClient({
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    random: () => 1,
    ...options,
  });
  return { wfs, waits };
}

async function failure(promise: Promise<unknown>): Promise<UpstreamFailure> {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof UpstreamFailure)) throw error;
  expect(`${error.message} ${String(error.stack)} ${error.exceptionText ?? ''}`).not.toContain(KEY);
  expect(error.message).not.toContain('?');
  return error;
}

describe('asking for a page', () => {
  test('sends a WFS 2.0 request with paging, order, CRS and key, and keeps the query of the address', async () => {
    const { source, queries, requests } = await startUpstream(honest(9));
    const { wfs } = client();
    const answer = await wfs.fetchPage(
      { ...source, url: `${source.url}?map=/a/b.map` },
      { startIndex: 4, count: 4, sortBy: 'Objekt_id', apiKey: KEY },
    );
    expect(Object.fromEntries(queries[0] ?? [])).toEqual({
      map: '/a/b.map',
      service: 'WFS',
      version: '2.0.0',
      request: 'GetFeature',
      typeNames: 'dai:ting',
      srsName: 'EPSG:25832',
      outputFormat: 'application/json',
      count: '4',
      startIndex: '4',
      sortBy: 'Objekt_id',
      apikey: KEY,
    });
    expect(requests[0]?.headers['accept-encoding']).toBe('identity');
    expect(answer.envelope).toMatchObject({ members: 4, numberMatched: 9 });
    expect(answer.bytes.byteLength).toBe(answer.bytes.buffer.byteLength);
  });

  test.each<[string, Answer, string]>([
    ['an exception report with 200', (_, r) => r.end(exceptionReport('boom')), 'exception_report'],
    ['plain text', (_, r) => r.end('upstream error'), 'not_wfs'],
    ['half a document', (_, r) => r.end(page(0, 4, 9).slice(0, 200)), 'truncated'],
    ['a reset before any answer', (_, r) => r.destroy(), 'connection'],
    [
      'a compressed body nobody asked for',
      (_, r) => r.setHeader('content-encoding', 'gzip').end(page(0, 4, 9)),
      'not_wfs',
    ],
    ['503', (_, r) => r.writeHead(503).end(), 'status'],
  ])('tries again on %s, then fails by name', async (_, fault, kind) => {
    const { source, queries } = await startUpstream(fault);
    const { wfs, waits } = client();
    expect(await failure(wfs.fetchPage(source, FIRST_PAGE))).toMatchObject({ kind });
    expect(queries).toHaveLength(3);
    expect(waits).toEqual([1_000, 2_000]);
  });

  test.each<[string, Answer, string, number | null]>([
    ['400', (_, r) => r.writeHead(400).end(exceptionReport('too big')), 'status', 400],
    ['403', (_, r) => r.writeHead(403).end(), 'key_refused', 403],
    ['404', (_, r) => r.writeHead(404).end('<html></html>'), 'status', 404],
    ['308', (_, r) => r.writeHead(308, { location: 'http://127.0.0.1:1/' }).end(), 'redirect', 308],
    ['302', (_, r) => r.writeHead(302, { location: '/elsewhere' }).end(), 'redirect', 302],
  ])('does not try again on %s', async (_, fault, kind, status) => {
    const { source, queries } = await startUpstream(fault);
    const { wfs } = client();
    expect(await failure(wfs.fetchPage(source, FIRST_PAGE))).toMatchObject({ kind, status });
    expect(queries).toHaveLength(1);
  });

  test('stops reading when the answer grows over the byte limit, announced or not', async () => {
    const { source: announced } = await startUpstream((_, r) => r.end(page(0, 500, 500)));
    const { source: endless } = await startUpstream((_, response) => {
      response.write(page(0, 500, 500).slice(0, -2));
      const timer = setInterval(() => response.write(' '.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const { wfs } = client({ maxBytes: 20_000 });
    for (const source of [announced, endless]) {
      expect(await failure(wfs.fetchPage(source, FIRST_PAGE))).toMatchObject({ kind: 'too_large' });
    }
  });

  test('waits as long as Retry-After says, but not for ever', async () => {
    const { wfs, waits } = client();
    for (const seconds of ['7', '86400']) {
      const { source } = await startUpstream((query, response, n) =>
        n === 1
          ? response.writeHead(429, { 'retry-after': seconds }).end()
          : honest(9)(query, response, n),
      );
      await wfs.fetchPage(source, FIRST_PAGE);
    }
    expect(waits).toEqual([7_000, 60_000]);
  });
});

describe('asking for a live window', () => {
  test('sends the window with the CRS of the source as its fifth part', async () => {
    const { source, queries } = await startUpstream(honest(3), {
      srsName: 'urn:ogc:def:crs:EPSG::25832',
    });
    const { wfs } = client();
    expect((await wfs.fetchWindow(source, { select: { bbox: BBOX } })).envelope.members).toBe(3);
    expect(queries[0]?.get('bbox')).toBe(
      '600000,6200000,600100,6200100,urn:ogc:def:crs:EPSG::25832',
    );
    expect(queries[0]?.get('count')).toBe('2001');
  });

  test.each<[string, Answer]>([
    ['more features than the limit', honest(6)],
    ['fewer features than announced', (_, r) => r.end(page(0, 2, 3))],
    [
      'a silent cap of a server that announces nothing',
      (query, response) => {
        const start = Number(query.get('startIndex') ?? 0);
        response.end(page(start, Math.min(4, start + 2), null));
      },
    ],
    [
      'nothing in place of a window the same server counts features in',
      (query, response) =>
        response.end(query.get('resultType') === 'hits' ? hitsAnswer(3) : page(0, 0, null)),
    ],
  ])('refuses %s', async (_, answer) => {
    const { source } = await startUpstream(answer);
    const { wfs } = client();
    const asked = wfs.fetchWindow(source, { select: { bbox: BBOX }, limit: 5 });
    expect(await failure(asked)).toMatchObject({ kind: 'incomplete' });
  });

  test('is done within its time limit, all tries and waits included', async () => {
    const { source } = await startUpstream((_, r) => r.writeHead(503).end(), {
      pointTimeoutMs: 200,
    });
    const { client: wfs } = openClient({
      liveBackoff: { baseMs: 60_000, maxMs: 60_000, unauthorizedMs: 60_000, retryAfterCapMs: 0 },
    });
    const started = performance.now();
    expect(await failure(wfs.fetchWindow(source, { select: { bbox: BBOX } }))).toMatchObject({
      kind: 'timeout',
    });
    // Before the first wait is over.
    expect(performance.now() - started).toBeLessThan(HANG_MS);
  });
});

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

  // Without any order: wfs-whole.test.ts.
  test('tries the prefixed key when an order is refused', async () => {
    const { ids, report } = await readAll(
      refusing(
        'Illegal property name in sortBy',
        (query) => query.get('sortBy') === 'dai:Objekt_id',
        honest(6),
      ),
    );
    expect(ids).toEqual(range(6));
    expect(report.sortBy).toBe('dai:Objekt_id');
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
