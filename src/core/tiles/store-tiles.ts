/**
 * Cut from the store on request. Without the store there is none: an empty tile would read as
 * nothing there.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Box } from '../../geo/box.ts';
import { meetsUnread } from '../../geo/unanswered.ts';
import { tileBoxUtm32 } from '../../geo/web-mercator.ts';
import type { TilePlace } from '../../geo/web-mercator.ts';
import { cacheByBytes } from '../../kernel/cache.ts';
import type { Cache } from '../../kernel/cache.ts';
import { Failure, upstreamUnavailable, notSetUp } from '../../kernel/failures.ts';
import { Flights } from '../../kernel/remember.ts';
import { localLimiters } from '../../kernel/limiters.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import type { Mirrored } from '../../layers/catalogue.ts';
import type { Store } from '../../db/connect.ts';
import type { MirrorId } from '../../layers/keys.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { CutTile as ServedTile, MapTiles, ServedCopy } from '../map-tiles.ts';
import type { CutTile, Tile } from '../../snapshot/tiles/tile-task.ts';
import { joinedCopy, tooOld } from '../standing/standing.ts';
import type { CopyDeps } from '../standing/standing.ts';
import type { RegisterParts } from '../register.ts';

const { extent, bufferUnits, featuresPerTile, cut: LIMIT } = LIMITS.kort;
const AROUND = bufferUnits / extent;

export interface StoreCopy {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  /** null: never mirrored. */
  readonly publishedGeneration: number | null;
  /** Else no tile may be drawn as empty. */
  readonly isThere: boolean;
  /** Further part of its tiles' key in the cache. */
  readonly apart?: string;
}

export type CopyOfTable = Pick<StoreCopy, 'generation' | 'copy' | 'publishedGeneration'> &
  Partial<Pick<StoreCopy, 'isThere'>>;

/** Columns to select from `fromCopy`. */
export const COPY_OF_TABLE = sql`c.generation, c."publishedGeneration", c.copy`;

export function fromCopy(register: MirrorId): RawBuilder<unknown> {
  return sql`from (
      select s.generation, l.generation as "publishedGeneration", ${sql.raw(COPY)}
      from store_state s left join layer_state l on l.layer = ${register} offset 0) c`;
}

export function copyIn([first]: readonly CopyOfTable[]): StoreCopy {
  if (first === undefined) throw new Error('The store has no generation.');
  const { generation, publishedGeneration, copy, isThere = true } = first;
  return { generation, publishedGeneration, copy, isThere };
}

/** Throws as the store does. */
export async function readCopy({ db }: Pick<Store, 'db'>, register: MirrorId): Promise<StoreCopy> {
  const { rows } = await sql<CopyOfTable>`select ${COPY_OF_TABLE} ${fromCopy(register)}`.execute(
    db,
  );
  return copyIn(rows);
}

export interface StoreTilesDeps<Row>
  extends Pick<CopyDeps, 'clock' | 'onExpired'>, Omit<MapTiles, keyof StoreTiles> {
  readonly mirrored: Mirrored;
  /** Plurals. */
  readonly names: { readonly en: string; readonly da: string; readonly daThe: string };
  readonly readCopy: () => Promise<StoreCopy>;
  /** Rows whose boxes meet a box, at most `most`. Throws when the store does not answer. */
  readonly readWithin: (
    box: Box,
    most: number,
    place: TilePlace,
  ) => Promise<StoreCopy & { readonly rows: readonly Row[] }>;
  readonly bytesOf: (rows: readonly Row[]) => number;
  /** Absent: only places tell. */
  readonly isTorn?: (unanswered: PublishedCopy['unanswered'], row: Row) => boolean;
  readonly cutRows: (place: TilePlace, rows: readonly Row[]) => Promise<CutTile>;
  /** Shared by several layers, as `reading`; absent: one of its own. */
  readonly cut?: Cache<Tile>;
  /** Absent: of this thread alone. */
  readonly limiters?: Limiters | undefined;
  readonly reading?: Semaphore;
}

export interface TileParts extends Pick<
  RegisterParts,
  'store' | 'catalogue' | 'clock' | 'onExpired' | 'isInvented' | 'limiters'
> {
  readonly workers: Pick<RegisterParts['workers'], 'run'>;
}

export type StoreTiles = Pick<MapTiles, 'served' | 'tile'>;

const NOTHING: Tile = { gzipped: new Uint8Array(0), bytes: 0 };

