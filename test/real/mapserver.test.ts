/**
 * Real input, end to end. Proves that the program mirrors real register data from a WFS server that
 * nobody here wrote and then answers exactly:
 *
 * 1. Debian's MapServer publishes the real extracts (six national DAGI themes, § 3 nature of Egedal,
 *    strandbeskyttelse and fortidsminder of Hvidovre) under the registers' own names. It tells no
 *    total on its pages, writes null as empty text and hands out invalid polygons as they are.
 * 2. `syncLayer` mirrors them: the same code, guards and mappings as for the sample and the registers.
 * 3. The lookups answer some ten thousand points a layer, a third of them within 5 m of an edge.
 * 4. The oracle (test/support/oracle.ts: plain PostGIS over the untouched files, loaded by ogr2ogr)
 *    answers the same points, and every answer is held against it: `inden_for`, `antal`, `usikker`,
 *    the object behind `traef`, `afstand_m` to 1 mm before rounding, and the areas of the themes.
 *
 * Mismatches allowed: none. Points within a micrometre of a place where an answer flips are left
 * out and counted, because two correct computations may differ there by the last bit.
 *
 * "Touching" (D27): the oracle dissolves with plain ST_Union over the coordinates as they are. Where
 * two pieces share an edge bit for bit, as the cadastre's do, nothing is left between them (Hvidovre:
 * 54 pieces, no hole, no slit). Where they were drawn apart by a hair, as § 3 areas often are, the
 * hair is a gap, and its edges are edges of the zone.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { THEMES } from '../../src/layers/keys.ts';
import { readCoveringAreas } from '../../src/registers/dagi/store.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import type { WfsClient } from '../../src/wfs/client.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SyncDeps } from '../../sync/deps.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../workers/pool.ts';
import { startMapServer } from '../support/mapserver.ts';
import type { MapServer } from '../support/mapserver.ts';
import { Oracle } from '../support/oracle.ts';
import type { Probe } from '../support/oracle.ts';
import { describeReal, REAL_LAYERS } from '../support/real-data.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { probesOf } from './mapserver-probes.ts';

/** The embedded store measures in one thread of WebAssembly: there a part must do. */
const POINTS = process.env['TEST_STORE'] === 'postgres' ? 10_050 : 1_500;
const BATCH = LIMITS.dagiPointsPerBatch;
/** Metres: nearer than this to where an answer flips, two right computations may differ. */
const LEFT_OUT_M = 1e-6;
const LINES = ['strandbeskyttelse', 'fortidsminde', 'natur'] as const;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

