/** How features are drawn. A highlighted one has a white rim. */
import type { FeatureLike } from 'ol/Feature.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
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

const FONT = '600 12px system-ui, "Liberation Sans", sans-serif';
const SMALL = '500 11px system-ui, "Liberation Sans", sans-serif';
const WHITE = '#ffffff';
const INK = '#17242a';
/** Metres of a pixel from which on lines are patches without an edge: ten edges at once are a thicket. */
const FAR_M = 18;

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** Paper is white in any case. */
function isDark(): boolean {
  return dark.matches && document.querySelector('.map-part.sheet') === null;
}

export function onColours(change: () => void): void {
  dark.addEventListener('change', change);
}

/** The land under everything: the municipalities. What did not come is no sea: it is not drawn. */
export function landStyle(feature: FeatureLike): Style | undefined {
  if (feature.get('ubesvaret') === true || feature.getGeometry()?.getType() === 'Point') return;
  return new Style({ fill: new Fill({ color: isDark() ? '#1c2a30' : '#f3f1ea' }) });
}
const FILL = '33';
const STRONG_FILL = '66';
const QUIET = 'aa';
/** As the patch of the legend is. */
export const UNCOVERED = '#8b969ccc';

/** Features of a tile: repealed is dashed without fill, unanswered is hatched. */
export function tileStyle(layer: MapLayer): (feature: FeatureLike, resolution: number) => Style {
  const unanswered = hatched(colourOf(layer));
  const read = readStyle(layer);
  return (feature, resolution) =>
    feature.get('ubesvaret') === true ? unanswered() : read(feature, resolution);
}

/** What no copy here covers: nothing is known of it, and nothing drawn. */
export function uncoveredStyle(): Style {
  return new Style({
    fill: new Fill({ color: UNCOVERED }),
    stroke: new Stroke({ color: '#55606a', width: 1.5, lineDash: [6, 4] }),
  });
}

const HATCH_PX = 10;

/** Slanting lines; made when the first is drawn. */
function hatched(colour: string): () => Style {
  let made: Style | null = null;
  return () =>
    (made ??= new Style({ stroke: dashes(colour), fill: new Fill({ color: hatch(colour) }) }));
}

function dashes(color: string): Stroke {
  return new Stroke({ color, width: 1, lineDash: [2, 3] });
}

function hatch(colour: string): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [HATCH_PX, HATCH_PX];
  const drawing = canvas.getContext('2d');
  if (drawing === null) return colour + FILL;
  drawing.strokeStyle = colour;
  drawing.lineWidth = 1.5;
  for (const from of [-HATCH_PX, 0, HATCH_PX]) {
    drawing.moveTo(from, HATCH_PX);
    drawing.lineTo(from + HATCH_PX, 0);
  }
  drawing.stroke();
  return drawing.createPattern(canvas, 'repeat') ?? colour + FILL;
}

function readStyle(layer: MapLayer): (feature: FeatureLike, resolution: number) => Style {
  const colour = colourOf(layer);
  if (!isFilled(layer)) return namedStyle(layer);
  const inForce = new Style({
    stroke: new Stroke({ color: colour, width: 1.5 }),
    fill: new Fill({ color: colour + FILL }),
  });
  const repealed = new Style({ stroke: new Stroke({ color: colour, width: 1, lineDash: [3, 4] }) });
  const far = new Style({
    stroke: new Stroke({ color: colour + QUIET, width: 0.5 }),
    fill: new Fill({ color: colour + FILL }),
  });
  return (feature, resolution) => {
    if (feature.get('i_kraft') === false) return repealed;
    return resolution > FAR_M ? far : inForce;
  };
}

/** An outline, and the name where its tile says. What is quiet lies faintly under the lines. */
function namedStyle(layer: MapLayer): (feature: FeatureLike) => Style {
  const isQuiet = kindOf(layer) === 'quiet';
  const color = colourOf(layer) + (isQuiet ? QUIET : '');
  const outline = new Style({ stroke: new Stroke({ color, width: isQuiet ? 1 : 1.25 }) });
  return (feature) => (feature.getGeometry()?.getType() === 'Point' ? nameStyle(feature) : outline);
}

