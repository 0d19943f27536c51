/**
 * The program with three request threads, one of which an operator ends in every way there is: by an exception,
 * by its exit, by its memory. The process and the other threads go on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { samplePoint } from '../../sample/points.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { TOKEN } from '../edge/operator.ts';
import type { TestStore } from '../support/store.ts';
import { runInThread } from '../support/thread-inspector.ts';
import { OneConnection } from '../support/threaded-service.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';

/** Of each thread: the flag holds for every heap of the process. */
const HEAP_MB = 160;
const CONNECTIONS = 12;
const { lon, lat } = samplePoint('beach-cut').wgs84;
const LINES = `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;

const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-trial-'));
let store: TestStore;
let program: StartedProgram;
let key: string;
let base: string;
let debuggerUrl: string;

beforeAll(async () => {
  store = await openMirroredStore('layers');
  key = (await mintFirstKey(store, systemClock)) ?? '';
  program = startProgram({
    ...(store.databaseUrl !== null && { DATABASE_URL: store.databaseUrl }),
    ...{ DATA_DIR: dataDir, OPERATOR_TOKEN: TOKEN, REQUEST_THREADS: '3' },
    ...{ SYNC: 'off', JOBS: 'off', WEBHOOKS: 'off' },
    NODE_OPTIONS: `--inspect=127.0.0.1:0 --max-old-space-size=${HEAP_MB}`,
  });
  base = await program.base();
  debuggerUrl = await program.until((said) => /Debugger listening on (ws:\S+)/.exec(said)?.[1]);
  await program.until(async () => ((await threads()) === 3 ? true : undefined));
}, 300_000);
afterAll(async () => {
  await program.stop();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** That run, as operators are told. */
async function threads(): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const text = await fetch(`${base}/metrics`, { headers }).then((answer) => answer.text());
  return Number(/^geoopslag_threads (\d+)$/m.exec(text)?.[1]);
}

const MEMORY = 'const held = []; for (;;) held.push({ n: [held.length] })';

test.each([
  ['an exception', "throw new RangeError('one too many')", /ended: one too many;/],
  ['a rejection', "void Promise.reject(new TypeError('of nobody'))", /ended: of nobody;/],
  ['its exit', 'process.exit(7)', /ended: exit code 7;/],
  ['its memory', MEMORY, /ended: .*reaching memory limit/],
])(
  'a thread that ends by %s costs its connections alone',
  async (_, code, line) => {
    const clients = Array.from({ length: CONNECTIONS }, () => new OneConnection(base));
    const ask = () => Promise.allSettled(clients.map((client) => client.get(LINES, key)));
    expect((await ask()).map(({ status }) => status)).not.toContain('rejected');
    const before = (await program.until((said) => said)).length;
    await runInThread(debuggerUrl, 1, `setTimeout(() => { ${code}; }); 0`);
    const outcomes: PromiseSettledResult<unknown>[] = [];
    await program.until(async (said) => {
      outcomes.push(...(await ask()));
      return line.test(said.slice(before)) ? true : undefined;
    });
    // A connection that was lost is one no more: its client opens another, and that is answered.
    const lost = outcomes.filter(({ status }) => status === 'rejected').length;
    expect(lost).toBeLessThanOrEqual(CONNECTIONS);
    await program.until(async () => ((await threads()) === 3 ? true : undefined));
    const after = await ask();
    expect(after.map(({ status }) => status)).not.toContain('rejected');
    await Promise.all(clients.map((client) => client.close()));
  },
  120_000,
);
