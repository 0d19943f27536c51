/** What PostGIS reports of a computation that failed has the class "internal error". */
export function isGeometryError(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'XX000';
}
