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

export const ROLES = [
  'adresse',
  'vej',
  'husnr',
  'etage',
  'doer',
  'postnr',
  'by',
  'x',
  'y',
  'bfe',
  'adgangsadresse_id',
] as const;
export type Role = (typeof ROLES)[number];

export type RoleColumns = { readonly [role in Role]?: string };

const POINT_ROLES: readonly (readonly Role[])[] = [['x', 'y'], ['adgangsadresse_id']];

interface KindTerms {
  /** Any one list is sufficient (D72). */
  readonly roles: readonly (readonly Role[])[];
  /** Optional (D145): a missing floor makes another address. */
  readonly extraRoles: readonly Role[];
  /** What the page calls it. */
  readonly words: { readonly da: string; readonly en: string };
}

export const KIND_TERMS = {
  datavask: {
    roles: [['adresse'], ['vej', 'husnr', 'postnr'], ['vej', 'husnr', 'by']],
    extraRoles: ['etage', 'doer'],
    words: { da: 'Adressevask: hvilken adresse menes?', en: 'Which address is meant?' },
  },
  reverse: {
    roles: POINT_ROLES,
    extraRoles: [],
    words: { da: 'Nærmeste adresse', en: 'Nearest address' },
  },
  bbr: {
    roles: [['bfe'], ['adgangsadresse_id'], ['adresse']],
    extraRoles: ['postnr', 'by', 'etage', 'doer'],
    words: { da: 'Ejendom og bygninger (BBR)', en: 'Property and buildings (BBR)' },
  },
  dagi: {
    roles: POINT_ROLES,
    extraRoles: [],
    words: { da: 'Kommune, sogn og andre områder', en: 'Municipality, parish and other areas' },
  },
  miljoe: {
    roles: POINT_ROLES,
    extraRoles: [],
    words: { da: 'Byggelinjer og beskyttet natur', en: 'Building lines and protected nature' },
  },
} satisfies Readonly<Record<string, KindTerms>>;

export type Kind = keyof typeof KIND_TERMS;
export const KINDS = Object.keys(KIND_TERMS) as readonly Kind[];

export function rolesOf(kind: Kind): readonly Role[] {
  const { roles, extraRoles }: KindTerms = KIND_TERMS[kind];
  return [...new Set([...roles.flat(), ...extraRoles])];
}

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
