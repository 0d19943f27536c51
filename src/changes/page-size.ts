import { CHANGE_LIMITS } from './limits.ts';

/** Pages follow the size of rows: a municipality is as large as thousands of addresses. */
export function nextSize(
  size: number,
  { chars, most }: { readonly chars: number; readonly most: number },
): number {
  const wanted = Math.floor((size * CHANGE_LIMITS.pageChars) / Math.max(chars, 1));
  return Math.max(1, Math.min(most, 4 * size, wanted));
}
