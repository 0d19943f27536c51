/** Faults that pages had, each as a page would meet it: without a browser, over what is stubbed of one. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { download } from '../../../src/web/drift/api.ts';
import { listOf } from '../../../src/web/forhold/list.ts';
import { blobOf } from '../../../src/web/shared/keep-file.ts';
import { SILENCE_MS, bytesOf } from '../../../src/web/shared/streams.ts';
import { readJob } from '../../../src/web/job/api.ts';
import { sendLines } from '../../../src/web/konto/api.ts';
import { account, forgetAccount, onChange, readAccount } from '../../../src/web/konto/board.ts';
import { linesPart } from '../../../src/web/kort/panel.ts';
import { actsTable } from '../../../src/web/shared/acts.ts';
import type { Condition, LineRow } from '../../../src/web/shared/answers.ts';
import { readSubject } from '../../../src/web/shared/subject.ts';

const ZONE = process.env['TZ'];
const SLOW_MS = 60_000;
const click = vi.fn();

beforeEach(() => {
  process.env['TZ'] = 'America/New_York';
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('document', {
    ...{ documentElement: { lang: 'da' }, body: { dataset: {} }, activeElement: null },
    createElement: () => ({ click }),
  });
});

afterEach(() => {
  if (ZONE === undefined) delete process.env['TZ'];
  else process.env['TZ'] = ZONE;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function wordsIn(content: unknown): string {
  if (Array.isArray(content)) return content.map(wordsIn).join(' ');
  if (typeof content === 'object' && content !== null && 'values' in content)
    return wordsIn(content.values);
  return typeof content === 'string' ? content : '';
}

test('a day is the one in Denmark, also where an instant of it lies in another', () => {
  // A register writes the first of June; the answer has the instant that the day begins.
  const hit = { objekt_id: '1', gaeldende_fra: '1994-05-31T22:00:00.000Z', status: {} };
  const condition = { status: 'ok', beroert: true, objekter: [hit], kilde: {}, flere: 0 };
  expect(wordsIn(listOf({ kirke: condition as unknown as Condition }))).toContain('1. jun. 1994');
  const row = { key: 'kirke', name: 'Kirkebyggelinje', verdict: 'within', hit };
  const facts = { generation: null, ageS: null, isStale: false, staleLines: [] };
  const reply = { ok: true, body: { soegeradius_m: 500 }, facts } as const;
  const lines = linesPart(reply, [row as unknown as LineRow], new Set());
  expect(wordsIn(lines)).toContain('1. jun. 1994');
  const act = { time: '2025-12-31T23:30:00Z', who: 'x', via: 'API', act: 'sync', object: null };
  expect(wordsIn(actsTable([{ ...act, changes: [] }]))).toContain('2026');
});

test.each([
  ['ejendom', { bygninger: [], hovedbygning_index: null }],
  ['virksomhed', { navn: 'Opdigtet', adresse: { adresse_id: 'x' } }],
] as const)('%s has no point only where that was answered', async (kind, body) => {
  const facts = { generation: null, ageS: null, isStale: false, staleLines: [] };
  // The first question is answered, the one for its point is not.
  const read = (status: number) => {
    const ask = (path: string) =>
      Promise.resolve(
        /^v1\/(bbr|cvr)/.test(path)
          ? { ok: true, body, facts }
          : { ok: false, status, message: 'nej' },
      );
    return readSubject(ask as Parameters<typeof readSubject>[0], { kind, id: '1' });
  };
  expect(await read(404)).toMatchObject({ ok: true, body: { place: null } });
  for (const status of [0, 429, 503])
    expect(await read(status)).toMatchObject({ ok: false, status });
});

test('an account that was on its way when its reader signed out is not shown (D249)', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', async () => (await promise).clone());
  onChange({ draw: () => undefined, look: () => Promise.resolve(), leave: () => undefined });
  const reading = readAccount();
  forgetAccount();
  resolve(Response.json({ account: { name: 'Opdigtet' }, keys: [] }));
  expect([await reading, account]).toEqual([false, null]);
  expect([await readAccount(), account?.me.account.name]).toEqual([true, 'Opdigtet']);
});

/** After a while, unless it is broken off before. */
function slowly<Value>(signal: AbortSignal, value: Value, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    setTimeout(() => resolve(value), ms);
    signal.addEventListener('abort', () => reject(new Error('broken off')));
  });
}

