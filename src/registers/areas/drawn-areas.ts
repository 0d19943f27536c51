/** Areas that meet what is drawn. */
import type { Bounds } from '../../geo/bounds.ts';
import type { Drawn } from '../../geo/drawn.ts';
import { RingSink, readWkb } from '../../geo/wkb.ts';
import type { AreaId } from '../../layers/keys.ts';
import { noGeometry } from './area-geometry.ts';
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
  const rings = new RingSink();
  readWkb(wkb, rings);
  return rings;
}
