/** PostGIS reports failed computations as "internal error". */
export function isGeometryError(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'XX000';
}

/**
 * A missing or forbidden table or column (SQLSTATE class 42), or data unreadable on disk (58, XX).
 */
export function isOfOneTable(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^(42|58|XX)/.test(code);
}
