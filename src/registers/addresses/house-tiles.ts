import { sql } from 'kysely';
import { sourceNameOf } from '../../answers/sources.ts';
import type { Store } from '../../db/connect.ts';
import type { Box } from '../../geo/box.ts';
import { hasUnread } from '../../geo/unanswered.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ADDRESSES, HOUSE_TILES } from '../../layers/keys.ts';
import {
  COPY_OF_TABLE,
  copyIn,
  createStoreTiles,
  fromCopy,
  readCopy,
} from '../../core/tiles/store-tiles.ts';
import type { CopyOfTable, StoreCopy, TileParts } from '../../core/tiles/store-tiles.ts';
import type { MapTiles } from '../../core/map-tiles.ts';
import { HOUSE_FIELDS, withoutNulls } from '../../snapshot/tiles/tags.ts';
import type { CutHousesTask, CutTile } from '../../snapshot/tiles/tile-task.ts';
import type { TilePlace } from '../../geo/web-mercator.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';

const CUT_HOUSES: ThreadTask<CutHousesTask, CutTile> = {
  file: new URL('./cut-houses.thread.ts', import.meta.url),
  isOfMaps: true,
};

interface TileHouse {
  readonly id: string;
  readonly house_number: string;
  readonly road_id: string | null;
  readonly road_name: string | null;
  readonly x: number;
  readonly y: number;
}

type Row = CopyOfTable & (TileHouse | { readonly id: null });

const FROM_COPY = fromCopy(ADDRESSES);

async function readWithin(
  { db }: Pick<Store, 'db'>,
  { minX, minY, maxX, maxY }: Box,
  most: number,
): Promise<StoreCopy & { readonly rows: readonly TileHouse[] }> {
  const { rows } = await sql<Row>`
    with near as materialized (
      select id, ST_X(geom) as x, ST_Y(geom) as y from address_point
      where geom && ST_MakeEnvelope(
        ${minX}::float8, ${minY}::float8, ${maxX}::float8, ${maxY}::float8, 25832)),
    house as (
      select a.id, a.house_number, r.id as road_id, r.name as road_name, near.x, near.y
      from near
      join address_access a on a.point_id = near.id and a.status = 3
      left join address_road r on r.id = a.road_id
      order by a.id
      limit ${most})
    select ${COPY_OF_TABLE}, house.* ${FROM_COPY} left join house on true order by house.id`.execute(
    db,
  );
  return { ...copyIn(rows), rows: rows.filter((row) => row.id !== null) };
}

function taskOf(place: TilePlace, houses: readonly TileHouse[]): CutHousesTask {
  return {
    place,
    xy: Float64Array.from(houses.flatMap(({ x, y }) => [x, y])),
    houses: houses.map(({ id, house_number: husnr, road_id: road, road_name: vejnavn }) => {
      const tags: Record<keyof typeof HOUSE_FIELDS, string | null> = { id, husnr, vejnavn };
      return { road, tags: withoutNulls(tags) };
    }),
  };
}

const HOUSE_BYTES = 150;

export function composeHouseTiles(parts: TileParts): MapTiles {
  const { store, workers, catalogue, clock, onExpired, limiters } = parts;
  return createStoreTiles<TileHouse>({
    ...{ clock, onExpired, limiters, mirrored: catalogue.registers[ADDRESSES] },
    ...{ layer: HOUSE_TILES, name: 'Husnumre og vejnavne', fields: HOUSE_FIELDS },
    ...{ attribution: sourceNameOf('DAR', parts), minZoom: LIMITS.kort.houses.minZoom },
    names: { en: 'house numbers', da: 'husnumre', daThe: 'Husnumrene' },
    bytesOf: (houses) => houses.length * HOUSE_BYTES,
    isTorn: (unanswered, { id }) => hasUnread(unanswered, id),
    cutRows: (place, houses) => workers.run(CUT_HOUSES, taskOf(place, houses)),
    readCopy: () => readCopy(store, ADDRESSES),
    readWithin: (box, most) => readWithin(store, box, most),
  });
}
