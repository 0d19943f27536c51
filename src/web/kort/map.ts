import type Feature from 'ol/Feature.js';
import OlMap from 'ol/Map.js';
import View from 'ol/View.js';
import ScaleLine from 'ol/control/ScaleLine.js';
import Zoom from 'ol/control/Zoom.js';
import MVT from 'ol/format/MVT.js';
import LineString from 'ol/geom/LineString.js';
import MultiLineString from 'ol/geom/MultiLineString.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import Point from 'ol/geom/Point.js';
import PolygonShape, { fromExtent } from 'ol/geom/Polygon.js';
import DragPan from 'ol/interaction/DragPan.js';
import KeyboardPan from 'ol/interaction/KeyboardPan.js';
import KeyboardZoom from 'ol/interaction/KeyboardZoom.js';
import { defaults as defaultInteractions } from 'ol/interaction/defaults.js';
import TileLayer from 'ol/layer/Tile.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorTileLayer from 'ol/layer/VectorTile.js';
import { fromLonLat, toLonLat, transformExtent } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import XYZ from 'ol/source/XYZ.js';
import VectorTileSource from 'ol/source/VectorTile.js';
import RenderFeature from 'ol/render/Feature.js';
import VectorTile from 'ol/VectorTile.js';
import { DENMARK_BOUNDS } from '../../geo/point.ts';
import { toWgs84 } from '../../geo/project.ts';
import { HOUSE_TILES, NAME_TILES, ROAD_NAMES } from '../../layers/keys.ts';
import { isFilled, kindOf } from './address-bar.ts';
import type { Look, MapLayer } from './address-bar.ts';
import type { Drawn, Segment } from './copies.ts';
import type { Polygon, Ring } from './nearest.ts';
import { DistanceLabels } from './distance-labels.ts';
import type { MeasuredLine } from './distance-labels.ts';
import {
  landStyle,
  liftedStyle,
  measureStyle,
  onColours,
  placeStyle,
  segmentStyle,
  styled,
  tileStyle,
  uncoveredStyle,
} from './styles.ts';
import { metres } from '../shared/format.ts';
import type { Rings } from '../shared/answers.ts';

/** Beyond it tiles are drawn larger. */
const TILE_ZOOM = 16;
const PLACE_ZOOM = 14.5;
const FIRST_ZOOM: Readonly<Record<string, number>> = {
  ...{ jordstykker: 14, husnumre: 15, stednavne: 5, condition: 11 },
};
/** Farther out: drawn until a level's own tiles have come. */
const COARSE_LEVELS = 2;
/** Below it tiles show road names alone. */
const NUMBERS_ZOOM = 16;
const WORLD = fromExtent([-2e7, -2e7, 2e7, 2e7]).getCoordinates();
const IS_STILL = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
const ZOOM_MS = IS_STILL ? 0 : 250;
const FADE_MS = IS_STILL ? 0 : 300;
const DOUBLE_CLICK_MS = 350;
const LAND = 'kommune';

export interface MapDeps {
  readonly target: HTMLElement;
  readonly fetchTile: (url: string) => Promise<Response>;
  /** The operator's; null: none. */
  readonly background: string | null;
  readonly onAsk: (at: Degrees) => void;
  readonly onLook: (look: Look) => void;
  readonly onLoading: (isLoading: boolean) => void;
  /** null: it came; else the status. */
  readonly onTile: (layer: MapLayer, refused: number | null) => void;
  readonly onBackground: (isMissing: boolean) => void;
}

interface Degrees {
  readonly lon: number;
  readonly lat: number;
}

export type PlaceMap = ReturnType<typeof createMap>;

