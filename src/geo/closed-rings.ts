/** Polygons as callers write them: closed rings of positions. */
export type Position = readonly number[];
export type Polygon = readonly (readonly Position[])[];

export function isListOf<T>(
  value: unknown,
  is: (each: unknown) => each is T,
): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

export function isPolygon(value: unknown): value is Polygon {
  return isListOf(value, isRing) && value.length > 0;
}

function isRing(value: unknown): value is readonly Position[] {
  if (!isListOf(value, isPosition) || value.length < 4) return false;
  const [first, last] = [value[0], value.at(-1)];
  return first?.[0] === last?.[0] && first?.[1] === last?.[1];
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && value.length >= 2 && value.slice(0, 2).every(Number.isFinite);
}
