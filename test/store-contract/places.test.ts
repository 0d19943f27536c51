/** Place names of the sample from the register's tables to one row a place (D121, D122). */
import { afterEach, describe, expect, test } from 'vitest';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { syncLayer } from '../../sync/run.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';
import { expectOneChange } from '../support/whole-registers.ts';
import { KNOWN_PLACE } from '../support/known-island.ts';

const bench = await opened(openAddressBench());
afterEach(() => bench.shelf.spoil());

const sync = () => syncLayer(bench.deps, 'stednavne', { trigger: 'command' });
const first = await sync();

interface Held {
  readonly public_id: string;
  readonly main_type: string | null;
  readonly subtype: string | null;
  readonly names: readonly (readonly (string | null)[])[];
  readonly unresolved: number;
  readonly inhabitants: number | null;
  readonly shape: string | null;
  readonly is_inside: boolean | null;
}

async function placeOf(object: number): Promise<Held | undefined> {
  const { rows } = await bench.store.pool.query<Held>(
    `select public_id, main_type, subtype, names::json as names, unresolved, inhabitants,
      ST_GeometryType(geom) as shape,
      ST_DWithin(geom, ST_SetSRID(ST_MakePoint(easting, northing), 25832), 0.001) as is_inside
    from place where id = $1`,
    [object],
  );
  return rows[0];
}

test('a first sync makes every place one row of all its names, and keeps nothing else', async () => {
  expect(told(first)).toBe('published');
  const objects = bench.shelf
    .rows('Stednavn')
    .filter((row) => row['registreringTil'] === null && row['aktualitet'] !== 'historisk')
    .map((row) => Number(row['navngivetSted_objectid']));
  const held = await bench.column('select id::integer from place order by id');
  expect(held).toEqual([...new Set(objects)].toSorted((a, b) => a - b));
  const left = await bench.column(
    `select relname::text from pg_class where relkind = 'r' and relname like 'place%' order by 1`,
  );
  expect(left).toEqual(['place', 'place_history', 'place_source']);
  const notes = first.state === 'published' ? first.counts.notes.join('\n') : '';
  expect(notes).toContain('1 references to rows that are not there');
});

test('points, lines, areas and a ring that crosses itself have a point in them (D121)', async () => {
  const shapes: readonly (readonly [number, string])[] = [
    [KNOWN_PLACE.station.object, 'ST_Point'],
    [KNOWN_PLACE.stream.object, 'ST_MultiLineString'],
    [KNOWN_PLACE.lake.object, 'ST_Polygon'],
    [KNOWN_PLACE.bowTie, 'ST_MultiPolygon'],
  ];
  for (const [object, shape] of shapes) {
    expect(await placeOf(object)).toMatchObject({ shape, is_inside: true });
  }
  const [middle] = await bench.column(
    `select abs(ST_LineLocatePoint(ST_GeometryN(ST_LineMerge(geom), 1),
      ST_SetSRID(ST_MakePoint(easting, northing), 25832)) - 0.5) < 1e-6
    from place where id = ${KNOWN_PLACE.stream.object}`,
  );
  expect(middle).toBe(true);
});

test('a place in no table is known by its names alone, one without an id by its number', async () => {
  expect(await placeOf(KNOWN_PLACE.nowhere)).toMatchObject({ unresolved: 1, shape: null });
  expect(await placeOf(KNOWN_PLACE.noId)).toMatchObject({
    public_id: String(KNOWN_PLACE.noId),
    unresolved: 0,
  });
});

describe('another run', () => {
  test('reads no changes of a day; of one new table it reads all, and is taken back', async () => {
    await expectOneChange(bench, 'stednavne', {
      ...{ entity: 'Bebyggelse', cells: { indbyggertal: '7' } },
    });
  });

  test('goes on without a type that is left out, and not without the names', async () => {
    const without = async (entity: string): Promise<string> => {
      const catalogue = overrideCatalogue(bench.deps.catalogue, {
        stednavne: {
          tables: { [entity]: { source: null } },
          guards: { maxDanglingShare: 1, maxChangeShare: 1, maxDropShare: 1 },
        },
      });
      bench.shelf.renew('Bebyggelse');
      const deps = { ...bench.deps, catalogue };
      return told(await syncLayer(deps, 'stednavne', { trigger: 'command' }));
    };
    expect(await without('Soe')).toBe('published');
    expect(await placeOf(KNOWN_PLACE.lake.object)).toMatchObject({ unresolved: 1, shape: null });
    expect(await without('Stednavn')).toBe('refused: empty');
  });
});
