import type { Bounds } from '../../geo/bounds.ts';
import type { Drawn } from '../../geo/drawn.ts';
import { ringsOfWkb } from '../../geo/wkb.ts';
import type { RingSink } from '../../geo/wkb.ts';
import type { AreaId } from '../../layers/keys.ts';
import { noGeometry } from './area-geometry.ts';
import { multiPolygonText } from '../../geo/rings-text.ts';
import type { AreaList } from './list.ts';

/** Those that share a point with what is drawn. */
export async function meeting<R extends { readonly code: string; readonly boundsM: Bounds | null }>(
  areaList: AreaList,
  area: AreaId,
  [rows, within]: readonly [rows: readonly R[], within: Drawn],
): Promise<readonly R[]> {
  const [west, south, east, north] = within.box;
  const near = rows.filter(({ boundsM }) => {
    if (boundsM === null) return false;
    return boundsM[0] <= east && boundsM[2] >= west && boundsM[1] <= north && boundsM[3] >= south;
  });
  const found: R[] = [];
  for (const row of near)
    if (within.meets(await ringsAt(areaList, area, row.code))) found.push(row);
  return found;
}

/** Throws where the area is gone. */
export async function ringsAt(areaList: AreaList, area: AreaId, code: string): Promise<RingSink> {
  const [wkb] = await areaList.shapes(area, [code]);
  if (wkb === null || wkb === undefined) throw noGeometry();
  return ringsOfWkb(wkb);
}

/** With surfaces as GeoJSON, where requested. */
export async function withSurfaces<R extends object>(
  rows: readonly R[],
  { format, srid }: { readonly format: string; readonly srid: 4326 | 25832 },
  ringsOf: (row: R) => Promise<RingSink | null>,
): Promise<readonly (R & { readonly geometry?: string })[]> {
  if (format !== 'geojson') return rows;
  return await Promise.all(
    rows.map(async (row) => {
      const rings = await ringsOf(row);
      return rings === null ? row : { ...row, geometry: multiPolygonText(rings, srid) };
    }),
  );
}
