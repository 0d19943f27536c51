/**
 * A building with its floors and units. Years and areas are the register's own (also 0 and 1000).
 */
import type { BuildingRow, FloorRow, UnitRow } from '../property.ts';
import type { ProtectionRow } from '../protection/protection.ts';
import { roundTo } from '../../../answers/numbers.ts';
import { beginBuilding } from '../building-fields.ts';
import { drainage } from './drainage.ts';
import { floors } from './floors.ts';
import { protection } from './protection.ts';
import type { ProtectionSurroundings } from './protection.ts';
import { degreesOf, units } from './unit.ts';
import type { UnitSurroundings } from './unit.ts';

/** BBR's code of EPSG:25832 (byg406). */
const UTM32 = '5';

/** `protection` null: FBB does not answer, or not for that day. */
export interface BuildingSurroundings extends UnitSurroundings {
  readonly protection: ProtectionSurroundings | null;
}

/** Rows of this building. `floorRows`, `protectionRows` null: unknown (D89, D115). */
export function building(
  row: BuildingRow,
  {
    floorRows,
    unitRows,
    protectionRows,
  }: {
    readonly floorRows: readonly FloorRow[] | null;
    readonly unitRows: readonly UnitRow[];
    readonly protectionRows: readonly ProtectionRow[] | null;
  },
  around: BuildingSurroundings,
) {
  const { labels } = around;
  return {
    ...beginBuilding(row, labels),
    afloeb: drainage(row, labels),
    geometri: place(row),
    kommunekode: row.municipalityCode,
    // Null means unknown, not "not listed".
    fredning: protectionRows && around.protection && protection(protectionRows, around.protection),
    etager: floors(floorRows, labels),
    enheder: units(unitRows, floorRows, around),
  };
}

/** null: no point, or one in an old system that cannot be converted (D94). */
function place({ x, y, coordinateSystem }: BuildingRow) {
  if (x === null || y === null) return null;
  if (coordinateSystem !== null && coordinateSystem !== UTM32) return null;
  const { lon, lat } = degreesOf({ xUtm32: x, yUtm32: y });
  return {
    type: 'Point' as const,
    coordinates: [lon, lat],
    epsg25832: [roundTo(x, 2), roundTo(y, 2)],
  };
}
