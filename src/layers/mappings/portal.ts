/**
 * Danmarks Miljøportal: seven layers, four with extra attributes (upstream/byggelinjer.md 3.1,
 * 3.2). `Bruger_id` and `Sagsbeh` are personal and never read.
 */
import { systemClock } from '../../kernel/clock.ts';
import { storableText } from '../../kernel/text.ts';
import type { LineAttributes, Mapped, Mapping } from '../feature.ts';
import { standingColumn } from '../standing-columns.ts';
import type { StandingColumn } from '../standing-columns.ts';
import type { Code, Columns } from './columns.ts';
import {
  ONLY_IN_FORCE,
  columnsOf,
  httpAddress,
  numberOf,
  parseCode,
  standingCodeOf,
  textOf,
  valueOf,
} from './columns.ts';
import type { MappingOptions } from './options.ts';
import { instantOf, timeOf } from './times.ts';
import { endOf } from './validity.ts';

const ADOPTED = 3;
const NOT_IN_FORCE = 4;
const PUBLIC = 1;
const FOREST_REPEALED = 2;

const STATUS = standingColumn('portal', 'Statuskode');
const AUDIENCE = standingColumn('portal', 'Off_kode');
const FOREST_VALIDITY = standingColumn('portal-skov', 'Skovs_kode');

const STATUS_NAMES: Readonly<Record<number, string>> = {
  0: 'Ukendt',
  1: 'Kladde',
  2: 'Forslag',
  3: 'Gældende / Vedtaget',
  4: 'Ikke gældende / Aflyst',
};

const NATURE_TYPES: Readonly<Record<number, string>> = {
  0: 'Ukendt',
  1: 'Eng',
  2: 'Hede',
  3: 'Mose',
  4: 'Overdrev',
  5: 'Strandeng',
  6: 'Sø',
};

const FOREST_OWNERS: Readonly<Record<number, string>> = { 1: 'Privat', 2: 'Offentlig' };

const DYKE_REASONS: Readonly<Record<number, string>> = {
  1: 'Stendige',
  2: 'På §3 naturtype',
  3: 'Ejet af offentlig myndighed',
  4: 'På 4 cm-kort',
  5: 'Konkret udpeget',
  6: 'Erstatningsdige',
};

type PortalId = 'portal' | 'portal-skov' | 'portal-natur' | 'portal-dige';

const EXTRA: Readonly<Record<PortalId, (columns: Columns) => Partial<LineAttributes>>> = {
  portal: () => ({}),
  'portal-skov': (columns) => ({
    category: namedCode(
      columns,
      ['Skov_eje_navn', 'Skov_eje_n', 'Skov_eje', 'Ejerskab'],
      ['Skov_eje_kode', 'Skov_eje_k'],
      FOREST_OWNERS,
    ),
  }),
  'portal-natur': (columns) => ({
    natureType: namedCode(columns, ['Natyp_navn'], ['Natyp_kode'], NATURE_TYPES),
  }),
  'portal-dige': (columns) => ({
    protectionReason: dykeReasons(columns),
    dykeType: textOf(columns, ['Digetypebeskrivelse', 'Digetype_beskrivelse', 'Digetype']),
  }),
};

export function portalMapping(id: PortalId, { keyProperty, readAtMs }: MappingOptions): Mapping {
  const deciding = [STATUS, AUDIENCE, ...(id === 'portal-skov' ? [FOREST_VALIDITY] : [])];
  return (properties): Mapped<LineAttributes> => {
    const columns = columnsOf(properties);
    const key = textOf(columns, [keyProperty]);
    const codes = deciding.map((column) => standingCodeOf(columns, column));
    const [status = null, audience = null, forest = null] = codes.map(numberIn);
    const time = timeOfRow(columns, readAtMs ?? systemClock.nowMs());
    const excluded = exclusionOf(time.isOver, audience);
    if (excluded !== null) return { kind: 'skipped', reason: excluded };
    const fault = faultOf(deciding, codes) ?? time.fault;
    if (fault !== null) return { kind: 'issue', key, reason: fault };
    if (key === null) return { kind: 'issue', key, reason: `no ${keyProperty}` };
    const row = {
      key,
      objectId: textOf(columns, ['Objekt_id']) ?? key,
      standing: isRepealed(status, forest) ? 'repealed' : 'in_force',
      adopted: status === ADOPTED,
      attributes: { ...commonAttributes(columns, status), ...EXTRA[id](columns) },
    } as const;
    const { beginsAtMs, endsAtMs } = time;
    if (beginsAtMs !== null) {
      const upcoming = { ...row, beginsAtMs, endsAtMs };
      return { kind: 'skipped', reason: 'not yet in effect', changesAtMs: beginsAtMs, upcoming };
    }
    const lacking = deciding.find((_, i) => codes[i]?.kind === 'none');
    return {
      kind: 'feature',
      ...row,
      ...(endsAtMs !== null && { changesAtMs: endsAtMs }),
      ...(lacking !== undefined && { doubt: `no ${lacking.column}` }),
    };
  };
}

