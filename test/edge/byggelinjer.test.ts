/** GET /v1/natur/byggelinjer at the edge: rendering, headers and statuses. */
import { describe, expect, test } from 'vitest';
import type { LineKey } from '../../src/layers/keys.ts';
import type { LineAnswer } from '../../src/answers/answer.ts';
import { clearLine, linesAt, memoryApp, sharedApp, atGeneration } from './edge.ts';
import { linesInto } from '../support/log.ts';
import type { LinePages } from '../../src/registers/lines/pages.ts';
import { once } from 'node:events';
import { ATTRIBUTES } from '../db/lines-fixture.ts';
import { portOf } from '../support/free-port.ts';

const URL = '/v1/natur/byggelinjer';

/** natur covers the point by a hair, dige lies 2.04 m off, soe is old, aa is unavailable. */
function mixedLine(line: LineKey): LineAnswer {
  const base = clearLine(line);
  if (line === 'aa') return { status: 'unavailable', line };
  if (base.status !== 'ok') return base;
  if (line === 'soe') return { ...base, provenance: { rung: 'stale', ageS: 400_000.7 } };
  if (line === 'dige') return { ...base, distanceM: 2.04, count: 1 };
  if (line !== 'natur') return base;
  const hit = { objectId: 'a-1', inForce: true, attributes: ATTRIBUTES, areaM2: 1234.5678 };
  return {
    ...base,
    within: true,
    distanceM: -0.04,
    count: 2,
    hit,
    repealed: [{ ...hit, objectId: 'b-2', inForce: false, distanceM: 12.3456 }],
  };
}

describe('GET /v1/natur/byggelinjer', async () => {
  const app = await sharedApp({
    buildingLines: {
      at: (points, lines) => atGeneration(points.map((point) => linesAt(point, lines, mixedLine))),
    },
  });

  test('has null of a line that nothing could answer, rounds to 0.1 m and never prints -0', async () => {
    const response = await app.inject(`${URL}?lon=12.1&lat=55.6`);
    const nothing = { inden_for: null, usikker: false, afstand_m: null, traef: null };
    expect(response.json()).toMatchObject({
      linjer: {
        aa: { ...nothing, status: 'utilgaengelig', ophaevede: [] },
        natur: { inden_for: true, afstand_m: 0, ophaevede: [{ i_kraft: false, afstand_m: 12.3 }] },
        dige: { inden_for: false, afstand_m: 2 },
      },
      ...{ antal_i_kraft: 1, utilgaengelige: ['aa'] },
    });
    expect(response.body).not.toMatch(/:-0[,}]/);
  });

  test('names the layer and the address of each line without query or key', async () => {
    const { linjer } = (await app.inject(`${URL}?lon=12.1&lat=55.6`)).json<{
      linjer: Record<string, { kilde: { lag: string; wfs: string } }>;
    }>();
    for (const { kilde } of Object.values(linjer)) {
      expect(kilde.lag).toMatch(/^\w+:\w+$/);
      expect(kilde.wfs).toMatch(/^https:\/\/[^?#]+$/);
    }
  });
});

test('a batch whose client hangs up while it waits for a thread is no failure (D5)', async () => {
  const lines: string[] = [];
  const logStream = linesInto(lines);
  const waits = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<undefined>();
  const linePages: LinePages = {
    // As where all threads have work: what is asked for is given up with the signal.
    render: async (_points, _layout, { signal }) => {
      waits.resolve(undefined);
      await once(signal, 'abort').finally(() => ended.resolve(undefined));
      throw signal.reason;
    },
  };
  const app = await memoryApp({ linePages }, { logLevel: 'info', logStream });
  const port = await portOf(app);
  const hangUp = new AbortController();
  const asking = fetch(`http://127.0.0.1:${port}${URL}:batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ punkter: [{ lon: 12.1, lat: 55.6 }] }),
    signal: hangUp.signal,
  });
  await waits.promise;
  hangUp.abort();
  await expect(asking).rejects.toThrow('aborted');
  await ended.promise;
  await app.close();
  expect(lines.filter((line) => /request failed|internal_error|"stack"/.test(line))).toEqual([]);
});
