/** The port of a worker or dispatcher: lives, is ready, and what it has done. */
import { tmpdir } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { describeRunner } from '../../src/http/metrics.ts';
import { openWatchPort } from '../../src/start/watch-port.ts';
import { keptLog } from '../support/log.ts';
import { freePort } from '../support/free-port.ts';

const METRICS = 'a-token-of-at-least-sixteen';
const settings = { host: '127.0.0.1', dataDir: tmpdir(), operatorToken: null, operatorTokens: [] };
let silentS: number | null = null;
const work = {
  silentS: () => silentS,
  describe: (registry: Parameters<typeof describeRunner>[0]) =>
    describeRunner(registry, {
      ...{ places: 2, underWay: 1, rows: 7, chunks: 3, failures: 0 },
      silentS,
    }),
};

const openOn = (watchPort: number | null, metricsToken: string | null = null) =>
  openWatchPort({ ...settings, watchPort, metricsToken }, work, keptLog());
const port = await freePort();
afterAll(await openOn(port, METRICS));

const ask = async (path: string, token?: string): Promise<readonly [number, string]> => {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return [answer.status, await answer.text()];
};

test('lives before it is ready, is ready while its loop turns, and neither where that stands still', async () => {
  for (const [silent, lives, isReady] of [
    [null, 200, 503],
    [4, 200, 200],
    [120, 200, 200],
    [121, 503, 503],
  ] as const) {
    silentS = silent;
    expect([(await ask('/healthz'))[0], (await ask('/readyz'))[0]]).toEqual([lives, isReady]);
    const { headers } = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(headers.get('retry-after')).toBe(isReady === 503 ? '1' : null);
  }
});

test('tells its metrics to the token alone, by the names that dashboards expect', async () => {
  expect((await ask('/metrics'))[0]).toBe(401);
  expect((await ask('/metrics', 'another'))[0]).toBe(401);
  const [status, text] = await ask('/metrics', METRICS);
  expect(status).toBe(200);
  for (const name of [
    ...['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_start_time_seconds'],
    ...['process_open_fds', 'process_max_fds'],
    ...['geoopslag_disk_free_bytes', 'geoopslag_disk_size_bytes'],
  ]) {
    expect(Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]), name).toBeGreaterThan(0);
  }
  expect(text).toMatch(/^geoopslag_jobs_rows_total 7$/m);
  expect((await ask('/v1/status'))[0]).toBe(404);
});

test('is no port without a setting, and a sentence where it is taken', async () => {
  const none = await openOn(null);
  await none();
  await expect(openOn(port)).rejects.toThrow(/^WATCH_PORT: \d+ is in use at 127\.0\.0\.1/);
});