export function createStoreTiles<Row>(deps: StoreTilesDeps<Row>): MapTiles {
  const failures = failuresOf(deps);
  const cutting = new Flights<string, ServedTile>();
  const { reading = tileReading(deps.mirrored.id, deps.limiters), cut = cacheOfTiles() } = deps;
  const { layer, name, attribution, fields, minZoom } = deps;
  const made = async (place: TilePlace, box: Box, holder: string): Promise<ServedTile> => {
    const { rows, ...copy } = await reading.run(
      holder,
      () => deps.readWithin(box, featuresPerTile + 1, place).catch(failures.unreadable),
      failures.tooManyWait,
    );
    const served = servedCopyOf(deps, copy);
    const { minX, minY, maxX, maxY } = box;
    const unanswered = copy.copy?.unanswered;
    const isTorn = rows.some((row) => deps.isTorn?.(unanswered, row) === true);
    if (isTorn || meetsUnread(unanswered, [minX, minY, maxX, maxY])) throw torn();
    if (rows.length > featuresPerTile || deps.bytesOf(rows) > LIMIT.tileBytes) {
      throw failures.tooMuch(place);
    }
    const tile = await deps.cutRows(place, rows);
    if (tile === null) throw failures.tooMuch(place);
    cut.set(keyOf(served, place), tile);
    return { tile, served };
  };
  return {
    ...{ layer, name, attribution, fields, minZoom },
    served: async () => servedCopyOf(deps, await deps.readCopy().catch(failures.unreadable)),
    tile: async (place, served, holder) => {
      if (place.z < minZoom) throw failures.tooFar();
      const box = tileBoxUtm32(place, AROUND);
      if (box === null) return { tile: NOTHING, served };
      const key = keyOf(served, place);
      const known = cut.get(key);
      if (known !== undefined) return { tile: known, served };
      return await cutting.of(key, () => made(place, box, holder));
    },
  };
}

export function tileReading(name: string, limiters: Limiters = localLimiters()): Semaphore {
  return new Semaphore(limiters.permits('store tiles', LIMIT.atATime, name), LIMIT.waiting);
}

export function cacheOfTiles(): Cache<Tile> {
  return cacheByBytes(
    LIMIT.cacheBytes,
    ({ gzipped }) => LIMITS.kort.cachedTileBytes + gzipped.byteLength,
  );
}

function keyOf({ contentHash }: ServedCopy, { z, x, y }: TilePlace): string {
  return `${contentHash} ${z}/${x}/${y}`;
}

function servedCopyOf(
  {
    clock,
    mirrored,
    names,
    onExpired,
  }: Pick<StoreTilesDeps<never>, 'clock' | 'mirrored' | 'names' | 'onExpired'>,
  { generation, copy, publishedGeneration, isThere, apart = '' }: StoreCopy,
): ServedCopy {
  const moment = { nowMs: clock.nowMs(), by: 'store' } as const;
  const provenance = joinedCopy({ onExpired }, mirrored, { copy, ...moment });
  if (copy === null || !isThere) throw notMirrored(names);
  if (provenance === null) throw tooOld(mirrored);
  return {
    generation,
    version: copy.version,
    contentHash: `${copy.version}-${publishedGeneration ?? 0}${apart}`,
    provenance,
  };
}

type Names = StoreTilesDeps<never>['names'];

function failuresOf({ names: { en, da, daThe }, minZoom }: { names: Names; minZoom: number }) {
  const invalid = (error: string, errorDa: string): Failure =>
    new Failure('invalid_request', { error, errorDa });
  return {
    unreadable: (cause: unknown): never => {
      throw upstreamUnavailable(
        `The ${en} cannot be read now.`,
        `${daThe} kan ikke læses nu.`,
        cause,
      );
    },
    tooManyWait: (): Failure =>
      new Failure('overloaded', {
        error: `More than ${LIMIT.waiting.each} tiles of ${en} wait to be read. Try again shortly.`,
        errorDa: `Mere end ${LIMIT.waiting.each} fliser af ${da} venter på at blive læst. Prøv igen om lidt.`,
      }),
    tooFar: (): Failure =>
      invalid(
        `z must be at least ${minZoom}: tiles of ${en} begin there.`,
        `z skal være mindst ${minZoom}: dér begynder fliser af ${da}.`,
      ),
    tooMuch: ({ z }: TilePlace): Failure => {
      const mib = LIMIT.tileBytes / 2 ** 20;
      return invalid(
        `z: the tile at zoom ${z} would have more than ${featuresPerTile} ${en}, or ${mib} MiB of them. Ask for those within it, one zoom further in.`,
        `z: flisen på zoom ${z} ville have flere end ${featuresPerTile} ${da} eller ${mib} MiB af dem. Hent dem, der ligger i den, ét zoom længere inde.`,
      );
    },
  };
}

/** An unreadable row (D143) lies here, so a tile without it would be wrong. */
export function torn(): Failure {
  return upstreamUnavailable(
    'The register has a row here that cannot be read.',
    'Registret har en række her, som ikke kan læses.',
  );
}

export function notMirrored({ en, da }: Omit<Names, 'daThe'>): Failure {
  return notSetUp(
    `Where ${en} lie is not mirrored yet.`,
    `Hvor ${da} ligger, er endnu ikke spejlet.`,
  );
}
