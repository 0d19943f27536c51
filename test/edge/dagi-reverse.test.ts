/** GET /v1/dagi/reverse and POST /v1/dagi/reverse:batch at the edge. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import type { FailureType } from '../../src/kernel/failures.ts';
import type { ReverseAreas } from '../../src/registers/areas/reverse.ts';
import { GENERATION, expectDocumented, expectError, sharedApp } from './edge.ts';

const ONE = '/v1/dagi/reverse';
const BATCH = '/v1/dagi/reverse:batch';

/** East of 12: the sea. Between 11 and 12: one area. West of 11: the register fails as told. */
function coast(type: FailureType): ReverseAreas {
  return {
    at: (points) =>
      Promise.resolve({
        generation: GENERATION,
        value: points.map((point) => {
          if (point.wgs84.lon < 11) {
            return new Failure(type, { error: 'Not read.', retryAfterS: 60 });
          }
          return {
            point,
            areas:
              point.wgs84.lon > 12
                ? []
                : [{ theme: 'region' as const, name: 'Region Opdigtet', code: '1099' }],
            provenance: [{ rung: 'store' as const, ageS: 3 }],
          };
        }),
      }),
  };
}

describe.each(['upstream_error', 'upstream_unavailable'] as const)(
  'reverse DAGI with a register that is %s for some points',
  async (type) => {
    const app = await sharedApp({ reverseAreas: coast(type) });

    test('names the areas of one point', async () => {
      const response = await app.inject(`${ONE}?lon=11.5&lat=56`);
      expectDocumented(app, response, ['get', ONE]);
      expect(response.json()).toMatchObject({
        punkt: { lon: 11.5, lat: 56 },
        antal: 1,
        omraader: [{ tema: 'region', navn: 'Region Opdigtet', kode: '1099' }],
        meta: { kilde: 'DAGI', service_version: '0.1.0' },
      });
      expect(response.headers['x-service-generation']).toBe(String(GENERATION));
      expect(response.headers['x-service-data-age']).toBe('3');
    });

    test('answers 200 with no areas at sea', async () => {
      const response = await app.inject(`${ONE}?lon=12.5&lat=56`);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ antal: 0, omraader: [] });
    });

    test('fails whole for one point the register did not answer', async () => {
      const response = await app.inject(`${ONE}?lon=10.5&lat=56`);
      expectError(response, type);
      expectDocumented(app, response, ['get', ONE]);
      expect(response.headers['retry-after']).toBe('60');
    });

    test('puts such points of a batch into errors, the others into results, in order', async () => {
      const punkter = [
        { lon: 12.5, lat: 56, id: 'sea' },
        { lon: 10.5, lat: 56, id: 'lost' },
        { lon: 11.5, lat: 56 },
        { lon: 10.4, lat: 56 },
      ];
      const response = await app.inject({ method: 'POST', url: BATCH, payload: { punkter } });
      expect(response.statusCode).toBe(200);
      expectDocumented(app, response, ['post', BATCH]);
      const body = response.json<{ results: unknown[]; errors: unknown[] }>();
      expect(body).toMatchObject({ requested: 4, succeeded: 2, failed: 2 });
      expect(body.results).toMatchObject([
        { id: 'sea', punkt: { lon: 12.5, lat: 56 }, antal: 0 },
        { punkt: { lon: 11.5, lat: 56 }, antal: 1 },
      ]);
      const { status } = new Failure(type);
      expect(body.errors).toEqual([
        { id: 'lost', punkt: { lon: 10.5, lat: 56 }, error: 'Not read.', status },
        { punkt: { lon: 10.4, lat: 56 }, error: 'Not read.', status },
      ]);
    });
  },
);
