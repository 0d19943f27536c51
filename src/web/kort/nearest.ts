/** Where a measured distance ends, in EPSG:25832. No point rather than one at another distance. */

export type Position = readonly number[];
export type Ring = readonly Position[];
/** Rings of one polygon: its shell, then its holes. */
export type Polygon = readonly Ring[];

export interface Foot {
  readonly x: number;
  readonly y: number;
  readonly distanceM: number;
}

interface Edge {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /** Which polygon it bounds. */
  readonly owner: number;
}

/** The answer is rounded to 0.1 m; the copy drawn from is exact. */
const ROUNDING_M = 0.06;
/** Metres beside an edge where the covered side is looked for. */
const BESIDE_M = 0.002;
/** Metres. Shorter parts are what rounding leaves where edges meet: beside them lies anything. */
const SLIVER_M = 0.001;
/** A place that would take more has its distance in words alone. */
export const MOST_EDGES = 400_000;

/** null: there is none. */
export function nearestOnLines(
  [px, py]: readonly [number, number],
  lines: readonly Ring[],
): Foot | null {
  let best: Foot | null = null;
  for (const line of lines) {
    for (const edge of ringEdges(line, 0)) {
      const foot = footOn(edge, px, py);
      if (best === null || foot.distanceM < best.distanceM) best = foot;
    }
  }
  return best;
}

/**
 * Of the zone's edge, `distanceM` away (D27). The polygons may overlap: an edge counts where the
 * zone lies on one side of it alone.
 */
export function nearestOnZone(
  point: readonly [number, number],
  polygons: readonly Polygon[],
  distanceM: number,
): Foot | null {
  if (polygons.flat().reduce((sum, ring) => sum + ring.length, 0) > MOST_EDGES) return null;
  const edges = polygons.flatMap((rings, owner) => rings.flatMap((ring) => ringEdges(ring, owner)));
  const [px, py] = point;
  const reach = Math.abs(distanceM) + ROUNDING_M;
  let best: Foot | null = null;
  const near = edges.filter((edge) => footOn(edge, px, py).distanceM <= reach);
  // Beyond the reach the neighbours were not read: there any edge looks like the zone's.
  const within = ({ ax, ay, bx, by }: Edge) =>
    Math.hypot((ax + bx) / 2 - px, (ay + by) / 2 - py) <= reach;
  const parts = near.flatMap((edge) => partsOf(edge, edges, reachCuts(edge, point, reach)));
  for (const part of parts.filter(within)) {
    const foot = footOn(part, px, py);
    if (foot.distanceM > reach || (best !== null && foot.distanceM >= best.distanceM)) continue;
    if (boundsZone(part, edges)) best = foot;
  }
  return best;
}

/** The foot of the perpendicular at the answered distance; else null. */
export function agreeing(foot: Foot | null, distanceM: number): Foot | null {
  if (foot === null) return null;
  return Math.abs(foot.distanceM - Math.abs(distanceM)) <= ROUNDING_M ? foot : null;
}

function ringEdges(ring: Ring, owner: number): readonly Edge[] {
  return ring.slice(1).map(([bx = 0, by = 0], i) => {
    const [ax = 0, ay = 0] = ring[i] ?? [];
    return { ax, ay, bx, by, owner };
  });
}

function footOn({ ax, ay, bx, by }: Edge, px: number, py: number): Foot {
  const dx = bx - ax;
  const dy = by - ay;
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((px - ax) * dx + (py - ay) * dy) / squared;
  const t = Math.min(1, Math.max(0, along));
  const x = ax + t * dx;
  const y = ay + t * dy;
  return { x, y, distanceM: Math.hypot(px - x, py - y) };
}

/** Where along an edge (0 to 1) the reach around a point ends. */
function reachCuts(
  { ax, ay, bx, by }: Edge,
  [px, py]: readonly [number, number],
  reach: number,
): readonly number[] {
  const [dx, dy, fx, fy] = [bx - ax, by - ay, ax - px, ay - py];
  const a = dx * dx + dy * dy;
  const b = dx * fx + dy * fy;
  const root = b * b - a * (fx * fx + fy * fy - reach * reach);
  if (a === 0 || root <= 0) return [];
  const half = Math.sqrt(root);
  return [(-b - half) / a, (-b + half) / a].filter((t) => t > 0 && t < 1);
}

/** Where edges of other pieces cross or touch it, and at `more`. */
function partsOf(edge: Edge, edges: readonly Edge[], more: readonly number[]): readonly Edge[] {
  const cuts = [0, 1, ...more];
  for (const other of edges) {
    if (other.owner !== edge.owner) cuts.push(...crossings(edge, other));
  }
  if (cuts.length === 2) return [edge];
  cuts.sort((a, b) => a - b);
  const parts: Edge[] = [];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [from, to] = [cuts[i] ?? 0, cuts[i + 1] ?? 1];
    if (to > from) parts.push({ ...between(edge, from, to), owner: edge.owner });
  }
  return parts;
}

function between({ ax, ay, bx, by }: Edge, from: number, to: number) {
  const [dx, dy] = [bx - ax, by - ay];
  return { ax: ax + from * dx, ay: ay + from * dy, bx: ax + to * dx, by: ay + to * dy };
}

/** Where along `edge` (0 to 1) `other` crosses it, or begins or ends on it. */
function crossings(edge: Edge, other: Edge): readonly number[] {
  if (apart(edge, other)) return [];
  const [dx, dy] = [edge.bx - edge.ax, edge.by - edge.ay];
  const [ex, ey] = [other.bx - other.ax, other.by - other.ay];
  const cross = dx * ey - dy * ex;
  const [wx, wy] = [other.ax - edge.ax, other.ay - edge.ay];
  const inside = (t: number) => t > 0 && t < 1;
  if (cross !== 0) {
    const t = (wx * ey - wy * ex) / cross;
    const u = (wx * dy - wy * dx) / cross;
    return inside(t) && u >= 0 && u <= 1 ? [t] : [];
  }
  const squared = dx * dx + dy * dy;
  if (squared === 0) return [];
  // Along one another: the shared stretch begins and ends where the other does.
  const at = (x: number, y: number) => ((x - edge.ax) * dx + (y - edge.ay) * dy) / squared;
  return [at(other.ax, other.ay), at(other.bx, other.by)].filter(inside);
}

function apart(a: Edge, b: Edge): boolean {
  return (
    Math.max(a.ax, a.bx) < Math.min(b.ax, b.bx) ||
    Math.max(b.ax, b.bx) < Math.min(a.ax, a.bx) ||
    Math.max(a.ay, a.by) < Math.min(b.ay, b.by) ||
    Math.max(b.ay, b.by) < Math.min(a.ay, a.by)
  );
}

/** Whether the zone lies on exactly one side of this part of an edge. */
function boundsZone({ ax, ay, bx, by }: Edge, edges: readonly Edge[]): boolean {
  const length = Math.hypot(bx - ax, by - ay);
  if (length < SLIVER_M) return false;
  const [nx, ny] = [(-(by - ay) / length) * BESIDE_M, ((bx - ax) / length) * BESIDE_M];
  const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
  return covered(mx + nx, my + ny, edges) !== covered(mx - nx, my - ny, edges);
}

/** By any polygon: one with an odd number of edges to the east. */
function covered(x: number, y: number, edges: readonly Edge[]): boolean {
  const odd = new Set<number>();
  for (const { ax, ay, bx, by, owner } of edges) {
    const isEast = ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax;
    if (isEast && !odd.delete(owner)) odd.add(owner);
  }
  return odd.size > 0;
}