/** How the points of a tile are written, by their layer; others are areas of DAGI. */
const WRITING: Readonly<Record<string, { field: string; font: string; color: string }>> = {
  [namesLayer(PARCEL_TILES)]: { field: 'matrikelnummer', font: SMALL, color: '#6b5415' },
  [HOUSE_TILES]: { field: 'husnr', font: SMALL, color: '#3d4a52' },
  [ROAD_NAMES]: { field: 'vejnavn', font: `italic ${FONT}`, color: '#3d4a52' },
};
const AREA_WRITING = { field: 'navn', font: FONT, color: '#55606a' };

/** Main types whose names are written as water's. */
const WATER = new Set(['Farvand', 'Soe', 'Vandloeb', 'UrentFarvand', 'Havnebassin']);

/** A place by its rank: the sooner it is named, the larger. */
function placeWriting(feature: FeatureLike): (typeof WRITING)[string] {
  const size = Math.max(11, 20 - Number(feature.get('fra_zoom')));
  const isTown = feature.get('hovedtype') === 'Bebyggelse';
  const isWater = WATER.has(String(feature.get('hovedtype')));
  const face = 'px system-ui, "Liberation Sans", sans-serif';
  return {
    field: 'navn',
    font: `${isTown ? '600' : 'italic 400'} ${size}${face}`,
    color: isWater ? '#2b5f82' : isTown ? INK : '#4d5a3c',
  };
}

function nameStyle(feature: FeatureLike): Style {
  const layer = String(feature.get('layer'));
  const isPlace = layer === NAME_TILES;
  const { field, font, color } = isPlace ? placeWriting(feature) : (WRITING[layer] ?? AREA_WRITING);
  return new Style({
    // Where names would lie over one another, the higher is written.
    zIndex: isPlace ? 100 - Number(feature.get('fra_zoom')) : 0,
    text: new Text({
      text: String(feature.get(field) ?? ''),
      font,
      fill: new Fill({ color: isDark() ? '#d5e0e5' : color }),
      stroke: new Stroke({ color: isDark() ? '#10181c' : WHITE, width: 3 }),
    }),
  });
}

/** Of what the reader measures. */
export function measureStyle(): Style[] {
  const ink = isDark() ? WHITE : INK;
  return [new Style({ stroke: new Stroke({ color: ink, width: 2.5, lineDash: [3, 5] }) })];
}

/** Of the feature that answers. */
export function liftedStyle(layer: MapLayer): Style[] {
  const colour = colourOf(layer);
  return [
    new Style({ stroke: new Stroke({ color: WHITE, width: 6 }) }),
    new Style({
      stroke: new Stroke({ color: colour, width: 3.5 }),
      fill: new Fill({ color: colour + STRONG_FILL }),
    }),
  ];
}

/** Of a measured distance. */
export function segmentStyle(layer: MapLayer): Style[] {
  return [
    new Style({ stroke: new Stroke({ color: WHITE, width: 5 }) }),
    new Style({ stroke: new Stroke({ color: colourOf(layer), width: 2.5, lineDash: [7, 4] }) }),
  ];
}

/** Pixels around the text of a label: above and below, and beside. */
const LABEL_PADDING = { y: 2, x: 5 };
const LABEL_LINE_PX = 13;

/** How large a label is drawn. */
export function labelSize(text: string): { readonly width: number; readonly height: number } {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring !== null) measuring.font = FONT;
  return {
    width: (measuring?.measureText(text).width ?? 60) + 2 * LABEL_PADDING.x,
    height: LABEL_LINE_PX + 2 * LABEL_PADDING.y,
  };
}

let measuring: CanvasRenderingContext2D | null = null;

/** Of the number of a distance, framed in the colour of its line. */
export function labelStyle(layer: MapLayer, text: string): Style {
  const { x, y } = LABEL_PADDING;
  return new Style({
    text: new Text({
      text,
      font: FONT,
      fill: new Fill({ color: INK }),
      backgroundFill: new Fill({ color: WHITE }),
      backgroundStroke: new Stroke({ color: colourOf(layer), width: 1.5 }),
      padding: [y, x, y, x],
    }),
  });
}

/** From a label that stands beside its place, to it. */
export function leaderStyle(layer: MapLayer): Style {
  return new Style({ stroke: new Stroke({ color: colourOf(layer), width: 1 }) });
}

/** Of the place that is asked about. */
export function placeStyle(): Style[] {
  const dot = (radius: number, fill: string) =>
    new Style({ image: new CircleStyle({ radius, fill: new Fill({ color: fill }) }) });
  return [dot(9, WHITE), dot(7, INK), dot(3, WHITE)];
}
