/** Kinds, statuses and roles (D70, D72), and the record of a job. Runs in browsers too. */

export const KINDS = ['datavask', 'reverse', 'bbr', 'dagi', 'miljoe'] as const;
export type Kind = (typeof KINDS)[number];

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

/** Sufficient roles of each kind; any one list (D72). */
export const KIND_ROLES: Readonly<Record<Kind, readonly (readonly Role[])[]>> = {
  datavask: [['adresse'], ['vej', 'husnr', 'postnr'], ['vej', 'husnr', 'by']],
  reverse: POINT_ROLES,
  bbr: [['bfe'], ['adgangsadresse_id'], ['adresse']],
  dagi: POINT_ROLES,
  miljoe: POINT_ROLES,
};

/** Optional roles of each kind (D145): a missing floor makes another address. */
export const KIND_EXTRA_ROLES: Readonly<Record<Kind, readonly Role[]>> = {
  datavask: ['etage', 'doer'],
  reverse: [],
  bbr: ['postnr', 'by', 'etage', 'doer'],
  dagi: [],
  miljoe: [],
};

export function rolesOf(kind: Kind): readonly Role[] {
  return [...new Set([...KIND_ROLES[kind].flat(), ...KIND_EXTRA_ROLES[kind]])];
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
  /** Columns without a role whose first rows hold floors or doors; absent in a list. */
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
