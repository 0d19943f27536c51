/**
 * Areas as unions of cells. Two cells that meet share every vertex of their common boundary, so the areas
 * built from them do too, to the last bit: no slivers, no overlaps.
 */
import type { Position, Ring, SampleGeometry } from './geometry.ts';
import { at, placeOf, ringArea, ringHolds } from './geometry.ts';
import type { TableRow } from './table-row.ts';

/** A piece of land. */
export interface Cell {
  /** Its island, and the code of its area in each theme. */
  readonly labels: TableRow;
  /** Counter-clockwise. */
  readonly ring: Ring;
}

interface Side {
  readonly from: Position;
  readonly to: Position;
}

/** The union of cells as one MultiPolygon; parts and holes come out of the shared sides. */
export function mergeCells(cells: readonly Cell[]): SampleGeometry {
  const rings = traceRings(outerSides(cells));
  const shells = rings.filter((line) => ringArea(line) > 0);
  const parts = shells.map((shell): Ring[] => [shell]);
  for (const hole of rings.filter((line) => ringArea(line) < 0)) {
    smallestAround(parts, hole).push(hole);
  }
  return { type: 'MultiPolygon', coordinates: parts };
}

/** Sides with the union to the left alone; those with it on both sides vanish. */
function outerSides(cells: readonly Cell[]): readonly Side[] {
  const open = new Map<string, Side>();
  for (const { ring } of cells) {
    for (const [i, to] of ring.slice(1).entries()) {
      const from = at(ring, i);
      if (!open.delete(`${to.join()} ${from.join()}`)) {
        open.set(`${from.join()} ${to.join()}`, { from, to });
      }
    }
  }
  return [...open.values()];
}

function traceRings(sides: readonly Side[]): Ring[] {
  const byStart = new Map<string, Side>();
  for (const side of sides) {
    // Two cells of one area touching in a single vertex would make the walk ambiguous. The cells are
    // ours, so this is a mistake of the island's design, not something to resolve at run time.
    if (byStart.has(side.from.join()))
      throw new Error(`Cells of one area meet only in ${side.from.join()}`);
    byStart.set(side.from.join(), side);
  }
  const rings: Ring[] = [];
  for (const { from } of sides) {
    const line = [from];
    let next = byStart.get(from.join());
    while (next !== undefined) {
      byStart.delete(next.from.join());
      line.push(next.to);
      next = byStart.get(next.to.join());
    }
    if (line.length > 1) rings.push(line);
  }
  return rings;
}

function smallestAround(parts: Ring[][], hole: Ring): Ring[] {
  const inside = placeOf(at(hole, 0));
  const around = parts
    .filter((part) => ringHolds(at(part, 0), inside))
    .sort((a, b) => ringArea(at(a, 0)) - ringArea(at(b, 0)));
  return at(around, 0);
}
