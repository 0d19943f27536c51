/**
 * What the simulator plays with: stores that hold the untouched sample, upstreams that can be told
 * to misbehave, the lookups wired as the service wires them, and the truth of the sample.
 */
import type { LineMeasure } from '../../src/core/held/layer-reads.ts';
import { testLookups } from '../support/lookups.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { Point } from '../../src/geo/point.ts';
import type { Catalogue, LayerOverride } from '../../src/layers/catalogue.ts';
import { allLayers, overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { LayerId, LineKey, Theme } from '../../src/layers/keys.ts';
import { LAYER_IDS, LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { readCoveringAreas } from '../../src/registers/areas/store.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import type { WfsClient } from '../../src/wfs/client.ts';
import type { RunOutcome, SyncDeps } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { CENTRE } from '../../sample/data/island.ts';
import { createRandom } from '../../sample/data/random.ts';
import { ASKER_PARAMETER } from '../../sample/fault-plan.ts';
import type { FaultRule } from '../../sample/fault-plan.ts';
import { SAMPLE_POINTS } from '../../sample/points.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import type { SampleUpstream } from '../../sample/server.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { cloneStore, filledTemplate } from '../support/store-templates.ts';
import type { Template, TestStore } from '../support/store-templates.ts';
import type { Case, Finding } from './cases.ts';
import { ISLETS } from '../support/known-island.ts';

export const RADIUS_M = 500;

/** Told nowhere: a case looks for it in everything that is said. */
export const SECRET = 'hemmelig-noegle-9f3a';
export const KEYS = { cadastre: SECRET, dagi: SECRET };

/** The API key is in the addresses asked for: no text may have it. */
export function leaks(said: readonly string[]): Finding[] {
  const leaked = said.find((text) => text.includes(SECRET));
  return leaked === undefined ? [] : [{ kind: 'leak', detail: leaked.slice(0, 300) }];
}

/** Nobody waits between tries here. */
const AT_ONCE = { baseMs: 1, maxMs: 1, unauthorizedMs: 1, retryAfterCapMs: 1 };

/** One upstream with a client of its own: cases on different lanes do not meet. */
export interface Lane {
  readonly upstream: SampleUpstream;
  readonly wfs: WfsClient;
  readonly catalogue: Catalogue;
  /** Everything that was said of failures since it was last emptied. */
  readonly said: string[];
}

/** A lane with a mirror of its own, for runs that may publish. */
export interface SyncLane extends Lane {
  readonly store: TestStore;
}

/** A place and what is true there, by the store after a clean sync. */
export interface KnownPoint {
  readonly point: Point;
  readonly lines: Readonly<Record<LineKey, LineMeasure>>;
  readonly areas: Readonly<Record<Theme, readonly string[]>>;
}

/** An area as it is answered; the geometry as a checksum of its text. */
export interface KnownArea {
  readonly name: string;
  readonly geometryCrc32: number;
}

export interface World {
  readonly kind: Template['kind'];
  readonly workers: Workers;
  /** Every layer as the sample holds it. Only read. */
  readonly mirrored: TestStore;
  /** Never mirrored anything. */
  readonly empty: TestStore;
  /** The same two, every layer's latest run refused by a guard. */
  readonly refused: { readonly mirrored: TestStore; readonly empty: TestStore };
  readonly points: readonly KnownPoint[];
  /** Name and geometry of every area, by `theme code`. */
  readonly areas: ReadonlyMap<string, KnownArea>;
  readonly liveLanes: readonly Lane[];
  readonly syncLanes: readonly SyncLane[];
  close(): Promise<void>;
}

export interface WorldSize {
  readonly liveLanes: number;
  readonly syncLanes: number;
  readonly threads: number;
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens all of it: some seconds on PostgreSQL, half a minute embedded. */
export async function openWorld(template: Template, size: WorldSize): Promise<World> {
  const workers = createWorkers({ threads: size.threads });
  const onPostgres = template.kind === 'postgres';
  // As test/support/mirrored-store.ts calls and fills it: mirrored once a run.
  const filled = onPostgres
    ? await filledTemplate(template, 'layers', async (store) => {
        await mirrorInto(store, workers);
        await store.close();
      })
    : template;
  /** With every layer mirrored: the embedded store mirrors anew. */
  const mirror = async (purpose: 'sync' | 'lookups' = 'sync'): Promise<TestStore> => {
    const store = await cloneStore(filled, { purpose: onPostgres ? purpose : 'sync' });
    if (!onPostgres) await mirrorInto(store, workers);
    return store;
  };
  const mirrored = await mirror('lookups');
  const empty = await cloneStore(template);
  const refused = {
    mirrored: await mirror(),
    empty: await cloneStore(template, { purpose: 'sync' }),
  };
  for (const store of Object.values(refused)) await refuseAll(store, workers);
  const syncLanes: SyncLane[] = [];
  for (let n = 0; n < size.syncLanes; n += 1) {
    syncLanes.push({ ...(await openLane()), store: await mirror() });
  }
  const liveLanes: Lane[] = [];
  for (let n = 0; n < size.liveLanes; n += 1) liveLanes.push(await openLane());
  const points = await knownPoints(mirrored);
  const parts = { store: mirrored, workers, laterMs: 0 };
  return {
    kind: template.kind,
    ...{ workers, mirrored, empty, refused, points, liveLanes, syncLanes },
    areas: await knownAreas(points, lookupsOf(liveLanes[0]!, liveLanes[0]!.catalogue, parts)),
    close: async () => {
      const lanes = [...liveLanes, ...syncLanes];
      await Promise.all(lanes.flatMap(({ upstream, wfs }) => [upstream.close(), wfs.close()]));
      const own = [mirrored, empty, refused.mirrored, refused.empty];
      for (const store of [...syncLanes.map((lane) => lane.store), ...own]) await store.close();
      await workers.close();
    },
  };
}

async function openLane(): Promise<Lane> {
  const upstream = await startSampleUpstream();
  const said: string[] = [];
  const wfs = createWfsClient({ syncBackoff: AT_ONCE, liveBackoff: AT_ONCE });
  return { upstream, wfs, catalogue: sampleCatalogue(upstream.url), said };
}

/** The lane as one case asks on it: every address says which case it is. */
export function askingAs<L extends Lane>(lane: L, { number }: Case): L {
  const overrides = Object.fromEntries(
    allLayers(lane.catalogue).map(({ id, source: { url } }): [LayerId, LayerOverride] => [
      id,
      { source: { url: `${url}?${ASKER_PARAMETER}=${number}` } },
    ]),
  );
  return { ...lane, catalogue: overrideCatalogue(lane.catalogue, overrides) };
}

/**
 * Switches the case's faults on. They meet its own requests only: what the case before gave up may
 * reach the upstream when this one has begun, and would take a fault that comes once.
 */
export function spoil({ upstream }: Lane, { number, layer, rules }: Case): void {
  upstream.faults.set(rules.map((rule) => ({ ...rule, layer, asker: String(number) })));
}

async function mirrorInto(store: TestStore, workers: Workers): Promise<void> {
  await syncEach({ store, workers, layers: LAYER_IDS, state: 'published' });
}

/** Every layer that is asked live comes empty once, and is refused for it. */
async function refuseAll(store: TestStore, workers: Workers): Promise<void> {
  const layers = [...THEMES, ...LINE_KEYS];
  await syncEach({ store, workers, layers, state: 'refused', fault: 'empty-collection' });
}

async function syncEach(of: {
  readonly store: TestStore;
  readonly workers: Workers;
  readonly layers: readonly LayerId[];
  readonly state: RunOutcome['state'];
  readonly fault?: FaultRule['fault'];
}): Promise<void> {
  const { store, workers, layers, state, fault } = of;
  const lane = await openLane();
  if (fault !== undefined) lane.upstream.faults.set([{ fault }]);
  for (const layer of layers) {
    const deps = syncDeps({ ...lane, store }, workers);
    const outcome = await syncLayer(deps, layer, { trigger: 'command' });
    if (outcome.state !== state) throw new Error(`${layer}: ${JSON.stringify(outcome)}`);
  }
  await Promise.all([lane.upstream.close(), lane.wfs.close()]);
}

/** What a sync on a lane is given; its log is kept with what the client said. */
export function syncDeps({ store, wfs, catalogue, said }: SyncLane, workers: Workers): SyncDeps {
  const keep = (detail: object, message: string) => {
    said.push(`${message} ${JSON.stringify(detail)}`);
  };
  return {
    store,
    workers,
    wfs,
    catalogue,
    keys: KEYS,
    clock: { nowMs: () => Date.now() },
    log: { ...SILENT, warn: keep, error: keep },
  };
}

/** The lookups of the service, new for each case: no breaker and no kept answer from the last. */
export function lookupsOf(
  { wfs, said }: Lane,
  catalogue: Catalogue,
  parts: { readonly store: TestStore; readonly workers: Workers; readonly laterMs: number },
) {
  const { store, workers, laterMs } = parts;
  return testLookups(
    {
      catalogue,
      keys: KEYS,
      clock: { nowMs: () => Date.now() + laterMs },
      onExpired: () => undefined,
      searchRadiusM: RADIUS_M,
    },
    {
      store,
      workers,
      wfs,
      memory: null,
      watcher: {
        answered: () => undefined,
        originFailed: (layer, error) => said.push(`${layer} gave up: ${String(error)}`),
      },
    },
  );
}

/** The sample's own points, and some hundred over land and shore, by the statements of a store that holds it untouched. */
async function knownPoints(store: Pick<TestStore, 'db'>): Promise<KnownPoint[]> {
  const random = createRandom('fault points');
  const scattered = Array.from({ length: 240 }, () => ({
    xUtm32: Math.round(CENTRE.x + random.between(-5_600, 5_600)),
    yUtm32: Math.round(CENTRE.y + random.between(-4_300, 4_300)),
  }));
  const islets = Object.values(ISLETS).map(({ centre: { x, y } }) => ({ xUtm32: x, yUtm32: y }));
  const places = [...SAMPLE_POINTS.map(({ utm32 }) => utm32), ...islets, ...scattered];
  const { lines } = sampleCatalogue('http://localhost');
  const { measures } = await readLines(store, {
    points: places,
    lines: LINE_KEYS.map((key) => lines[key]),
    radiusM: RADIUS_M,
  });
  const { byPoint } = await readCoveringAreas(store, places);
  return places.map((utm32, p) => ({
    point: pointFromUtm32(utm32),
    lines: Object.fromEntries(LINE_KEYS.map((key, l) => [key, measures[p]?.[l]])) as Record<
      LineKey,
      LineMeasure
    >,
    areas: Object.fromEntries(
      THEMES.map((theme) => [
        theme,
        (byPoint[p] ?? []).filter((area) => area.theme === theme).map(({ code }) => code),
      ]),
    ) as unknown as Record<Theme, readonly string[]>,
  }));
}

async function knownAreas(
  points: readonly KnownPoint[],
  { areas }: ReturnType<typeof lookupsOf>,
): Promise<ReadonlyMap<string, KnownArea>> {
  const known = new Map<string, KnownArea>();
  for (const theme of THEMES) {
    const codes = [...new Set(points.flatMap((point) => point.areas[theme]))];
    const { value } = await areas.find(theme, codes, { signal: new AbortController().signal });
    for (const answer of value) {
      if (answer instanceof Error || answer.geometry === null) throw new Error(`No ${theme} known`);
      const { code, name, geometry } = answer;
      known.set(`${theme} ${code}`, { name, geometryCrc32: geometry.json.crc32 });
    }
  }
  return known;
}
