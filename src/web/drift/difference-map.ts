import Feature from 'ol/Feature.js';
import OlMap from 'ol/Map.js';
import View from 'ol/View.js';
import ScaleLine from 'ol/control/ScaleLine.js';
import { defaults as defaultControls } from 'ol/control/defaults.js';
import { createEmpty, isEmpty } from 'ol/extent.js';
import type Geometry from 'ol/geom/Geometry.js';
import LineString from 'ol/geom/LineString.js';
import MultiLineString from 'ol/geom/MultiLineString.js';
import MultiPoint from 'ol/geom/MultiPoint.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import Point from 'ol/geom/Point.js';
import Polygon from 'ol/geom/Polygon.js';
import VectorLayer from 'ol/layer/Vector.js';
import Projection from 'ol/proj/Projection.js';
import VectorSource from 'ol/source/Vector.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import { DIFFERENCE_COLOURS } from './terms.ts';
import type { ChangedFeature, DifferenceKind } from './types.ts';

/** GeoJSON, in metres of EPSG:25832. */
type Shape = NonNullable<ChangedFeature['foer']>;

/** Metres without projection; the scale line is exact to four in ten thousand. */
const METRES = new Projection({ code: 'EPSG:25832', units: 'm', extent: [1e5, 6e6, 1e6, 6.5e6] });
const GEOMETRIES: Readonly<Record<string, new (coordinates: never) => Geometry>> = {
  ...{ Point, MultiPoint, LineString, MultiLineString },
  ...{ Polygon, MultiPolygon },
};
const PADDING = [30, 30, 30, 30];
/** Metres a pixel: a point fills no view. */
const CLOSEST = 0.5;

export interface DifferenceMap {
  lookAt(feature: ChangedFeature): void;
}

export function createDifferenceMap(
  target: HTMLElement,
  features: readonly ChangedFeature[],
): DifferenceMap {
  const source = new VectorSource({ features: features.flatMap(drawn) });
  const view = new View({ projection: METRES, center: [6e5, 62e5], resolution: 1000 });
  const map = new OlMap({
    target,
    view,
    controls: defaultControls({ attribution: false, rotate: false }).extend([new ScaleLine()]),
    layers: [new VectorLayer({ source })],
  });
  const fit = (shown: VectorSource): void => {
    const extent = shown.getExtent() ?? createEmpty();
    if (isEmpty(extent)) return;
    map.updateSize();
    view.fit(extent, { padding: PADDING, minResolution: CLOSEST });
  };
  fit(source);
  return { lookAt: (feature) => fit(new VectorSource({ features: drawn(feature) })) };
}

/** Before under after, so that what has moved shows where it went. */
function drawn({ art, foer, efter }: ChangedFeature): Feature[] {
  return [
    ...(foer === null ? [] : [featureOf(foer, art, true)]),
    ...(efter === null ? [] : [featureOf(efter, art, false)]),
  ];
}

function featureOf(shape: Shape, art: DifferenceKind, gone: boolean): Feature {
  const color = DIFFERENCE_COLOURS[art];
  const stroke = new Stroke({ color, width: 2, ...(gone && { lineDash: [6, 5] }) });
  const fill = new Fill({ color: `${color}${gone ? '00' : '40'}` });
  const feature = new Feature(geometryOf(shape));
  feature.setStyle(
    new Style({ stroke, fill, image: new CircleStyle({ radius: 5, stroke, fill }) }),
  );
  return feature;
}

function geometryOf({ type, coordinates }: Shape): Geometry {
  const Kind = GEOMETRIES[type];
  if (Kind === undefined) throw new Error(`The map does not know the shape ${type}.`);
  return new Kind(coordinates as never);
}
