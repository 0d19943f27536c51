/**
 * The program itself while its database is cut off, frozen, slow, restarted, or not there at the start:
 * customers whose data is in memory go on, the bill is exact afterwards, and the log has two lines for
 * each outage. OUTAGE_S: seconds of each, for long runs.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composeAccounts } from '../../src/start/accounts.ts';
import { newSecret } from '../../src/account/key-format.ts';
import type { Environment, Tier } from '../../src/account/plans.ts';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { ADDRESSES, LAYER_IDS } from '../../src/layers/keys.ts';
import { CENTRE } from '../../sample/data/island.ts';
import { samplePoint } from '../../sample/points.ts';
import { Door, serverOf, urlThrough } from '../support/door.ts';
import { copyMirrored } from '../support/mirrored-store.ts';
import { ownFolder } from '../support/opened.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import { HANG_MS, amountOf, isHeavy } from '../support/run-settings.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { until as waitUntil } from '../support/until.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';
import { KNOWN_PLACE } from '../support/known-island.ts';

const OUTAGE_MS = 1000 * Number(process.env['OUTAGE_S'] ?? 1);
/** For what must come, whatever else runs on this machine. */
const DEADLINE = { timeout: 2 * HANG_MS, interval: 100 };
/** What takes no question to a store, and no deadline with one: at night less than its deadline. */
const PROMPT_MS = amountOf({ gate: 15_000, night: 3_000 });
/** For the first mirror of everything, memory and files included. */
const START_MS = 200_000;
const TOKEN = 'a-token-of-the-operator';
const { lon, lat } = samplePoint('forest').wgs84;
const LINES = `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;
const AREAS = `/v1/dagi/reverse?lon=${lon}&lat=${lat}`;

const BFE = 9_100_001;
const PROPERTY = `/v1/bbr/ejendom/${BFE}`;
/** As many as a thread answers. */
const PROPERTIES = Array.from({ length: 12 }, (_, n) => BFE + n);
/** By text, by id with its geometry, and around a point. */
const PLACES = [
  '/v1/stednavne?q=midtby',
  `/v1/stednavne/${KNOWN_PLACE.town.id}`,
  `/v1/stednavne/reverse?x=${CENTRE.x}&y=${CENTRE.y}&srid=25832`,
];

const ONLY_STORED = ['/v1/jobs', '/v1/me', '/v1/me/usage'];

/** Each start of the sample has another. */
const withoutPort = (body: string): string => body.replaceAll(/127\.0\.0\.1:\d+/g, 'sample');

type Step = () => Promise<void> | void;

interface Before {
  readonly answers: readonly (readonly [path: string, body: string])[];
  readonly properties: string;
  readonly generation: string | null;
}

interface Customer {
  readonly accountId: string;
  readonly secret: string;
  answered: number;
}

class Program {
  readonly #program: StartedProgram;

  constructor(env: Record<string, string>) {
    this.#program = startProgram({ OPERATOR_TOKEN: TOKEN, ...env });
  }

  get said(): string {
    return this.#program.said();
  }

  async ask(path: string, secret?: string, body?: object): Promise<Response> {
    const headers = {
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return await fetch(`${await this.#program.base()}${path}`, { headers, ...sent });
  }

  async statusOf(path: string, secret?: string): Promise<number> {
    const response = await this.ask(path, secret);
    await response.arrayBuffer();
    return response.status;
  }

  count(text: string): number {
    return this.said.split(text).length - 1;
  }

  stop = () => this.#program.stop();
  kill = () => this.#program.kill();
}

const AWAY = 'The store does not answer';
const BACK = 'The store answers again';

const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null;