describeReal('the mirror of the real extracts', ['mapserver', 'gdal', 'postgres'], () => {
  let upstream: MapServer;
  let oracle: Oracle;
  let store: TestStore;
  let workers: Workers;
  let wfs: WfsClient;
  let deps: SyncDeps;

  beforeAll(async () => {
    [upstream, oracle, store] = await Promise.all([
      startMapServer(),
      Oracle.start(),
      openTestStore({ purpose: 'sync' }),
    ]);
    workers = createWorkers({ threads: 1 });
    wfs = createWfsClient();
    const { catalogue } = upstream;
    deps = { store, workers, wfs, catalogue, keys: {}, clock: systemClock, log: SILENT };
  }, 120_000);

  afterAll(async () => {
    await Promise.all([wfs.close(), workers.close(), upstream.close()]);
    await Promise.all([store.close(), oracle.close()]);
  });

  it('refuses the strandbeskyttelse extract by id, two of which stand on two rows each', async () => {
    const catalogue = overrideCatalogue(upstream.catalogue, {
      strandbeskyttelse: { source: { keyProperty: 'id.lokalId' } },
    });
    const outcome = await syncLayer({ ...deps, catalogue }, 'strandbeskyttelse', {
      trigger: 'command',
    });
    expect(outcome).toMatchObject({
      state: 'refused',
      refusals: [{ guard: 'duplicates', numbers: { rows: 54, distinctKeys: 52 } }],
    });
  });

  it.each(REAL_LAYERS)('mirrors $layer whole, page by page', async ({ layer, rows }) => {
    const outcome = await syncLayer(deps, layer, { trigger: 'command' });
    expect(outcome).toMatchObject({
      state: 'published',
      publication: { layer, version: 1, rowCount: rows },
      counts: {
        announced: [rows],
        received: rows,
        parsed: rows,
        staged: rows,
        unreadable: 0,
        repaired: layer === 'natur' ? 8 : 0,
        lostInRepair: 0,
        outsideDenmark: 0,
        notes: [],
      },
    });
    // An empty page ends what no page announces the end of.
    const pageSize = rows > 44 ? Math.ceil(rows / 4.5) : 10;
    const pages = Math.ceil(rows / pageSize);
    expect('counts' in outcome && outcome.counts.pages).toBeGreaterThanOrEqual(pages);
  });

  it('finds nothing to write when nothing has changed', async () => {
    for (const layer of ['kommune', 'natur'] as const) {
      const outcome = await syncLayer(deps, layer, { trigger: 'command' });
      expect(outcome).toMatchObject({ state: 'unchanged', counts: { changed: 0, removed: 0 } });
    }
  });

  it.each(THEMES)(
    'finds the areas of points around the edges of %s',
    async (theme) => {
      const edges = [await oracle.featureEdges(theme)];
      const probes = probesOf({ edges, total: POINTS, seed: 1 + THEMES.indexOf(theme) });
      const truths = await oracle.areas(probes);
      const tally = new Tally(theme, probes);
      for (let from = 0; from < probes.length; from += BATCH) {
        const points = probes
          .slice(from, from + BATCH)
          .map(({ x: xUtm32, y: yUtm32 }) => ({ xUtm32, yUtm32 }));
        const { byPoint } = await readCoveringAreas(store, points);
        for (const [i, areas] of byPoint.entries()) {
          const truth = truths[from + i]!;
          const given = areas.map((area) => `${area.theme} ${area.code}`).sort();
          tally.add(
            from + i,
            truth.marginM,
            given.join() === truth.areas.join() ? null : { given, truth },
          );
        }
      }
      tally.expectNoMismatch();
    },
    300_000,
  );

  it.each(THEMES)('gives every area of %s the region it shares most with', async (theme) => {
    const { rows } = await store.pool.query<{ code: string; region_code: string }>(
      'select code, region_code from area where theme = $1',
      [theme],
    );
    const given = new Map(rows.map(({ code, region_code }) => [code, region_code]));
    expect(given).toEqual(await oracle.regionCodes(theme));
  });

  it.each(LINES)('keeps standing, adoption and area of every %s feature', async (layer) => {
    const mirrored = await store.pool.query(
      `select object_id, standing, adopted, area_m2 from line_feature where layer = $1
       order by object_id collate "C", area_m2`,
      [layer],
    );
    const real = await oracle.rows<{ area_m2: number }>(
      `select object_id, 'in_force' as standing, adopted, ST_Area(geom) as area_m2
       from ${layer}_area order by object_id collate "C", area_m2`,
    );
    expect(mirrored.rows).toEqual(
      real.map((row) => ({ ...row, area_m2: expect.closeTo(row.area_m2, 6) as number })),
    );
  });
});

/** Counts what was compared and keeps the first few differences to show. */
class Tally {
  readonly #name: string;
  readonly #probes: readonly Probe[];
  readonly #mismatches: unknown[] = [];
  readonly #compared = { edge: 0, near: 0, wide: 0 };
  #leftOut = 0;

  constructor(name: string, probes: readonly Probe[]) {
    this.#name = name;
    this.#probes = probes;
  }

  add(index: number, marginM: number, difference: object | null): void {
    const probe = this.#probes[index]!;
    if (marginM < LEFT_OUT_M) {
      this.#leftOut += 1;
      return;
    }
    this.#compared[probe.kind] += 1;
    if (difference !== null) this.#mismatches.push({ probe, ...difference });
  }

  expectNoMismatch(): void {
    const { edge, near, wide } = this.#compared;
    const compared = edge + near + wide;
    console.log(
      `${this.#name}: ${compared} points, ${edge} of them within 5 m of an edge; ` +
        `${this.#mismatches.length} mismatches, ${this.#leftOut} left out`,
    );
    expect(this.#mismatches.slice(0, 5)).toEqual([]);
    expect(compared).toBeGreaterThan(0.99 * this.#probes.length);
    expect(edge / compared).toBeGreaterThan(1 / 3);
  }
}
