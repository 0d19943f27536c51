/**
 * Several request threads over one memory: what one client sees does not depend on which thread has its
 * connection, and a thread that ends costs its connections alone.
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { readPlans } from '../../src/account/plans.ts';
import { THREAD_LIMITS } from '../../src/threads/limits.ts';
import { SAMPLE_POINTS, samplePoint } from '../../sample/points.ts';
import { TOKEN } from '../edge/operator.ts';
import { mintKey } from '../support/keys.ts';
import { opened } from '../support/opened.ts';
import { clientsOfThreads, openThreadedService, reported } from '../support/threaded-service.ts';
import { until } from '../support/until.ts';
import type { Answer, OneConnection } from '../support/threaded-service.ts';

const THREADS = 3;
const { lon, lat } = samplePoint('beach-cut').wgs84;
const LINES = `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;

/** By night a hundred. */
const KILLS = Number(process.env['THREAD_KILLS'] ?? 1);
/** What a thread's replacement waits for, longer each time it is ended soon. */
const restartMs: { first: number; most: number } = THREAD_LIMITS.restartMs;
const usualMost = restartMs.most;
const ENDED = -1;
const BURST = { perSecond: 10 };
const MONTH_UNITS = 200;
/** Between two questions of a client that asks all the time: it leaves the cores to what it waits for. */
const PAUSE_MS = 25;
/** Of a question about the ten lines. */
const UNITS = 1;
const { free, pro, business } = readPlans();
const PLANS = {
  free: { ...free, requestsPerSecond: BURST.perSecond },
  pro: {
    ...pro,
    unitsPerMonth: { live: 50_000, test: MONTH_UNITS },
    requestsPerSecond: 1_000,
    overage: false,
  },
  business: { ...business, requestsPerSecond: 10_000 },
};

/** `/healthz` asked so far, by all tests. */
let asked = 0;

const plans = join(tmpdir(), `geoopslag-plans-${process.pid}.json`);
writeFileSync(plans, JSON.stringify(PLANS));
const of = await opened(openThreadedService(THREADS, { PLANS_FILE: plans }));
const key = await mintKey(of.service);
/** Each thread has some of them. */
const clients = await clientsOfThreads(of, THREADS, askHealth);
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function askHealth(client: OneConnection): Promise<void> {
  asked += 1;
  await client.get('/healthz', key);
}

