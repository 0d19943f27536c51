/**
 * A building with its floors and units. Years and areas are the register's own (also 0 and 1000).
 */
import type { BuildingRow, FloorRow, UnitRow } from '../property.ts';
import type { ProtectionRow } from '../protection/protection.ts';
import { roundTo } from '../../../answers/numbers.ts';
import type { CodeLabels } from '../../../answers/codes.ts';
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
    id: row.id,
    type: 'bygning' as const,
    bygningsnummer: row.number,
    anvendelse: labels.field('BygAnvendelse', row.use),
    opfoerelsesaar: row.builtYear,
    om_tilbygningsaar: row.rebuiltYear,
    antal_etager: row.storeys,
    afvigende_etager: labels.field('AfvigendeEtager', row.deviatingStoreys),
    areal: {
      bebygget_m2: row.footprintArea,
      samlet_bygningsareal_m2: row.totalArea,
      samlet_boligareal_m2: row.dwellingArea,
      samlet_erhvervsareal_m2: row.businessArea,
    },
    materialer: materials(row, labels),
    varme: {
      installation: labels.field('Varmeinstallation', row.heating),
      opvarmningsmiddel: labels.field('Opvarmningsmiddel', row.heatingFuel),
      supplerende: labels.field('SupplerendeVarme', row.otherHeating),
    },
    asbest: labels.field('AsbestholdigtMateriale', row.asbestos),
    afloeb: drainage(row, labels),
    geometri: place(row),
    kommunekode: row.municipalityCode,
    // Null means unknown, not "not listed".
    fredning: protectionRows && around.protection && protection(protectionRows, around.protection),
    etager: floors(floorRows, labels),
    enheder: units(unitRows, floorRows, around),
  };
}

function materials(row: BuildingRow, labels: CodeLabels) {
  return {
    ydervaeg: labels.field('YdervaeggenesMateriale', row.outerWall),
    ydervaeg_supplerende: labels.field('YdervaeggenesMateriale', row.otherOuterWall),
    tag: labels.field('Tagdaekningsmateriale', row.roof),
    tag_supplerende: labels.field('Tagdaekningsmateriale', row.otherRoof),
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
