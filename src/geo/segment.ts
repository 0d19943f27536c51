/**
 * From (px, py) to the edge from `xy[2 * edge]`, bit for bit as PostGIS: the foot is rounded to a
 * coordinate before measuring.
 */
export function edgeDistance(
  xy: Float64Array,
  edge: number,
  { px, py }: { readonly px: number; readonly py: number },
): number {
  const ax = xy[2 * edge]!;
  const ay = xy[2 * edge + 1]!;
  const bx = xy[2 * edge + 2]!;
  const by = xy[2 * edge + 3]!;
  const dx = bx - ax;
  const dy = by - ay;
  if (dx === 0 && dy === 0) return length(px - ax, py - ay);
  const along = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy);
  if (along < 0) return length(px - ax, py - ay);
  if (along > 1) return length(px - bx, py - by);
  if ((ay - py) * dx === (ax - px) * dy) return 0;
  return length(px - (ax + along * dx), py - (ay + along * dy));
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