test('what is large may take a minute, down and up, but not be silent so long', async () => {
  vi.useFakeTimers();
  type Options = { readonly method?: string; readonly signal: AbortSignal };
  let everyMs = SILENCE_MS - 1;
  vi.stubGlobal('fetch', (_path: string, { method, signal }: Options) => {
    if (method === 'POST') return slowly(signal, new Response(''), SLOW_MS);
    let left = 4;
    const pull = async (controller: ReadableStreamDefaultController) => {
      left -= 1;
      if (left === 0) controller.close();
      else controller.enqueue(await slowly(signal, new Uint8Array(1), everyMs));
    };
    return Promise.resolve(new Response(new ReadableStream({ pull }, { highWaterMark: 0 })));
  });
  const both = [download('soe'), sendLines('POST', 'v1/me/overvaagning', '100453')];
  await vi.advanceTimersByTimeAsync(3 * SILENCE_MS);
  await Promise.all(both);
  expect(click).toHaveBeenCalledTimes(1);
  everyMs = SILENCE_MS + 1;
  const silent = download('soe').catch(String);
  await vi.advanceTimersByTimeAsync(SILENCE_MS);
  expect(await silent).toContain('AbortError');
});

test('an answer about a job comes in time, its head and its body', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (path: string, { signal }: { readonly signal: AbortSignal }) => {
    if (path === 'v1/me/keys') return Promise.resolve(Response.json({ key: {} }));
    const start = (controller: ReadableStreamDefaultController) =>
      signal.addEventListener('abort', () => controller.error(new Error('broken off')));
    return Promise.resolve(new Response(new ReadableStream({ start })));
  });
  const hanging = readJob('test', 'v1/jobs/job_x').catch(String);
  await vi.advanceTimersByTimeAsync(2 * SLOW_MS);
  expect(await hanging).toContain('broken off');
});

test('a file of shapes that does not come leaves its line undrawn, and the map goes on', async () => {
  vi.stubGlobal('document', { body: { dataset: {} }, baseURI: 'http://localhost/kort' });
  const { drawingOf } = await import('../../../src/web/kort/question.ts');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'debug').mockReturnValue(undefined);
  const fetched = vi.fn(() => new Promise(() => undefined));
  vi.stubGlobal('fetch', fetched);
  const rows = [{ key: 'soe', distanceM: 5 }];
  const place = { srid: 4326, lon: 10.2, lat: 56.1 };
  const asked = { place, rows, parcels: null } as unknown as Parameters<typeof drawingOf>[0];
  const drawing = drawingOf(asked);
  // Its reader is loaded first, which takes real time.
  while (fetched.mock.calls.length === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(2 * SLOW_MS);
  expect(await drawing).toMatchObject({ shapes: [], notDrawn: new Set(['soe']) });
});

test('what is longer than its reader shows is given up while it comes', async () => {
  const cancel = vi.fn();
  const pull = (controller: ReadableStreamDefaultController) =>
    controller.enqueue(new Uint8Array(9));
  const endless = new Response(new ReadableStream({ pull, cancel }));
  await expect(blobOf(endless, 20)).rejects.toThrow('for langt');
  expect(cancel).toHaveBeenCalled();
});

test('a line that falls silent is no end of what came over it', async () => {
  vi.useFakeTimers();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1)),
  });
  const pieces = bytesOf(body, SILENCE_MS);
  await pieces.next();
  const next = pieces.next().catch(String);
  await vi.advanceTimersByTimeAsync(SILENCE_MS + 1);
  expect(await next).toContain('AbortError');
});
