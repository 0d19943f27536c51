/** PostGIS reports failed computations as "internal error". */
export function isGeometryError(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'XX000';
}
