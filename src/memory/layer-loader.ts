import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { layerOf } from '../layers/catalogue.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import { FEATURE_IDS } from '../layers/mirror-ids.ts';
import type { LayerId } from '../layers/keys.ts';
import { isSameVersion } from '../layers/published-copy.ts';
import type { Published } from '../layers/published-copy.ts';
import { readPublished } from '../core/published.ts';
import type { BuildSnapshotTask, BuiltSnapshot } from '../snapshot/build-task.ts';
import { openLayerSnapshot } from '../snapshot/layer.ts';
import type { LayerSnapshot } from '../snapshot/layer.ts';
import { PreparedVersions } from '../core/loading/prepared-versions.ts';
import { PublishedLoader } from '../core/loading/published-loader.ts';
import type { LoaderBase } from '../core/memory-index.ts';
import type {
  AheadVersion,
  LayerList,
  LayersAhead,
  RegisterLayers,
} from '../core/register-layers.ts';
import { buildFromStore } from '../core/loading/row-feeder.ts';
import type { RowFeed } from '../core/loading/row-feeder.ts';
import { EngineCache, SnapshotSet } from '../core/held/snapshot-set.ts';
import type { ReportedLayer } from '../core/held/snapshot-set.ts';
import { VersionFiles } from '../core/loading/version-files.ts';
import type { FileEnding } from '../core/loading/version-files.ts';

const HELD: readonly LayerId[] = FEATURE_IDS;

export type LayerLoader = PublishedLoader<LayerId, LayerSnapshot, SnapshotSet>;

export interface LayerLoaderOptions extends LoaderBase {
  readonly clock: Clock;
  readonly store: Pick<Store, 'db'>;
  readonly workers: {
    buildSnapshot(task: BuildSnapshotTask, signal: AbortSignal): Promise<BuiltSnapshot>;
  };
  readonly catalogue: Catalogue;
  readonly sources: readonly RegisterLayers[];
}

/** Not yet started. The store answers for a layer whose snapshot is refused. */
export function createLayerLoader({
  clock,
  store,
  workers,
  catalogue,
  sources,
  ...place
}: LayerLoaderOptions): LayerLoader {
  const engines = new EngineCache();
  const open: Opening = (wanted, buffer, options) => {
    const snapshot = openLayerSnapshot(buffer, options);
    const { layer, version } = snapshot.meta;
    if (layer !== wanted.layer || version !== wanted.version) {
      throw new Error(`it holds ${layer} version ${version}`);
    }
    engines.warm(snapshot);
    return snapshot;
  };
  const [ahead] = sources.flatMap((source) => source.ahead ?? []);
  const prepared =
    ahead && preparedLayers({ clock, store, workers, catalogue, open, ahead }, place);
  return new PublishedLoader(
    {
      mirrors: HELD,
      name: 'lookups',
      manifest: 'published.json',
      ending: 'idx',
      keepsOlder: false,
      readPublished: () => readPublished(store, HELD),
      build: (wanted, { files, signal }) => {
        const { layer } = wanted;
        const isWanted: LayerFeed['isWanted'] = async (trx) => {
          const { versions } = await readPublished({ db: trx }, [layer]);
          return isSameVersion(versions[0], wanted);
        };
        return buildFiles(
          { store, workers, catalogue },
          { ...wanted, rows: rowsOf(sources, layer), isWanted },
          { pathOf: (ending) => files.pathOf(wanted, ending), signal },
        );
      },
      open,
      ...(prepared && { prepared }),
      isAwaited: true,
      copiesOf: ({ generation, layers }) =>
        [...layers].map(([mirror, { copy, snapshot }]) => ({
          ...{ mirror, copy, generation, rowCount: snapshot.meta.featureCount },
        })),
      serve: (loaded, published) => {
        const layers = [...loaded].map(
          ([layer, { wanted, opened }]) => [layer, { copy: wanted, snapshot: opened }] as const,
        );
        const states = registerStatesOf(published);
        return new SnapshotSet(published.generation, new Map(layers), engines, states);
      },
    },
    place,
  );
}

type Opening = (
  wanted: { readonly layer: LayerId; readonly version: number },
  buffer: SharedArrayBuffer,
  options: { readonly verified: boolean },
) => LayerSnapshot;

interface PreparedDeps extends Pick<
  LayerLoaderOptions,
  'clock' | 'store' | 'workers' | 'catalogue'
> {
  readonly open: Opening;
  readonly ahead: LayersAhead;
}

/** The areas of the next instant. */
function preparedLayers(
  { clock, store, workers, catalogue, open, ahead }: PreparedDeps,
  { directory, log }: LoaderBase,
): PreparedVersions<LayerId, ComingArea, LayerSnapshot> {
  const files = new VersionFiles(directory, log);
  return new PreparedVersions(
    {
      mirrors: HELD,
      endings: ['fgb', 'idx'],
      readComing: async () =>
        (await ahead.read(store.db)).map((each) => ({ ...each, atMs: Date.parse(each.at) })),
      build: (coming, { pathOf, signal }) => {
        const rows: LayerFeed['rows'] = async function* (trx, list) {
          if (list === 'features') yield* ahead.rows(trx, coming);
        };
        return buildFiles(
          { store, workers, catalogue },
          { ...coming, rows, isWanted: (trx) => ahead.leadsTo(trx, coming) },
          { pathOf, signal },
        );
      },
      open: (coming, buffer) => open(coming, buffer, { verified: true }),
      readContent: (layer) => ahead.content(store.db, layer),
      nowMs: () => clock.nowMs(),
    },
    { files, log },
  );
}

type ComingArea = AheadVersion & { readonly atMs: number };

type LayerFeed = RowFeed<LayerList>;

/** FlatGeobuf and buffer, built by a thread; null: the store has moved on. */
function buildFiles(
  { store, workers, catalogue }: Pick<LayerLoaderOptions, 'store' | 'workers' | 'catalogue'>,
  { layer, version, rows, isWanted }: VersionFeed,
  { pathOf, signal }: { pathOf: (ending: FileEnding) => string; readonly signal: AbortSignal },
): Promise<SharedArrayBuffer | null> {
  const { geometry } = layerOf(catalogue, layer);
  const files = { flatGeobuf: pathOf('fgb'), engine: pathOf('idx') };
  return buildFromStore(store, { lists: ['features', 'edges'], isWanted, rows }, (read) =>
    workers.buildSnapshot({ ...read, layer, geometry, version, files }, signal),
  );
}

interface VersionFeed extends Pick<LayerFeed, 'rows' | 'isWanted'> {
  readonly layer: LayerId;
  readonly version: number;
}

function rowsOf(sources: readonly RegisterLayers[], layer: LayerId): LayerFeed['rows'] {
  const source = sources.find(({ layers }) => layers.includes(layer));
  if (source === undefined) throw new Error(`No register has the layer ${layer}.`);
  return (trx, list) => source.rows(trx, layer, list);
}

function registerStatesOf({
  versions,
  refused,
}: Published<LayerId>): ReadonlyMap<LayerId, ReportedLayer> {
  const copies = new Map(versions.map((version) => [version.layer, version]));
  return new Map(
    HELD.map((layer) => {
      const copy = copies.get(layer);
      const { held = false, sourceRows = null } = copy ?? {};
      const isPublished = copy !== undefined;
      return [layer, { held, refused: refused.includes(layer), sourceRows, isPublished }];
    }),
  );
}
