import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { BreakerState } from '../../src/wfs/breaker.ts';
import { admit, afterFailure, afterNothing, CLOSED } from '../../src/wfs/breaker.ts';
import { scrubText, scrubUrl, UpstreamFailure } from '../../src/wfs/failure.ts';
import { createHostGate } from '../../src/wfs/hosts.ts';
import type { TryState } from '../../src/wfs/backoff.ts';
import { nextTry, retryAfterOf, SYNC_BACKOFF } from '../../src/wfs/backoff.ts';
import { createLiveWfs } from '../../src/wfs/live.ts';
import type { Whole } from '../../src/wfs/live.ts';
import type { Answer } from './wfs-server.ts';
import { hitsAnswer, honest, openClient, page, startUpstream } from './wfs-server.ts';

const RULES = { failuresToOpen: 3, openMs: 1_000, maxOpenMs: 3_000 };

describe('the breaker', () => {
  const failTimes = (times: number, nowMs: number): BreakerState => {
    let state = CLOSED;
    for (let n = 0; n < times; n += 1) state = afterFailure(state, nowMs, RULES);
    return state;
  };

  test('lets one probe through when its time is over', () => {
    const probe = admit(failTimes(3, 0), 1_000);
    expect(probe.admitted).toBe(true);
    expect(admit(probe.state, 1_000).admitted).toBe(false);
    expect(admit(CLOSED, 1_000).admitted).toBe(true);
  });

  test('stays open longer after each failed probe, up to a limit', () => {
    let state = failTimes(3, 0);
    const lengths: number[] = [];
    for (let nowMs = 1_000; lengths.length < 4; nowMs += 10_000) {
      state = afterFailure(admit(state, nowMs).state, nowMs, RULES);
      if (state.phase === 'open') lengths.push(state.untilMs - nowMs);
    }
    expect(lengths).toEqual([2_000, 3_000, 3_000, 3_000]);
  });

  test('admits another probe when the first one told nothing', () => {
    const probing = admit(failTimes(3, 0), 1_000).state;
    expect(admit(afterNothing(probing, 1_200), 1_200).admitted).toBe(true);
  });

  test('is not moved by latecomers from before it opened', () => {
    const open = failTimes(3, 0);
    expect(afterFailure(open, 500, RULES)).toBe(open);
  });
});

describe('the gate of a host', () => {
  const down = (): Promise<never> => Promise.reject(new UpstreamFailure('timeout', 'slow'));

  test('stops asking a host that fails, and asks again after a while', async () => {
    let nowMs = 0;
    const gate = createHostGate({ clock: { nowMs: () => nowMs }, rules: RULES });
    for (let n = 0; n < 3; n += 1) await expect(gate.run('portal', down)).rejects.toThrow('slow');
    let asked = 0;
    const work = (): Promise<string> => {
      asked += 1;
      return Promise.resolve('answer');
    };
    await expect(gate.run('portal', work)).rejects.toMatchObject({ kind: 'refused' });
    expect(asked).toBe(0);
    await expect(gate.run('heritage', work)).resolves.toBe('answer');
    nowMs = 1_000;
    await expect(gate.run('portal', work)).resolves.toBe('answer');
    expect(gate.view('portal')).toEqual({ breaker: 'closed', inFlight: 0, queued: 0 });
  });

  test('does not blame a host for a bad question or a caller who left', async () => {
    const gate = createHostGate({ clock: { nowMs: () => 0 }, rules: RULES });
    const harmless = [
      new UpstreamFailure('aborted', ''),
      new UpstreamFailure('incomplete', ''),
      new UpstreamFailure('status', '', { status: 400 }),
    ];
    for (const failure of [...harmless, ...harmless]) {
      await expect(gate.run('portal', () => Promise.reject(failure))).rejects.toBe(failure);
    }
    expect(gate.view('portal').breaker).toBe('closed');
  });

  test('keeps so many in flight, so many in line, and refuses the next', async () => {
    const gate = createHostGate({ clock: { nowMs: () => 0 }, inFlight: 2, queued: 2 });
    let most = 0;
    let inside = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(5);
      inside -= 1;
    };
    const runs = [1, 2, 3, 4].map(() => gate.run('portal', work));
    await expect(gate.run('portal', work)).rejects.toMatchObject({ kind: 'refused' });
    await Promise.all(runs);
    expect(most).toBe(2);
    expect(gate.view('portal')).toMatchObject({ inFlight: 0, queued: 0 });
  });

  test('lets a caller leave the line', async () => {
    const gate = createHostGate({ clock: { nowMs: () => 0 }, inFlight: 1, queued: 2 });
    const first = gate.run('portal', () => sleep(20));
    const abort = new AbortController();
    const second = gate.run('portal', () => sleep(1), { signal: abort.signal });
    abort.abort();
    await expect(second).rejects.toMatchObject({ kind: 'aborted' });
    const gone = gate.run('portal', () => sleep(1), { signal: AbortSignal.abort() });
    await expect(gone).rejects.toMatchObject({ kind: 'aborted' });
    await first;
    expect(gate.view('portal')).toMatchObject({ inFlight: 0, queued: 0 });
  });
});

const BBOX = { minX: 1, minY: 2, maxX: 3, maxY: 4 };

