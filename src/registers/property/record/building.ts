/** A building with floors and units. Years and areas are the register's own (also 0 and 1000). */
import type { BuildingRow, FloorRow, UnitRow } from '../property.ts';
import type { ProtectionRow } from '../protection/protection.ts';
import { roundTo } from '../../../answers/numbers.ts';
import { beginBuilding } from '../record-fields.ts';
import { drainage } from './drainage.ts';
import { protection } from './protection.ts';
import type { ProtectionSurroundings } from './protection.ts';
import { degreesOf, units } from './unit.ts';
import type { UnitSurroundings } from './unit.ts';
import { compareTexts } from '../../../kernel/compare.ts';
import type { CodeLabels } from '../../../answers/codes.ts';

/** EPSG:25832 (byg406). */
const UTM32 = '5';

/** `protection` null: FBB does not answer, or not for that day. */
export interface BuildingSurroundings extends UnitSurroundings {
  readonly protection: ProtectionSurroundings | null;
}

/** `floorRows`, `protectionRows` null: unknown (D89, D115). */
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

/** null: no point, or one that cannot be converted (D94). */
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

const ORDINARY = '0';
const BASEMENT = '2';

/** null: not mirrored or unreadable (D89). A sum is null where no floor has the field. */
export function floors(rows: readonly FloorRow[] | null, labels: CodeLabels) {
  if (rows === null) return null;
  const listed = rows.filter(isRegistered).sort(byLevel);
  const basements = listed.filter(isBasement);
  return {
    registreringer: listed.map((row) => ({
      id: row.id,
      betegnelse: row.designation,
      type: labels.field('EtageType', row.type),
      areal_m2: row.area,
      udnyttet_tagetage_m2: row.atticArea,
      kaelder_lavloftet_m2: row.lowBasementArea,
      beboelse_i_kaelder_m2: row.basementDwellingArea,
    })),
    kaelder_m2: sum(basements.map(({ area }) => area)),
    kaelder_lavloftet_m2: sum(listed.map(({ lowBasementArea }) => lowBasementArea)),
    udnyttet_tagetage_m2: sum(listed.map(({ atticArea }) => atticArea)),
    beboelse_i_kaelder_m2: sum(listed.map(({ basementDwellingArea }) => basementDwellingArea)),
  };
}

/** D54: an ordinary storey whose areas are all 0 or empty registers nothing. */
function isRegistered(row: FloorRow): boolean {
  const areas = [row.area, row.atticArea, row.lowBasementArea, row.basementDwellingArea];
  return row.type !== ORDINARY || areas.some((area) => area !== null && area !== 0);
}

/**
 * Type 2 in the newest list; formerly type 0 with the designation `kl`, or `k2` for a second one.
 */
function isBasement({ type, designation }: FloorRow): boolean {
  return type === BASEMENT || levelOf(designation) < 0;
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

/** kl, k2 …, st, 1, 2 …, then other texts, then none (D93). `01` equals `1`. */
function levelOf(designation: string | null): number {
  if (designation === null) return NO_TEXT;
  const text = designation.trim().toLowerCase();
  if (text === 'kl') return -10;
  if (/^k\d$/.test(text)) return -10 + Number(text[1]);
  if (text === 'st') return 0;
  return /^\d{1,3}$/.test(text) ? Number(text) : OTHER_TEXT;
}

const OTHER_TEXT = 1_000;
const NO_TEXT = 2_000;

function byLevel(a: FloorRow, b: FloorRow): number {
  return (
    levelOf(a.designation) - levelOf(b.designation) ||
    compareTexts(a.designation ?? '', b.designation ?? '') ||
    compareTexts(a.id, b.id)
  );
}
