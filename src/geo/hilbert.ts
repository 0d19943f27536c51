/** 2^15 cells per side: a position fits 30 bits. */
export const HILBERT_SIDE = 32_768;

/** 0 to 2^30 - 1; column and row are clamped to 0 to 32,767. */
export function hilbertPosition(column: number, row: number): number {
  let x = Math.min(HILBERT_SIDE - 1, Math.max(0, Math.floor(column)));
  let y = Math.min(HILBERT_SIDE - 1, Math.max(0, Math.floor(row)));
  let position = 0;
  for (let side = HILBERT_SIDE >> 1; side > 0; side >>= 1) {
    const right = (x & side) > 0 ? 1 : 0;
    const upper = (y & side) > 0 ? 1 : 0;
    position = position * 4 + ((3 * right) ^ upper);
    if (upper === 1) continue;
    if (right === 1) {
      x = HILBERT_SIDE - 1 - x;
      y = HILBERT_SIDE - 1 - y;
    }
    [x, y] = [y, x];
  }
  return position;
}
