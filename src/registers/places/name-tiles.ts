/** Tiles of place names by rank, cut from the store (D243). */
import { sql } from 'kysely';
import { sourceNameOf } from '../../answers/sources.ts';
import { packed } from '../../core/tasks/packed-tile.ts';
import type { MapTiles } from '../../core/map-tiles.ts';
import {
  COPY_OF_TABLE,
  copyIn,
  createStoreTiles,
  fromCopy,
  readCopy,
} from '../../core/tiles/store-tiles.ts';
import type { CopyOfTable, StoreCopy, TileParts } from '../../core/tiles/store-tiles.ts';
import type { Store } from '../../db/connect.ts';
import type { Box } from '../../geo/box.ts';
import type { TilePlace } from '../../geo/web-mercator.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { NAME_TILES, PLACE_NAMES } from '../../layers/keys.ts';
import { encodeTile } from '../../snapshot/tiles/encode.ts';
import { placedPoints } from '../../snapshot/tiles/points.ts';
import { NAME_FIELDS, withoutNulls } from '../../snapshot/tiles/tags.ts';

const { minZoom, perTile } = LIMITS.kort.names;

interface TileName extends Readonly<Record<keyof typeof NAME_FIELDS, string | number | null>> {
  readonly x: number;
  readonly y: number;
}

/** The first zoom of a name: towns by inhabitants, land and water by size. */
const FROM_ZOOM = sql`
  case
    when main_type = 'Bebyggelse' then case
      when inhabitants >= 50000 then 6 when inhabitants >= 10000 then 7
      when inhabitants >= 3000 then 8 when inhabitants >= 1000 then 9
      when inhabitants >= 200 then 10 when lower(subtype) in ('by', 'bydel') then 11 else 12 end
    when main_type in ('Farvand', 'Landskabsform', 'Soe', 'Naturareal', 'Vandloeb') then case
      when reach_m >= 40000 then 7 when reach_m >= 15000 then 8 when reach_m >= 5000 then 10
      when reach_m >= 1500 then 12 when reach_m >= 400 then 13 else 14 end
    when main_type in ('Standsningssted', 'Lufthavn') then 12
    else 15 end`;

const FROM_COPY = fromCopy(PLACE_NAMES);

async function readWithin(
  { db }: Pick<Store, 'db'>,
  { minX, minY, maxX, maxY }: Box,
  { z }: TilePlace,
): Promise<StoreCopy & { readonly rows: readonly TileName[] }> {
  // A box2d is read from the head of a geometry, without its vertices.
  const { rows } = await sql<CopyOfTable & (TileName | { readonly id: null })>`
    with near as (
      select id as row_id, public_id, names, main_type, subtype, inhabitants, easting, northing,
        greatest(ST_XMax(box) - ST_XMin(box), ST_YMax(box) - ST_YMin(box)) as reach_m
      from place, box2d(geom) box
      where geom && ST_MakeEnvelope(
          ${minX}::float8, ${minY}::float8, ${maxX}::float8, ${maxY}::float8, 25832)
        and easting between ${minX}::float8 and ${maxX}::float8
        and northing between ${minY}::float8 and ${maxY}::float8),
    ranked as (select *, ${FROM_ZOOM} as fra_zoom from near),
    named as (
      select public_id as id, names::json -> 0 ->> 0 as navn, main_type as hovedtype,
        subtype as undertype, fra_zoom, easting::float8 as x, northing::float8 as y,
        row_number() over (
          order by fra_zoom, inhabitants desc nulls last, reach_m desc, row_id) as place
      from ranked where fra_zoom <= ${z} order by place limit ${perTile})
    select ${COPY_OF_TABLE}, named.* ${FROM_COPY} left join named on true
    order by named.place`.execute(db);
  const read = copyIn(rows);
  // A missing name is no "no": an unreadable place leaves the others.
  const copy = read.copy && { ...read.copy, unanswered: null };
  return {
    ...read,
    copy,
    rows: rows.filter((row): row is CopyOfTable & TileName => row.id !== null),
  };
}

function cut(place: TilePlace, rows: readonly TileName[]): Uint8Array {
  const names = rows.map(({ x, y, id, navn, hovedtype, undertype, fra_zoom: from }) => ({
    at: [x, y] as const,
    tags: withoutNulls({ id, navn, hovedtype, undertype, fra_zoom: from }),
  }));
  return encodeTile({ [NAME_TILES]: placedPoints(place, names) });
}

const NAME_BYTES = 150;

export function composeNameTiles(parts: TileParts): MapTiles {
  const { store, catalogue, clock, onExpired, limiters } = parts;
  return createStoreTiles<TileName>({
    ...{ clock, onExpired, limiters, minZoom, mirrored: catalogue.registers[PLACE_NAMES] },
    ...{ layer: NAME_TILES, name: 'Stednavne', fields: NAME_FIELDS },
    attribution: sourceNameOf('Danske Stednavne', parts),
    names: { en: 'place names', da: 'stednavne', daThe: 'Stednavnene' },
    bytesOf: (names) => names.length * NAME_BYTES,
    cutRows: (place, names) => Promise.resolve(packed(cut(place, names))),
    readCopy: () => readCopy(store, PLACE_NAMES),
    readWithin: (box, _most, place) => readWithin(store, box, place),
  });
}