/** Weighs more than the row's other columns; null: it is not left out. */
function exclusionOf(isOver: boolean, audience: number | null): string | null {
  if (isOver) return 'old version (Systid_til)';
  return audience !== null && audience !== PUBLIC ? 'not public (Off_kode)' : null;
}

/** D24. */
function isRepealed(status: number | null, forest: number | null): boolean {
  return status === NOT_IN_FORCE || forest === FOREST_REPEALED;
}

/** `beginsAtMs` null: it has begun. */
function timeOfRow(columns: Columns, nowMs: number) {
  const begin = timeOf(valueOf(columns, ['Systid_fra']), 'begin');
  const endsAtMs = endOf(columns, 'Systid_til');
  const unread = begin.kind === 'unreadable' ? 'no usable Systid_fra' : null;
  return {
    isOver: endsAtMs !== null && endsAtMs <= nowMs,
    beginsAtMs: begin.kind === 'at' && begin.ms > nowMs ? begin.ms : null,
    endsAtMs: endsAtMs === Infinity ? null : endsAtMs,
    fault: endsAtMs === null ? 'no usable Systid_til' : unread,
  };
}

const numberIn = (code: Code): number | null => (code.kind === 'code' ? code.code : null);

/** Why a row is neither in force nor repealed for certain (D143); null: it is one of them. */
function faultOf(deciding: readonly StandingColumn[], codes: readonly Code[]): string | null {
  for (const [i, code] of codes.entries()) {
    if (code.kind === 'unreadable') {
      return `${deciding[i]?.column ?? ''} is no known code: ${code.text}`;
    }
  }
  return null;
}

function commonAttributes(columns: Columns, status: number | null): LineAttributes {
  return {
    ...ONLY_IN_FORCE,
    statusCode: status === null ? null : String(status),
    statusName: textOf(columns, ['Status']) ?? STATUS_NAMES[status ?? 0] ?? 'Ukendt',
    documentUrl: httpAddress(textOf(columns, ['Link'])),
    validFrom: instantOf(textOf(columns, ['Systid_fra'])),
    registeredAt: instantOf(textOf(columns, ['Oprettet'])),
    municipalityName: textOf(columns, ['CVR_navn']),
    municipalityCvr: cvrOf(columns),
  };
}

/** Eight digits; may arrive as `25798376.0`. */
function cvrOf(columns: Columns): string | null {
  const cvr = numberOf(columns, ['CVR_kode']);
  return cvr === null || cvr <= 0 || cvr > 99_999_999 ? null : String(cvr).padStart(8, '0');
}

/** The register's text, else the code's; null for code 0 of lists without a text for it. */
function namedCode(
  columns: Columns,
  names: readonly string[],
  codes: readonly string[],
  list: Readonly<Record<number, string>>,
): string | null {
  const name = textOf(columns, names);
  // A name column may contain the code; "Ikke udfyldt" is the register's word for none.
  if (name !== null && parseCode(name).kind !== 'code')
    return name === 'Ikke udfyldt' ? null : name;
  const code = numberOf(columns, codes) ?? (name === null ? null : Number(name));
  return code === null ? null : (list[code] ?? null);
}

/**
 * One or several reasons. The WFS's spelling and separator are unknown: texts are kept, codes
 * translated, both in any list.
 */
function dykeReasons(columns: Columns): string | null {
  const value = valueOf(columns, [
    'Beskyt_navn',
    'Beskyttelsesaarsag',
    'Beskyttelsesårsag',
    'Beskyt_kode',
    'Beskyt_k',
    'Beskyt',
  ]);
  const parts = (Array.isArray(value) ? value : [value]).flatMap(splitReasons);
  const words = parts.map((part) => {
    const code = parseCode(part);
    return code.kind === 'code' ? (DYKE_REASONS[code.code] ?? '') : part;
  });
  const known = [...new Set(words.filter((word) => word !== ''))];
  return known.length === 0 ? null : known.join(', ');
}

function splitReasons(value: unknown): string[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  return storableText(String(value))
    .replaceAll(/^[{[]|[\]}]$/g, '')
    .split(/[;,|]/)
    .map((part) => part.replaceAll('"', '').trim())
    .filter((part) => part !== '');
}
