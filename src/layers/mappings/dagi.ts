/** Code and name, one of several scales (D40; registers-geo.md 2.2, 2.3). */
import type { AreaAttributes, Mapped, Mapping } from '../feature.ts';
import type { AreaId } from '../keys.ts';
import { standingColumn } from '../standing-columns.ts';
import { PARISH_POLLING, POLLING, POSTAL } from '../keys.ts';
import type { Columns } from './columns.ts';
import { columnsOf, parseCode, standingCodeOf, textOf, valueOf } from './columns.ts';
import type { MappingOptions } from './options.ts';
import { validityOf } from './validity.ts';

/** The public code. Courts and police use the authority code, not the running number. */
export const CODE_COLUMNS: Readonly<Record<AreaId, string>> = {
  region: 'regionskode',
  kommune: 'kommunekode',
  sogn: 'sognekode',
  retskreds: 'myndighedskode',
  politikreds: 'myndighedskode',
  opstillingskreds: 'opstillingskredsnummer',
  [POSTAL]: 'postnummer',
  [POLLING]: 'afstemningsomraadenummer',
  [PARISH_POLLING]: 'MRafstemningsomraadenummer',
};

/** DAGI's id of the municipality: the files have no other reference to it. */
export const MUNICIPALITY_COLUMN = 'kommuneLokalId';

/** Numbered within their municipality, if they have one (D198). */
export const NUMBERED: readonly AreaId[] = [POLLING, PARISH_POLLING];

export const SCALE_COLUMN = 'skala';

/** Denominators (registers-geo.md 2.3). Any other may be the wanted one, misspelt. */
const SCALES: readonly number[] = [10_000, 250_000, 500_000, 1_000_000, 2_000_000];

const STATUS = standingColumn('region', 'status');

/** Rows have their region's code. The other themes get theirs at sync (D41). */
const WITH_REGION: readonly AreaId[] = ['region', 'kommune'];

export function dagiMapping(theme: AreaId, options: MappingOptions): Mapping {
  const { keyProperty, dagiScale, nowMs = null } = options;
  const wantedScale = dagiScale === null ? null : denominator(dagiScale);
  return (properties): Mapped<AreaAttributes> => {
    const columns = columnsOf(properties);
    const key = textOf(columns, [keyProperty]);
    const scale = scaleOf(columns);
    const isDoubtful = wantedScale !== null && scale !== wantedScale;
    if (isDoubtful && scale !== null && SCALES.includes(scale)) {
      return { kind: 'skipped', reason: `scale 1:${scale}` };
    }
    const { reason, fault, changesAtMs, endsAtMs } = validityOf(columns, nowMs);
    if (fault !== null) return { kind: 'issue', key, reason: fault };
    if (reason !== null && reason !== 'not yet in effect') {
      return { kind: 'skipped', reason, changesAtMs };
    }
    const row = rowOf(columns, { theme, key, keyProperty });
    if (reason !== null) {
      const beginsAtMs = changesAtMs ?? 0;
      const upcoming =
        typeof row === 'string'
          ? { key, beginsAtMs, fault: row }
          : { ...row, beginsAtMs, endsAtMs };
      return { kind: 'skipped', reason, changesAtMs, upcoming };
    }
    if (typeof row === 'string') return { kind: 'issue', key, reason: row };
    return {
      kind: 'feature',
      ...row,
      ...(changesAtMs === null ? {} : { changesAtMs }),
      ...(isDoubtful ? { doubt: 'no scale' } : {}),
    };
  };
}

function rowOf(
  columns: Columns,
  of: { readonly theme: AreaId; readonly key: string | null; readonly keyProperty: string },
) {
  const { theme, key, keyProperty } = of;
  const column = CODE_COLUMNS[theme];
  const name = textOf(columns, ['navn']);
  if (key === null) return `no ${keyProperty}`;
  const code = NUMBERED.includes(theme)
    ? numberedCode(columns, { column, key })
    : fourDigits(valueOf(columns, [column]));
  if (code === null) return `no ${column} of 1 to 9999`;
  if (name === null) return 'no navn';
  const status = standingCodeOf(columns, STATUS);
  if (status.kind === 'unreadable') return `status is no known word: ${status.text}`;
  const regionCode = WITH_REGION.includes(theme)
    ? fourDigits(valueOf(columns, ['regionskode']))
    : null;
  return {
    key,
    objectId: code,
    standing: 'in_force',
    adopted: true,
    attributes: { code, name, regionCode },
  } as const;
}

/**
 * `<municipality>-<number>-<key>`, both ids of DAGI; without a number, nothing between the dashes.
 */
function numberedCode(
  columns: Columns,
  { column, key }: { readonly column: string; readonly key: string },
): string | null {
  const municipality = textOf(columns, [MUNICIPALITY_COLUMN]);
  const number = parseCode(valueOf(columns, [column]));
  if (municipality === null || number.kind === 'unreadable') return null;
  return `${municipality}-${number.kind === 'code' ? number.code : ''}-${key}`;
}

/** D40: 1 to 9999, with leading zeros; null for anything else. */
function fourDigits(value: unknown): string | null {
  const code = parseCode(value);
  if (code.kind !== 'code' || code.code < 1 || code.code > 9999) return null;
  return String(code.code).padStart(4, '0');
}

function scaleOf(columns: Columns): number | null {
  const written = textOf(columns, [SCALE_COLUMN]);
  if (written !== null) return denominator(written);
  const namespace = textOf(columns, ['id.namespace']) ?? '';
  const thousands = /dagi0*(\d+)k$/i.exec(namespace)?.[1];
  if (thousands !== undefined) return Number(thousands) * 1_000;
  return /\bdagi$/i.test(namespace) ? 10_000 : null;
}

/** `1:10.000`; null: written otherwise, as `1:10.000,0`. */
function denominator(scale: string): number | null {
  const digits = /^1:(\d{1,3}(?:[. ,]\d{3})+|\d+)$/.exec(scale.trim())?.[1];
  return digits === undefined ? null : Number(digits.replaceAll(/\D/g, ''));
}
