/**
 * Heights at points (D119, D120): from the operator's tiles where one contains the point, else from
 * the WCS. A point without an answer is a failure, never null.
 */
import type { RegisterMeta } from '../../answers/register-meta.ts';
import { Failure, notSetUp, upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Asker } from '../../kernel/deadline.ts';
import type { UpstreamFailure } from '../../wfs/failure.ts';
import type { Land } from '../../geo/land.ts';
import type { Point } from '../../geo/point.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { TERRAIN } from '../../layers/keys.ts';
import type { LiveStatus } from '../../core/live-status.ts';
import type { TerrainModel } from './terrain.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { HeightAnswer, HeightsAnswer } from './answer.ts';
import { outsideCoverage } from '../../core/land/covered-lands.ts';
import type { TileHeight, TileReader } from './tiles.ts';
import type { TileWatch } from './tile-watch.ts';
import type { TerrainWcs, WcsHeight } from './wcs.ts';

export interface Terrain {
  /** A Failure for each point without an answer; throws where none can be answered at all. */
  at(model: TerrainModel, points: readonly Point[], asker?: Asker): Promise<HeightsAnswer>;
  /** Metres. Never throws. */
  onDisk(point: Point): Promise<number | null>;
  status(): LiveStatus;
}

export interface TerrainDeps {
  readonly clock: Clock;
  readonly tiles: {
    readonly watch: Pick<TileWatch, 'view' | 'nudge'>;
    readonly reader: Pick<TileReader, 'heightAt'>;
  } | null;
  readonly wcs: Pick<TerrainWcs, 'heightsAt' | 'view'> | null;
  /** What the WCS covers (D142); a tile covers its own box. Absent or null: the country. */
  readonly land?: () => Promise<Land | null>;
  readonly coverage?: Coverage | null;
  readonly onFailure: (source: 'tiles' | 'wcs', error: unknown) => void;
}

export function createTerrain(deps: TerrainDeps): Terrain {
  return {
    at: (model, points, asker) => answerAll(deps, { model, points, holder: asker?.holder }),
    onDisk: async (point) => {
      const [found] = await askTiles(deps, 'terraen', [point]);
      if (found === 'unreadable') throw refusalOf(found);
      return typeof found === 'object' ? found.heightM : null;
    },
    status: () => ({
      ...{ layer: TERRAIN, register: 'terrain' },
      ...(deps.tiles === null ? wcsStatus(deps) : tileStatus(deps, deps.tiles.watch)),
      coverage: deps.coverage ?? null,
    }),
  };
}

interface FromTiles extends TileHeight {
  readonly from: 'tiles';
}
interface FromWcs extends WcsHeight {
  readonly from: 'wcs';
}

type OfTiles = FromTiles | 'uncovered' | 'unreadable';

interface Asked {
  readonly model: TerrainModel;
  readonly points: readonly Point[];
  readonly holder: string | undefined;
}

async function answerAll(
  deps: TerrainDeps,
  { model, points, holder }: Asked,
): Promise<HeightsAnswer> {
  const { tiles, wcs } = deps;
  if (tiles === null && wcs === null) throw notConfigured();
  const ofTiles = await askTiles(deps, model, points);
  const land = (await deps.land?.()) ?? null;
  const covered = points.map(({ utm32 }) => land === null || land.covers(utm32));
  const left = points.filter((_, n) => typeof ofTiles[n] === 'string' && covered[n] === true);
  const ofWcs = wcs === null ? [] : await askWcs(deps, wcs, { model, points: left, holder });
  let next = 0;
  const found = ofTiles.map((fromTile, n) => {
    if (typeof fromTile !== 'string') return fromTile;
    if (land !== null && covered[n] !== true) return outsideCoverage(land.name);
    return wcs === null ? refusalOf(fromTile) : (ofWcs[next++] ?? refusalOf(fromTile));
  });
  return {
    value: found.map((height, n) => answerOf(points[n], height)),
    provenance: provenanceOf(found, deps.clock.nowMs()),
  };
}

async function askTiles(
  { tiles, wcs, onFailure }: TerrainDeps,
  model: TerrainModel,
  points: readonly Point[],
): Promise<OfTiles[]> {
  if (tiles === null) return points.map(() => 'uncovered');
  const { watch, reader } = tiles;
  const { index } = watch.view();
  if (index === null) {
    if (wcs === null) throw starting();
    return points.map(() => 'unreadable');
  }
  const heights: OfTiles[] = [];
  for (const { utm32 } of points) {
    try {
      const height = await reader.heightAt(index, model, utm32);
      heights.push(height === null ? 'uncovered' : { ...height, from: 'tiles' });
    } catch (error) {
      onFailure('tiles', error);
      watch.nudge();
      heights.push('unreadable');
    }
  }
  return heights;
}