export function createMap(given: MapDeps) {
  const uncovered = new VectorSource();
  const { layers: painted, labels, ...paint } = painterOf();
  const view = new View({ center: fromLonLat([11.5, 56]), zoom: 7, minZoom: 5, maxZoom: 20 });
  const zoom = (): number => view.getZoom() ?? 0;
  const tiles = new Map<MapLayer, VectorTileLayer>();
  const coarse = coarseTiles(view, tiles);
  const deps: TileDeps = { ...given, isCoarse: coarse.isCoarse };
  // Land and sea, from the municipalities: the map is never empty.
  const land = new VectorTileLayer({
    source: tileSource(LAND, deps),
    style: landStyle,
    zIndex: -1,
  });
  const background = deps.background === null ? [] : [backgroundLayer(deps.background, deps)];
  const map = new CoarseFirstMap({
    target: deps.target,
    view,
    controls: [new Zoom({ duration: ZOOM_MS }), new ScaleLine()],
    interactions: interactionsOf(),
    layers: [land, ...background, new VectorLayer({ source: uncovered, zIndex: 15 }), ...painted],
  });
  onColours(() => restyle(map));
  labels.install(map);
  listen(map, view, deps);
  map.on('moveend', coarse.askAgain);
  return {
    ...paint,
    ...fitter(map, deps.onLoading),
    setLayers: (shown: readonly MapLayer[]) => showTiles({ map, tiles, deps }, shown),
    setBackground: (isShown: boolean) => {
      for (const layer of background) layer.setVisible(isShown);
      land.setVisible(!isShown);
    },
    /** Greys all but the land, given as even-odd rings. */
    greyBeside: (rings: Rings) => uncovered.addFeature(besideFeature(rings)),
    retry: (layer: MapLayer) => {
      tiles.get(layer)?.getSource()?.refresh();
      if (layer === LAND) land.getSource()?.refresh();
    },
    look: (look: Look) => {
      view.setCenter(mercator(look));
      view.setZoom(look.zoom);
    },
    lookAtPlace: (place: Degrees) => {
      view.setCenter(mercator(place));
      view.setZoom(Math.max(zoom(), PLACE_ZOOM));
    },
    lookAtBounds: (bounds: readonly number[]) => {
      const extent = transformExtent([...bounds], 'EPSG:4326', 'EPSG:3857');
      view.fit(extent, { padding: [20, 20, 20, 20], maxZoom: 13 });
    },
    whenDrawn: (tell: () => void) => map.on('rendercomplete', tell),
    isTooFarOut: (layer: MapLayer) => zoom() <= (tiles.get(layer)?.getMinZoom() ?? -1),
  };
}

class CoarseFirstMap extends OlMap {
  override getTilePriority(...asked: Parameters<OlMap['getTilePriority']>): number {
    const usual = super.getTilePriority(...asked);
    const levels = levelsOut(this.getView(), asked[3]);
    if (levels < 1) return usual;
    // Those between are not worth their requests.
    return levels < COARSE_LEVELS ? Infinity : -usual;
  }
}

/** How many levels farther out than the view's own. */
function levelsOut(view: View, resolution: number): number {
  return Math.floor(Math.log2(resolution / (view.getResolution() ?? resolution)) + 1e-6);
}

interface TileDeps extends MapDeps {
  /** No trouble until its level is in view. */
  readonly isCoarse: (layer: MapLayer, resolution: number) => boolean;
}

function coarseTiles(view: View, tiles: ReadonlyMap<MapLayer, VectorTileLayer>) {
  const refused = new Map<MapLayer, number>();
  const isCoarse: TileDeps['isCoarse'] = (layer, resolution) => {
    if (levelsOut(view, resolution) < COARSE_LEVELS) return false;
    refused.set(layer, view.getZoom() ?? 0);
    return true;
  };
  const askAgain = (): void => {
    for (const [layer, zoom] of refused) {
      if ((view.getZoom() ?? 0) > zoom - 0.5) continue;
      refused.delete(layer);
      tiles.get(layer)?.getSource()?.refresh();
    }
  };
  return { isCoarse, askAgain };
}

/** A click asks at its point, Enter at the middle. */
function listen(map: OlMap, view: View, { target, onAsk, onLook }: MapDeps): void {
  const degrees = (at: readonly number[] = [0, 0]): Degrees => {
    const [lon = 0, lat = 0] = toLonLat([...at]);
    return { lon, lat };
  };
  // At once; the second click of a double click, which zooms, asks nothing.
  let lastMs = -Infinity;
  map.on('click', ({ coordinate, originalEvent: { timeStamp } }) => {
    if (timeStamp - lastMs > DOUBLE_CLICK_MS) onAsk(degrees(coordinate));
    lastMs = timeStamp;
  });
  map.on('moveend', () => onLook({ ...degrees(view.getCenter()), zoom: view.getZoom() ?? 0 }));
  target.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === target) onAsk(degrees(view.getCenter()));
  });
}

