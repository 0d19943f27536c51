/** Geometries of places as GeoJSON. */
import { geometryJson } from '../../geo/rings-text.ts';
import { upstreamUnavailable } from '../../kernel/failures.ts';
import type { Places } from './lookup.ts';

/** Throws where one is too large to be told. */
export async function withGeometries<R extends { readonly place: { readonly id: string } }>(
  places: Places,
  rows: readonly R[],
  srid: 4326 | 25832,
): Promise<readonly (R & { readonly geometry: string })[]> {
  const shaped = [];
  for (const row of rows) {
    const { value } = await places.find(row.place.id);
    if (value.wkb === null) {
      throw upstreamUnavailable(
        'The geometry of a place is larger than this service tells.',
        'Et steds geometri er større, end tjenesten oplyser.',
      );
    }
    const geometry = Buffer.from(geometryJson(value.wkb, srid)).toString('latin1');
    shaped.push({ ...row, geometry });
  }
  return shaped;
}
