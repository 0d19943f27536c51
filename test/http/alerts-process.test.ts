/**
 * Alerts of a whole process by the product: the program with three request threads, in a mount namespace where its
 * disk is small and its control group says what the test wants.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOKEN } from '../edge/operator.ts';
import { alertsFor } from '../support/alert-judge.ts';
import type { Scrape, Told } from '../support/alert-judge.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { ownFolder } from '../support/opened.ts';
import { findPromtool } from '../support/promtool.ts';
import type { TestStore } from '../support/store.ts';
import { runInThread } from '../support/thread-inspector.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';
import { until } from '../support/until.ts';

const DISK_MIB = 192;
/** Root needs no user namespace, in which the socket of the database's user would be closed to it. */
const UNSHARED = process.getuid?.() === 0 ? '-m' : '-rm';
const MANY = String(64 * 2 ** 30);

function limitFiles(): string[] {
  const groups = readFileSync('/proc/self/cgroup', 'utf8');
  const [, second] = /^0::(\/.*)$/m.exec(groups) ?? [];
  const [, first] = /^\d+:[^:]*\bmemory\b[^:]*:(\/.*)$/m.exec(groups) ?? [];
  return first === undefined
    ? [`/sys/fs/cgroup${second}/memory.max`]
    : ['limit', 'soft_limit'].map(
        (name) => `/sys/fs/cgroup/memory${first}/memory.${name}_in_bytes`,
      );
}

/** `node` in a mount namespace of its own. */
function nodeApart(directory: string, dataDir: string): string {
  const file = join(directory, 'node');
  const limits = limitFiles().map(
    (path) => `mkdir -p $(dirname ${path}) && echo ${MANY} > ${path}`,
  );
  const steps = [
    `mount -t tmpfs -o size=${DISK_MIB}m disk ${dataDir}`,
    'mount -t tmpfs groups /sys/fs/cgroup',
    ...limits,
    `exec ${process.execPath} "$@"`,
  ];
  writeFileSync(
    file,
    `#!/bin/sh\nexec unshare ${UNSHARED} sh -c '${steps.join(' && ')}' -- "$@"\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

const isHere =
  findPromtool() &&
  process.env['TEST_STORE'] === 'postgres' &&
  spawnSync('unshare', [UNSHARED, 'true']).status === 0;

describe.skipIf(!isHere)('a process', () => {
  const directory = ownFolder('alerts');
  const dataDir = mkdtempSync(join(directory, 'data-'));
  let store: TestStore;
  let program: StartedProgram;
  let base: string;
  let debuggerUrl: string;
  let before: Scrape;

  beforeAll(async () => {
    store = await openMirroredStore('layers');
    program = startProgram(
      {
        ...{ DATABASE_URL: store.databaseUrl ?? '', DATA_DIR: dataDir, OPERATOR_TOKEN: TOKEN },
        ...{ REQUEST_THREADS: '3', SYNC: 'off', JOBS: 'off', WEBHOOKS: 'off' },
        NODE_OPTIONS: '--inspect=127.0.0.1:0',
      },
      { node: nodeApart(directory, dataDir) },
    );
    base = await program.base();
    debuggerUrl = await program.until((said) => /Debugger listening on (ws:\S+)/.exec(said)?.[1]);
    await until(async () => valueOf(await scrape(), 'geoopslag_threads') === 3);
    before = await scrape();
  });
  afterAll(async () => {
    await program.stop();
    await store.close();
  });

  async function scrape(): Promise<Scrape> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const text = await fetch(`${base}/metrics`, { headers }).then(
      (answer) => answer.text(),
      () => null,
    );
    return { text, atMs: Date.now() };
  }
  const valueOf = ({ text }: Scrape, metric: string): number =>
    Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text ?? '')?.[1]);
  /** As the process sees it. */
  const inside = (path: string): string => `/proc/${program.pid}/root${path}`;

  /** Until the first thread beside the main one has answered, and says so. */
  async function askedAll(): Promise<Scrape> {
    for (;;) {
      await Promise.all(
        Array.from({ length: 24 }, () =>
          fetch(`${base}/v1/status`, { headers: { connection: 'close' } }).then((answer) =>
            answer.text(),
          ),
        ),
      );
      const said = await scrape();
      if (valueOf(said, 'geoopslag_thread_requests_total{thread="1"}') > 0) return said;
    }
  }

  const STATES: Readonly<Record<string, () => Promise<Told>>> = {
    GeoopslagDiskNearlyFull: async () => {
      const { bavail, bsize } = statfsSync(inside(dataDir));
      const left = (DISK_MIB * 2 ** 20) / 20;
      writeFileSync(inside(join(dataDir, 'fill')), Buffer.alloc(bavail * bsize - left));
      const told = { before, then: [await scrape()] } as const;
      rmSync(inside(join(dataDir, 'fill')));
      return told;
    },
    GeoopslagMemoryNearLimit: async () => {
      const used = valueOf(before, 'process_resident_memory_bytes');
      const set = (limit: string) => {
        for (const path of limitFiles()) writeFileSync(inside(path), limit);
      };
      set(String(Math.round(1.02 * used)));
      const told = { before, then: [await scrape()] } as const;
      set(MANY);
      return told;
    },
    GeoopslagThreadsEnd: async () => {
      const then: [Scrape, ...Scrape[]] = [await askedAll()];
      for (let i = 0; i < 3; i++) {
        await runInThread(debuggerUrl, 1, 'process.exit(1)');
        await program.until((said) => said.split('request thread 1 ended')[i + 1]);
        await until(async () => valueOf(await scrape(), 'geoopslag_threads') === 3);
        then.push(await scrape(), await askedAll());
      }
      return { before, then };
    },
    GeoopslagThreadHung: async () => {
      await runInThread(debuggerUrl, 1, 'setTimeout(() => { for (;;); }); 0');
      await until(async () => valueOf(await scrape(), 'geoopslag_threads_hung_total') === 1);
      return { before, then: [await scrape()] };
    },
    GeoopslagDown: async () => {
      await program.kill();
      return { before, then: [await scrape()] };
    },
  };

  test.each(Object.entries(STATES))('has %s fire', async (alert, bring) => {
    const fired = alertsFor(await bring());
    expect(fired.before).not.toContain(alert);
    expect(fired.after).toContain(alert);
  });
});
