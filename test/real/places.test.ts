/** The real extract of Danske Stednavne (five rows, two of them test rows), mirrored as the register's files are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overrideRegister } from '../../src/layers/register.ts';
import type { TableRegister } from '../../src/layers/register.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { FETCH_PATH, LIST_PATH } from '../../sample/files/answer.ts';
import { readPlaceExtract } from '../support/place-extract.ts';
import { openPlaceService } from '../support/place-service.ts';
import type { PlaceService } from '../support/place-service.ts';
import { describeReal } from '../support/real-data.ts';

/** The types of the extract, and the file of the sample's shelf that each is served as. */
const SERVED: Readonly<Record<string, string>> = {
  Stednavn: 'Stednavn',
  Bebyggelse: 'Bebyggelse',
  Landskabsform: 'Landskabsform',
  Bygning: 'Standsningssted',
};

function registerAt(url: string): TableRegister {
  const { stednavne } = REGISTERS_CATALOGUE.registers;
  const tables = stednavne.schema.tables.map(({ entity }) => {
    const served = SERVED[entity];
    const source = served === undefined ? null : { entity: served, minBytes: 1 };
    return [entity, { source, guards: { minRows: 1 } }] as const;
  });
  return overrideRegister(stednavne, {
    files: { listUrl: `${url}${LIST_PATH}`, fetchUrl: `${url}${FETCH_PATH}` },
    tables: Object.fromEntries(tables),
  });
}

describeReal('the real extract of place names', [], () => {
  let service: PlaceService;
  beforeAll(async () => {
    const extract = readPlaceExtract();
    service = await openPlaceService(registerAt);
    const typeOf = new Map(Object.entries(SERVED).map(([type, served]) => [served, type]));
    service.shelf.spoil({ rows: (entity, rows) => extract.get(typeOf.get(entity) ?? '') ?? rows });
    const outcome = await service.sync('stednavne');
    expect(outcome).toMatchObject({ state: 'published', counts: { unreadable: 0 } });
    await service.loader.refresh();
  });
  afterAll(() => service.close());

  const shown = async (path: string) =>
    (await service.get(path)).json<{ stednavne: Record<string, unknown>[] }>().stednavne;

  test('is four places with every vertex of the extract', async () => {
    expect(
      await service.column(`
        select count(*)::integer from place where geom is not null
        union all select sum(ST_NPoints(geom))::integer from place`),
    ).toEqual([4, 14_522 - 1]);
    expect(service.loader.current?.finder.placeCount).toBe(4);
  });

  test('tells Aarhus with its inhabitants, and the area that the register gives it', async () => {
    const [aarhus] = await shown('/v1/stednavne?q=%C3%85rhus');
    expect(aarhus).toMatchObject({
      id: '12337669-a188-6b98-e053-d480220a5a3f',
      navn: 'Aarhus',
      navnestatus: 'suAutoriseret',
      hovedtype: 'Bebyggelse',
      undertype: 'by',
      indbyggertal: 261_570,
    });
    const [hectares] = await service.column(
      `select ST_Area(geom) / 10000 from place where main_type = 'Bebyggelse'`,
    );
    expect(Number(hectares)).toBeCloseTo(9_790.67, 1);
  });
});
