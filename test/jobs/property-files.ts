/**
 * The files of a job about properties (D97) against the records of the route: NDJSON is them, CSV their
 * columns as worked out here once more, GeoJSON has the point of the main building.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type { PropertyRecord } from '../../src/registers/property/record/record.ts';
import { parseRows, runningCells } from './csv-judge.ts';
import { addJob, addOwner, finish } from './job-bench.ts';
import type { JobBench, Owner, ResultLine } from './job-bench.ts';

/** In the order of D97. */
const HEADER = [
  ...['bfe_nummer', 'grund_id', 'kommunekode', 'adresse', 'matrikelnummer', 'ejerlav_kode'],
  ...['antal_bygninger', 'antal_enheder', 'anvendelse_kode', 'anvendelse_tekst', 'opfoerelsesaar'],
  ...['bebygget_m2', 'samlet_bygningsareal_m2', 'samlet_boligareal_m2', 'samlet_erhvervsareal_m2'],
  ...['ydervaeg', 'tag', 'opvarmningsmiddel', 'asbest', 'lon', 'lat'],
];

let bench: JobBench;
let owner: Owner;
let edge: FastifyInstance;
let id: string;
let bfes: readonly number[];
const records = new Map<number, PropertyRecord>();

/** Fetches them from a bench of the caller's. */
export function propertyFilesSuite(opened: () => JobBench): void {
  beforeAll(async () => {
    bench = opened();
    owner = await addOwner(bench.store);
    edge = await bench.keyed(owner);
    bfes = await chosen();
    id = await addJob(bench.store, {
      ...owner,
      kind: 'bbr',
      columns: { bfe: 'BFE' },
      inputColumns: ['BFE', 'adresse'],
      rows: [...bfes.map((bfe) => [String(bfe), '=1+1']), ['9999999', ''], ['x', '']],
      chunkRows: 60,
    });
    await finish(bench, id);
    for (const bfe of bfes) {
      const record = await bench.edge.inject(`/v1/bbr/ejendom/${bfe}`);
      expect(record.statusCode, String(bfe)).toBe(200);
      records.set(bfe, record.json<PropertyRecord>());
    }
  });
  suite();
}

/** Some of each kind: grounds, flats, a house on another's ground, and what only the cadastre knows. */
async function chosen(): Promise<readonly number[]> {
  const { rows } = await bench.store.pool.query<{ bfe: number }>(`
    (select distinct bfe::integer as bfe from bbr_property where status = 7 order by 1 limit 60)
    union (select bfe::integer from cadastre_flat where status = 3 order by 1 limit 20)
    union (select bfe::integer from cadastre_property c where status = 3 and not exists (
      select from bbr_property p where p.bfe = c.bfe) order by 1 limit 10)
    union (select distinct p.bfe::integer from bbr_property p
      join bbr_ground g on g.property_id = p.id and g.id = '${KNOWN_PROPERTY.groundIds[0]}')
    order by 1`);
  const { bfe, flatBfe, foreignBfe } = KNOWN_PROPERTY;
  return [...new Set([bfe, flatBfe, foreignBfe, ...rows.map((row) => row.bfe)])];
}

async function file(format: string): Promise<string> {
  const response = await edge.inject({
    url: `/v1/jobs/${id}/results?format=${format}`,
    headers: { authorization: `Bearer ${owner.accountId}` },
  });
  expect(response.statusCode).toBe(200);
  return response.body;
}

function recordOf(bfe: unknown): PropertyRecord {
  const record = records.get(Number(bfe));
  if (record === undefined) throw new Error(`Nobody asked for ${String(bfe)}.`);
  return record;
}

type Building = PropertyRecord['bygninger'][number];

/** What of a row is the main building's; nothing without one. */
function mainCells(main: Building): Record<string, unknown> {
  const [lon, lat] = main.geometri?.coordinates ?? [];
  return {
    anvendelse_kode: main.anvendelse?.kode,
    anvendelse_tekst: main.anvendelse?.tekst,
    opfoerelsesaar: main.opfoerelsesaar,
    ...main.areal,
    ydervaeg: main.materialer.ydervaeg?.tekst,
    tag: main.materialer.tag?.tekst,
    opvarmningsmiddel: main.varme.opvarmningsmiddel?.tekst,
    asbest: main.asbest?.tekst,
    ...{ lon, lat },
  };
}