function painterOf() {
  const [answers, marks, measured] = [new VectorSource(), new VectorSource(), new VectorSource()];
  const labels = new DistanceLabels();
  let at: number[] | null = null;
  return {
    labels,
    layers: [
      new VectorLayer({ source: answers, zIndex: 20 }),
      new VectorLayer({ source: marks, zIndex: 30 }),
      new VectorLayer({ source: measured, zIndex: 35 }),
      labels.layer,
    ],
    /** What was drawn of another place goes. */
    setPlace: (place: Degrees | null) => {
      for (const source of [answers, marks]) source.clear();
      labels.draw([]);
      at = place && mercator(place);
      if (at !== null) marks.addFeature(styled(new Point(at), placeStyle()));
    },
    draw: (shapes: readonly Drawn[], segments: readonly Segment[]) => {
      const from = at;
      const lines = from === null ? [] : segments.map((each) => segmentLine(each, from));
      answers.clear();
      answers.addFeatures([
        ...shapes.map(shapeFeature),
        ...lines.map(({ layer, line }) => styled(new LineString(line), segmentStyle(layer))),
      ]);
      labels.draw(lines);
    },
    drawMeasure: (points: readonly Degrees[]) => {
      const line = points.map(mercator);
      measured.clear();
      if (line.length > 1) measured.addFeature(styled(new LineString(line), measureStyle()));
      measured.addFeatures(line.map((each) => styled(new Point(each), placeStyle())));
    },
  };
}

/** Paper and screen, day and night have their own. */
function restyle(map: OlMap): void {
  for (const layer of map.getLayers().getArray()) layer.changed();
}

function besideFeature(rings: Rings): Feature {
  const land = rings.map((ring) => ring.map(([lon, lat]) => fromLonLat([lon, lat])));
  return styled(new PolygonShape([...WORLD, ...land]), uncoveredStyle());
}

function fitter(map: OlMap, onLoading: MapDeps['onLoading']) {
  let isLoading = false;
  map.on('loadstart', () => onLoading((isLoading = true)));
  map.on('loadend', () => onLoading((isLoading = false)));
  return {
    /** At once in the page's new size; returns whether all in view was loaded. */
    fit: (): boolean => {
      const [width = 0, height = 0] = map.getSize() ?? [];
      map.updateSize();
      restyle(map);
      map.renderSync();
      const [newWidth = 0, newHeight = 0] = map.getSize() ?? [];
      return !isLoading && newWidth <= width && newHeight <= height;
    },
    /** With what must be fetched first; false: not in time. */
    fitWhole: (waitMs: number): Promise<boolean> => {
      map.updateSize();
      // What it tells after is of the new size.
      map.renderSync();
      return new Promise((resolve) => {
        setTimeout(() => resolve(false), waitMs);
        map.once('rendercomplete', () => resolve(true));
      });
    },
  };
}

function interactionsOf() {
  const duration = ZOOM_MS;
  return defaultInteractions({
    ...{ altShiftDragRotate: false, pinchRotate: false, zoomDuration: duration },
    ...{ keyboard: !IS_STILL, dragPan: !IS_STILL },
  }).extend(
    IS_STILL ? [new KeyboardPan({ duration }), new KeyboardZoom({ duration }), new DragPan()] : [],
  );
}

/** Of another server, which is sent nothing but their addresses. */
function backgroundLayer(url: string, { onBackground }: MapDeps): TileLayer {
  // Cookies know no ports: a server of the page's own host name would be sent the session.
  const isSameHost = URL.parse(url)?.hostname === window.location.hostname;
  const crossOrigin = isSameHost ? 'anonymous' : null;
  const source = new XYZ({ url, crossOrigin, referrerPolicy: 'no-referrer', transition: 0 });
  source.on('tileloaderror', () => onBackground(true));
  source.on('tileloadend', () => onBackground(false));
  return new TileLayer({ source, zIndex: 0 });
}

export const WHOLE_COUNTRY: readonly number[] = DENMARK_BOUNDS;

interface Tiled {
  readonly map: OlMap;
  readonly tiles: Map<MapLayer, VectorTileLayer>;
  readonly deps: TileDeps;
}

