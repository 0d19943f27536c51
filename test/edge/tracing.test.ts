/** Traces as a collector receives them: a span a request, with rung and generation, and no secret. */
import { execFileSync } from 'node:child_process';
import type { Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { BuildingLinesAnswer } from '../../src/answers/answer.ts';
import type { Point } from '../../src/geo/point.ts';
import type { BuildingLines } from '../../src/registers/lines/lookup.ts';
import type { TracingSettings } from '../../src/kernel/tracing-settings.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import { startCollector } from '../support/collector.ts';
import type { Collector } from '../support/collector.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';
import { keptAccess } from './access.ts';
import { GENERATION, clearLine, linesAt, memoryApp, atGeneration } from './edge.ts';
import { linesInto } from '../support/log.ts';

const KEY = 'svc_live_0123456789abcdef';
const TEN = '/v1/natur/byggelinjer';
const POINT = 'lon=12.1234567&lat=55.7654321';
/** A place of which nothing can be said. */
const BROKEN = 55.5;
const TRACE = '0af7651916cd43dd8448eb211c80319c';

const settingsFor = (endpoint: string, more = {}): TracingSettings => {
  const { tracing } = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more });
  if (tracing === null) throw new Error('Nothing is traced.');
  return tracing;
};

/** The edge with ten lines out of memory, on a port: the fast path is node's server alone. */
async function openEdge(tracing: TracingSettings | null, log: Writable | null = null) {
  const access = keptAccess({ [KEY]: { keyId: 'key_live' } });
  const at = (point: Point): BuildingLinesAnswer => {
    if (point.wgs84.lat === BROKEN) throw new Error('broken');
    return linesAt(point, LINE_KEYS, (key) => ({
      ...clearLine(key),
      provenance: { rung: key === 'skov' ? 'stale' : 'snapshot', ageS: 60 },
    }));
  };
  const buildingLines: BuildingLines = {
    tryAnswerSync: () => ({ generation: GENERATION, at }),
    at: (points) => atGeneration(points.map(at)),
  };
  const app = await memoryApp(
    { access, buildingLines },
    { tracing, ...(log !== null && { logLevel: 'warn', logStream: log }) },
  );
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (path: string, headers = {}): Promise<Response> => {
    const answer = await fetch(base + path, { headers });
    await answer.arrayBuffer();
    return answer;
  };
  return { app, ask };
}

async function collecting(more = {}): Promise<{
  readonly collector: Collector;
  /** Stops the service, which sends what waits. */
  readonly stop: () => Promise<void>;
  readonly ask: (path: string, headers?: object) => Promise<Response>;
}> {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const { app, ask } = await openEdge(settingsFor(collector.base, more));
  return { collector, ask, stop: () => app.close() };
}

