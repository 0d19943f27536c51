/**
 * Columns that decide whether a row is in force, current, adopted or public. Values that are not
 * listed are unreadable (D143). The lines of the cadastre and of the heritage agency have no such
 * column (D24).
 */
import codeLists from './code-lists.json' with { type: 'json' };
import { AREA_IDS } from './keys.ts';

export interface StandingColumn {
  /** Mappings of layers, or registers of tables. */
  readonly of: readonly string[];
  readonly column: string;
  readonly kind: 'begin' | 'end' | 'code';
  readonly codes?: readonly number[];
  readonly words?: Readonly<Record<string, number>>;
  /**
   * A row without a value: `known` is current, `doubted` is current and counted, `unread` is
   * unreadable.
   */
  readonly absent: 'known' | 'doubted' | 'unread';
}

const PORTAL = ['portal', 'portal-skov', 'portal-natur', 'portal-dige'];
const TABLES = ['BBR', 'CVR', 'DAR', 'DS', 'EBR', 'MAT', 'VUR'];

/** DAR, EBR and the cadastre (registers-geo.md 3.1, 4.1). */
const LIFE_CYCLE_WORDS = {
  ...{ intern: 1, 'intern forberedelse': 1, foreløbig: 2, gældende: 3, nedlagt: 4, historisk: 4 },
  ...{ henlagt: 5, 'ikke gennemført': 5, slettet: 6 },
};

const BBR_CODES = Object.entries(codeLists.Livscyklus);

/** Sources: byggelinjer.md 3.1 and 3.2, registers-geo.md 1.6, 2.2 and 3.1, registers-bbr.md 4. */
export const STANDING_COLUMNS: readonly StandingColumn[] = [
  { of: PORTAL, column: 'Systid_fra', kind: 'begin', absent: 'known' },
  { of: PORTAL, column: 'Systid_til', kind: 'end', absent: 'known' },
  { of: PORTAL, column: 'Statuskode', kind: 'code', codes: [0, 1, 2, 3, 4], absent: 'doubted' },
  { of: PORTAL, column: 'Off_kode', kind: 'code', codes: [1, 2, 3], absent: 'doubted' },
  { of: ['portal-skov'], column: 'Skovs_kode', kind: 'code', codes: [1, 2], absent: 'doubted' },
  { of: AREA_IDS, column: 'registreringFra', kind: 'begin', absent: 'unread' },
  { of: AREA_IDS, column: 'virkningFra', kind: 'begin', absent: 'unread' },
  { of: AREA_IDS, column: 'registreringTil', kind: 'end', absent: 'known' },
  { of: AREA_IDS, column: 'virkningTil', kind: 'end', absent: 'known' },
  { of: AREA_IDS, column: 'status', kind: 'code', words: { vedtaget: 1 }, absent: 'known' },
  { of: TABLES, column: 'registreringFra', kind: 'begin', absent: 'known' },
  { of: TABLES, column: 'virkningFra', kind: 'begin', absent: 'known' },
  { of: TABLES, column: 'registreringTil', kind: 'end', absent: 'known' },
  { of: TABLES, column: 'virkningTil', kind: 'end', absent: 'known' },
  {
    of: ['DAR', 'EBR', 'MAT'],
    ...{ column: 'status', kind: 'code', absent: 'unread' },
    ...{ codes: [1, 2, 3, 4, 5, 6, 7, 8, 9], words: LIFE_CYCLE_WORDS },
  },
  {
    of: ['BBR'],
    ...{ column: 'status', kind: 'code', absent: 'unread' },
    codes: BBR_CODES.map(([code]) => Number(code)),
    words: Object.fromEntries(BBR_CODES.map(([code, word]) => [word.toLowerCase(), Number(code)])),
  },
  // registers-geo.md 5.1.
  {
    of: ['DS'],
    ...{ column: 'aktualitet', kind: 'code', absent: 'known' },
    words: { ianvendelse: 1, 'i anvendelse': 1, historisk: 2 },
  },
];

/** Throws where the table does not have it. */
export function standingColumn(of: string, column: string): StandingColumn {
  const found = STANDING_COLUMNS.find((each) => each.column === column && each.of.includes(of));
  if (found === undefined) throw new Error(`${of} has no ${column} that decides.`);
  return found;
}

/** null: the register's list does not have the value. */
export function standingCode(
  { codes = [], words = {} }: Pick<StandingColumn, 'codes' | 'words'>,
  value: number | string,
): number | null {
  if (typeof value === 'number') return codes.includes(value) ? value : null;
  const word = value.normalize('NFC').trim().toLowerCase();
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}
