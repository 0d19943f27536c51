/** Reads a row by roles (D72), whatever the caller's column names. */
import { Failure } from '../../kernel/failures.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import type { Point, PointUtm32 } from '../../geo/point.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { unknownTo } from '../../memory/covered-lands.ts';
import { isRounded, numberOf, textOf } from '../cells.ts';
import type { Row } from '../cells.ts';
import type { Role, RoleColumns, Srid } from '../job-types.ts';
import { rowError } from '../row-errors.ts';

/**
 * null: no such access address. Throws the Failure where that is unknown: 503, or 404 for a
 * register of part of the country.
 */
export type FindAccess = (id: string) => FoundAccess | null;

/** What a row is answered with of an access address. */
export interface FoundAccess {
  /** null: it has no place. */
  readonly position: PointUtm32 | null;
  /** Its property; null: none is known. */
  readonly bfe: number | null;
}

export interface RowReaderOptions {
  readonly columns: RoleColumns;
  readonly inputColumns: readonly string[];
  readonly srid: Srid;
}

/** `coverage`: of the addresses; null: the country. */
export function noAccessAddress(coverage: Pick<Coverage, 'name'> | null): Failure {
  return unknownTo(coverage, rowError('noAccessAddress'));
}

/** Reads one row at a time; the caller sets `row`. */
export class RowReader {
  row: Row = [];
  readonly #columns: RoleColumns;
  readonly #places: Readonly<Partial<Record<Role, number>>>;
  readonly #srid: '4326' | '25832';

  constructor({ columns, inputColumns, srid }: RowReaderOptions) {
    this.#columns = columns;
    this.#srid = `${srid}`;
    const places: Partial<Record<Role, number>> = {};
    for (const [role, column] of Object.entries(columns)) {
      const place = inputColumns.indexOf(column);
      if (place >= 0) places[role as Role] = place;
    }
    this.#places = places;
  }

  /** null: no such column, or empty. */
  text(role: Role): string | null {
    const place = this.#places[role];
    return place === undefined ? null : textOf(this.row[place]);
  }

  /** The point of x and y, or of the access address. Throws the Failure of the row. */
  point(findAccess: FindAccess): Point {
    const hasNoPlace = this.text('x') === null && this.text('y') === null;
    if (hasNoPlace && this.text('adgangsadresse_id') !== null) return this.#placeOf(findAccess);
    const x = this.#number('x');
    const y = this.#number('y');
    return pointFromQuery({ x, y, srid: this.#srid });
  }

  #placeOf(findAccess: FindAccess): Point {
    const address = findAccess(this.text('adgangsadresse_id') ?? '');
    if (address === null) {
      throw noAccessAddress(null);
    }
    if (address.position === null) {
      throw new Failure('not_found', rowError('noAccessPoint'));
    }
    const { xUtm32: x, yUtm32: y } = address.position;
    return pointFromQuery({ x, y, srid: '25832' });
  }

  /** A required number. */
  #number(role: 'x' | 'y'): number {
    const place = this.#places[role];
    const cell = place === undefined ? null : this.row[place];
    const value = numberOf(cell);
    const column = JSON.stringify(this.#columns[role] ?? role);
    if (isRounded(cell))
      throw new Failure('invalid_request', rowError('rounded', { column, role }));
    if (value !== null && Number.isFinite(value)) return value;
    const what = textOf(cell) === null ? 'columnEmpty' : 'noNumber';
    throw new Failure('invalid_request', rowError(what, { column, role }));
  }

  /** A BFE number, or null. Throws for anything else. */
  bfe(): number | null {
    const place = this.#places.bfe;
    const cell = place === undefined ? null : this.row[place];
    const value = numberOf(cell);
    if (isRounded(cell)) {
      const column = JSON.stringify(this.#columns.bfe ?? 'bfe');
      throw new Failure('invalid_request', rowError('rounded', { column, role: 'bfe' }));
    }
    if (value === null && textOf(cell) === null) return null;
    if (value !== null && Number.isInteger(value) && value > 0 && value <= MOST_BFE) return value;
    throw new Failure('invalid_request', rowError('noBfeNumber', { max: MOST_BFE }));
  }
}

const MOST_BFE = 2_147_483_647;
