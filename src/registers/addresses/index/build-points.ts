import { emptyBoxes, widen } from '../../../geo/bounds.ts';
import { growingFloats, growingWords } from '../../../geo/growing.ts';
import type { Postcode, PostcodeEntry } from '../addresses.ts';
import type { Section } from '../../../snapshot/format.ts';
import { sortPoints } from '../../../snapshot/points.ts';
import type { IndexMeta } from './index-format.ts';
import type { OrderedTexts } from './index-parts.ts';
import type { AccessTable, FormerTable } from './index-tables.ts';

/**
 * Points in force by cell, provisional by cell, then the rest unsorted, so that `nearest` sees only
 * those that may answer (D47).
 */
export function sortAddressPoints(accesses: AccessTable): {
  readonly meta: IndexMeta['points'];
  readonly sections: Record<string, Section>;
} {
  const kinds = [3, 2, 0].map((status) => gather(accesses, status));
  const [inForce, provisional] = kinds.map(({ xy }) => sortPoints(xy));
  const slots = new Uint32Array(accesses.count);
  const xy = new Float64Array(kinds.reduce((sum, kind) => sum + kind.xy.length, 0));
  let start = 0;
  for (const [i, kind] of kinds.entries()) {
    const sorted = [inForce, provisional][i];
    xy.set(sorted?.xy ?? kind.xy, 2 * start);
    for (let slot = 0; slot < kind.indexes.length; slot++) {
      const index = kind.indexes[sorted?.ranks[slot] ?? slot]!;
      if (sorted !== undefined) sorted.ranks[slot] = index;
      slots[index] = start + slot + 1;
    }
    start += kind.indexes.length;
  }
  return {
    meta: {
      inForce: { grid: inForce!.grid, count: inForce!.ranks.length },
      provisional: { grid: provisional!.grid, count: provisional!.ranks.length },
    },
    sections: {
      'points.xy': xy,
      'points.blocks': inForce!.blocks,
      'points.tables': inForce!.tables,
      'points.ranks': inForce!.ranks,
      'provisional.blocks': provisional!.blocks,
      'provisional.tables': provisional!.tables,
      'provisional.ranks': provisional!.ranks,
      'access.slots': slots,
    },
  };
}

/** Status 0: all but 2 and 3. */
function gather(accesses: AccessTable, wanted: number): { xy: Float64Array; indexes: Uint32Array } {
  const xy = growingFloats();
  const indexes = growingWords();
  const all = accesses.xy.items;
  for (let index = 0; index < accesses.count; index++) {
    const status = accesses.statusAt(index);
    const isWanted = wanted === 0 ? status !== 2 && status !== 3 : status === wanted;
    if (!isWanted || Number.isNaN(all[2 * index]!)) continue;
    indexes.push(index);
    xy.push(all[2 * index]!);
    xy.push(all[2 * index + 1]!);
  }
  return { xy: xy.view(), indexes: indexes.view() };
}

/** Municipalities and boxes follow from addresses in force. */
export function describePostcodes(
  postcodes: readonly Postcode[],
  accesses: AccessTable,
  municipalityOf: readonly string[],
): readonly PostcodeEntry[] {
  const made = postcodes.map((postcode) => ({
    ...postcode,
    municipalities: new Set<string>(),
    box: [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number],
  }));
  for (let index = 0; index < accesses.count; index++) {
    const entry = made[accesses.postcode.items[index]! - 1];
    if (entry === undefined || accesses.statusAt(index) !== 3) continue;
    entry.municipalities.add(municipalityOf[accesses.road.items[index]!]!);
    widen(entry.box, 0, accesses.xy.items[2 * index]!, accesses.xy.items[2 * index + 1]!);
  }
  return made.map(({ municipalities, box, ...entry }) => ({
    ...entry,
    municipalityCodes: [...municipalities].sort(),
    box: box[0] === Infinity ? null : box,
  }));
}

/** Of addresses in use: west, south, east, north. */
export function boxesOfRoads(accesses: AccessTable, roads: number): Record<string, Section> {
  const boxes = emptyBoxes(roads);
  const xy = accesses.xy.items;
  for (let index = 0; index < accesses.count; index++) {
    if (accesses.statusAt(index) > 3) continue;
    widen(boxes, 4 * accesses.road.items[index]!, xy[2 * index]!, xy[2 * index + 1]!);
  }
  return { 'roads.boxes': boxes };
}

export function roadsByPostcode(
  accesses: AccessTable,
  counts: { readonly roads: number; readonly postcodes: number },
): Record<string, Section> {
  const seen = new Set<number>();
  for (let index = 0; index < accesses.count; index++) {
    const postcode = accesses.postcode.items[index]!;
    if (postcode === 0 || accesses.statusAt(index) > 3) continue;
    seen.add((postcode - 1) * counts.roads + accesses.road.items[index]!);
  }
  const { starts, members } = pairsByPostcode(seen, { of: counts.roads, ...counts });
  return { 'post.starts': starts, 'post.roads': members };
}

export function formerNamesByPostcode(
  former: FormerTable,
  { names, postcodes }: { readonly names: OrderedTexts; readonly postcodes: readonly Postcode[] },
): Record<string, Section> {
  const of = names.codes.length;
  const indexes = new Map(postcodes.map(({ code }, i) => [code, i]));
  const seen = new Set<number>();
  for (const { name, postcode } of former.namesAndPostcodes()) {
    const index = indexes.get(postcode);
    if (index !== undefined) seen.add(index * of + names.codes[name]!);
  }
  const { starts, members } = pairsByPostcode(seen, { of, postcodes: postcodes.length });
  return { 'post.formerStarts': starts, 'post.formerNames': members };
}

/** Pairs are postcode × `of` + other. */
function pairsByPostcode(
  seen: ReadonlySet<number>,
  { of, postcodes }: { readonly of: number; readonly postcodes: number },
): { starts: Uint32Array; members: Uint32Array } {
  const pairs = Float64Array.from(seen).sort();
  const starts = new Uint32Array(postcodes + 1);
  const members = new Uint32Array(pairs.length);
  for (const [i, pair] of pairs.entries()) {
    starts[Math.floor(pair / of) + 1]! += 1;
    members[i] = pair % of;
  }
  for (let p = 0; p < postcodes; p++) starts[p + 1]! += starts[p]!;
  return { starts, members };
}