describe('live windows', () => {
  async function live(answer: Answer) {
    const { live: wfs, gate } = openClient();
    return { ...(await startUpstream(answer)), gate, wfs };
  }
  const slowly: Answer = (query, response, n) =>
    void setTimeout(() => honest(3)(query, response, n), 50);

  test('are asked once for all who want the same at the same time', async () => {
    const { wfs, source, queries } = await live(slowly);
    const other = { ...BBOX, maxX: 9 };
    const answers = await Promise.all([
      wfs.window(source, { bbox: BBOX }),
      wfs.window(source, { bbox: BBOX }),
      wfs.window(source, { bbox: other }),
    ]);
    expect(answers.map(({ envelope }) => envelope.members)).toEqual([3, 3, 3]);
    expect(queries).toHaveLength(2);
    await wfs.window(source, { bbox: BBOX });
    expect(queries).toHaveLength(3);
  });

  test('go on for the others when one caller leaves', async () => {
    const { wfs, source, queries } = await live(slowly);
    const abort = new AbortController();
    const leaving = wfs.window(source, { bbox: BBOX }, { signal: abort.signal });
    const staying = wfs.window(source, { bbox: BBOX });
    abort.abort();
    await expect(leaving).rejects.toMatchObject({ kind: 'aborted' });
    expect((await staying).envelope.members).toBe(3);
    expect(queries).toHaveLength(1);
  });

  test('are called off when the last caller leaves', async () => {
    const { wfs, source, gate } = await live(() => undefined);
    const abort = new AbortController();
    const leaving = wfs.window(source, { bbox: BBOX }, { signal: abort.signal });
    abort.abort();
    await expect(leaving).rejects.toMatchObject({ kind: 'aborted' });
    await sleep(50);
    expect(gate.view('portal')).toMatchObject({ inFlight: 0, breaker: 'closed' });
  });

  test('fail for everyone alike', async () => {
    const { wfs, source } = await live((_, response) => response.writeHead(404).end());
    const asked = [wfs.window(source, { bbox: BBOX }), wfs.window(source, { bbox: BBOX })];
    for (const one of asked) await expect(one).rejects.toMatchObject({ status: 404 });
  });

  test('are answered again once their register is, though each also asks for a total', async () => {
    let nowMs = 0;
    let isAway = true;
    const { source } = await startUpstream((query, response, n) => {
      if (isAway) response.destroy();
      else slowly(query, response, n);
    });
    const gate = createHostGate({ clock: { nowMs: () => nowMs }, rules: RULES });
    const wfs = createLiveWfs(openClient().client, gate);
    const whole = { leastRows: 1, mostRows: null };
    const ask = () => wfs.window(source, { bbox: BBOX }, { whole });
    const breaker = () => gate.view('portal').breaker;
    while (breaker() === 'closed') await expect(ask()).rejects.toThrow();
    isAway = false;
    nowMs = RULES.openMs;
    await expect(ask()).rejects.toMatchObject({ kind: 'refused' });
    await expect.poll(breaker).toBe('closed');
    expect((await ask()).envelope.members).toBe(3);
  });
});

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

/** A live window is believed of a register that holds what it can hold. */
describe('the total of a register', () => {
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

describe('the retry policy', () => {
  const state: TryState = {
    failure: new UpstreamFailure('timeout', ''),
    triesMade: 1,
    tries: 3,
    host: 'portal',
    unauthorizedBefore: false,
    backoff: SYNC_BACKOFF,
    random: 0,
  };

  test('doubles its waits between half and whole, up to the longest', () => {
    expect(nextTry(state)).toEqual({ kind: 'retry', waitMs: 500 });
    expect(nextTry({ ...state, random: 1 })).toEqual({ kind: 'retry', waitMs: 1_000 });
    expect(nextTry({ ...state, triesMade: 2 })).toEqual({ kind: 'retry', waitMs: 1_000 });
    expect(nextTry({ ...state, triesMade: 30, tries: 99 })).toMatchObject({ waitMs: 15_000 });
    expect(nextTry({ ...state, triesMade: 3 })).toEqual({ kind: 'give_up' });
  });

  test('reads Retry-After as seconds and as a date', () => {
    expect(retryAfterOf('120', 0)).toBe(120);
    expect(retryAfterOf('Thu, 01 Jan 1970 00:01:00 GMT', 30_000)).toBe(30);
    expect(retryAfterOf('Thu, 01 Jan 1970 00:00:00 GMT', 30_000)).toBe(0);
    expect(retryAfterOf('soon', 0)).toBeUndefined();
    expect(retryAfterOf(undefined, 0)).toBeUndefined();
  });
});

describe('scrubbing', () => {
  test('leaves an address without user, query and fragment', () => {
    expect(scrubUrl('https://u:p@wfs.datafordeler.dk/A/B?apikey=x#y')).toBe(
      'https://wfs.datafordeler.dk/A/B',
    );
    expect(scrubUrl('not a url?apikey=x')).toBe('not a url');
    expect(scrubUrl('//u:p@host/a?x')).toBe('//host/a');
  });

  test('blots keys out of any text', () => {
    for (const text of [
      'GET https://h/p?service=WFS&apikey=S3CRET failed',
      'APIKEY=S3CRET',
      'apiKey: S3CRET',
      'api_key%3DS3CRET',
      'username=S3CRET&amp;password=S3CRET',
    ]) {
      expect(scrubText(text)).not.toContain('S3CRET');
    }
  });
});
