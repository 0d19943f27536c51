/** `/status` (D218): own measurements, told without a database, and never a good word for what was not measured. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import type { RouteTally } from '../../src/http/request-tally.ts';
import type { PublicStatus } from '../../src/http/v1/status/status-page.ts';
import { HistoryRecorder, createStatusHistory } from '../../src/http/v1/status/history.ts';
import type { StatusHistory } from '../../src/http/v1/status/history.ts';
import type { ServiceStatus } from '../../src/ops/freshness.ts';
import { turnedClock } from '../account/accounts-fixture.ts';
import { sharedApp } from './edge.ts';
import { ownFolder } from '../support/opened.ts';

const dir = ownFolder('status');
const path = join(dir, 'status-history.json');

const MINUTE = 60_000;
let clock: ReturnType<typeof turnedClock>;
let isAway: boolean;
let counts: { route: string; good: number; bad: number; refused: number };
let states: Readonly<Record<string, string>> | null;

beforeEach(() => {
  rmSync(path, { force: true });
  clock = turnedClock();
  history = createStatusHistory(path, clock);
  isAway = false;
  counts = { route: '/v1/natur/byggelinjer', good: 0, bad: 0, refused: 0 };
  states = { skov: 'fresh', dige: 'fresh' };
});

const tally = (): RouteTally => ({
  route: counts.route,
  times: [0, 0, 0, counts.good + counts.bad + counts.refused],
  sum: 0,
  answers: [
    { method: 'GET', status: 200, count: counts.good },
    { method: 'GET', status: 503, count: counts.bad },
    { method: 'GET', status: 429, count: counts.refused },
  ],
});
const status = (): Promise<ServiceStatus> => {
  if (states === null)
    return Promise.reject(new Failure('overloaded', { code: 'store_unreachable' }));
  const layers = Object.entries(states).map(([layer, state]) => ({ layer, state, syncedAt: null }));
  return Promise.resolve({ generation: 1, layers } as unknown as ServiceStatus);
};
const recorder = () =>
  new HistoryRecorder(path, {
    clock,
    requests: () => Promise.resolve([tally()]),
    status,
    isStoreUnavailable: () => isAway,
  });

let history: StatusHistory;
const edge = await sharedApp({
  statusHistory: { nowMs: () => history.nowMs(), read: () => history.read() },
  isStoreUnavailable: () => isAway,
});
const page = async (language = 'da') =>
  (await edge.inject({ url: '/status', headers: { 'accept-language': language } })).body;

async function told(): Promise<PublicStatus> {
  // What was read a moment ago is kept for one.
  history = createStatusHistory(path, clock);
  const response = await edge.inject('/status.json');
  expect(response.headers['cache-control']).toBe('public, max-age=30');
  return response.json<PublicStatus>();
}

/** A minute later. */
async function next(measuring: HistoryRecorder): Promise<void> {
  clock.turn(MINUTE);
  await measuring.measure();
}

test('counts answers, refusals and errors by day, from lookups alone', async () => {
  const measuring = recorder();
  await measuring.measure();
  Object.assign(counts, { good: 90, bad: 3, refused: 7 });
  await next(measuring);
  counts.route = '/v1/me/keys';
  await next(measuring);
  const { doegn, haendelser } = await told();
  expect(doegn).toHaveLength(90);
  expect(doegn.at(-1)).toEqual({
    ...{ dato: '2026-11-21', maalt_minutter: 2, svar: 100, afvist: 7, fejl: 3 },
    ...{ halvdelen_under_ms: 10, hver_tyvende_over_ms: 10 },
  });
  expect(doegn.at(-2)).toMatchObject({ maalt_minutter: null, svar: null, fejl: null });
  expect(haendelser).toEqual([]);
});

test('ends an incident of errors on a service that few ask', async () => {
  Object.assign(counts, { good: 0, bad: 30 });
  const measuring = recorder();
  await measuring.measure();
  const open = async () => (await told()).haendelser.filter(({ sluttet }) => sluttet === null);
  expect(await open()).toMatchObject([{ art: 'fejl' }]);
  for (const good of [7, 14, 21]) {
    expect(await open()).toHaveLength(1);
    counts.good = good;
    await next(measuring);
  }
  expect(await open()).toEqual([]);
});

