/**
 * Example points with a known truth: the README and the API document show them, tests hold the
 * answers against them. The sites are laid out so that the numbers can be worked out by hand.
 */
import { join } from 'node:path';
import type { PointUtm32, PointWgs84 } from '../src/geo/point.ts';
import { toWgs84 } from '../src/geo/project.ts';
import type { LineKey, Theme } from '../src/layers/keys.ts';
import { LINE_KEYS, THEMES } from '../src/layers/keys.ts';
import { readCsv } from './data/read-csv.ts';
import { textIn } from './data/table-row.ts';
import type { TableRow } from './data/table-row.ts';

/** What is true of a point and one line, at the default search radius of 500 m. */
export interface ExpectedLine {
  readonly within: boolean;
  /** D25. */
  readonly uncertain: boolean;
  /** D27 and D28, metres to one decimal; null when nothing in force is within the radius. */
  readonly distanceM: number | null;
  /** D30. */
  readonly count: number;
  /** D26: `objekt_id` of the hit. */
  readonly hit: string | null;
  /** D31: `objekt_id` of the repealed ones, nearest first; two as far away in no set order. */
  readonly repealed: readonly string[];
}

export interface SamplePoint {
  readonly id: string;
  /** What is to be seen there. */
  readonly about: string;
  readonly utm32: PointUtm32;
  /** The same place, to 7 decimals (about a centimetre). */
  readonly wgs84: PointWgs84;
  /** Codes of the areas that cover it, in order. */
  readonly areas: Readonly<Record<Theme, readonly string[]>>;
  /** The lines the point was chosen for; the others hold what scattered features make of them. */
  readonly lines: Readonly<Partial<Record<LineKey, ExpectedLine>>>;
}

const FOLDER = join(import.meta.dirname, 'points');
const LINES = Map.groupBy(readCsv(FOLDER, 'lines'), (row) => textIn(row, 'point'));

export const SAMPLE_POINTS: readonly SamplePoint[] = readCsv(FOLDER, 'points').map((row) => {
  const id = textIn(row, 'id');
  const utm32 = { xUtm32: Number(row['east']), yUtm32: Number(row['north']) };
  const { lon, lat } = toWgs84(utm32);
  // Codes theme by theme in document order; a slash where two areas cover the point.
  const codes = row['areas']?.split(' ') ?? [];
  const areas = THEMES.map((theme, i) => [theme, codes[i]?.split('/') ?? []]);
  const own = LINES.get(id) ?? [];
  const lines =
    row['nothingNear'] === null
      ? own.map((each) => [each['line'], expectedLine(each)])
      : LINE_KEYS.map((key) => [key, expectedLine({})]);
  return {
    ...{ id, about: textIn(row, 'about'), utm32 },
    wgs84: { lon: Number(lon.toFixed(7)), lat: Number(lat.toFixed(7)) },
    areas: Object.fromEntries(areas) as SamplePoint['areas'],
    lines: Object.fromEntries(lines) as SamplePoint['lines'],
  };
});

function expectedLine(row: TableRow): ExpectedLine {
  const { within, uncertain, distanceM, count, hit, repealed } = row;
  return {
    ...{ within: Boolean(within), uncertain: Boolean(uncertain) },
    distanceM: distanceM ? Number(distanceM) : null,
    count: Number(count ?? 0),
    hit: hit ?? null,
    repealed: repealed?.split(' ') ?? [],
  };
}

/** A point by its id. @throws RangeError when there is none. */
export function samplePoint(id: string): SamplePoint {
  const found = SAMPLE_POINTS.find((point) => point.id === id);
  if (found === undefined) throw new RangeError(`No sample point ${id}`);
  return found;
}
