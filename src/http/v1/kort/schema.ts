import { Type } from 'typebox';
import { LIMITS } from '../../../kernel/limits.ts';
import {
  HOUSE_TILES,
  LAYER_IDS,
  NAME_TILES,
  OWN_TILES,
  PARCEL_TILES,
} from '../../../layers/keys.ts';
import { CONDITION_IDS } from '../../../layers/conditions/index.ts';
import type { LayerId, OwnTiles } from '../../../layers/keys.ts';
import {
  KEYED_STATUSES,
  KEY_SECURITY,
  NOT_MODIFIED,
  closed,
  errors,
  lookupAnswer,
  oneOf,
  query,
  ref,
} from '../../../core/question/schemas.ts';

const common = { tags: ['kort'], security: KEY_SECURITY, querystring: query({}) };
const { zoom, featuresPerTile, parcels, houses, names, conditions } = LIMITS.kort;
const lag = oneOf<LayerId>(LAYER_IDS, 'Key of a layer, as in /v1/status.');
const lagOrTables = oneOf<LayerId | OwnTiles>(
  [...LAYER_IDS, ...OWN_TILES, ...CONDITION_IDS],
  `Key of a layer, as in /v1/status; or ${PARCEL_TILES}: the parcels of the cadastre (permission bbr), ` +
    `from zoom ${parcels.minZoom} on; or ${HOUSE_TILES}: house numbers and road names (permission adresser), ` +
    `from zoom ${houses.minZoom} on; or ${NAME_TILES}: place names by rank (permission stednavne), ` +
    `from zoom ${names.minZoom} on; or forhold_…: a condition in force today (permission miljoe), from zoom ${conditions.minZoom} on.`,
);
const text = Type.String();

const LIMITED =
  'Costs no unit. Limited by the key and by the client address: see RateLimit-Policy (kort, kort-address).';

const whole = (max: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: max, description });

const binary = { type: 'string', format: 'binary' } as const;

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
export const FILE_TYPE = 'application/octet-stream';

const TileJsonSchema = closed(
  {
    tilejson: oneOf(['3.0.0']),
    name: text,
    description: text,
    attribution: text,
    version: Type.String({ description: 'Of the published copy: 1.<version>.0.' }),
    scheme: oneOf(['xyz']),
    tiles: Type.Array(text, { description: 'The address of a tile; without a key.' }),
    minzoom: Type.Integer({
      description: `The first zoom of which no tile has more than ${featuresPerTile} features.`,
    }),
    maxzoom: Type.Integer({ description: 'The last zoom of which there are tiles.' }),
    bounds: Type.Array(Type.Number(), {
      description:
        'West, south, east, north in degrees; the whole world where there are no features.',
    }),
    vector_layers: Type.Array(
      closed({
        id: text,
        description: text,
        minzoom: Type.Integer(),
        maxzoom: Type.Integer(),
        fields: Type.Record(Type.String(), Type.String()),
      }),
    ),
  },
  { $id: 'TileJson', description: 'TileJSON 3.0.0 of a layer.' },
);

export const KORT_SCHEMAS = [TileJsonSchema] as const;

export const tileRoute = {
  operationId: 'kortTile',
  summary: 'A vector tile of a layer',
  description:
    'Mapbox Vector Tile 2 in Web Mercator (EPSG:3857), 4096 units, with one layer of the name of the ' +
    'layer, and of areas another, …_navn: the point at which the name of each stands, in one tile alone ' +
    '(of husnumre: vejnavne). Features have the names and values of an answer (objekt_id, i_kraft, status_navn …; kode, ' +
    'navn, regionskode; matrikelnummer, ejerlav_kode, ejerlav_navn, bfe_nummer; id, husnr, vejnavn; id, navn, hovedtype, undertype, fra_zoom); what is null is left out. A tile in which nothing of the layer lies is ' +
    'empty (no bytes); where the layer cannot be answered it is 503, never an empty tile. ' +
    LIMITED,
  ...common,
  params: closed({
    lag: lagOrTables,
    z: Type.Integer({ minimum: zoom.min, maximum: zoom.max, description: 'Zoom.' }),
    x: whole(2 ** zoom.max - 1, 'Column, from the west; below 2 to the power of z.'),
    y: whole(2 ** zoom.max - 1, 'Row, from the north; below 2 to the power of z.'),
  }),
  response: {
    200: lookupAnswer(
      { description: 'The tile.', content: { [TILE_TYPE]: { schema: binary } } },
      'areas',
    ),
    304: NOT_MODIFIED,
    ...errors(...KEYED_STATUSES, 400),
  },
};

export const tileJsonRoute = {
  operationId: 'kortTileJson',
  summary: 'Where the tiles of a layer are (TileJSON)',
  description: LIMITED,
  ...common,
  params: closed({ lag: lagOrTables }),
  response: {
    200: lookupAnswer(ref('TileJson'), 'areas'),
    304: NOT_MODIFIED,
    ...errors(...KEYED_STATUSES, 400),
  },
};

export const styleRoute = {
  operationId: 'kortStyle',
  summary: 'A style of the layers that the key may see (MapLibre style 8)',
  description: `Sources and colours; it asks for no fonts, no icons and no other server. ${LIMITED}`,
  ...common,
  response: {
    200: Type.Object(
      {
        version: Type.Integer(),
        name: text,
        sources: Type.Object({}, { additionalProperties: true }),
        layers: Type.Array(Type.Object({}, { additionalProperties: true })),
      },
      { additionalProperties: false },
    ),
    304: NOT_MODIFIED,
    ...errors(...KEYED_STATUSES, 400),
  },
};

export const layerFileRoute = {
  operationId: 'kortLayerFile',
  summary: 'A whole layer as a file (FlatGeobuf)',
  description:
    'The published copy with its spatial index, in EPSG:25832, its columns named as in tiles and ' +
    'answers, times as times. With Range a program reads only what ' +
    `lies in its box. ${LIMITED}`,
  ...common,
  params: closed({ lag }),
  response: {
    200: lookupAnswer(
      { description: 'The whole file.', content: { [FILE_TYPE]: { schema: binary } } },
      'areas',
    ),
    206: {
      description: 'The range of it that was asked for.',
      content: { [FILE_TYPE]: { schema: binary } },
    },
    304: NOT_MODIFIED,
    ...errors(...KEYED_STATUSES, 400, 412, 416),
  },
};
