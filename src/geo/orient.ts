/**
 * On which side of a line a point lies: exact, whatever the coordinates. A floating filter answers
 * nearly always; what it cannot decide is decided in integers. Callers in hot loops inline the
 * filter (`ORIENT_ERROR`) and come here only in doubt.
 */

/** Largest relative rounding error of the filter's determinant: (3 + 16 u) u for u = 2^-53. */
export const ORIENT_ERROR = 3.3306690738754716e-16;

/** Six numbers: the line from (0, 1) to (2, 3), and the point (4, 5). */
export type LineAndPoint = Float64Array;

/** Above 0 when the point lies left of the line, below 0 right of it, 0 exactly on it. */
export function orient(q: LineAndPoint): number {
  const left = (q[0]! - q[4]!) * (q[3]! - q[5]!);
  const right = (q[1]! - q[5]!) * (q[2]! - q[4]!);
  const determinant = left - right;
  const bound = ORIENT_ERROR * (Math.abs(left) + Math.abs(right));
  if (determinant > bound || determinant < -bound) return determinant;
  return orientExact(q);
}

/** The same sign, by integer arithmetic. Finite numbers only. */
export function orientExact(q: LineAndPoint): number {
  let lowest = Infinity;
  for (let i = 0; i < 6; i++) if (q[i] !== 0) lowest = Math.min(lowest, exponentOf(q[i]!));
  if (lowest === Infinity) return 0;
  const n = Array.from(q.subarray(0, 6), (value) => toInteger(value, lowest));
  const [ax, ay, bx, by, cx, cy] = n as [bigint, bigint, bigint, bigint, bigint, bigint];
  const determinant = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx);
  if (determinant === 0n) return 0;
  return determinant > 0n ? 1 : -1;
}

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);
const FRACTION = (1n << 52n) - 1n;

/** Exponent of the last bit of the significand. */
function exponentOf(value: number): number {
  float[0] = value;
  const biased = Number((bits[0]! >> 52n) & 0x7ffn);
  return (biased === 0 ? 1 : biased) - 1075;
}

/** value / 2^exponent, which must be whole. */
function toInteger(value: number, exponent: number): bigint {
  if (value === 0) return 0n;
  float[0] = value;
  const fraction = bits[0]! & FRACTION;
  const subnormal = ((bits[0]! >> 52n) & 0x7ffn) === 0n;
  const significand = subnormal ? fraction : fraction | (1n << 52n);
  const whole = significand << BigInt(exponentOf(value) - exponent);
  return value < 0 ? -whole : whole;
}
