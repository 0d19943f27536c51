/**
 * Danmarks Miljøportal: the common attributes of seven layers, and the extra ones of four
 * (upstream/byggelinjer.md 3.1, 3.2). `Bruger_id` and `Sagsbeh` are personal and never read.
 */
import { storableText } from '../../kernel/text.ts';
import type { LineAttributes, Mapped, Mapping, Standing } from '../feature.ts';
import type { Code, Columns } from './columns.ts';
import { codeOf, columnsOf, httpAddress, numberOf, parseCode, textOf, valueOf } from './columns.ts';
import type { MappingOptions } from './options.ts';
import { instantOf, isSetTime } from './times.ts';

const ADOPTED = 3;
const NOT_IN_FORCE = 4;
const PUBLIC = 1;
const FOREST_REPEALED = 2;
const FOREST_VALIDITY = ['Skovs_kode'];

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

type Extra = (columns: Columns) => Partial<LineAttributes>;

export function portalMapping(options: MappingOptions): Mapping {
  return portal(options, () => ({}));
}

export function portalForestMapping(options: MappingOptions): Mapping {
  return portal(
    options,
    (columns) => ({
      category: namedCode(
        columns,
        ['Skov_eje_navn', 'Skov_eje_n', 'Skov_eje', 'Ejerskab'],
        ['Skov_eje_kode', 'Skov_eje_k'],
        FOREST_OWNERS,
      ),
    }),
    FOREST_VALIDITY,
  );
}

export function portalNatureMapping(options: MappingOptions): Mapping {
  return portal(options, (columns) => ({
    natureType: namedCode(columns, ['Natyp_navn'], ['Natyp_kode'], NATURE_TYPES),
  }));
}

export function portalDykeMapping(options: MappingOptions): Mapping {
  return portal(options, (columns) => ({
    protectionReason: dykeReasons(columns),
    dykeType: textOf(columns, ['Digetypebeskrivelse', 'Digetype_beskrivelse', 'Digetype']),
  }));
}

/** `deciding`: columns that, with the status, decide whether a row is in force. */
function portal(
  { keyProperty }: MappingOptions,
  extra: Extra,
  deciding: readonly string[] = [],
): Mapping {
  return (properties): Mapped<LineAttributes> => {
    const columns = columnsOf(properties);
    const objectId = textOf(columns, ['Objekt_id']);
    const key = textOf(columns, [keyProperty]);
    const skipped = reasonToSkip(columns);
    if (skipped !== null) return { kind: 'skipped', reason: skipped };
    const audience = codeOf(columns, ['Off_kode']);
    if (audience.kind === 'unreadable') {
      return { kind: 'issue', key, reason: `Off_kode is no code: ${audience.text}` };
    }
    if (key === null) return { kind: 'issue', key, reason: `no ${keyProperty}` };
    const status = numberOf(columns, ['Statuskode']);
    const doubt = status === null ? 'no Statuskode' : doubtOf(columns, audience, deciding);
    return {
      kind: 'feature',
      key,
      objectId: objectId ?? key,
      standing: standingOf(columns, status),
      adopted: status === ADOPTED,
      attributes: { ...commonAttributes(columns, status), ...extra(columns) },
      ...(doubt === null ? {} : { doubt }),
    };
  };
}

/** D24: old versions and non-public rows are not mirrored. */
function reasonToSkip(columns: Columns): string | null {
  if (isSetTime(textOf(columns, ['Systid_til']))) return 'old version (Systid_til)';
  const audience = codeOf(columns, ['Off_kode']);
  return audience.kind === 'code' && audience.code !== PUBLIC ? 'not public (Off_kode)' : null;
}

/** D24. A missing or unknown status hides no line: in force, not adopted. */
function standingOf(columns: Columns, status: number | null): Standing {
  const isRepealed =
    status === NOT_IN_FORCE || numberOf(columns, FOREST_VALIDITY) === FOREST_REPEALED;
  return isRepealed ? 'repealed' : 'in_force';
}

/** A missing value that its register gives for every row. */
function doubtOf(columns: Columns, audience: Code, deciding: readonly string[]): string | null {
  if (audience.kind === 'none') return 'no Off_kode';
  if (deciding.length === 0 || numberOf(columns, deciding) !== null) return null;
  return `no ${deciding.join(' or ')}`;
}

function commonAttributes(columns: Columns, status: number | null): LineAttributes {
  return {
    statusCode: status === null ? null : String(status),
    statusName: textOf(columns, ['Status']) ?? STATUS_NAMES[status ?? 0] ?? 'Ukendt',
    category: null,
    natureType: null,
    protectionReason: null,
    monumentType: null,
    dating: null,
    protectionStatus: null,
    dykeType: null,
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

/**
 * The register's text, else the text of its code; null for code 0 of lists without a text for it.
 */
function namedCode(
  columns: Columns,
  names: readonly string[],
  codes: readonly string[],
  list: Readonly<Record<number, string>>,
): string | null {
  const name = textOf(columns, names);
  // A name column with the code is no name; "Ikke udfyldt" is the register's word for none.
  if (name !== null && parseCode(name).kind !== 'code')
    return name === 'Ikke udfyldt' ? null : name;
  const code = numberOf(columns, codes) ?? (name === null ? null : Number(name));
  return code === null ? null : (list[code] ?? null);
}

/**
 * A dyke may have several reasons. The WFS's spelling and separator are unknown: texts are kept, codes
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
