/** Failures of one table: others of the store may be readable. */

/**
 * A missing or forbidden table or column (SQLSTATE class 42), and data unreadable from disk (58,
 * XX).
 */
export function isOfOneTable(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^(42|58|XX)/.test(code);
}