/** The cells of a record, empty for what is null. */
function cellsOf(record: PropertyRecord): string[] {
  const { bygninger, hovedbygning_index: at } = record;
  const main = at === null ? undefined : bygninger[at];
  const cells: Record<string, unknown> = {
    bfe_nummer: record.bfe_nummer,
    grund_id: record.grund_id,
    kommunekode: record.kommunekode,
    adresse: main?.enheder[0]?.adresse.betegnelse,
    matrikelnummer: record.jordstykke.matrikelnummer,
    ejerlav_kode: record.jordstykke.ejerlav_kode,
    antal_bygninger: record.antal_bygninger,
    antal_enheder: bygninger.flatMap(({ enheder }) => enheder).length,
    ...(main && mainCells(main)),
  };
  expect(HEADER).toEqual(expect.arrayContaining(Object.keys(cells)));
  return HEADER.map((name) => {
    const cell = cells[name] ?? '';
    return typeof cell === 'number' ? String(cell) : (cell as string);
  });
}

function suite(): void {
  describe('a file about properties', () => {
    test('tells of properties with and without buildings, units, points and grounds', () => {
      const all = [...records.values()];
      const mains = all.map(({ bygninger, hovedbygning_index: at }) => bygninger[at ?? -1]);
      for (const isSo of [
        mains.includes(undefined),
        mains.some((main) => main?.geometri !== null && main?.geometri !== undefined),
        mains.some((main) => (main?.enheder.length ?? 0) > 1),
        all.some(({ grund_id: ground }) => ground === null),
        all.some(({ hovedbygning_index: at }) => at !== null && at > 0),
        all.some((record) => record.bfe_nummer >= 9_200_001),
      ]) {
        expect(isSo).toBe(true);
      }
    });

    test('as NDJSON has the records of the route', async () => {
      const lines = (await file('ndjson')).trimEnd().split('\n');
      const results = lines.map((line) => JSON.parse(line) as ResultLine & { svar: object });
      expect(results.map(({ svar }) => svar)).toEqual(bfes.map(recordOf));
      // To the last byte, and not only as read.
      for (const [i, line] of lines.entries()) {
        expect(line).toContain(JSON.stringify(recordOf(bfes[i])));
      }
    });

    test('as CSV has the columns of D97 behind those of the caller', async () => {
      const text = await file('csv');
      expect(runningCells(text)).toEqual([]);
      const [header = [], ...rows] = parseRows(text.slice(1));
      const at = header.indexOf('bfe_nummer');
      expect(header.slice(0, at)).toEqual(['BFE', 'adresse', 'raekke']);
      // One of ours has the name of one of the caller's.
      const ours = HEADER.map((name) => (name === 'adresse' ? 'adresse_svar' : name));
      expect(header.slice(at, at + HEADER.length)).toEqual(ours);
      expect(rows.map((row) => row.slice(at, at + HEADER.length))).toEqual(
        bfes.map((bfe) => cellsOf(recordOf(bfe))),
      );
    });

    test('as GeoJSON has the point of the main building, or none', async () => {
      const { features } = JSON.parse(await file('geojson')) as {
        features: { geometry: object | null; properties: { bfe_nummer: number } }[];
      };
      expect(features.map(({ properties }) => properties.bfe_nummer)).toEqual(bfes);
      const expected = bfes.map((bfe) => {
        const { bygninger, hovedbygning_index: at } = recordOf(bfe);
        const point = bygninger[at ?? -1]?.geometri ?? null;
        return point && { type: 'Point', coordinates: point.coordinates };
      });
      expect(features.map(({ geometry }) => geometry)).toEqual(expected);
    });

    test('of the errors says who is unknown and which row has no number, and neither is billed', async () => {
      const response = await edge.inject({
        url: `/v1/jobs/${id}/errors?format=ndjson`,
        headers: { authorization: `Bearer ${owner.accountId}` },
      });
      const errors = response.body.trimEnd().split('\n');
      expect(errors.map((line) => JSON.parse(line) as object)).toMatchObject([
        {
          raekke: bfes.length + 1,
          status: 404,
          error: expect.stringContaining('9999999') as string,
        },
        { raekke: bfes.length + 2, status: 400 },
      ]);
      const { rows } = await bench.store.pool.query<{ units: number }>(
        'select billed_units as units from job where id = $1',
        [id],
      );
      expect(rows).toEqual([{ units: bfes.length }]);
    });
  });
}
