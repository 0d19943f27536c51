/**
 * A front that takes its files from SNAPSHOT_STORE beside one that builds them, over the lines and areas of
 * the generated country: processor time of the whole process until it answers, the start of the program
 * included, and of the database meanwhile. `--scale=1` is the country.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverUs } from './harness/database-cpu.ts';
import { interleave, median } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { startService } from './harness/server.ts';
import { loadCountry, openClient, openPostgres, temporaryDirectory } from './harness/store.ts';
import { Land } from './national/land.ts';

const ROUNDS = 3;
/** Of one that is whole, building takes minutes. */
const NATIONAL = 0.5;
const PUBLISHED_MS = 30 * 60_000;

interface Started {
  readonly cpuS: number;
  /** With what the database did meanwhile. */
  readonly allS: number;
  readonly readyS: number;
}

export async function benchSnapshotStore(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const scale = scaleOption();
  const isNational = scale >= NATIONAL;
  const data = await openPostgres(cleanup);
  await loadCountry(data, new Land(scale));
  const shared = join(data.dataDir, 'shared');
  const client = await openClient(cleanup, data.databaseUrl);
  const asked = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const databaseS = (): number => serverUs(asked.rows[0]!.pid) / 1e6;
  const start = async (
    settings: Record<string, string>,
    until?: () => boolean,
  ): Promise<Started> => {
    await using own = new AsyncDisposableStack();
    const DATA_DIR = temporaryDirectory(own);
    const beforeS = databaseS();
    const server = await startService(own, { ...data.settings, DATA_DIR, ...settings });
    const { cpuUs } = await server.usage();
    const cpuS = cpuUs / 1e6;
    const allS = cpuS + databaseS() - beforeS;
    const endMs = performance.now() + PUBLISHED_MS;
    while (until?.() === false && performance.now() < endMs) await sleep(100);
    return { cpuS, allS, readyS: server.readyMs / 1000 };
  };
  const SNAPSHOT_STORE = shared;
  // It publishes what it has built.
  const manifest = join(shared, 'sample/v1/manifests/published.json');
  await start({ SNAPSHOT_STORE, DATA_DIR: data.dataDir }, () => existsSync(manifest));
  const found = await interleave(
    {
      building: () => start({}),
      fetching: () => start({ SNAPSHOT_STORE }),
      own: () => start({ DATA_DIR: data.dataDir }),
    },
    { rounds: isNational ? 1 : ROUNDS, warmUps: 0 },
  );
  const of = (which: keyof typeof found, what: keyof Started): number =>
    median(found[which].map((each) => each[what]));
  return [
    row('scale of the generated country', scale, 'of it'),
    row('a front with files of SNAPSHOT_STORE, processor time', of('fetching', 'cpuS'), 's', {
      beside: ['building them', of('building', 'cpuS')],
      ...(isNational && { ratioGate: '<= 0.1 (goal 0.03)' }),
    }),
    row("the same with the database's", of('fetching', 'allS'), 's', {
      beside: ['building them', of('building', 'allS')],
    }),
    row('of that fetching and verifying', of('fetching', 'cpuS') - of('own', 'cpuS'), 's', {
      beside: ['building', of('building', 'cpuS') - of('own', 'cpuS')],
    }),
    row('process start to ready, with files of its own', of('own', 'readyS'), 's'),
    row('process start to ready, with files of SNAPSHOT_STORE', of('fetching', 'readyS'), 's', {
      beside: ['building them', of('building', 'readyS')],
      gate: isNational ? '<= 20 (goal 5)' : '<= 10 (goal 3)',
    }),
  ];
}
