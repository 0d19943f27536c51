/** Rows of a register that cannot be read (D143): whose property they are of is not answered, never told short. */
import { afterEach, describe, expect, test } from 'vitest';
import { createCadastre } from '../../src/registers/cadastre/lookup.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import { Failure } from '../../src/kernel/failures.ts';
import type { Box } from '../../src/geo/box.ts';
import type { Bounds } from '../../src/geo/bounds.ts';
import { meetsUnread } from '../../src/geo/unanswered.ts';
import { readParcelsWithin } from '../../src/registers/cadastre/tiles.ts';
import { readCadastreProperty } from '../../src/registers/cadastre/store.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const { bfe, blockId } = KNOWN_PROPERTY;

const bench = await opened(openAddressBench());
afterEach(() => bench.shelf.spoil());

const sync = (id: 'bbr' | 'matrikel' | 'adresser', lifted: readonly 'unplaced'[] = []) =>
  syncLayer(bench.deps, id, { trigger: 'command', liftedGuards: lifted });

const common = () => ({
  catalogue: bench.deps.catalogue,
  clock: bench.deps.clock,
  municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
  nameSources: (names: readonly string[]) => names.join(', '),
});

/** 200, `unread`, or the status of another failure. */
async function property(number: number): Promise<number | 'unread'> {
  const read = (asked: Parameters<typeof readProperties>[1]) => readProperties(bench.store, asked);
  const properties = createProperties({ ...common(), read, addresses: () => null });
  const { value } = await properties.find([number], null);
  return value[0] instanceof Failure ? failureOf(value[0]) : 200;
}

function failureOf({ status, message }: Failure): number | 'unread' {
  const isUnread = message.includes('rows of the property');
  return isUnread && status === 503 ? 'unread' : status;
}

async function cadastre(number: number): Promise<number | 'unread'> {
  const read = (asked: number, most: number) => readCadastreProperty(bench.store, asked, most);
  return await createCadastre({ ...common(), read })
    .find(number)
    .then(
      () => 200,
      (failure: unknown) => failureOf(failure as Failure),
    );
}

/** A row of the files by its id, with these cells in place of its own. */
function breaks(entity: SampleEntity, id: string, cells: TableRow): void {
  bench.shelf.spoil({
    rows: (each, rows) =>
      each === entity
        ? rows.map((row) => (row['id_lokalId'] === id ? { ...row, ...cells } : row))
        : rows,
  });
}

const unread = async (layer: string) =>
  (
    await bench.column(`select unanswered -> 'objects' from layer_state where layer = '${layer}'`)
  )[0];

describe('a first copy', () => {
  test('that cannot tell whose a row is, is refused until a person releases it, and says what is not known', async () => {
    expect(told(await sync('matrikel'))).toBe('published');
    breaks('Bygning', blockId, { registreringFra: 'i går', grund: null, id_lokalId: 'ukendt' });
    expect(told(await sync('bbr'))).toBe('refused: unplaced');
    expect(told(await sync('bbr', ['unplaced']))).toBe('published');
    expect(await unread('bbr')).toEqual([null]);
    // A number that is known is told by what is known; one that is not may be that row's.
    expect([await property(bfe), await property(7)]).toEqual([200, 'unread']);
  });

  test('is not refused again for what was released', async () => {
    breaks('Bygning', blockId, { registreringFra: 'i går', grund: null, id_lokalId: 'ukendt' });
    bench.shelf.renew('Bygning');
    expect(told(await sync('bbr'))).toBe('unchanged');
    expect(await property(7)).toBe('unread');
  });
});

describe('a property whose number cannot be read', () => {
  test('is refused: nothing tells which number it is', async () => {
    const [id] = await bench.column(
      `select id::text from bbr_property where bfe = ${bfe} and status = 7`,
    );
    bench.shelf.renew('Ejendomsrelation');
    breaks('Ejendomsrelation', String(id), { bfeNummer: '91 mio.' });
    expect(told(await sync('bbr'))).toMatch(/^refused: .*unplaced/);
    expect(await property(bfe)).toBe(200);
  });
});