describe.skipIf(!here)('the program without its database', () => {
  const directory = ownFolder('outage');
  const dataDir = join(directory, 'data');
  const shared = join(directory, 'shared');
  let cluster: Cluster;
  let door: Door;
  let store: Store;
  let program: Program;
  let kommune = '';
  const accounts: Record<'pro' | 'free' | 'test', Customer> = {} as never;

  async function account(tier: Tier, environment: Environment): Promise<Customer> {
    const parts = composeAccounts({ store, clock: systemClock });
    const email = `${tier}-${environment}@example.dk`;
    const { id: accountId } = await parts.accounts.create({ name: 'Opdigtet', email, tier });
    const key = { name: 'Opdigtet', kind: 'secret', environment, permission: 'jobs' } as const;
    const { secret } = await parts.keyAdmin.mint(accountId, key);
    return { accountId, secret, answered: 0 };
  }

  beforeAll(async () => {
    cluster = await startCluster();
    const databaseUrl = cluster.url('postgres');
    await copyMirrored('served', databaseUrl);
    door = new Door(serverOf(databaseUrl));
    await door.open();
    store = await openStore({ databaseUrl, dataDir, log: { error: () => undefined } });
    accounts.pro = await account('pro', 'live');
    accounts.free = await account('free', 'live');
    accounts.test = await account('pro', 'test');
    program = front(dataDir);
    await until('everything is mirrored and in memory', partsMissing);
    const reverse = await program.ask(AREAS, accounts.test.secret);
    accounts.test.answered += 1;
    await until('the property is answered from its file', () => sourceOf(PROPERTY));
    // Joined with the municipalities, whichever of the two came first.
    for (const path of PLACES) await until('places are in memory', () => sourceOf(path));
    // What an outage interrupts is tried again a minute later.
    await until('other fronts have its files', unpublished);
    const { omraader } = (await reverse.json()) as {
      omraader: readonly { tema: string; kode: string }[];
    };
    kommune = `/v1/dagi/kommune/${omraader.find(({ tema }) => tema === 'kommune')?.kode ?? ''}`;
  });

  afterAll(async () => {
    cluster.thaw();
    await program.stop();
    await store.close();
    await door.slam();
    await cluster.stop();
  });

  /** Behind the door, with files that all share. */
  function front(ownDir: string): Program {
    const url = urlThrough(door, cluster.url('postgres'));
    return new Program({ DATABASE_URL: url, DATA_DIR: ownDir, SNAPSHOT_STORE: shared });
  }

  async function keyOfPro(): Promise<{ readonly secret: string; revoke(): Promise<unknown> }> {
    const { keyAdmin } = composeAccounts({ store, clock: systemClock });
    const { accountId } = accounts.pro;
    const wanted = { name: 'Opdigtet', kind: 'secret', environment: 'live' } as const;
    const { key, secret } = await keyAdmin.mint(accountId, wanted);
    return { secret, revoke: () => keyAdmin.revoke(accountId, key.id) };
  }

  /** Waits for something of the start; says what was last seen and logged where it does not come. */
  async function until(what: string, look: () => Promise<string | null>): Promise<void> {
    let missing: string | null = null;
    const seen = () => `${what}: ${missing}. It said: ${program.said.slice(-4000)}`;
    const isThere = async () => (missing = await look()) === null;
    await waitUntil(isThere, { withinMs: START_MS, everyMs: 200, seen });
  }

  async function freshness(of: Program): Promise<{
    readonly lager: { readonly svarer: boolean };
    readonly hukommelse: { readonly lag: readonly string[] };
  }> {
    const response = await of.ask('/v1/drift/lag', TOKEN);
    return response.status === 200
      ? ((await response.json()) as Awaited<ReturnType<typeof freshness>>)
      : { lager: { svarer: false }, hukommelse: { lag: [] } };
  }

  /** What is not yet mirrored, or not yet in memory though answered from there. */
  async function partsMissing(): Promise<string | null> {
    const inMemory = (await freshness(program)).hukommelse.lag;
    const status = (await (await program.ask('/v1/status')).json()) as {
      readonly lag?: readonly { readonly lag: string; readonly tilstand: string }[];
    };
    const { lag = [] } = status;
    const missing = lag.filter(({ tilstand }) => tilstand === 'mangler');
    const awaited = [...LAYER_IDS, ADDRESSES].filter((layer) => !inMemory.includes(layer));
    if (lag.length > 0 && missing.length === 0 && awaited.length === 0) return null;
    return JSON.stringify({ layers: lag.length, missing, awaited });
  }

  function unpublished(): Promise<string | null> {
    const names = ['published', 'addresses', 'places', 'properties', 'parcels'];
    const missing = names.filter(
      (name) => !existsSync(join(shared, `sample/v1/manifests/${name}.json`)),
    );
    return Promise.resolve(missing.length === 0 ? null : missing.join(', '));
  }

  /** How something is answered, until that is from memory or its file, and whole. */
  async function sourceOf(path: string): Promise<string | null> {
    const response = await program.ask(path, accounts.test.secret);
    const text = await response.text();
    if (response.ok) accounts.test.answered += 1;
    const from = response.headers.get('cache-status');
    const isWhole = from?.includes('detail=snapshot') === true && !text.includes('"kommuner":null');
    return isWhole ? null : `${response.status}, ${from}`;
  }

  /** A lookup that must be answered, and from memory; milliseconds it took. */
  async function lookUp(who: Customer, path = LINES) {
    const startedMs = performance.now();
    const response = await program.ask(path, who.secret);
    const body = await response.text();
    expect(response.status, body).toBe(200);
    who.answered += 1;
    const limits = response.headers.get('ratelimit') ?? '';
    expect(limits).toMatch(/"month";r=[1-9]/);
    return { ms: performance.now() - startedMs, body, headers: response.headers };
  }

  /** Properties from their file, by a thread. */
  async function lookUpBatch(who: Customer): Promise<string> {
    const response = await program.ask('/v1/bbr/ejendom:batch', who.secret, { bfe: PROPERTIES });
    const body = await response.text();
    expect(response.status, body).toBe(200);
    expect(response.headers.get('cache-status')).toContain('detail=snapshot');
    const { results, succeeded } = JSON.parse(body) as {
      readonly results: readonly { readonly ejendom: object }[];
      readonly succeeded: number;
    };
    who.answered += succeeded;
    const { body: alone } = await lookUp(who, PROPERTY);
    expect(JSON.stringify(results[0]?.ejendom)).toBe(alone);
    return body;
  }

  /** What each customer sees while it lasts. */
  async function expectService(before: Before): Promise<void> {
    for (const who of Object.values(accounts)) {
      expect((await lookUp(who)).ms).toBeLessThan(PROMPT_MS);
    }
    for (const [path, answer] of before.answers) {
      const { ms, body, headers } = await lookUp(accounts.pro, path);
      expect(ms, path).toBeLessThan(PROMPT_MS);
      // Compared here: some are long.
      expect(body === answer, path).toBe(true);
      expect(headers.get('x-service-generation'), path).toBe(before.generation);
      expect(headers.get('cache-status'), path).toContain('detail=snapshot');
    }
    expect((await lookUpBatch(accounts.pro)) === before.properties).toBe(true);
    const startedMs = performance.now();
    const status = await program.ask('/v1/status');
    expect(performance.now() - startedMs).toBeLessThan(PROMPT_MS);
    expect(status.status).toBe(200);
    expect(status.headers.get('x-service-status-source')).toBe('memory');
    expect(status.headers.get('age')).toMatch(/^\d+$/);
    const { generation, lag } = (await status.json()) as {
      generation: number;
      lag: readonly { tilstand: string; antal: number | null }[];
    };
    expect(String(generation)).toBe(before.generation);
    expect(lag.map(({ tilstand }) => tilstand)).not.toContain('mangler');
    expect((await freshness(program)).lager.svarer).toBe(false);
    for (const path of ['/healthz', '/startupz', '/readyz']) {
      expect(await program.statusOf(path), path).toBe(200);
    }
    const unknown = await program.ask(LINES, newSecret({ kind: 'secret', environment: 'live' }));
    expect(unknown.status).toBe(503);
    expect(await unknown.json()).toMatchObject({ code: 'store_unreachable' });
    expect(unknown.headers.get('retry-after')).toMatch(/^\d+$/);
  }

  /** What only the store knows is told to be out of reach: at once, and never as a no. */
  async function expectRefusals(): Promise<void> {
    await Promise.all(
      ONLY_STORED.map(async (path) => {
        const startedMs = performance.now();
        const response = await program.ask(path, accounts.pro.secret);
        const body = await response.text();
        expect(response.status, path).toBe(503);
        expect(body).toContain('"code":"store_unreachable"');
        expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(performance.now() - startedMs, path).toBeLessThan(PROMPT_MS);
      }),
    );
  }

  async function outlive(begin: Step, end: Step): Promise<void> {
    const { headers } = await lookUp(accounts.pro, kommune);
    const answers: [path: string, body: string][] = [];
    for (const path of [LINES, AREAS, kommune, PROPERTY, ...PLACES]) {
      answers.push([path, (await lookUp(accounts.pro, path)).body]);
    }
    const generation = headers.get('x-service-generation');
    const before = { answers, generation, properties: await lookUpBatch(accounts.pro) };
    const failed = program.count('request failed');
    // A busy machine may be an outage of its own.
    const outages = () => program.count(AWAY) - program.count(BACK);
    await expect.poll(outages, DEADLINE).toBe(0);
    await begin();
    let told = 0;
    try {
      const startedMs = performance.now();
      // Nobody knows yet: it may take a moment, but it is answered.
      await Promise.all(Object.values(accounts).map((who) => lookUp(who)));
      await expect.poll(outages, DEADLINE).toBe(1);
      told = program.count(AWAY);
      await expectRefusals();
      do {
        await expectService(before);
        await sleep(Math.max(200, OUTAGE_MS / 20));
      } while (performance.now() - startedMs < OUTAGE_MS);
      expect([outages(), program.count(AWAY)]).toEqual([1, told]);
      // Nothing else that asks the store tells it again.
      expect(program.said).not.toMatch(/work on jobs|could not be read|could not be previewed/);
    } finally {
      await end();
      await expect.poll(outages, DEADLINE).toBe(0);
    }
    expect(program.count('request failed')).toBe(failed);
    await lookUp(accounts.pro);
    for (const who of Object.values(accounts)) {
      await expect
        .poll(() => billed(who), DEADLINE)
        .toEqual({ lines: who.answered, month: who.answered, negative: 0 });
    }
    if (isHeavy) expect(program.count(AWAY)).toBe(told);
    const lines = program.said.match(/The store (does not answer|answers again)/g);
    expect(lines).toEqual(lines?.map((_, n) => (n % 2 === 0 ? AWAY : BACK)));
  }

  async function billed({ accountId }: Customer) {
    const { rows } = await sql<{ lines: number; month: number; negative: number }>`
      select
        (select coalesce(sum(units), 0) from usage_line where account_id = ${accountId})::int as lines,
        (select coalesce(sum(used), 0) from usage_month where account_id = ${accountId})::int as month,
        (select count(*) from usage_grant
          where account_id = ${accountId} and granted < spent)::int as negative`.execute(store.db);
    return rows[0];
  }

  // By day two of the four: a server that refuses, and one that is silent.
  const OUTAGES: Readonly<Record<string, readonly [begin: Step, end: Step]>> = {
    'cut off': [() => door.slam(), () => door.open()],
    frozen: [() => cluster.freeze(), () => cluster.thaw()],
    ...(isHeavy && {
      'slow by two seconds': [() => void (door.delayMs = 2_000), () => void (door.delayMs = 0)],
      restarted: [() => cluster.down(), () => cluster.up()],
    }),
  };

  test.each(Object.entries(OUTAGES))(
    '%s',
    (_, [begin, end]) => outlive(begin, end),
    120_000 + 3 * OUTAGE_MS,
  );

  // By day test/http/shared-keys.test.ts has the files of other fronts without a program.
  test.runIf(isHeavy)('not there at the start: shared files answer, bills are exact', async () => {
    const revoked = await keyOfPro();
    const statusOfRevoked = async () => {
      const status = await program.statusOf(LINES, revoked.secret);
      if (status === 200) accounts.pro.answered += 1;
      return status;
    };
    await expect.poll(statusOfRevoked, DEADLINE).toBe(200);
    await revoked.revoke();
    await expect.poll(statusOfRevoked, DEADLINE).toBe(401);
    const before = [];
    for (const path of [LINES, PROPERTY, kommune, ...PLACES]) {
      before.push([path, withoutPort((await lookUp(accounts.pro, path)).body)] as const);
    }
    await sleep(1_500);
    await program.stop();
    await door.slam();
    rmSync(join(dataDir, 'snapshots'), { recursive: true });
    program = front(dataDir);
    await expect.poll(() => program.statusOf('/startupz'), DEADLINE).toBe(200);
    await expect.poll(() => program.statusOf('/readyz'), DEADLINE).toBe(200);
    for (const [path, body] of before) {
      await until('its file is fetched', () => sourceOf(path));
      // A quarter of each burst limit, which a quiet machine asks for in no time.
      await sleep(400);
      expect(withoutPort((await lookUp(accounts.pro, path)).body) === body, path).toBe(true);
    }
    await lookUp(accounts.free);
    expect(program.said).toMatch(
      /lookups answer from generation \d+ of .*, written 20.*Z, its oldest copy verified 20.*Z/,
    );
    const metrics = await (await program.ask('/metrics', TOKEN)).text();
    expect(metrics).toMatch(/^geoopslag_snapshot_store_manifest_timestamp_seconds \d/m);
    expect(await program.statusOf(LINES, revoked.secret)).toBe(401);
    const unknown = await program.ask(LINES, newSecret({ kind: 'secret', environment: 'live' }));
    expect(unknown.status).toBe(503);
    expect(await unknown.json()).toMatchObject({ code: 'store_unreachable' });
    await expectRefusals();
    const status = await program.ask('/v1/status');
    expect(status.headers.get('x-service-status-source')).toBe('memory');
    expect(((await status.json()) as { generation: number }).generation).toBeGreaterThan(0);
    // What it answered was never told to the database: the next one here has it counted.
    await program.kill();
    program = front(dataDir);
    await expect.poll(() => program.statusOf(LINES, accounts.pro.secret), DEADLINE).toBe(200);
    accounts.pro.answered += 1;
    await expectEmptyFront();
    await door.open();
    await expect.poll(() => program.count(BACK), DEADLINE).toBe(1);
    await expect
      .poll(async () => (await lookUp(accounts.pro)).ms, DEADLINE)
      .toBeLessThan(PROMPT_MS);
    expect(program.said).not.toContain('request failed');
    for (const who of Object.values(accounts)) {
      await expect
        .poll(() => billed(who), DEADLINE)
        .toMatchObject({ lines: who.answered, month: who.answered });
    }
  });

  /** It has no file, neither of its own nor of others, so it waits. */
  async function expectEmptyFront(): Promise<void> {
    const databaseUrl = urlThrough(door, cluster.url('postgres'));
    const DATA_DIR = join(directory, 'empty');
    const SNAPSHOT_STORE = join(directory, 'nothing');
    const empty = new Program({ DATABASE_URL: databaseUrl, DATA_DIR, SNAPSHOT_STORE });
    await expect.poll(() => empty.statusOf('/startupz'), DEADLINE).toBe(200);
    const unready = await empty.ask('/readyz');
    expect(unready.status).toBe(503);
    expect(await unready.json()).toMatchObject({ code: 'store_unreachable' });
    await empty.stop();
  }
});