async function askWcs(
  { onFailure }: TerrainDeps,
  wcs: Pick<TerrainWcs, 'heightsAt'>,
  { model, points, holder }: Asked,
): Promise<readonly (FromWcs | Failure)[]> {
  if (points.length === 0) return [];
  const heights = await wcs.heightsAt(
    model,
    points.map(({ utm32 }) => utm32),
    holder,
  );
  return heights.map((height) => {
    if (!(height instanceof Error)) return { ...height, from: 'wcs' };
    onFailure('wcs', height);
    return unanswered(height);
  });
}

function answerOf(
  point: Point | undefined,
  height: FromTiles | FromWcs | Failure,
): HeightAnswer | Failure {
  if (height instanceof Failure) return height;
  if (point === undefined) throw new Error('A height without a point.');
  const { heightM, resolutionM } = height;
  return { point, heightM, resolutionM };
}

function provenanceOf(
  found: readonly (FromTiles | FromWcs | Failure)[],
  nowMs: number,
): readonly Provenance[] {
  const oldest = new Map<Provenance['rung'], number>();
  for (const height of found) {
    if (height instanceof Failure) continue;
    const [rung, sinceMs] = sinceOf(height, nowMs);
    const ageS = Math.max(0, (nowMs - sinceMs) / 1_000);
    oldest.set(rung, Math.max(oldest.get(rung) ?? 0, ageS));
  }
  return [...oldest].map(([rung, ageS]) => ({ rung, ageS }));
}

/** Tiles are stored data; a cached window is a copy in memory. */
function sinceOf(height: FromTiles | FromWcs, nowMs: number): [Provenance['rung'], number] {
  if (height.from === 'tiles') return ['store', height.writtenMs];
  return height.askedMs === null ? ['origin', nowMs] : ['snapshot', height.askedMs];
}

type SourceStatus = Omit<LiveStatus, 'coverage' | 'layer' | 'register'>;

function tileStatus({ clock }: TerrainDeps, watch: Pick<TileWatch, 'view'>): SourceStatus {
  const { index, version, lookedMs, failure } = watch.view();
  const limitS = (3 * LIMITS.terrain.lookAgainMs.unchanged) / 1_000;
  const isLate = lookedMs !== null && clock.nowMs() - lookedMs > 1_000 * limitS;
  const tiles = index && index.tiles.terraen.length + index.tiles.overflade.length;
  const state = failure !== null ? 'failed' : isLate ? 'delayed' : 'fresh';
  return {
    state: failure === null && (tiles === null || tiles === 0) ? 'missing' : state,
    ...timeOf(lookedMs, clock),
    limitS,
    count: tiles,
    version: index && version,
  };
}

function timeOf(ms: number | null, clock: Clock): Pick<LiveStatus, 'syncedAt' | 'ageS'> {
  if (ms === null) return { syncedAt: null, ageS: null };
  const ageS = Math.max(0, Math.floor((clock.nowMs() - ms) / 1_000));
  return { syncedAt: new Date(ms).toISOString(), ageS };
}

function wcsStatus({ wcs, clock }: TerrainDeps): SourceStatus {
  const { cameMs, failedMs } = wcs?.view() ?? { cameMs: null, failedMs: null };
  const isFailed = failedMs !== null && failedMs >= (cameMs ?? 0);
  return {
    state: isFailed ? 'failed' : cameMs === null ? 'missing' : 'fresh',
    ...timeOf(cameMs, clock),
    limitS: LIMITS.terrain.windowMs / 1_000,
    ...{ count: null, version: null },
  };
}

export function notConfigured(): Failure {
  return notSetUp(
    'Upstream not configured: neither tiles of the terrain nor a WCS are set up here.',
    'Terrænmodellen er ikke sat op her: hverken filer eller en WCS.',
  );
}

function starting(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'The tiles of the terrain are being looked through. Try again after Retry-After.',
    errorDa: 'Terrænmodellens filer bliver gennemgået. Prøv igen efter Retry-After.',
    retryAfterS: LIMITS.retryAfterS.closing,
  });
}

/** Without a WCS, a point outside all tiles is not known to be sea (invariant 1). */
function refusalOf(why: 'uncovered' | 'unreadable'): Failure {
  if (why === 'uncovered') {
    return new Failure('upstream_unavailable', {
      code: 'outside_coverage',
      error: 'No tile of the terrain set up here holds the point.',
      errorDa: 'Ingen af terrænmodellens filer her dækker punktet.',
      retryAfterS: LIMITS.retryAfterS.notConfigured,
    });
  }
  return upstreamUnavailable(
    'The tile of the terrain that holds the point could not be read.',
    'Terrænmodellens fil, som dækker punktet, kunne ikke læses.',
  );
}

function unanswered(cause: UpstreamFailure): Failure {
  const [error, errorDa] =
    cause.isOurs || cause.kind === 'timeout'
      ? [
          'The terrain model did not answer in time. Try again, with fewer points at a time.',
          'Terrænmodellen svarede ikke i tide. Prøv igen, med færre punkter ad gangen.',
        ]
      : ['The terrain model could not be read.', 'Terrænmodellen kunne ikke læses.'];
  return new Failure('upstream_error', { error, errorDa, cause });
}

export interface TerrainLookups {
  readonly terrain: Terrain | null;
  readonly meta: RegisterMeta;
}