function showTiles({ map, tiles, deps }: Tiled, shown: readonly MapLayer[]): void {
  for (const [layer, drawn] of tiles) drawn.setVisible(shown.includes(layer));
  for (const layer of shown) {
    if (kindOf(layer) === 'property' || tiles.has(layer)) continue;
    const made = tileLayer(layer, deps);
    tiles.set(layer, made);
    map.addLayer(made);
  }
}

function tileLayer(layer: MapLayer, deps: TileDeps): VectorTileLayer {
  const minZoom = FIRST_ZOOM[layer] ?? FIRST_ZOOM[kindOf(layer)];
  return new VectorTileLayer({
    source: tileSource(layer, deps, minZoom),
    style: tileStyle(layer),
    declutter: !isFilled(layer),
    preload: isFilled(layer) ? COARSE_LEVELS : 0,
    ...(minZoom !== undefined && { minZoom }),
    zIndex:
      layer === NAME_TILES
        ? 12
        : { theme: 10, line: 5, condition: 4, quiet: 3, property: 0 }[kindOf(layer)],
  });
}

/** The library's own vector tiles come without a fade. */
class FadingSource extends VectorTileSource {
  override getTile(...asked: Parameters<VectorTileSource['getTile']>) {
    return Object.assign(super.getTile(...asked), { transition_: FADE_MS });
  }
}

function tileSource(layer: MapLayer, deps: TileDeps, minZoom = 0): VectorTileSource {
  return new FadingSource({
    format: new MVT(),
    minZoom,
    url: `v1/kort/${layer}/{z}/{x}/{y}.mvt`,
    maxZoom: TILE_ZOOM,
    tileLoadFunction: (tile, url) => {
      if (tile instanceof VectorTile) {
        loadTile(tile as VectorTile<RenderFeature>, url, { layer, deps });
      }
    },
  });
}

/** With the page's key. What does not come is hatched all over, never an empty tile. */
function loadTile(
  tile: VectorTile<RenderFeature>,
  url: string,
  { layer, deps }: { readonly layer: MapLayer; readonly deps: TileDeps },
): void {
  tile.setLoader(async (extent, resolution, projection) => {
    const drawn = (features: RenderFeature[], refused: number | null): RenderFeature[] => {
      tile.setFeatures(features);
      deps.onTile(layer, refused);
      return features;
    };
    const failed = (status: number): RenderFeature[] => {
      // A name that is not written says nothing.
      const hatching = layer === NAME_TILES ? [] : [unanswered(extent)];
      if (!deps.isCoarse(layer, resolution)) return drawn(hatching, status);
      tile.onError();
      return [];
    };
    try {
      const response = await deps.fetchTile(url);
      if (!response.ok) return failed(response.status);
      const bytes = await response.arrayBuffer();
      const options = { extent, featureProjection: projection };
      const isFar = (tile.getTileCoord()[0] ?? 0) < NUMBERS_ZOOM;
      const format = new MVT(layer === HOUSE_TILES && isFar ? { layers: [ROAD_NAMES] } : {});
      return drawn(format.readFeatures(bytes, options), null);
    } catch {
      return failed(0);
    }
  });
}

function unanswered([west = 0, south = 0, east = 0, north = 0]: readonly number[]): RenderFeature {
  const ring = [west, south, east, south, east, north, west, north, west, south];
  return new RenderFeature('Polygon', ring, [ring.length], 2, { ubesvaret: true }, undefined);
}

function mercator({ lon, lat }: Degrees): number[] {
  return fromLonLat([lon, lat]);
}

function metresToMercator(x: number, y: number): number[] {
  return mercator(toWgs84({ xUtm32: x, yUtm32: y }));
}

function shapeFeature({ layer, polygons, lines }: Drawn): Feature {
  const ring = (positions: Ring) => positions.map(([x = 0, y = 0]) => metresToMercator(x, y));
  const geometry =
    polygons.length > 0
      ? new MultiPolygon(polygons.map((polygon: Polygon) => polygon.map(ring)))
      : new MultiLineString(lines.map(ring));
  return styled(geometry, liftedStyle(layer as MapLayer));
}

function segmentLine({ layer, foot, distanceM }: Segment, from: readonly number[]): MeasuredLine {
  const line = [[...from], metresToMercator(foot.x, foot.y)];
  return { layer: layer as MapLayer, line, text: metres(distanceM) };
}
