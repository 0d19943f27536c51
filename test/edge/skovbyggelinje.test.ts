/** GET /v1/natur/skovbyggelinje: the skov line of the ten, alone. */
import { describe, expect, test } from 'vitest';
import type { LineKey } from '../../src/layers/keys.ts';
import { expectDocumented, linesAt, sharedApp } from './edge.ts';

const URL = '/v1/natur/skovbyggelinje';

describe('GET /v1/natur/skovbyggelinje', async () => {
  const asked: (readonly LineKey[])[] = [];
  const app = await sharedApp({
    buildingLines: {
      at: (points, lines) => {
        asked.push(lines);
        return Promise.resolve({
          generation: 1,
          value: points.map((point) => linesAt(point, lines)),
        });
      },
    },
  });

  test('asks the same lookup for one line and gives the same line object as the ten', async () => {
    const alone = await app.inject(`${URL}?lon=12.1&lat=55.6`);
    const ten = await app.inject('/v1/natur/byggelinjer?lon=12.1&lat=55.6');
    expect(asked[0]).toEqual(['skov']);
    expectDocumented(app, alone, ['get', URL]);
    const body = alone.json<Record<string, unknown>>();
    const { linjer, ...rest } = ten.json<{ linjer: Record<string, unknown> }>();
    expect(body).toMatchObject({ skov: linjer['skov'] });
    expect(Object.keys(body)).toEqual(['punkt', 'epsg25832', 'soegeradius_m', 'skov', 'meta']);
    for (const key of ['punkt', 'epsg25832', 'soegeradius_m', 'meta'] as const) {
      expect(body[key]).toEqual((rest as Record<string, unknown>)[key]);
    }
  });
});