async function unitsOnRecord(): Promise<number> {
  await of.service.metering.fold();
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units), 0)::bigint as units from usage_line`.execute(of.bench.store.db);
  return rows[0]?.units ?? 0;
}

/** Once each thread has told the store what it answered before. */
async function unitsWhenQuiet(): Promise<number> {
  let units = await unitsOnRecord();
  await until(async () => {
    const before = units;
    await reported();
    return (units = await unitsOnRecord()) === before;
  });
  return units;
}

test('every thread answers alike, from memory', async () => {
  for (const { wgs84 } of SAMPLE_POINTS) {
    const at = `lon=${wgs84.lon}&lat=${wgs84.lat}`;
    for (const path of [`/v1/natur/byggelinjer?${at}`, `/v1/dagi/reverse?${at}`]) {
      const answers = await Promise.all(clients.map((client) => client.get(path, key)));
      expect(new Set(answers.map(({ text }) => text)).size, path).toBe(1);
    }
  }
  const { running } = await of.service.answers.process.reports();
  expect(running.map(({ thread }) => thread).sort()).toEqual([0, 1, 2]);
});

test('operators see the sum of the threads, whichever they reach', async () => {
  const read = /geoopslag_http_requests_total\{method="GET",route="\/healthz",status="200"\} (\d+)/;
  const countIn = ({ text }: Answer): number => Number(read.exec(text)?.[1]);
  const metrics = async (): Promise<number[]> =>
    (await Promise.all(clients.map((client) => client.get('/metrics', TOKEN)))).map(countIn);
  for (const client of clients) await askHealth(client);
  await reported();
  expect(new Set(await metrics())).toEqual(new Set([asked]));
  const overviews = await Promise.all(clients.map((client) => client.get('/v1/drift/lag', TOKEN)));
  for (const { text } of overviews) {
    const { traade } = JSON.parse(text) as { traade: readonly { readonly nummer: number }[] };
    expect(traade.map(({ nummer }) => nummer)).toEqual([0, 1, 2]);
  }
});

test('a publication is seen by all threads at once: no generation is followed by an older one', async () => {
  let isOver = false;
  const seen: number[] = [];
  const ask = async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const client = clients[turn % clients.length];
      if (client !== undefined) seen.push((await client.get(LINES, key)).generation);
      await sleep(PAUSE_MS);
    }
  };
  const asking = ask();
  const first = seen.at(-1) ?? 0;
  for (let round = 0; round < 3; round++) {
    of.bench.upstream.holdings.edit('soe', (features) => features.slice(0, -1));
    await of.bench.sync('soe');
    of.service.memory?.nudge();
    await until(() => new Set(seen).size > round + 1);
  }
  isOver = true;
  await asking;
  expect(seen.at(-1)).toBeGreaterThan(first);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
});

test('a revoked key ends in every thread within a second', async () => {
  const revoked = await mintKey(of.service);
  for (const client of clients) expect((await client.get(LINES, revoked)).status).toBe(200);
  const { accounts } = of.service;
  const principal = await accounts.keys.find(revoked);
  if (principal === null) throw new Error('The key is not known.');
  await accounts.keyAdmin.revoke(principal.accountId, principal.keyId);
  const since = performance.now();
  await until(async () => {
    const answers = await Promise.all(clients.map((client) => client.get(LINES, revoked)));
    return answers.every(({ status }) => status === 401);
  });
  expect(performance.now() - since).toBeLessThan(5_000);
});

test('the burst of an account holds for all threads together', async () => {
  const slow = await mintKey(of.service, { tier: 'free' });
  const since = performance.now();
  const perClient = 12;
  let passed = 0;
  const ask = async (client: OneConnection): Promise<void> => {
    for (let turn = 0; turn < perClient; turn++) {
      const { status } = await client.get(LINES, slow);
      expect([200, 429]).toContain(status);
      passed += status === 200 ? 1 : 0;
    }
  };
  await Promise.all(clients.map(ask));
  const regained = ((performance.now() - since) / 1000) * BURST.perSecond;
  expect(passed).toBeGreaterThanOrEqual(2 * BURST.perSecond);
  expect(passed).toBeLessThanOrEqual(2 * BURST.perSecond + regained);
});

test('the month of an account ends at its last unit, whichever threads hold units', async () => {
  const few = await mintKey(of.service, { tier: 'pro', environment: 'test' });
  let passed = 0;
  const ask = async (client: OneConnection): Promise<boolean> => {
    const { status, text } = await client.get(LINES, few);
    if (status === 200) passed += 1;
    return status === 429 && /quota/.test(text);
  };
  // Units that a thread holds and does not need are given back within seconds.
  await until(async () => {
    const ended = await Promise.all(clients.map(ask));
    return passed * UNITS >= MONTH_UNITS && ended.every(Boolean);
  });
  expect(passed * UNITS).toBe(MONTH_UNITS);
});

test('threads that end are replaced, their units are billed once, and the others go on', async () => {
  // Else every kill after the first few waits five seconds: request-threads of test/unit holds the waits.
  restartMs.most = restartMs.first;
  onTestFinished(() => void (restartMs.most = usualMost));
  const before = await unitsWhenQuiet();
  let answered = 0;
  let lost = 0;
  let isOver = false;
  const ask = async (client: OneConnection): Promise<void> => {
    while (!isOver) {
      await client.get(LINES, key).then(
        ({ status }) => (answered += status === 200 ? 1 : 0),
        () => (lost += 1),
      );
      await sleep(PAUSE_MS);
    }
  };
  const asking = Promise.all(clients.map(ask));
  for (let kill = 1; kill <= KILLS; kill++) {
    await sleep(50 * Math.random());
    const living = of.workers.filter(({ threadId }) => threadId !== ENDED);
    await living[kill % living.length]?.terminate();
    await until(() => of.threads.listening === THREADS - 1);
    const said = of.log.lines.map(({ message }) => message);
    // A busy machine may keep a thread from reporting: it is ended too, and may be the one killed.
    const hung = said.filter((message) => / hangs: no report for /.test(message));
    const others = said.filter((message) => !hung.includes(message));
    expect(others.filter((message) => !/^request thread [12] ended/.test(message))).toEqual([]);
    expect(others.length).toBeGreaterThanOrEqual(kill);
    expect(others.length).toBeLessThanOrEqual(kill + hung.length);
  }
  isOver = true;
  await asking;
  // What dead threads had on record is folded by the first; an answer that was lost may be on it.
  await until(async () => (await unitsOnRecord()) - before >= answered);
  const units = (await unitsOnRecord()) - before;
  expect(units).toBeLessThanOrEqual(answered + lost);
}, 3_600_000);