describe('a building that cannot be read', () => {
  test('keeps its property unanswered, and no other, until it comes whole', async () => {
    bench.shelf.renew('Bygning');
    breaks('Bygning', blockId, { registreringFra: 'i går' });
    expect(told(await sync('bbr'))).toBe('published');
    const other = await bench.column(
      `select p.bfe::integer from bbr_property p where p.status = 7 and p.bfe not in (${bfe})
        and not p.bfe::text = any(array(select jsonb_array_elements_text(unanswered -> 'objects')
          from layer_state where layer = 'bbr')) order by p.bfe limit 1`,
    );
    expect(await unread('bbr')).toContain(String(bfe));
    expect([await property(bfe), await property(Number(other[0]))]).toEqual(['unread', 200]);
    bench.shelf.spoil();
    bench.shelf.renew('Bygning');
    expect(told(await sync('bbr'))).toBe('published');
    expect([await unread('bbr'), await property(bfe), await property(7)]).toEqual([null, 200, 503]);
  });

  test('is unanswered again with the version that is put back', async () => {
    expect(await revertLayer(bench.deps, 'bbr', { by: 'test' })).toMatchObject({
      state: 'published',
    });
    expect([await unread('bbr'), await property(bfe)]).toEqual([
      expect.arrayContaining([String(bfe)]),
      'unread',
    ]);
  });
});

describe('a parcel that cannot be read', () => {
  test('keeps its property unanswered in the cadastre and in the record', async () => {
    const [id] = await bench.column(
      `select id::text from cadastre_parcel where bfe = ${bfe} and status = 3 order by id limit 1`,
    );
    const called = await bench.column(
      `select d.code || ' ' || p.number from cadastre_parcel p
       join cadastre_district d on d.id = p.district_id where p.id = ${String(id)}`,
    );
    expect(await cadastre(bfe)).toBe(200);
    await bench.column('truncate cadastre_parcel, cadastre_face');
    await bench.column(`delete from cadastre_source where entity in ('Jordstykke', 'Lodflade')`);
    bench.shelf.renew('Jordstykke');
    breaks('Jordstykke', String(id), { virkningFra: 'ukendt' });
    expect(told(await sync('matrikel'))).toBe('published');
    expect([await unread('matrikel'), await cadastre(bfe), await property(bfe)]).toEqual([
      expect.arrayContaining([String(bfe)]),
      'unread',
      'unread',
    ]);
    expect(
      await bench.column(`select unanswered -> 'names' from layer_state where layer = 'matrikel'`),
    ).toEqual([called]);
  });
});

describe('a face of a parcel that cannot be read', () => {
  const within = (box: Box) => readParcelsWithin(bench.store, box, 10_000);

  test('leaves no tile it may lie in drawn without it, and others are', async () => {
    bench.shelf.spoil();
    for (const entity of ['Jordstykke', 'Lodflade'] as const) bench.shelf.renew(entity);
    expect(told(await sync('matrikel'))).toMatch(/published|unchanged/);
    const [face] = bench.shelf
      .rows('Lodflade')
      .filter(({ geometri }) => String(geometri).length > 100)
      .slice(-1);
    expect(face).toBeDefined();
    const [box] = (await bench.column(
      `select array[ST_XMin(geom), ST_YMin(geom), ST_XMax(geom), ST_YMax(geom)]
       from cadastre_face where id = '${String(face?.['id_lokalId'])}'`,
    )) as Bounds[];
    const [west, south, east, north] = box ?? [0, 0, 0, 0];
    const around = { minX: west + 0.1, minY: south + 0.1, maxX: east - 0.1, maxY: north - 0.1 };
    const meets = async ({ minX, minY, maxX, maxY }: Box) => {
      const { copy } = await within({ minX, minY, maxX, maxY });
      return meetsUnread(copy?.unanswered, [minX, minY, maxX, maxY]);
    };
    expect(await meets(around)).toBe(false);
    breaks('Lodflade', String(face?.['id_lokalId']), { registreringFra: 'i går' });
    bench.shelf.renew('Lodflade');
    // As on a first copy: nothing before tells where it was.
    await bench.column('truncate cadastre_face');
    await bench.column(`delete from cadastre_source where entity = 'Lodflade'`);
    expect(told(await sync('matrikel'))).toBe('published');
    // Every corner of it, of a shape longer than what is shown of a value.
    for (const minX of [west, east - 1]) {
      for (const minY of [south, north - 1]) {
        expect(await meets({ minX, minY, maxX: minX + 1, maxY: minY + 1 })).toBe(true);
      }
    }
    expect(await meets({ ...around, minX: west - 9_000, maxX: west - 8_000 })).toBe(false);
  });
});
