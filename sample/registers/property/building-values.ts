import type { Door } from '../cadastre/rows.ts';
import { readCsv } from '../../data/read-csv.ts';
import type { Random } from '../../data/random.ts';
import { textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';

const DRAWS = readCsv(import.meta.dirname, 'draws');

/** By `draws.csv`: of `a|b` one, which may be empty; `2% a` in so many rows. */
export function drawnRow(
  kind: 'building' | 'house' | 'tank' | 'turbine',
  random: Random,
): TableRow {
  const own = DRAWS.filter((row) => row[kind] !== null);
  return Object.fromEntries(
    own.map((row) => [textIn(row, 'column'), drawnCell(textIn(row, kind), random)]),
  );
}

function drawnCell(text: string, random: Random): string | null {
  const [percent = '', rare = null] = text.split('% ');
  if (rare !== null) return random.chance(Number(percent) / 100) ? rare : null;
  return text.includes('|') ? random.pick(text.split('|')) || null : text;
}

/** Some metres behind the door; empty without a position. */
export function pointOf({ place }: Door, metres: number): string {
  if (place === null) return 'GEOMETRYCOLLECTION EMPTY';
  return `POINT (${(place.x + metres).toFixed(2)} ${(place.y + 5 + metres).toFixed(2)})`;
}

/** `1`, which most write as `01`. */
export function floorText(designation: string): string {
  return /^\d$/.test(designation) ? `0${designation}` : designation;
}
