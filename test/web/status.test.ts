/** `/status` in a real Chromium, without scripts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryRecorder, createStatusHistory } from '../../src/http/v1/status/history.ts';
import type { ServiceStatus } from '../../src/ops/freshness.ts';
import { turnedClock } from '../account/accounts-fixture.ts';
import { memoryApp } from '../edge/edge.ts';
import { LOOKS, describePages, expectGood } from './browser.ts';

describePages('the status page', 'status', ({ openAt }) => {
  const dir = mkdtempSync(join(tmpdir(), 'status-page-'));
  let app: FastifyInstance;
  let base: string;

  beforeAll(async () => {
    const path = join(dir, 'status-history.json');
    const clock = turnedClock();
    let count = 0;
    const layers = ['skov', 'dige', 'strandbeskyttelse'].map((layer, at) => ({
      ...{ layer, state: at === 1 ? 'delayed' : 'fresh', syncedAt: '2026-11-20T02:00:00.000Z' },
    }));
    const measuring = new HistoryRecorder(path, {
      clock,
      requests: () =>
        Promise.resolve([
          {
            ...{ route: '/v1/natur/byggelinjer', times: [count, count / 2, 5], sum: 0 },
            answers: [{ method: 'GET', status: 200, count }],
          },
        ]),
      status: () => Promise.resolve({ generation: 1, layers } as unknown as ServiceStatus),
      isStoreUnavailable: () => count === 300,
    });
    for (let day = 0; day < 20; day++) {
      await measuring.measure();
      clock.turn(60_000);
      count += 100;
      await measuring.measure();
      clock.turn(24 * 3_600_000);
    }
    app = await memoryApp({ statusHistory: createStatusHistory(path, clock) });
    base = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await app.close();
    rmSync(dir, { recursive: true });
  });

  test.each(LOOKS)('is good to read: %s', async (_name, viewport, colorScheme) => {
    const page = await openAt(`${base}/status`, { viewport, colorScheme });
    expect(await page.locator('main').innerText()).toContain('Ikke målt: tjenesten var standset');
    await expectGood(page);
  });
});
