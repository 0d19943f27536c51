/** The ground of a property, from memory and from the store: its own, that of a flat, of a building on foreign ground (D211). */
import { sql } from 'kysely';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { createParcelLoader } from '../../src/registers/cadastre/load.ts';
import type { ParcelLoader } from '../../src/registers/cadastre/load.ts';
import { groundOfProperty } from '../../src/registers/conditions/ground.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import type { WfsClient } from '../../src/wfs/client.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import { testLookups } from '../support/lookups.ts';
import { openMemoryBench } from '../support/memory.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const { bfe: OWN, flatBfe: FLAT, foreignBfe: FOREIGN } = KNOWN_PROPERTY;

let memory: LayerLoader;
let parcels: ParcelLoader;
let nowMs: number;
const bench = await opened(openMemoryBench(await openMirroredStore('served')));
beforeAll(async () => {
  memory = bench.memoryIn(bench.newDirectory());
  const { store, workers } = bench;
  const place = { directory: bench.newDirectory(), storeName: 'test', log: () => undefined };
  parcels = createParcelLoader({ store, workers, ...place });
  await Promise.all([memory.refresh(), parcels.refresh()]);
  nowMs = bench.deps.clock.nowMs();
});
afterAll(() => parcels.stop());

const AWAY: KyselyPlugin = {
  transformQuery: () => {
    throw new Error('The store is away.');
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

function conditionsWith({ isHeld = true, isAway = false }) {
  const { store, workers, deps } = bench;
  const { catalogue, keys } = deps;
  return testLookups(
    { catalogue, keys, clock: { nowMs: () => nowMs } },
    {
      workers,
      wfs: {} as WfsClient,
      store: isAway ? { ...store, db: store.db.withPlugin(AWAY) } : store,
      memory: isHeld ? memory : null,
      indexes: isHeld ? { cadastre: parcels } : {},
    },
  ).lookupsOf(conditions).conditions;
}

const deadline = () => ({ signal: AbortSignal.timeout(HANG_MS) });

/** Whether both tell the same. Returns what memory tells of the ground. */
async function heldAndStored(bfe: number): Promise<object> {
  const [held, stored] = await Promise.all(
    [true, false].map(async (isHeld) => {
      const lookups = conditionsWith({ isHeld });
      const ground = await groundOfProperty(lookups.ground, bfe);
      const { answer } = await lookups.in(ground.place, ground.buildings, null, deadline());
      return { shown: ground.shown, answer };
    }),
  );
  expect(held!.shown).toEqual(stored!.shown);
  expect(held!.answer.areaM2).toBeCloseTo(stored!.answer.areaM2!, 2);
  expect(held!.answer.unavailable).toEqual([]);
  expect(held!.answer.layers).toEqual(stored!.answer.layers);
  return held!.shown;
}

test.each([
  ['a property', OWN, true],
  ['a flat', FLAT, false],
  ['a building on foreign ground', FOREIGN, false],
])('of %s memory and store tell the same', async (_, bfe, isOwn) => {
  expect(await heldAndStored(bfe)).toMatchObject({ bfe_nummer: bfe, egen_grund: isOwn });
});

test('of the property with the most parcels too, in their order', async () => {
  const { rows } = await sql<{ bfe: number; count: number }>`
    select bfe::integer as bfe, count(*)::integer as count from cadastre_parcel
    where status = 3 and bfe is not null group by bfe order by count(*) desc, bfe limit 1`.execute(
    bench.store.db,
  );
  const shown = await heldAndStored(rows[0]!.bfe);
  expect(shown).toHaveProperty('jordstykker.length', rows[0]!.count);
});

test('a building on foreign ground stands on the parcels at its point', async () => {
  const { shown } = await groundOfProperty(conditionsWith({}).ground, FOREIGN);
  const { rows } = await sql<{ code: number; number: string }>`
    select distinct d.code::integer as code, p.number
    from bbr_building b join cadastre_face f on ST_Covers(f.geom, b.geom)
    join cadastre_parcel p on p.id = f.parcel_id and p.status = 3
    join cadastre_district d on d.id = p.district_id
    where b.id = ${KNOWN_PROPERTY.foreignBuildingId}`.execute(bench.store.db);
  expect(rows.length).toBeGreaterThan(0);
  const named = rows.map(({ code, number }) => ({ ejerlav_kode: code, matrikelnummer: number }));
  expect(shown).toMatchObject({ jordstykker: expect.arrayContaining(named) as unknown });
});

test('while the store is away a property answers from memory, and a flat says that nothing can', async () => {
  const lookups = conditionsWith({ isAway: true });
  const ground = await groundOfProperty(lookups.ground, OWN);
  expect(ground.shown).toMatchObject({ egen_grund: true });
  const { answer, facts } = await lookups.in(ground.place, null, null, deadline());
  expect([answer.unavailable, answer.areaM2! > 0]).toEqual([[], true]);
  expect(new Set(facts.provenance.map(({ rung }) => rung))).toEqual(new Set(['snapshot']));
  await expect(groundOfProperty(lookups.ground, FLAT)).rejects.toMatchObject({
    type: 'upstream_unavailable',
  });
});
