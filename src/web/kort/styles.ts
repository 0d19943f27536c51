/** A highlighted feature has a white rim. */
import Feature from 'ol/Feature.js';
import type { FeatureLike } from 'ol/Feature.js';
import type Geometry from 'ol/geom/Geometry.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import type { StyleLike } from 'ol/style/Style.js';
import Text from 'ol/style/Text.js';
import {
  HOUSE_TILES,
  NAME_TILES,
  PARCEL_TILES,
  ROAD_NAMES,
  namesLayer,
} from '../../layers/keys.ts';
import { isFilled, kindOf } from './address-bar.ts';
import type { MapLayer } from './address-bar.ts';
import { colourOf } from './conditions.ts';

const FACE = 'system-ui, "Liberation Sans", sans-serif';
const FONT = `600 12px ${FACE}`;
const SMALL = `500 11px ${FACE}`;
const WHITE = '#ffffff';
const INK = '#17242a';
/** The alpha that a colour ends with. */
const [FILL, STRONG_FILL, QUIET] = ['33', '66', 'aa'];
/** As the patch of the legend is. */
export const UNCOVERED = '#8b969ccc';
/**
 * Metres of a pixel from which on lines are patches without an edge: ten edges at once are a
 * thicket.
 */
const FAR_M = 18;

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** Paper is white in any case. */
function isDark(): boolean {
  return dark.matches && document.querySelector('.map-part.sheet') === null;
}

export function onColours(change: () => void): void {
  dark.addEventListener('change', change);
}

/** In pixels. */
type Edge = readonly [color: string, width: number, lineDash?: number[]];

function shape(edge: Edge | null, fill: string | CanvasPattern | null = null): Style {
  const [color, width, lineDash = []] = edge ?? [];
  return new Style({
    ...(edge !== null && { stroke: new Stroke({ color, width, lineDash }) }),
    ...(fill !== null && { fill: new Fill({ color: fill }) }),
  });
}

export function styled(geometry: Geometry, style: StyleLike): Feature {
  const feature = new Feature(geometry);
  feature.setStyle(style);
  return feature;
}

/** What did not come is no sea: it is not drawn. */
export function landStyle(feature: FeatureLike): Style | undefined {
  if (isUnanswered(feature) || isPoint(feature)) return;
  return shape(null, isDark() ? '#1c2a30' : '#f3f1ea');
}

export const uncoveredStyle = (): Style => shape(['#55606a', 1.5, [6, 4]], UNCOVERED);

export const measureStyle = (): Style => shape([isDark() ? WHITE : INK, 2.5, [3, 5]]);

export const liftedStyle = (layer: MapLayer): Style[] => [
  shape([WHITE, 6]),
  shape([colourOf(layer), 3.5], colourOf(layer) + STRONG_FILL),
];

export const segmentStyle = (layer: MapLayer): Style[] => [
  shape([WHITE, 5]),
  shape([colourOf(layer), 2.5, [7, 4]]),
];

/** From a moved label to its place. */
export const leaderStyle = (layer: MapLayer): Style => shape([colourOf(layer), 1]);

export const placeStyle = (): Style[] =>
  (
    [
      [9, WHITE],
      [7, INK],
      [3, WHITE],
    ] as const
  ).map(
    ([radius, color]) =>
      new Style({ image: new CircleStyle({ radius, fill: new Fill({ color }) }) }),
  );

function isUnanswered(feature: FeatureLike): boolean {
  return feature.get('ubesvaret') === true;
}

function isPoint(feature: FeatureLike): boolean {
  return feature.getGeometry()?.getType() === 'Point';
}

type StyleOf = (feature: FeatureLike, resolution: number) => Style;

/** Repealed is dashed without fill, unanswered is hatched. */
export function tileStyle(layer: MapLayer): StyleOf {
  const colour = colourOf(layer);
  const read = isFilled(layer) ? filledStyle(colour) : namedStyle(layer);
  let hatched: Style | null = null;
  return (feature, resolution) =>
    isUnanswered(feature)
      ? (hatched ??= shape([colour, 1, [2, 3]], hatch(colour)))
      : read(feature, resolution);
}

const HATCH_PX = 10;

