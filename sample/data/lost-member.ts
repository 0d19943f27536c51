/** Parts of a written geometry that are lost on the way: an element, or a list, without what it must hold. */
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

/** Elements of GML that must hold something. */
const ELEMENT =
  /<gml:(surfaceMember|curveMember|Polygon|PolygonPatch|patches|LineString|LineStringSegment|segments|exterior|interior|LinearRing|posList)\b([^>]*)>/g;

/** Without one of these the rest is a whole geometry: that it is gone leaves no trace. */
const ONE_OF_MANY = new Set([
  'surfaceMember',
  'curveMember',
  'PolygonPatch',
  'LineStringSegment',
  'interior',
]);

/** What is left of one: its tag's attributes, and what is within. */
export const LOSSES = {
  empty: ['', ''],
  nil: [' xsi:nil="true" nilReason="missing"', ''],
  href: [' xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#elsewhere"', ''],
  text: ['', 'ukendt'],
  comment: ['', '<!-- udgået -->'],
  metadata: ['', '<gml:metaDataProperty/>'],
  gone: null,
} as const;
export type Loss = keyof typeof LOSSES;

/** The same text without what one of its elements holds. */
export function loseInGml(text: string, loss: Loss, seed: string): string {
  const found = [...text.matchAll(ELEMENT)].filter(
    ([, name = '']) => LOSSES[loss] !== null || !ONE_OF_MANY.has(name),
  );
  if (found.length === 0) return text;
  const [open, name = '', attributes = ''] = createRandom(seed).pick(found);
  const from = text.indexOf(open);
  const close = `</gml:${name}>`;
  const to = text.indexOf(close, from) + close.length;
  const left = LOSSES[loss];
  const element =
    left === null ? '' : `<gml:${name}${attributes}${left[0]}>${left[1]}</gml:${name}>`;
  return text.slice(0, from) + element + text.slice(to);
}

/** What may stand in GeoJSON where a list must be. */
const NO_LISTS = [null, [], 'ukendt', {}, 0] as const;

/** Coordinates with one of their lists lost: a part, a ring, a position or a number of it. */
export function loseInJson(coordinates: unknown, seed: string): unknown {
  return lose(coordinates, createRandom(seed));
}

function lose(list: unknown, random: Random): unknown {
  if (!Array.isArray(list) || list.length === 0 || random.chance(0.3)) return random.pick(NO_LISTS);
  const at = random.integer(0, list.length - 1);
  return list.map((each: unknown, n) => (n === at ? lose(each, random) : each));
}
