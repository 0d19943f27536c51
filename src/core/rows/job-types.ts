/** Kinds, statuses and roles (D70, D72), and the record of a job. Runs in browsers too. */

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

export const STATUS_TERMS: Readonly<Record<Status, { readonly da: string; readonly en: string }>> =
  {
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
export const ROLES = [...ADDRESS_PARTS, 'x', 'y', 'bfe', 'adgangsadresse_id'] as const;
export type Role = (typeof ROLES)[number];

export type RoleColumns = { readonly [role in Role]?: string };

const ADDRESS_ROLES: readonly (readonly Role[])[] = [
  ['adresse'],
  ['vej', 'husnr', 'postnr'],
  ['vej', 'husnr', 'by'],
];
const POINT_ROLES = [['x', 'y'], ['adgangsadresse_id'], ...ADDRESS_ROLES] as const;

interface KindTerms {
  /** Any one list is sufficient (D72, D145). */
  readonly roles: readonly (readonly Role[])[];
  /** What the page calls it. */
  readonly words: { readonly da: string; readonly en: string };
}

export const KIND_TERMS = {
  datavask: {
    roles: ADDRESS_ROLES,
    words: { da: 'Adressevask: hvilken adresse menes?', en: 'Which address is meant?' },
  },
  reverse: {
    roles: POINT_ROLES,
    words: { da: 'Nærmeste adresse', en: 'Nearest address' },
  },
  bbr: {
    roles: [['bfe'], ['adgangsadresse_id'], ...ADDRESS_ROLES],
    words: { da: 'Ejendom og bygninger (BBR)', en: 'Property and buildings (BBR)' },
  },
  dagi: {
    roles: POINT_ROLES,
    words: { da: 'Kommune, sogn og andre områder', en: 'Municipality, parish and other areas' },
  },
  miljoe: {
    roles: POINT_ROLES,
    words: { da: 'Byggelinjer og beskyttet natur', en: 'Building lines and protected nature' },
  },
} satisfies Readonly<Record<string, KindTerms>>;

export type Kind = keyof typeof KIND_TERMS;
export const KINDS = Object.keys(KIND_TERMS) as readonly Kind[];

/** Optional roles of an address (D145): a missing letter or floor makes another address. */
const UNIT_ROLES: readonly Role[] = ['bogstav', 'etage', 'doer'];

export function rolesOf(kind: Kind): readonly Role[] {
  return [...new Set<Role>([...KIND_TERMS[kind].roles.flat(), ...UNIT_ROLES])];
}

export function hasRoles(kind: Kind, columns: RoleColumns): boolean {
  return KIND_TERMS[kind].roles.some((roles) => roles.every((role) => columns[role] !== undefined));
}

/** Of a CSV; iso-8859-1 is read as Windows-1252, which has all of it. */
export const CHARSETS = ['utf-8', 'windows-1252', 'iso-8859-1', 'macintosh', 'utf-16'] as const;
export type Charset = (typeof CHARSETS)[number];

export const SRIDS = [4326, 25832] as const;
export type Srid = (typeof SRIDS)[number];
/** x and y default to longitude and latitude, as in the service's answers. */
export const DEFAULT_SRID: Srid = 4326;

export interface Job {
  readonly id: string;
  readonly accountId: string;
  /** The key billed for its rows: its creator's, until another starts or resumes it (D70). */
  readonly keyId: string;
  /** `Environment` of the account's plans, which no browser reads. */
  readonly environment: 'live' | 'test';
  readonly kind: Kind;
  readonly status: Status;
  readonly label: string | null;
  /** From the start every role with a column; before it those the caller named. */
  readonly columns: RoleColumns;
  readonly srid: Srid;
  /** In the order of first occurrence; also the order of cells. */
  readonly inputColumns: readonly string[];
  /** Columns without a role whose first rows hold parts of an address; absent where they were not asked for. */
  readonly unitColumns?: readonly string[];
  readonly error: string | null;
  readonly totalRows: number;
  readonly chunks: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly billedUnits: number;
  /** The data generation of its answers (D19); null until its first chunk. */
  readonly generation: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** null while its rows are kept (D74). */
  readonly rowsDeletedAt: Date | null;
}
