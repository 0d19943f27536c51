/** A live window is believed of a register that holds what it can hold. */
import { describe, expect, test } from 'vitest';
import type { Whole } from '../../src/wfs/live.ts';
import type { Answer } from './wfs-server.ts';
import { hitsAnswer, honest, openClient, page, startUpstream } from './wfs-server.ts';

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
});
