/**
 * A missing layer, or one past its hard limit, has no tiles: an empty tile would say that nothing
 * is there.
 */
import type { ServedCopy } from '../core/map-tiles.ts';
import type { TilePlace } from '../geo/web-mercator.ts';
import type { Cache } from '../kernel/cache.ts';
import type { Clock } from '../kernel/clock.ts';
import { Flights } from '../kernel/remember.ts';
import { Failure, upstreamUnavailable } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import { layerOf } from '../layers/catalogue.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { LayerId } from '../layers/keys.ts';
import { joinedCopy, tooOld } from '../core/standing/standing.ts';
import type { CopyDeps } from '../core/standing/standing.ts';
import { sharedSnapshot } from '../core/held/snapshot-set.ts';
import type { SetLayer, SnapshotSet } from '../core/held/snapshot-set.ts';
import { checksumOf } from '../snapshot/format.ts';
import type { TileSurvey } from '../snapshot/tiles/cut.ts';
import type { CutTile, CutTileTask, SurveyTilesTask, Tile } from '../snapshot/tiles/tile-task.ts';

export interface TilesDeps {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly memory: () => SnapshotSet | null;
  readonly threads: {
    cutTile(task: CutTileTask): Promise<CutTile>;
    surveyTiles(task: SurveyTilesTask): Promise<TileSurvey>;
  };
  /** Path of the copy's FlatGeobuf; null: there is none. */
  readonly fileOf: (layer: LayerId) => string | null;
  readonly cut: Cache<Tile>;
  /** Requests a sync of a layer whose copy is too old. */
  readonly onExpired?: CopyDeps['onExpired'];
}

export interface Tiles {
  /** Throws upstream_unavailable where there is none. */
  served(layer: LayerId): ServedCopy;
  /** Throws invalid_request for a tile with too many features. */
  tile(layer: LayerId, place: TilePlace): Promise<Tile>;
  survey(layer: LayerId): Promise<TileSurvey>;
  /** Path of the FlatGeobuf. Throws upstream_unavailable where there is none. */
  file(layer: LayerId): string;
}

export function createTiles(deps: TilesDeps): Tiles {
  const cutting = new Flights<string, Tile>();
  const surveys = new Map<
    LayerId,
    { readonly hash: string; readonly found: Promise<TileSurvey> }
  >();
  const survey = (layer: LayerId): Promise<TileSurvey> => {
    const held = heldLayer(deps, layer);
    const hash = hashOf(held);
    const known = surveys.get(layer);
    if (known?.hash === hash) return known.found;
    const found = deps.threads.surveyTiles({ snapshot: sharedSnapshot(held) });
    surveys.set(layer, { hash, found });
    found.catch(() => surveys.delete(layer));
    return found;
  };
  return {
    survey,
    served: (layer) => servedCopyOf(deps, layer),
    file: (layer) => {
      const path = deps.fileOf(layer);
      if (path === null) throw notThere(layer);
      return path;
    },
    tile: async (layer, place) => {
      const held = heldLayer(deps, layer);
      const key = `${layer} ${hashOf(held)} ${place.z}/${place.x}/${place.y}`;
      const known = deps.cut.get(key);
      if (known !== undefined) return known;
      return await cutting.of(key, async () => {
        const made = await deps.threads.cutTile({ snapshot: sharedSnapshot(held), place });
        if (made === null) throw tooMany(place, await survey(layer));
        deps.cut.set(key, made);
        return made;
      });
    },
  };
}

function heldLayer({ memory }: Pick<TilesDeps, 'memory'>, layer: LayerId): SetLayer {
  const held = memory()?.layers.get(layer);
  if (held === undefined) throw notThere(layer);
  return held;
}

function hashOf({ snapshot }: SetLayer): string {
  return `${checksumOf(snapshot.buffer).toString(16)}-${snapshot.buffer.byteLength.toString(16)}`;
}

function servedCopyOf(
  { catalogue, clock, memory, onExpired }: TilesDeps,
  layer: LayerId,
): ServedCopy {
  const set = memory();
  const held = set?.layers.get(layer);
  if (set === null || held === undefined) throw notThere(layer);
  const mirrored = layerOf(catalogue, layer);
  const moment = { nowMs: clock.nowMs(), by: 'snapshot' } as const;
  const provenance = joinedCopy({ onExpired }, mirrored, { copy: held.copy, ...moment });
  if (provenance === null) throw tooOld(mirrored);
  return {
    generation: set.generation,
    version: held.copy.version,
    contentHash: hashOf(held),
    provenance,
  };
}

export function notThere(layer: LayerId): Failure {
  return upstreamUnavailable(
    `The layer ${layer} is not in memory now: it is not mirrored yet, or could not be loaded.`,
    `Laget ${layer} er ikke i hukommelsen nu: det er ikke spejlet endnu eller kunne ikke indlæses.`,
  );
}

function tooMany({ z }: TilePlace, { minZoom }: TileSurvey): Failure {
  const { featuresPerTile: most } = LIMITS.kort;
  return new Failure('invalid_request', {
    error:
      `z: the tile at zoom ${z} would have more than ${most} features. ` +
      `From z = ${minZoom} on (minzoom of the TileJSON) every tile of the layer can be had.`,
    errorDa:
      `z: flisen på zoom ${z} ville have flere end ${most} objekter. ` +
      `Fra z = ${minZoom} (minzoom i TileJSON) kan alle lagets fliser hentes.`,
  });
}
