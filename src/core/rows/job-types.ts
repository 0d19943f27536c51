/** D70, D72. */
import KINDS_STATED from './job-kinds.generated.json' with { type: 'json' };
import type { Words } from '../../layers/words.ts';

export const STATUSES = [
  'draft',
  'queued',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
export type Status = (typeof STATUSES)[number];

export const STATUS_TERMS: Readonly<Record<Status, Words>> = {
  draft: { da: 'Kladde', en: 'Draft' },
  queued: { da: 'I kø', en: 'Queued' },
  running: { da: 'Kører', en: 'Running' },
  paused: { da: 'Sat på pause', en: 'Paused' },
  completed: { da: 'Færdigt', en: 'Completed' },
  failed: { da: 'Mislykket', en: 'Failed' },
  cancelled: { da: 'Annulleret', en: 'Cancelled' },
};

export const ADDRESS_PARTS = [
  'adresse',
  'vej',
  'husnr',
  'bogstav',
  'etage',
  'doer',
  'postnr',
  'by',
] as const;
export const ROLES = [
  ...[...ADDRESS_PARTS, 'x', 'y', 'bfe', 'adgangsadresse_id'],
  ...['ejerlav', 'matrikelnummer', 'wkt', 'lag'],
] as const;
export type Role = (typeof ROLES)[number];

export type RoleColumns = { readonly [role in Role]?: string };

export const ADDRESS_ROLES: readonly (readonly Role[])[] = [
  ['adresse'],
  ['vej', 'husnr', 'postnr'],
  ['vej', 'husnr', 'by'],
];
export const POINT_ROLES = [['x', 'y'], ['adgangsadresse_id'], ...ADDRESS_ROLES] as const;
/** The roles of an area (D222). */
export const GROUND_ROLES: readonly (readonly Role[])[] = [
  ['wkt'],
  ['ejerlav', 'matrikelnummer'],
  ['bfe'],
];

export interface KindTerms {
  /** Any one list is sufficient (D72, D145). */
  readonly roles: readonly (readonly Role[])[];
  readonly called: Words;
  readonly words: Words;
}

export type Kind = keyof typeof KINDS_STATED;
export const KIND_TERMS = KINDS_STATED as Readonly<Record<Kind, KindTerms>>;
export const KINDS = Object.keys(KIND_TERMS) as readonly Kind[];

/** Optional (D145): a missing letter or floor makes another address. */
const UNIT_ROLES: readonly Role[] = ['bogstav', 'etage', 'doer'];

export function rolesOf(kind: Kind): readonly Role[] {
  const own: readonly Role[] = kind === 'miljoe' ? [...UNIT_ROLES, 'lag'] : UNIT_ROLES;
  return [...new Set<Role>([...KIND_TERMS[kind].roles.flat(), ...own])];
}

/**
 * D222: a point, unless a column of an area was named or there is no point; `lag` with a point only
 * where named.
 */
export function ofOneWay(columns: RoleColumns, named: RoleColumns): RoleColumns {
  const has = (of: RoleColumns) => (role: Role) => of[role] !== undefined;
  const isPoint = POINT_ROLES.some((roles) => roles.every(has(columns)));
  const ground = GROUND_ROLES.find((roles) => roles.every(has(columns)));
  const isNamed = GROUND_ROLES.flat().some(has(named));
  const left =
    ground !== undefined && (isNamed || !isPoint)
      ? (role: Role) => ground.includes(role) || role === 'lag'
      : (role: Role) => !GROUND_ROLES.flat().includes(role) && (role !== 'lag' || has(named)(role));
  return Object.fromEntries(Object.entries(columns).filter(([role]) => left(role as Role)));
}

/** Rows of `miljoe` are of the conditions where the job names an area or layers (D222). */
export type AnsweredKind = Kind | 'forhold';

export function answeredKind(job: {
  readonly kind: Kind;
  readonly columns: RoleColumns;
}): AnsweredKind {
  const { wkt, ejerlav, bfe, lag } = job.columns;
  const isOfConditions = [wkt, ejerlav, bfe, lag].some((column) => column !== undefined);
  return job.kind === 'miljoe' && isOfConditions ? 'forhold' : job.kind;
}

export function hasRoles(kind: Kind, columns: RoleColumns): boolean {
  return KIND_TERMS[kind].roles.some((roles) => roles.every((role) => columns[role] !== undefined));
}

/** Units of a parcel or property, and of a drawn area (D157). */
export const CONDITION_UNITS = { ground: 2, area: 5 } as const;

/** Only for an answered row. */
export function unitsOfRow(job: { readonly kind: Kind; readonly columns: RoleColumns }): number {
  if (answeredKind(job) !== 'forhold') return 1;
  const { wkt, ejerlav, bfe } = job.columns;
  if (wkt !== undefined) return CONDITION_UNITS.area;
  return ejerlav === undefined && bfe === undefined ? 1 : CONDITION_UNITS.ground;
}

/** iso-8859-1 is read as Windows-1252, which contains it. */
export const CHARSETS = ['utf-8', 'windows-1252', 'iso-8859-1', 'macintosh', 'utf-16'] as const;
export type Charset = (typeof CHARSETS)[number];

export const SRIDS = [4326, 25832] as const;
export type Srid = (typeof SRIDS)[number];
/** x and y default to longitude and latitude, as in the service's answers. */
export const DEFAULT_SRID: Srid = 4326;

export interface Job {
  readonly id: string;
  readonly accountId: string;
  /** Billed for its rows: the creator's, until another starts or resumes it (D70). */
  readonly keyId: string;
  readonly environment: 'live' | 'test';
  readonly kind: Kind;
  readonly status: Status;
  readonly label: string | null;
  /** Once the job has started, every role with a column; before, those the caller named. */
  readonly columns: RoleColumns;
  readonly srid: Srid;
  readonly inputColumns: readonly string[];
  /** Columns without a role whose first rows hold parts of an address; absent: not asked for. */
  readonly unitColumns?: readonly string[];
  readonly error: string | null;
  readonly totalRows: number;
  readonly chunks: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly billedUnits: number;
  /** The generation of its answers (D19); null until its first chunk. */
  readonly generation: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** null while its rows are kept (D74). */
  readonly rowsDeletedAt: Date | null;
}
