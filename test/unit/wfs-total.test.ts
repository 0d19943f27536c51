/** A live window is believed of a register that holds what it can hold. */
import { describe, expect, test } from 'vitest';
import type { Whole } from '../../src/wfs/live.ts';
import type { Answer } from './wfs-server.ts';
import {
  exceptionReport,
  hitsAnswer,
  honest,
  openClient,
  page,
  startUpstream,
} from './wfs-server.ts';

const BBOX = { minX: 1, minY: 2, maxX: 3, maxY: 4 };

/** A register whose windows are empty; `rest` answers what is asked of the whole of it. */
async function emptyWindow(rest: Answer, of: Omit<Whole, 'mostRows'> & Partial<Whole>) {
  const whole = { mostRows: null, ...of };
  const upstream = await startUpstream((query, response, n) => {
    if (query.has('bbox')) response.end(page(0, 0, 0));
    else rest(query, response, n);
  });
  const { live } = openClient();
  const ask = () => live.window(upstream.source, { bbox: BBOX }, { whole });
  return { ask, queries: upstream.queries };
}

const isHits = (query: URLSearchParams): boolean => query.get('resultType') === 'hits';
/** A server that tells no numbers, of a register of so many features. */
const countless = (total: number): Answer => honest(total, null);

describe('an empty window', () => {
  test('is a measured nothing when the register holds what it should', async () => {
    const { ask } = await emptyWindow(honest(50), { leastRows: 50 });
    expect((await ask()).envelope.members).toBe(0);
  });

  test.each([0, 49])(
    'is no answer when the register holds %i in all, of at least 50',
    async (n) => {
      const { ask } = await emptyWindow(honest(n), { leastRows: 50 });
      await expect(ask()).rejects.toMatchObject({
        kind: 'incomplete',
        message: `the register holds ${n} features in all, of at least 50`,
      });
    },
  );

  test('is no answer of a register without a single feature, whatever it may hold', async () => {
    for (const total of [honest(0), countless(0)]) {
      const { ask } = await emptyWindow(total, { leastRows: 0 });
      await expect(ask()).rejects.toMatchObject({ kind: 'incomplete' });
    }
  });

  test('is no answer of a register that holds more than it can', async () => {
    const { ask } = await emptyWindow(honest(126), { leastRows: 50, mostRows: 125 });
    await expect(ask()).rejects.toThrow('holds 126 features in all, of at most 125');
    const fits = await emptyWindow(honest(125), { leastRows: 50, mostRows: 125 });
    expect((await fits.ask()).envelope.members).toBe(0);
  });
});

describe('a server that tells no numbers', () => {
  test('is asked for one feature: any at all is not an emptied table', async () => {
    const { ask, queries } = await emptyWindow(countless(3), { leastRows: 50 });
    expect((await ask()).envelope.members).toBe(0);
    expect(queries.some((query) => query.get('count') === '1' && !query.has('bbox'))).toBe(true);
    const emptied = await emptyWindow(countless(0), { leastRows: 50 });
    await expect(emptied.ask()).rejects.toMatchObject({ kind: 'incomplete' });
  });

  test.each([
    [400, exceptionReport('hits are not supported')],
    [200, exceptionReport('hits are not supported')],
    [500, ''],
  ])('is one that answers hits with %i too: an error is never 0', async (status, text) => {
    const { ask } = await emptyWindow(
      (query, response, n) =>
        isHits(query) ? response.writeHead(status).end(text) : honest(3)(query, response, n),
      { leastRows: 50 },
    );
    expect((await ask()).envelope.members).toBe(0);
  });
});

describe('the total', () => {
  test('is asked once for windows of one moment, and anew for each that comes later', async () => {
    let total = 50;
    const { ask, queries } = await emptyWindow(
      (query, response, n) => honest(total)(query, response, n),
      { leastRows: 50 },
    );
    await Promise.all([ask(), ask()]);
    expect(queries.filter(isHits)).toHaveLength(1);
    // A table emptied between two windows: what was counted a moment ago says nothing of it.
    total = 0;
    await expect(ask()).rejects.toMatchObject({ kind: 'incomplete' });
  });

  test('is that of the rows that count, unless a filter finds none at all', async () => {
    const where = { property: 'skala', values: ['1:10.000'] };
    const filtered =
      (some: number): Answer =>
      (query, response) =>
        response.end(hitsAnswer(query.has('filter') ? some : 60));
    const few = await emptyWindow(filtered(7), { leastRows: 50, where });
    await expect(few.ask()).rejects.toThrow('holds 7 features in all');
    const unread = await emptyWindow(filtered(0), { leastRows: 50, where });
    const answer = await unread.ask();
    expect(answer.envelope.members).toBe(0);
    // Those rows may just be gone: a window without any tells of nothing.
    expect(answer.saysNone).toBe(false);
    const whole = await emptyWindow(filtered(50), { leastRows: 50, where });
    expect((await whole.ask()).saysNone).toBe(true);
  });

  test('that cannot be had leaves the window unanswered', async () => {
    const { ask } = await emptyWindow((_, response) => response.socket?.destroy(), {
      leastRows: 1,
    });
    await expect(ask()).rejects.toMatchObject({ kind: 'connection' });
  });
});