describe('a request', () => {
  test('is one span with route, status, register, rung and generation', async () => {
    const { collector, ask, stop } = await collecting({
      OTEL_SERVICE_NAME: 'front',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod,host=a%2Cb',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret',
    });
    const answer = await ask(`${TEN}?${POINT}`, {
      authorization: `Bearer ${KEY}`,
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
    });
    expect(answer.status).toBe(200);
    await ask('/v1/no/such');
    await stop();
    const spans = collector.spans();
    expect(spans).toHaveLength(2);
    expect(spans[0]).toMatchObject({
      name: `GET ${TEN}`,
      traceId: TRACE,
      parentSpanId: 'b7ad6b7169203331',
      attributes: {
        'http.request.method': 'GET',
        'http.route': TEN,
        'http.response.status_code': 200,
        'url.path': TEN,
        'geoopslag.register': 'natur',
        'geoopslag.rung': 'snapshot stale',
        'geoopslag.generation': GENERATION,
        'geoopslag.request_id': answer.headers.get('x-request-id'),
      },
    });
    expect(spans[0]?.seconds).toBeGreaterThan(0);
    expect(spans[1]).toMatchObject({ name: 'GET', parentSpanId: undefined });
    expect(Object.keys(spans[1]?.attributes ?? {})).not.toContain('geoopslag.rung');
    expect(collector.resource()).toMatchObject({
      'service.name': 'front',
      'deployment.environment.name': 'prod',
      host: 'a,b',
    });
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer collector-secret' });
  });

  test('leaves no key, no query and no number of a company in its span', async () => {
    const { collector, ask, stop } = await collecting();
    for (const path of [
      `${TEN}?${POINT}&token=${KEY}`,
      `/dawa/k/${KEY}/adresser?q=hemmelig`,
      `/v1/none/${KEY}?password=hemmelig`,
      '/v1/cvr/12345678?token=hemmelig',
      `/%2e%2e/${encodeURIComponent(`x?token=${KEY}`)}`,
    ]) {
      await ask(path, { authorization: `Bearer ${KEY}`, cookie: 'session=hemmelig' });
    }
    await stop();
    expect(collector.spans()).toHaveLength(5);
    const sent = collector.bodies.join('');
    for (const secret of ['0123456789abcdef', '12.1234567', 'hemmelig', '12345678"']) {
      expect(sent).not.toContain(secret);
    }
    expect(sent).toContain('/dawa/k/svc_live_[redacted]/adresser');
  });

  test('that fails is a span of an error', async () => {
    const { collector, ask, stop } = await collecting();
    const headers = { authorization: `Bearer ${KEY}` };
    await ask(`${TEN}?lon=12.1&lat=${BROKEN}`, headers);
    await ask(`${TEN}?lon=12.1`, headers);
    await ask(`${TEN}?lon=12.1&lat=55.6`);
    await stop();
    const told = collector
      .spans()
      .map(({ status, attributes }) => [attributes['http.response.status_code'], status]);
    expect(told).toEqual([
      [500, 2],
      [400, 0],
      [401, 0],
    ]);
  });
});

describe('samplers', () => {
  const SAMPLED = `00-${TRACE}-b7ad6b7169203331-01`;
  test.each([
    [{}, 2],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 1],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
  ])('%j: a span of a caller that samples, and one of nobody: %i', async (more, count) => {
    const { collector, ask, stop } = await collecting(more);
    await ask('/healthz', { traceparent: SAMPLED });
    await ask('/healthz');
    await stop();
    expect(collector.spans()).toHaveLength(count);
  });
});

// Sent again until the time for it is over: seconds.
test.runIf(isHeavy)(
  'a collector that is away costs one line of the log and no answer',
  async () => {
    const chunks: string[] = [];
    const log = linesInto(chunks);
    const { app, ask } = await openEdge(settingsFor('http://127.0.0.1:1'), log);
    for (let i = 0; i < 3; i += 1) expect((await ask('/healthz')).status).toBe(200);
    const startMs = performance.now();
    await app.close();
    expect(performance.now() - startMs).toBeLessThan(HANG_MS);
    expect(chunks.join('').match(/the collector takes no traces/g)).toHaveLength(1);
  },
);

// By day the rules of imports hold it.
test.runIf(isHeavy)('nothing of it is loaded without a collector', () => {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => {
      const [, name] = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url) ?? [];
      // The metrics' own library loads the api.
      if (name && name !== '@opentelemetry/api') loaded.add(name);
      return next(url, context);
    } });
    const { buildApp } = await import('../../src/http/app.ts');
    const { BARE_SERVICES } = await import('../support/bare-services.ts');
    const options = { publicUrl: null, logLevel: 'silent', newRequestId: () => 'x' };
    const services = { ...BARE_SERVICES, registers: [], status: () => null };
    const tracing = ${JSON.stringify(settingsFor('http://127.0.0.1:1'))};
    const loadedWith = async (more) => {
      await buildApp(services, { ...options, ...more });
      return [...loaded];
    };
    console.log(JSON.stringify([await loadedWith({}), await loadedWith({ tracing })]));
    process.exit(0);`;
  const args = ['--input-type=module', '-e', script];
  const said = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  const [without, traced] = JSON.parse(said) as string[][];
  expect(without).toEqual([]);
  expect(traced).toContain('@opentelemetry/sdk-trace');
});
