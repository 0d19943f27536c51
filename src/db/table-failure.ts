/** Failures of one table: others of the same store may still be read. */

/**
 * A table or column that is not there or not allowed (SQLSTATE class 42), and data that cannot be read
 * from disk (58, XX).
 */
export function isOfOneTable(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^(42|58|XX)/.test(code);
}
