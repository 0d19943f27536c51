import { sql } from 'kysely';
import { sourceNameOf } from '../../answers/sources.ts';
import type { MapTiles } from '../../core/map-tiles.ts';
import {
  COPY_OF_TABLE,
  cacheOfTiles,
  copyIn,
  createStoreTiles,
  fromCopy,
  tileReading,
} from '../../core/tiles/store-tiles.ts';
import type {
  CopyOfTable,
  StoreCopy,
  StoreTilesDeps,
  TileParts,
} from '../../core/tiles/store-tiles.ts';
import type { Store } from '../../db/connect.ts';
import type { Box } from '../../geo/box.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ConditionLayer } from '../../layers/catalogue.ts';
import type { ConditionField } from '../../layers/conditions/condition.ts';
import type { ConditionAttributes } from '../../layers/feature.ts';
import { isoDay } from '../../layers/mappings/condition.ts';
import { withoutNulls } from '../../snapshot/tiles/tags.ts';
import { areasTask } from '../../snapshot/tiles/tile-task.ts';
import { CUT_AREAS } from '../cadastre/register.ts';
import { shownValue } from './answer.ts';
import { describedLayers } from './described.ts';

interface TileRow {
  readonly object_id: string;
  readonly attributes: ConditionAttributes;
  readonly wkb: Buffer;
}

type Shared = Required<Pick<StoreTilesDeps<TileRow>, 'cut' | 'reading'>>;

/** Layers share one cache and take turns in reading. */
export function composeConditionTiles(parts: TileParts): readonly MapTiles[] {
  const shared = { cut: cacheOfTiles(), reading: tileReading('forhold', parts.limiters) };
  return describedLayers(parts.catalogue).flatMap(({ layer, source }) =>
    layer.register === 'forhold'
      ? [tilesOf(layer, { parts, shared, attribution: sourceNameOf(source.kreditering, parts) })]
      : [],
  );
}

function tilesOf(
  layer: ConditionLayer,
  of: { readonly parts: TileParts; readonly shared: Shared; readonly attribution: string },
): MapTiles {
  const { store, workers, clock, onExpired } = of.parts;
  const { minZoom } = LIMITS.kort.conditions;
  const { fields } = layer.condition;
  const today = () => isoDay(clock.nowMs());
  return createStoreTiles<TileRow>({
    ...{ clock, onExpired, minZoom, mirrored: layer, ...of.shared },
    ...{ layer: layer.id, name: layer.name, attribution: of.attribution },
    fields: fieldsOf(fields),
    names: { en: `areas of ${layer.id}`, da: `områder af ${layer.id}`, daThe: layer.name },
    bytesOf: (rows) => rows.reduce((sum, { wkb }) => sum + wkb.length, 0),
    cutRows: (place, rows) => {
      const areas = rows.map((row) => ({ wkb: row.wkb, tags: tagsOf(fields, row) }));
      return workers.run(CUT_AREAS, areasTask(layer.id, place, areas));
    },
    readCopy: async () => (await readWithin(store, { layer, today: today() }, null)).copy,
    readWithin: async (box, most) => {
      const { copy, rows } = await readWithin(store, { layer, today: today() }, { box, most });
      return { ...copy, rows };
    },
  });
}

function fieldsOf(fields: readonly ConditionField[]): MapTiles['fields'] {
  const typed = fields.map(({ name, kind }) => {
    return [name, kind === 'number' ? 'Number' : kind === 'yes' ? 'Boolean' : 'String'] as const;
  });
  return { objekt_id: 'String', ...Object.fromEntries(typed) };
}

function tagsOf(fields: readonly ConditionField[], { object_id: id, attributes }: TileRow) {
  const said = fields.map((field) => {
    const value = shownValue(field, attributes.values);
    const isCode = value !== null && typeof value === 'object';
    return [field.name, isCode ? (value.tekst ?? value.kode) : value] as const;
  });
  return withoutNulls({ objekt_id: id, ...Object.fromEntries(said) });
}

interface Row extends CopyOfTable {
  readonly found:
    | readonly {
        readonly object_id: string;
        readonly attributes: ConditionAttributes;
        readonly wkb: string;
      }[]
    | null;
}

/**
 * `within` null: the copy alone. Shapes are cut well beyond the tile, so that no cut is visible.
 */
async function readWithin(
  { db }: Pick<Store, 'db'>,
  { layer, today }: { readonly layer: ConditionLayer; readonly today: string },
  within: { readonly box: Box; readonly most: number } | null,
): Promise<{ readonly copy: StoreCopy; readonly rows: readonly TileRow[] }> {
  const { minX, minY, maxX, maxY } = within?.box ?? { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  const { rows } = await sql<Row>`
    with box as materialized (
      select ST_MakeEnvelope(${minX}::float8, ${minY}::float8, ${maxX}::float8, ${maxY}::float8, 25832) as tile
    ),
    near as (
      select f.object_id, f.attributes, ST_Multi(ST_CollectionExtract(
        ST_ClipByBox2D(f.geom, ST_Expand(b.tile, (${maxX}::float8 - ${minX}::float8) / 8)), 3)) as geom
      from condition_feature f, box b
      where f.layer = ${layer.id} and f.geom && b.tile and f.standing = 'in_force'
        and (f.valid_from is null or f.valid_from <= ${today}::date)
        and (f.valid_to is null or f.valid_to > ${today}::date)
      order by f.key limit ${within?.most ?? 0}::integer
    )
    select ${COPY_OF_TABLE},
      (select jsonb_agg(jsonb_build_object('object_id', object_id, 'attributes', attributes,
        'wkb', encode(ST_AsBinary(geom, 'NDR'), 'base64')))
        from near where not ST_IsEmpty(geom)) as found
    ${fromCopy(layer.id)}`.execute(db);
  // Tomorrow the same copy may have other things in force.
  const apart = `-${layer.id}-${today}`;
  const copy = { ...copyIn(rows), isThere: layer.off !== true, apart };
  const found = (rows[0]?.found ?? []).map((each) => ({
    ...each,
    wkb: Buffer.from(each.wkb, 'base64'),
  }));
  return { copy, rows: found };
}
