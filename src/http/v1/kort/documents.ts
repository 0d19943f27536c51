import { DENMARK_BOUNDS } from '../../../geo/point.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { layerOf } from '../../../layers/catalogue.ts';
import type { Catalogue } from '../../../layers/catalogue.ts';
import {
  HOUSE_TILES,
  NAME_TILES,
  ROAD_NAMES,
  isLineKey,
  namesLayer,
} from '../../../layers/keys.ts';
import type { LayerId, OwnTiles } from '../../../layers/keys.ts';
import { LINE_COLOURS } from '../../../layers/line-colours.ts';
import type { ConditionId } from '../../../layers/conditions/condition.ts';
import { colourOf, isConditionId } from '../../../layers/conditions/index.ts';
import type { MapTiles } from '../../../core/map-tiles.ts';
import type { TileSurvey } from '../../../snapshot/tiles/cut.ts';
import { fieldsOf } from '../../../snapshot/tiles/tags.ts';

export interface Described {
  readonly layer: LayerId;
  readonly catalogue: Catalogue;
  readonly base: string;
  readonly version: number;
  readonly survey: TileSurvey;
  readonly attribution: string;
}

const WORLD = [-180, -85.05, 180, 85.05];

/** TileJSON 3.0.0. URLs contain no key: programs send it as a header. */
export function tileJson({ layer, catalogue, survey, ...described }: Described) {
  const { name } = layerOf(catalogue, layer);
  return documentOf({ id: layer, name, survey, fields: fieldsOf(layer), ...described });
}

export function ownTileJson(
  { layer, name, attribution, fields, minZoom }: MapTiles,
  described: Pick<Described, 'base' | 'version'>,
): ReturnType<typeof tileJson> {
  const survey = { minZoom, bounds: DENMARK_BOUNDS };
  return documentOf({ id: layer, name, survey, fields, attribution, ...described });
}

interface Documented extends Pick<Described, 'base' | 'version' | 'survey' | 'attribution'> {
  readonly id: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

function documentOf({ id, name, base, version, survey, fields, attribution }: Documented) {
  const zooms = { minzoom: survey.minZoom, maxzoom: LIMITS.kort.zoom.max };
  return {
    tilejson: '3.0.0' as const,
    name: id,
    description: name,
    attribution,
    version: `1.${version}.0`,
    scheme: 'xyz' as const,
    tiles: [`${base}/v1/kort/${id}/{z}/{x}/{y}.mvt`],
    ...zooms,
    bounds: [...(survey.bounds ?? WORLD)],
    vector_layers: [
      { id, description: name, ...zooms, fields },
      ...namesIn(id).map((names) => ({ id: names, description: 'Navne', ...zooms, fields })),
    ],
  };
}

/** Label points. */
function namesIn(id: string): readonly string[] {
  if (id === HOUSE_TILES) return [ROAD_NAMES];
  return isLineKey(id) || isConditionId(id) || id === NAME_TILES ? [] : [namesLayer(id)];
}

/** DAGI's outlines share one. */
const AREA_COLOUR = '#555555';

/** MapLibre style 8: areas lie below, and repealed features are fainter. */
export function styleOf(
  layers: readonly (LayerId | OwnTiles)[],
  catalogue: Catalogue,
  base: string,
) {
  return {
    version: 8,
    name: 'Geoopslag',
    sources: Object.fromEntries(
      layers.map((layer) => [layer, { type: 'vector', url: `${base}/v1/kort/${layer}.json` }]),
    ),
    layers: layers.flatMap((layer) => paintOf(layer, catalogue)),
  };
}

function paintOf(layer: LayerId | OwnTiles, catalogue: Catalogue): object[] {
  const from = { source: layer, 'source-layer': layer };
  if (isConditionId(layer)) return conditionPaint(layer, from);
  if (layer === HOUSE_TILES || layer === NAME_TILES) {
    const paint = { 'circle-color': AREA_COLOUR, 'circle-radius': 2 };
    return [{ id: `${layer}-punkt`, type: 'circle', ...from, paint }];
  }
  if (!isLineKey(layer)) {
    const paint = { 'line-color': AREA_COLOUR, 'line-width': 1 };
    const outline = { id: `${layer}-kant`, type: 'line', ...from, filter: WAS_READ, paint };
    return [outline, unreadStyle(layer, AREA_COLOUR)];
  }
  const colour = LINE_COLOURS[layer];
  const strength = (inForce: number): unknown => ['case', ['get', 'i_kraft'], inForce, inForce / 3];
  const edge = {
    id: `${layer}-kant`,
    type: 'line',
    ...from,
    filter: WAS_READ,
    paint: { 'line-color': colour, 'line-width': 1.5, 'line-opacity': strength(1) },
  };
  const unread = unreadStyle(layer, colour);
  if (layerOf(catalogue, layer).geometry === 'line') return [edge, unread];
  const paint = { 'fill-color': colour, 'fill-opacity': strength(0.25) };
  return [{ id: `${layer}-flade`, type: 'fill', ...from, filter: WAS_READ, paint }, edge, unread];
}

function conditionPaint(layer: ConditionId, from: object): object[] {
  const colour = colourOf(layer);
  const fill = { 'fill-color': colour, 'fill-opacity': 0.2 };
  const line = { 'line-color': colour, 'line-width': 1.5 };
  return [
    { id: `${layer}-flade`, type: 'fill', ...from, paint: fill },
    { id: `${layer}-kant`, type: 'line', ...from, paint: line },
  ];
}

const WAS_READ = ['!', ['has', 'ubesvaret']];

/** Outlines the box only, so that it is not mistaken for the layer. */
function unreadStyle(layer: LayerId | OwnTiles, colour: string) {
  return {
    ...{ id: `${layer}-ubesvaret`, type: 'line', source: layer, 'source-layer': layer },
    filter: ['has', 'ubesvaret'],
    paint: { 'line-color': colour, 'line-width': 1, 'line-dasharray': [2, 3] },
  };
}
