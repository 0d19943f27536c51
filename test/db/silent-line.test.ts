/**
 * The line to the store goes silent under load, and nothing is refused: every kind of lookup that the registers
 * document, and unknown keys, are answered soon, and none with a no that it had not before.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { newSecret } from '../../src/account/key-format.ts';
import { openStore } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Example } from '../../src/core/document.ts';
import { REGISTERS } from '../../src/registers.ts';
import { doorTo } from '../support/door.ts';
import type { Door } from '../support/door.ts';
import { freePort } from '../support/free-port.ts';
import { copyMirrored } from '../support/mirrored-store.ts';
import { ownFolder } from '../support/opened.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { generousPlans } from '../support/steady-load.ts';
import { isInMemory, isMirrored, startProgram } from '../support/whole-service.ts';

const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null;
/** On a quiet machine; on a busy one some times what an answer took before. */
const SLOW_MS = 1_000;
const TIMES_SLOWER = 3;
/** Between two questions of one kind. */
const PAUSE_MS = 50;
const SILENT_MS = 20_000;

const EXAMPLES = REGISTERS.flatMap(({ document }) =>
  Object.values(
    JSON.parse(readFileSync(`${document.folder}/examples.json`, 'utf8')) as Record<string, Example>,
  ),
).filter(({ request }) => request !== 'POST /v1/demo/noegle');

const TOKEN = 'operator-token-of-this-test';

describe.skipIf(!here)('a line to the store that goes silent', () => {
  const dir = ownFolder('silent');
  const closing: (() => Promise<unknown>)[] = [];
  let cluster: Cluster;
  let line: Door;
  let key: string;

  beforeAll(async () => {
    cluster = await startCluster({ port: await freePort() });
    await copyMirrored('served', cluster.url('postgres'));
    const store = await openStore({
      ...{ databaseUrl: cluster.url('postgres'), dataDir: dir, log: { error: () => undefined } },
    });
    key = (await mintFirstKey(store, systemClock))!;
    await store.close();
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    await cluster.stop();
  });

  test.each(['memory', 'store'])('lookups by %s do not wait for it', async (lookups) => {
    line = await doorTo(Number(new URL(cluster.url('postgres')).port));
    closing.push(() => line.slam());
    const program = startProgram({
      ...{ DATABASE_URL: `postgres://postgres@127.0.0.1:${line.port}/postgres`, DATA_DIR: dir },
      ...{ LOOKUPS: lookups, OPERATOR_TOKEN: TOKEN, SYNC: 'off', JOBS: 'off', WEBHOOKS: 'off' },
      PLANS_FILE: generousPlans(dir),
    });
    closing.push(() => program.stop());
    const base = await program.base();
    let phase = 'before';
    const seen: { request: string; phase: string; status: number; ms: number }[] = [];
    const ask = async ({ request, body }: Example, secret = key): Promise<number> => {
      const [method = '', path = ''] = request.split(/ (.*)/);
      const startedMs = performance.now();
      const answer = await fetch(base + encodeURI(path), {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await answer.arrayBuffer();
      const ms = Math.round(performance.now() - startedMs);
      seen.push({ request, phase, status: answer.status, ms });
      return answer.status;
    };
    await program.until(async () => ((await ask(EXAMPLES[0]!)) === 200 ? true : undefined));
    if (lookups === 'memory') {
      await program.until(async () => (await isInMemory(base, TOKEN)) && isMirrored(base, key));
    }
    seen.length = 0;
    for (const example of EXAMPLES) await ask(example);
    const usual = new Map(seen.map(({ request, status }) => [request, status]));
    // All at once, and to their end: a busy machine takes longer than the second before the silence.
    await Promise.all(EXAMPLES.map((example) => ask(example)));
    const stop = new AbortController();
    const loops = EXAMPLES.map(async (example) => {
      while (!stop.signal.aborted) await ask(example).then(() => sleep(PAUSE_MS));
    });
    const strangers = (async () => {
      const secret = () => newSecret({ kind: 'secret', environment: 'live' });
      const asked = { request: EXAMPLES[0]!.request };
      while (!stop.signal.aborted) await ask(asked, secret()).then(() => sleep(100));
    })();
    await sleep(1_000);
    phase = 'silent';
    line.silent = true;
    await sleep(SILENT_MS);
    phase = 'mended';
    await line.renew();
    await sleep(4_000);
    stop.abort();
    await Promise.all([...loops, strangers]);
    const silent = seen.filter((each) => each.phase === 'silent');
    const before = seen.filter((each) => each.phase === 'before').map(({ ms }) => ms);
    const slowMs = Math.max(SLOW_MS, TIMES_SLOWER * Math.max(...before));
    const slow = seen.filter((each) => each.ms > slowMs && each.phase !== 'before');
    expect(slow).toEqual([]);
    const strange = silent.filter(
      ({ request, status }) => status !== usual.get(request) && ![401, 502, 503].includes(status),
    );
    expect(strange).toEqual([]);
    await program.until(async () => ((await ask(EXAMPLES[0]!)) === 200 ? true : undefined));
  });
});
