/** Lays out road names and the roads of each, as `road-names.ts` reads them. */
import { buildNames } from '../../../names/build-names.ts';
import type { Section } from '../../../snapshot/format.ts';

export interface NamedRows {
  /** Distinct names by code; code 0 is excluded. */
  readonly names: readonly string[];
  /** Codes of names by road; 0 is none. */
  readonly roadName: ArrayLike<number>;
  readonly roadShort: ArrayLike<number>;
  /** Codes of names by former name, ascending. */
  readonly formerName: ArrayLike<number>;
  /** The first address of each road. */
  readonly roadStarts: ArrayLike<number>;
}

export function indexNames(rows: NamedRows): Record<string, Section> {
  const count = rows.names.length + 1;
  const formerStarts = new Uint32Array(count + 1);
  for (let i = 0; i < rows.formerName.length; i++) formerStarts[rows.formerName[i]! + 1]! += 1;
  for (let name = 0; name < count; name++) formerStarts[name + 1]! += formerStarts[name]!;
  return {
    ...buildNames(rows.names),
    ...roadsByName(rows, count),
    'index.formerStarts': formerStarts,
  };
}

function roadsByName(
  { roadName, roadShort, roadStarts }: NamedRows,
  count: number,
): Record<string, Section> {
  const starts = new Uint32Array(count + 1);
  const weights = new Uint32Array(count);
  const hasShort = (road: number): boolean =>
    roadShort[road] !== 0 && roadShort[road] !== roadName[road];
  for (let road = 0; road < roadName.length; road++) {
    starts[roadName[road]! + 1]! += 1;
    weights[roadName[road]!]! += roadStarts[road + 1]! - roadStarts[road]!;
    if (hasShort(road)) starts[roadShort[road]! + 1]! += 1;
  }
  for (let name = 0; name < count; name++) starts[name + 1]! += starts[name]!;
  const next = starts.slice();
  const roads = new Uint32Array(starts[count]!);
  const put = (name: number, road: number): void => {
    roads[next[name]!] = road;
    next[name]! += 1;
  };
  for (let road = 0; road < roadName.length; road++) {
    put(roadName[road]!, road);
    if (hasShort(road)) put(roadShort[road]!, road);
  }
  return { 'index.roadStarts': starts, 'index.roads': roads, 'index.weights': weights };
}
