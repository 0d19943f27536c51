/** Constituencies and electoral regions at the door, by what the register itself says of each district. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import type { AreaList } from '../../src/registers/areas/list.ts';
import { constituencyOf } from '../../src/registers/areas/constituencies.ts';
import type { ReverseAreas } from '../../src/registers/areas/reverse.ts';
import { describeReal, realFile } from '../support/real-data.ts';
import { AREA, doorParts } from './dawa-edge.ts';
import { sharedApp } from './edge.ts';

const codeOf = (number: number): string => String(number).padStart(4, '0');

/** Of nomination districts from one number to another, all in one region; the last is at every point. */
function partsOf(first: number, last: number) {
  const parts = doorParts();
  const { areaList } = parts.lookups;
  const codes = Array.from({ length: last - first + 1 }, (_, i) => codeOf(first + i));
  const all: AreaList['all'] = async (theme) => {
    const rows = theme === 'region' ? ['1084'] : codes;
    const value = rows.map((code) => ({ ...AREA, code, regionCode: '1084' }));
    return { ...(await areaList.all(theme)), value };
  };
  const reverseAreas: ReverseAreas = {
    at: async (points, deadline) => {
      const { value, ...facts } = await parts.lookups.reverseAreas.at(points, deadline);
      const areas = [{ theme: 'opstillingskreds', code: codeOf(last), name: 'Prøve' }] as const;
      const answers = value.map((each) => (each instanceof Failure ? each : { ...each, areas }));
      return { ...facts, value: answers };
    },
  };
  return { ...parts, lookups: { ...parts.lookups, areaList: { ...areaList, all }, reverseAreas } };
}

const APPS: Readonly<Record<string, ReturnType<typeof sharedApp>>> = {
  '1 to 92': sharedApp({ dawa: partsOf(1, 92) }),
  '2 to 92': sharedApp({ dawa: partsOf(2, 92) }),
  '1 to 93': sharedApp({ dawa: partsOf(1, 93) }),
};
const HERE = 'x=11.4&y=56.9';

test.each<[number, number, string, number, object]>([
  [1, 92, '/storkredse/2', 200, { nummer: '2', region: { kode: '1084' } }],
  [2, 92, '/storkredse/1', 200, { nummer: '1', region: null, bbox: null }],
  [1, 92, `/storkredse/reverse?${HERE}`, 200, { nummer: '10', valglandsdel: { bogstav: 'C' } }],
  [1, 92, `/valglandsdele?${HERE}`, 200, [{ bogstav: 'C' }]],
  [1, 93, `/storkredse/reverse?${HERE}`, 503, {}],
  [1, 93, `/valglandsdele?${HERE}`, 503, {}],
  [1, 92, '/opstillingskredse?storkredsnummer=4', 200, [{ kode: '0027' }, { kode: '0028' }]],
  [1, 92, '/storkredse/1?format=geojson', 200, { geometry: { type: 'MultiPolygon' } }],
  [2, 92, '/storkredse/1?format=geojson', 200, { geometry: null }],
])('of districts %i to %i %s is %i', async (first, last, path, ...[status, wanted]) => {
  const answer = await (await APPS[`${first} to ${last}`]!).inject(`/dawa${path}`);
  expect(answer.statusCode, answer.body).toBe(status);
  expect(answer.json()).toMatchObject(wanted);
  // Of a whole of which an area is not mirrored nothing is known (D282).
  const isPartial = first === 2;
  expect(answer.headers['x-service-partial']).toBe(isPartial ? 'true' : undefined);
  if (isPartial) expect(answer.headers['cache-control']).toContain('no-cache');
});

describeReal('every nomination district of the register', [], () => {
  test('is in the constituency that the register names', () => {
    const file = realFile('dagi/dagi2000_opstillingskreds.geojson.gz');
    const { features } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
      features: { properties: Readonly<Record<string, number>> }[];
    };
    const regions = JSON.parse(readFileSync(realFile('dagi/koder/storkredse.json'), 'utf8')) as {
      nummer: string;
      valglandsdelsbogstav: string;
    }[];
    const letters = new Map(regions.map((each) => [each.nummer, each.valglandsdelsbogstav]));
    expect(features.length).toBe(92);
    for (const { properties } of features) {
      const { opstillingskredsnummer: code, storkredsnummer } = properties;
      const found = constituencyOf(codeOf(code ?? 0));
      const number = String(storkredsnummer);
      expect([found?.number, found?.electoralRegion.letter]).toEqual([number, letters.get(number)]);
    }
  });
});
