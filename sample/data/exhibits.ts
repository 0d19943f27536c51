/**
 * The exhibits: features with round measures on the sites kept free for them, so that the answers
 * at the example points can be worked out by hand. Offsets are metres east and north of the site.
 * Forest: an adopted zone with a hole, a proposed one over its edge, repealed and hidden ones around.
 * Dyke: two in force, one cancelled, a stream, a lake line only proposed, a monument in two zones.
 * Nature: a bog with a lake in it, two not adopted, and two that are not valid polygons: one crosses itself in
 * the middle, one touches itself at the top and so walls in a triangle.
 */
import type { SampleFeature, SampleProperties } from './feature.ts';
import { at, multiLine, multiPolygon, placeOf, position, readLine, roundRing } from './geometry.ts';
import { SITES } from './island.ts';
import { monumentFeature } from './monuments.ts';
import { portalFeature, STATUS } from './portal.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { readCsv } from './read-csv.ts';
import { dykeValues } from './streams.ts';
import { textIn } from './table-row.ts';
import { forestValues, NATURE_TYPES, natureValues } from './zones.ts';

/** Attributes by what the file says of the feature in its last column. */
const OWN = {
  skov: (random, variant) => forestValues(random, variant === 'repealed'),
  natur: (random, variant) => natureValues(random, at(NATURE_TYPES, Number(variant))),
  dige: (random, variant) => ({
    ...dykeValues(random, Number(variant)),
    ...{ Beskyt_kode: '1;4', Digetypebeskrivelse: 'Stendige' },
  }),
  soe: () => ({ Op_aars_k: 0, Op_aarsag: 'Ikke udfyldt' }),
  vandloeb: () => ({}),
} as const satisfies Record<string, (random: Random, variant: string) => SampleProperties>;

const isStatus = (text: string): text is keyof typeof STATUS => Object.hasOwn(STATUS, text);

export function exhibitsOf(layer: keyof typeof OWN): SampleFeature[] {
  const rows = readCsv(import.meta.dirname, 'exhibits').filter((row) => row['layer'] === layer);
  return rows.map((row) => {
    const [name, status] = [textIn(row, 'name'), textIn(row, 'status')];
    const site = SITES[textIn(row, 'site') as keyof typeof SITES];
    const lines = textIn(row, 'offsets')
      .split(' / ')
      .map((text) =>
        readLine(text).map((offset) => {
          const { x, y } = placeOf(offset);
          return position({ x: site.x + x, y: site.y + y });
        }),
      );
    const isLine = layer === 'dige' || layer === 'vandloeb';
    return portalFeature(layer, {
      name,
      geometry: isLine ? multiLine(...lines) : multiPolygon(lines),
      own: OWN[layer](createRandom(`${layer}/${name}`), textIn(row, 'variant')),
      ...(isStatus(status) && { status: STATUS[status] }),
      ...(status === 'ended' && { ended: true }),
      ...(status === 'hidden' && { visibility: 3 }),
    });
  });
}

export function monumentExhibits(): SampleFeature[] {
  const { x, y } = SITES.dyke;
  const mound = (zone: number, east: number): SampleFeature =>
    monumentFeature({
      ...{ zone, locality: 9_990_001 },
      geometry: multiPolygon([roundRing({ x: x + east, y }, 72, () => 110)]),
    });
  return [mound(9_790_001, -300), mound(9_790_002, -220)];
}
