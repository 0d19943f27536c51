/**
 * Rows of the matrix for changes that are known ahead: what the register does with its own date, and
 * what becomes of the copy. Played by `test/sync/dated-confirm.test.ts`, each under its words.
 */
import { CODE_COLUMNS } from '../../src/layers/mappings/dagi.ts';
import type { Ring, SampleGeometry } from '../../sample/data/geometry.ts';
import type { Random } from '../../sample/data/random.ts';
import { ANNOUNCED_AT } from '../../sample/files/rows.ts';
import type { FileRow } from '../../sample/files/rows.ts';

export interface DatedRow {
  readonly id: string;
  readonly about: string;
  readonly outcome: string;
}

const row = (id: string, about: string, outcome: string): DatedRow => ({ id, about, outcome });

export const DATED_ROWS = {
  prepared: row(
    'dated-prepared',
    'A confirmed change whose rows are at hand',
    'carried out at its instant, without the register, once',
  ),
  late: row(
    'dated-late',
    'An announced change that no file has on its day',
    'old copy answers, stale from the instant; alarm; asked for until it comes',
  ),
  early: row(
    'dated-early',
    'A confirmed change that the file has before its instant',
    'refused by the guards it trips',
  ),
  half: row(
    'dated-half',
    'A successor without half of the announced land',
    'refused; old copy answers, stale',
  ),
  other: row(
    'dated-other',
    'Another code or row than was announced',
    'refused; old copy answers, stale',
  ),
  beside: row(
    'dated-beside',
    'A confirmed change, and an area gone beside it',
    'refused as a whole; old copy answers, stale',
  ),
  unconfirmed: row(
    'dated-unconfirmed',
    'An unconfirmed change that trips guards',
    'refused; alarm; old copy answers, stale',
  ),
  contradicted: row(
    'dated-contradicted',
    'An announcement that the file contradicts',
    'reported; cannot be confirmed',
  ),
} as const;

/** Which rows of a file that tells of a date are broken. */
export const DATED_WHICH = {
  'rows to come': { fits: ({ columns }: FileRow) => columns['virkningFra'] === ANNOUNCED_AT },
  'rows that end': { fits: ({ columns }: FileRow) => columns['virkningTil'] === ANNOUNCED_AT },
  'any rows': { fits: () => true },
} as const;

/** What of a row of such a file is broken. Played by `dated-case.ts`. */
export interface DatedBreak {
  readonly about: string;
  readonly change: (row: FileRow, draw: Random) => FileRow;
}

const withCells = (row: FileRow, cells: FileRow['columns']): FileRow => ({
  ...row,
  columns: { ...row.columns, ...cells },
});

/** The same rings without their last points, so far aside. */
function opened(
  geometry: SampleGeometry | null,
  asideM: number,
  to?: number,
): SampleGeometry | null {
  const change = (ring: Ring) => ring.slice(0, to).map(([x, y]) => [x! + asideM, y!]);
  if (geometry?.type === 'Polygon') {
    return { ...geometry, coordinates: geometry.coordinates.map(change) };
  }
  if (geometry?.type !== 'MultiPolygon') return geometry;
  return { ...geometry, coordinates: geometry.coordinates.map((part) => part.map(change)) };
}

export const DATED_BREAKS: Readonly<Record<string, DatedBreak>> = {
  'ahead-no-shape': {
    about: 'A row without a geometry',
    change: (row) => ({ ...row, geometry: null }),
  },
  'ahead-open-ring': {
    about: 'A row whose rings do not close',
    change: (row) => ({ ...row, geometry: opened(row.geometry, 0, -1) }),
  },
  'ahead-abroad': {
    about: 'A row that lies outside Denmark',
    change: (row) => ({ ...row, geometry: opened(row.geometry, 5_000_000) }),
  },
  'ahead-no-name': {
    about: 'A row without a name',
    change: (row) => withCells(row, { navn: null }),
  },
  'ahead-no-code': {
    about: 'A row without its code, or with one that is none',
    change: (row, draw) => {
      const codes = Object.values(CODE_COLUMNS).filter((name) => name in row.columns);
      return withCells(row, { [draw.pick(codes)]: draw.pick([null, 'ukendt']) });
    },
  },
  'ahead-no-id': {
    about: 'A row whose id is empty, or nobody else’s',
    change: (row, draw) => withCells(row, { id_lokalId: draw.pick([null, 'nobody-has-this']) }),
  },
  'ahead-from': {
    about: 'A row without the time from which it holds',
    change: (row, draw) => withCells(row, { virkningFra: draw.pick([null, 'i går', '2099']) }),
  },
  'ahead-to': {
    about: 'A row whose end is no time',
    change: (row, draw) => withCells(row, { virkningTil: draw.pick(['i morgen', '2099-13-01']) }),
  },
};