function hatch(colour: string): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [HATCH_PX, HATCH_PX];
  const drawing = canvas.getContext('2d');
  if (drawing === null) return colour + FILL;
  [drawing.strokeStyle, drawing.lineWidth] = [colour, 1.5];
  for (const from of [-HATCH_PX, 0, HATCH_PX]) {
    drawing.moveTo(from, HATCH_PX);
    drawing.lineTo(from + HATCH_PX, 0);
  }
  drawing.stroke();
  return drawing.createPattern(canvas, 'repeat') ?? colour + FILL;
}

function filledStyle(colour: string): StyleOf {
  const inForce = shape([colour, 1.5], colour + FILL);
  const repealed = shape([colour, 1, [3, 4]]);
  const far = shape([colour + QUIET, 0.5], colour + FILL);
  return (feature, resolution) => {
    if (feature.get('i_kraft') === false) return repealed;
    return resolution > FAR_M ? far : inForce;
  };
}

/** What is quiet lies faintly under the lines. */
function namedStyle(layer: MapLayer): StyleOf {
  const isQuiet = kindOf(layer) === 'quiet';
  const outline = shape([colourOf(layer) + (isQuiet ? QUIET : ''), isQuiet ? 1 : 1.25]);
  return (feature) => (isPoint(feature) ? nameStyle(feature) : outline);
}

interface Writing {
  readonly field: string;
  readonly font: string;
  readonly color: string;
}

/** By the layer of its tile; others are areas of DAGI. */
const WRITING: Readonly<Record<string, Writing>> = {
  [namesLayer(PARCEL_TILES)]: { field: 'matrikelnummer', font: SMALL, color: '#6b5415' },
  [HOUSE_TILES]: { field: 'husnr', font: SMALL, color: '#3d4a52' },
  [ROAD_NAMES]: { field: 'vejnavn', font: `italic ${FONT}`, color: '#3d4a52' },
};
const AREA_WRITING: Writing = { field: 'navn', font: FONT, color: '#55606a' };

/** Their names are written as water's. */
const WATER = new Set(['Farvand', 'Soe', 'Vandloeb', 'UrentFarvand', 'Havnebassin']);

/** The sooner a place is named, the larger. */
function placeWriting(feature: FeatureLike): Writing {
  const size = Math.max(11, 20 - Number(feature.get('fra_zoom')));
  const type = String(feature.get('hovedtype'));
  const isTown = type === 'Bebyggelse';
  return {
    field: 'navn',
    font: `${isTown ? '600' : 'italic 400'} ${size}px ${FACE}`,
    color: WATER.has(type) ? '#2b5f82' : isTown ? INK : '#4d5a3c',
  };
}

function nameStyle(feature: FeatureLike): Style {
  const layer = String(feature.get('layer'));
  const isPlace = layer === NAME_TILES;
  const { field, font, color } = isPlace ? placeWriting(feature) : (WRITING[layer] ?? AREA_WRITING);
  return new Style({
    // Of names over one another the higher is written.
    zIndex: isPlace ? 100 - Number(feature.get('fra_zoom')) : 0,
    text: new Text({
      text: String(feature.get(field) ?? ''),
      font,
      fill: new Fill({ color: isDark() ? '#d5e0e5' : color }),
      stroke: new Stroke({ color: isDark() ? '#10181c' : WHITE, width: 3 }),
    }),
  });
}

/** Pixels around a label's text. */
const [PADDING_Y, PADDING_X] = [2, 5];
const LABEL_LINE_PX = 13;

export function labelSize(text: string): { readonly width: number; readonly height: number } {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring !== null) measuring.font = FONT;
  return {
    width: (measuring?.measureText(text).width ?? 60) + 2 * PADDING_X,
    height: LABEL_LINE_PX + 2 * PADDING_Y,
  };
}

let measuring: CanvasRenderingContext2D | null = null;

export function labelStyle(layer: MapLayer, text: string): Style {
  return new Style({
    text: new Text({
      text,
      font: FONT,
      fill: new Fill({ color: INK }),
      backgroundFill: new Fill({ color: WHITE }),
      backgroundStroke: new Stroke({ color: colourOf(layer), width: 1.5 }),
      padding: [PADDING_Y, PADDING_X, PADDING_Y, PADDING_X],
    }),
  });
}