test('begins and ends incidents: errors, the database, a layer, a stop', async () => {
  let measuring = recorder();
  await measuring.measure();
  counts.bad = 30;
  isAway = true;
  states = { skov: 'delayed', dige: 'fresh' };
  await next(measuring);
  expect((await told()).haendelser.map(({ art, lag, sluttet }) => [art, lag, sluttet])).toEqual([
    ['lag', 'skov', null],
    ['database', null, null],
    ['fejl', null, null],
  ]);
  const shown = await page();
  // By its name; what a program calls it is the title.
  expect(shown).toContain('<span title="skov">Skovbyggelinje</span></th>');
  expect(shown).toContain('(<span title="skov">Skovbyggelinje</span>)');
  // What is not known ends nothing.
  states = null;
  await next(measuring);
  expect((await told()).haendelser.filter(({ sluttet }) => sluttet === null)).toHaveLength(3);
  states = { skov: 'fresh', dige: 'fresh' };
  isAway = false;
  counts.good = 1_000;
  await next(measuring);
  expect((await told()).haendelser.every(({ sluttet }) => sluttet !== null)).toBe(true);

  clock.turn(60 * MINUTE);
  measuring = recorder();
  await measuring.measure();
  const { haendelser, doegn } = await told();
  expect(haendelser[0]).toEqual({
    ...{ art: 'standset', lag: null },
    ...{ begyndt: '2026-11-21T12:03:00.000Z', sluttet: '2026-11-21T13:03:00.000Z' },
  });
  expect(doegn.at(-1)?.maalt_minutter).toBe(3);
});

test('forgets after ninety days', async () => {
  const measuring = recorder();
  isAway = true;
  await measuring.measure();
  isAway = false;
  await next(measuring);
  clock.turn(91 * 24 * 60 * MINUTE);
  await measuring.measure();
  expect((await told()).haendelser.map(({ art }) => art)).toEqual(['standset']);
});

test.each(['', '{"content":"{}","sha256":"x"}'])(
  'a file that is damaged is none: %j',
  async (text) => {
    writeFileSync(path, text);
    expect(await told()).toMatchObject({ maalt: null, lag: [], haendelser: [] });
    await recorder().measure();
    expect(await told()).toMatchObject({ maalt: '2026-11-21T12:00:00.000Z' });
  },
);

test('a layer that was never fetched is no "everything answers"', async () => {
  states = { skov: 'missing', dige: 'fresh' };
  await recorder().measure();
  expect(await page()).toContain('1 lag er ikke hentet endnu');
  states = { skov: 'fresh', dige: 'fresh' };
  await next(recorder());
  expect(await page()).toContain('Alt svarer');
});

test('the page says that nothing is measured, what goes on, and how old it is', async () => {
  expect(await page()).toContain('målingen er standset');
  expect(await page()).not.toContain('Alt svarer');
  states = { skov: 'failed' };
  await recorder().measure();
  clock.turn(MINUTE / 2);
  expect(await page()).toContain('En hændelse er i gang');
  states = { skov: 'fresh' };
  clock.turn(MINUTE / 2);
  await recorder().measure();
  isAway = true;
  clock.turn(MINUTE / 2);
  // Before the next measurement.
  expect(await page()).toContain('Databasen svarer ikke');
  clock.turn(MINUTE / 2);
  states = { '<b>skov': 'failed' };
  await recorder().measure();
  clock.turn(MINUTE / 2);
  expect(await page()).toContain('2 hændelser er i gang');
  const inEnglish = await page('en');
  for (const words of [
    '2 incidents go on',
    '<html lang="en">',
    '>Skip to the content<',
    '>failed<',
  ]) {
    expect(inEnglish).toContain(words);
  }
  expect(inEnglish).not.toMatch(/>(?:Spring|Konto|fejlet)|"Sider"/);
  expect(await page()).not.toContain('<b>');
  expect(await page()).toContain('&lt;b&gt;skov');
  const feed = await edge.inject('/status.atom');
  expect(feed.headers['content-type']).toContain('application/atom+xml');
  expect(feed.body.match(/<entry>/g)).toHaveLength(3);
  expect(readFileSync(path, 'utf8').length).toBeLessThan(10_000);
});
