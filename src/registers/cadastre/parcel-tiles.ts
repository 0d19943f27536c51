/**
 * Tiles of parcels, cut from the store on request. Where the cadastre cannot be read there is none:
 * an empty one would read as no parcels.
 */
import type { Box } from '../../geo/box.ts';
import { tileBoxUtm32 } from '../../geo/web-mercator.ts';
import { meetsUnread } from '../../geo/unanswered.ts';
import type { TilePlace } from '../../geo/web-mercator.ts';
import type { Cache } from '../../kernel/cache.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { CADASTRE } from '../../layers/keys.ts';
import type { RegisterId } from '../../layers/keys.ts';
import { copyAnswer, wantsSync } from '../../memory/ladder.ts';
import { tooOld } from '../../memory/too-old.ts';
import type { ParcelCopy, TileParcel } from './tiles.ts';
import { withoutNulls } from '../../snapshot/tiles/tags.ts';
import type { PARCEL_FIELDS } from '../../snapshot/tiles/tags.ts';
import type { CutParcelsTask, CutTile, Tile } from '../../snapshot/tiles/tile-task.ts';
import type { CutTile as ParcelTile, MapTiles, ServedCopy } from '../../mirror/map-tiles.ts';

const { extent, bufferUnits, featuresPerTile, parcels: LIMIT } = LIMITS.kort;
const AROUND = bufferUnits / extent;

export interface ParcelTilesDeps {
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'registers'>;
  readonly readCopy: () => Promise<ParcelCopy>;
  /** Parcels whose boxes meet a box, at most `most`. Throws when the store does not answer. */
  readonly readWithin: (
    box: Box,
    most: number,
  ) => Promise<ParcelCopy & { readonly parcels: readonly TileParcel[] }>;
  readonly cutParcels: (task: CutParcelsTask) => Promise<CutTile>;
  readonly cut: Cache<Tile>;
  readonly onExpired?: (mirror: RegisterId) => void;
}

export type ParcelTiles = Pick<MapTiles, 'served' | 'tile'>;

const NOTHING: Tile = { gzipped: new Uint8Array(0), bytes: 0 };

export function createParcelTiles(deps: ParcelTilesDeps): ParcelTiles {
  const cutting = new Map<string, Promise<ParcelTile>>();
  const reading = new Semaphore(LIMIT);
  const made = async (place: TilePlace, box: Box, holder: string): Promise<ParcelTile> => {
    const { parcels, ...copy } = await reading.run(
      holder,
      () => deps.readWithin(box, featuresPerTile + 1).catch(unreadable),
      tooManyWait,
    );
    const served = servedCopyOf(deps, copy);
    const { minX, minY, maxX, maxY } = box;
    if (meetsUnread(copy.copy?.unanswered, [minX, minY, maxX, maxY])) throw torn();
    if (parcels.length > featuresPerTile || bytesOf(parcels) > LIMIT.tileBytes) {
      throw tooMuch(place);
    }
    const tile = await deps.cutParcels(taskOf(place, parcels));
    if (tile === null) throw tooMuch(place);
    deps.cut.set(keyOf(served, place), tile);
    return { tile, served };
  };
  return {
    served: async () => servedCopyOf(deps, await deps.readCopy().catch(unreadable)),
    tile: async (place, served, holder) => {
      if (place.z < LIMIT.minZoom) throw tooFar();
      const box = tileBoxUtm32(place, AROUND);
      if (box === null) return { tile: NOTHING, served };
      const key = keyOf(served, place);
      const known = deps.cut.get(key);
      if (known !== undefined) return { tile: known, served };
      const begun = cutting.get(key) ?? made(place, box, holder).finally(() => cutting.delete(key));
      cutting.set(key, begun);
      return await begun;
    },
  };
}

function bytesOf(parcels: readonly TileParcel[]): number {
  return parcels.reduce((sum, { wkb }) => sum + wkb.length, 0);
}

function keyOf({ contentHash }: ServedCopy, { z, x, y }: TilePlace): string {
  return `${contentHash} ${z}/${x}/${y}`;
}

/** In its own buffer: what the store returned may be a view into a larger one. */
function taskOf(place: TilePlace, parcels: readonly TileParcel[]): CutParcelsTask {
  const lengths = parcels.map(({ wkb }) => wkb.length);
  const wkb = new Uint8Array(bytesOf(parcels));
  let at = 0;
  for (const parcel of parcels) {
    wkb.set(parcel.wkb, at);
    at += parcel.wkb.length;
  }
  return {
    place,
    wkb,
    lengths,
    tags: parcels.map(tagsOf),
  };
}

function tagsOf({ number, districtCode, districtName, bfe }: TileParcel) {
  const tags: Record<keyof typeof PARCEL_FIELDS, string | number | null> = {
    matrikelnummer: number,
    ejerlav_kode: districtCode,
    ejerlav_navn: districtName,
    bfe_nummer: bfe,
  };
  return withoutNulls(tags);
}

/** Throws the Failure (503) where the copy may not answer. */
function servedCopyOf(
  { catalogue, clock, onExpired }: ParcelTilesDeps,
  { generation, copy, publishedGeneration, hasFaces }: ParcelCopy,
): ServedCopy {
  const nowMs = clock.nowMs();
  const { freshness } = catalogue.registers[CADASTRE];
  if (wantsSync(copy, freshness, nowMs)) onExpired?.(CADASTRE);
  if (copy === null || !hasFaces) throw notThere();
  const provenance = copyAnswer(copy, freshness, { nowMs, by: 'store' });
  if (provenance === null) throw tooOld(catalogue.registers[CADASTRE]);
  return {
    generation,
    version: copy.version,
    contentHash: `${copy.version}-${publishedGeneration ?? 0}`,
    provenance,
  };
}

function unreadable(cause: unknown): never {
  throw upstreamUnavailable(
    'The parcels cannot be read now.',
    'Jordstykkerne kan ikke læses nu.',
    cause,
  );
}

/** A parcel with an unreadable row (D143) lies here, so a tile without it would be wrong. */
export function torn(): Failure {
  return upstreamUnavailable(
    'The cadastre holds a parcel here that cannot be read.',
    'Matriklen har et jordstykke her, som ikke kan læses.',
  );
}

export function notThere(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'Where parcels lie is not mirrored yet.',
    errorDa: 'Hvor jordstykker ligger, er endnu ikke spejlet.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

function tooManyWait(): Failure {
  return new Failure('overloaded', {
    error: `More than ${LIMIT.waiting.each} tiles of parcels wait to be read. Try again shortly.`,
    errorDa: `Mere end ${LIMIT.waiting.each} fliser af jordstykker venter på at blive læst. Prøv igen om lidt.`,
    retryAfterS: LIMITS.retryAfterS.busy,
  });
}

function tooFar(): Failure {
  return new Failure('invalid_request', {
    error: `z must be at least ${LIMIT.minZoom}: tiles of parcels begin there.`,
    errorDa: `z skal være mindst ${LIMIT.minZoom}: dér begynder fliser af jordstykker.`,
  });
}

function tooMuch({ z }: TilePlace): Failure {
  const mib = LIMIT.tileBytes / 2 ** 20;
  return new Failure('invalid_request', {
    error: `z: the tile at zoom ${z} would have more than ${featuresPerTile} parcels, or ${mib} MiB of them. Ask for those within it, one zoom further in.`,
    errorDa: `z: flisen på zoom ${z} ville have flere end ${featuresPerTile} jordstykker eller ${mib} MiB af dem. Hent dem, der ligger i den, ét zoom længere inde.`,
  });
}
