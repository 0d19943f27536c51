/** PostGIS reports failed computations with the class "internal error". */
export function isGeometryError(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'XX000';
}
