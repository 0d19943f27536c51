/** The tally of requests, with Prometheus' own library as judge of its text. */
import { Counter, Histogram, Registry } from '@prometheus-io/client';
import { expect, test } from 'vitest';
import { RequestTally } from '../../src/http/request-tally.ts';

test('says what the library would say of the same answers', async () => {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({
    name: 'geoopslag_http_requests_total',
    help: 'Requests answered, by route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const histogram = new Histogram({
    name: 'geoopslag_http_request_seconds',
    help: 'Time from request to the end of the answer.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const tally = new RequestTally();
  const seconds = [0, 0.001, 0.0010001, 0.003, 0.25, 9.5, 10, 10.5, 3600];
  for (const [i, took] of seconds.entries()) {
    for (const route of ['/v1/natur/byggelinjer', 'none', '/odd/"\\\n']) {
      const answered = { method: i % 2 ? 'GET' : 'HEAD', route, status: i % 3 ? 200 : 404 };
      tally.count({ ...answered, seconds: took });
      counter.inc(answered);
      histogram.observe({ route }, took);
    }
  }
  const sorted = (text: string): string[] => text.split('\n').filter(Boolean).sort();
  expect(sorted(tally.text())).toEqual(sorted(await registry.metrics()));
  expect(tally.text().endsWith('\n')).toBe(true);
});
