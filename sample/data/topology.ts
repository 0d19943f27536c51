/**
 * Areas as unions of cells. Two cells that meet share one edge object, so the areas built from them
 * share every vertex of their common boundary to the last bit: no slivers, no overlaps.
 */
import type { Ring, SampleGeometry } from './geometry.ts';
import { at, placeOf, reversed, ringArea, ringHolds } from './geometry.ts';

/** A boundary line between two nodes of the lattice (or a closed one: from and to are equal). */
export interface Edge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly line: Ring;
}

/** A piece of land: its edges in counter-clockwise order, each with the direction it is run in. */
export interface Cell {
  readonly island: 'main' | 'south' | 'outer' | 'beacon';
  /** 0 is the disc in the middle, 3 lies at the coast. */
  readonly ring: number;
  /** 0 begins in the east; 24 to a turn, counter-clockwise. 0 where the ring is one cell. */
  readonly sector: number;
  readonly boundary: readonly { readonly edge: Edge; readonly forward: boolean }[];
}

/** The union of cells as one MultiPolygon; parts and holes come out of the shared edges. */
export function mergeCells(cells: readonly Cell[]): SampleGeometry {
  const rings = traceRings(outerEdges(cells));
  const shells = rings.filter((line) => ringArea(line) > 0);
  const parts = shells.map((shell): Ring[] => [shell]);
  for (const hole of rings.filter((line) => ringArea(line) < 0)) {
    smallestAround(parts, hole).push(hole);
  }
  return { type: 'MultiPolygon', coordinates: parts };
}

/** Edges with the union on one side only. Those with it on both sides vanish. */
function outerEdges(cells: readonly Cell[]): Edge[] {
  const seen = new Map<string, Edge | null>();
  for (const { edge, forward } of cells.flatMap((cell) => cell.boundary)) {
    const directed = forward ? edge : turned(edge);
    seen.set(edge.id, seen.has(edge.id) ? null : directed);
  }
  return [...seen.values()].filter((edge) => edge !== null);
}

function turned(edge: Edge): Edge {
  return { id: edge.id, from: edge.to, to: edge.from, line: reversed(edge.line) };
}

function traceRings(edges: readonly Edge[]): Ring[] {
  const byStart = new Map<string, Edge>();
  for (const edge of edges) {
    // Two areas of one label touching in a single node would make the walk ambiguous. The labels
    // are ours, so this is a mistake of the island's design, not something to resolve at run time.
    if (byStart.has(edge.from)) throw new Error(`Cells of one area meet only in ${edge.from}`);
    byStart.set(edge.from, edge);
  }
  const rings: Ring[] = [];
  for (const first of edges) {
    if (!byStart.has(first.from)) continue;
    const line = [at(first.line, 0)];
    let node = first.from;
    for (let edge = byStart.get(node); edge !== undefined; edge = byStart.get(node)) {
      byStart.delete(node);
      line.push(...edge.line.slice(1));
      node = edge.to;
    }
    rings.push(line);
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
