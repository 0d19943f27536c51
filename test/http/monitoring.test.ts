/** Every query of the dashboard and every rule, by a real Prometheus over a real service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { QUIET, metricsIn, readDashboard } from '../support/monitoring.ts';
import { findPromtool } from '../support/promtool.ts';
import { startPrometheus } from '../support/prometheus.ts';
import type { Prometheus } from '../support/prometheus.ts';
import { until } from '../support/until.ts';
import { startWholeService } from '../support/whole-service.ts';
import { WEBHOOK_KEY } from '../webhooks/webhook-bench.ts';

const { queries } = readDashboard();

const ASKED = [
  '/v1/natur/byggelinjer?lon=11.5&lat=56.7',
  '/v1/none',
  ...['/v1/kort/soe.json', '/v1/kort/aa.json', '/v1/kort/skov.json'],
];

describe.skipIf(!findPromtool())('a Prometheus that scrapes the service', () => {
  const opened: { close(): Promise<void> }[] = [];
  let prometheus: Prometheus;
  beforeAll(async () => {
    const isPostgres = process.env['TEST_STORE'] === 'postgres';
    const store = isPostgres ? await openMirroredStore('served') : null;
    const service = await startWholeService(store, { WEBHOOK_KEY, KORT_PER_SECOND: '1' });
    opened.push(service);
    prometheus = await startPrometheus(service.base, service.operatorToken);
    opened.push(prometheus);
    const headers = { authorization: `Bearer ${service.key}` };
    const isScraped = async (): Promise<boolean> => {
      for (const path of ASKED) await fetch(service.base + path, { headers });
      const rates = await prometheus.query('rate(geoopslag_http_requests_total[10s])');
      // Layers are read from the store beside the first scrapes.
      const layers = await prometheus.query('geoopslag_layer_health');
      const isCounted = rates.some(({ metric }) => metric['route'] === '/v1/natur/byggelinjer');
      return isCounted && layers.length > 0;
    };
    await until(isScraped, { everyMs: 100 });
    // The rules are evaluated as often as the service is scraped.
    await sleep(4_000);
  });
  afterAll(async () => {
    for (const each of opened.toReversed()) await each.close();
  });

  test.each(queries)('$name', async ({ expr }) => {
    const asked = expr.replaceAll('$__rate_interval', '10s').replaceAll('$instance', '.*');
    // Nothing passes a threshold while nothing is wrong: the series is there.
    const found = await prometheus.query(asked.replace(/ == 1$/, ''));
    const why = metricsIn(expr).map((name) => QUIET[name]);
    if (!why.some((reason) => reason !== undefined)) expect(found).not.toEqual([]);
  });

  test('has no alert that fires while nothing is wrong', async () => {
    expect(await prometheus.query('ALERTS{alertstate="firing"}')).toEqual([]);
    expect(await prometheus.query('up{job="geoopslag"} == 1')).toHaveLength(1);
  });
});
