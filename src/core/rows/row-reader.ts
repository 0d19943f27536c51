import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import type { Point, PointUtm32 } from '../../geo/point.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { unknownTo } from '../land/covered-lands.ts';
import { isRounded, numberOf, textOf } from './cells.ts';
import type { Row } from './cells.ts';
import { ADDRESS_PARTS } from './job-types.ts';
import type { Role, RoleColumns, Srid } from './job-types.ts';
import { rowError } from './row-errors.ts';
import type { RowError } from './row-errors.ts';
import { isIndex, unreadColumnsOf } from './unread-columns.ts';
import type { UnreadColumn } from './unread-columns.ts';
import { holdsUnits, isNothing, isUnreadable } from './address-values.ts';

/** Both throw the Failure of the row. */
export interface FindAccess {
  /**
   * null: no such access address; the Failure is 503 where that is unknown, or 404 of a register of
   * part of the country.
   */
  readonly byId: (id: string) => FoundAccess | null;
  /** Only addresses that are sure or nearly sure (D145). */
  readonly written: (row: RowReader) => FoundAccess;
}

export interface FoundAccess {
  readonly position: PointUtm32 | null;
  readonly bfe: number | null;
}

/** Was not read and may decide the row's address (D154). */
export interface UnreadCell {
  readonly column: string;
  readonly part: UnreadColumn['part'];
  readonly text: string;
}

type AddressRole = (typeof ADDRESS_PARTS)[number];
export const NAMES_ADDRESS: readonly Role[] = ['adgangsadresse_id', 'adresse', 'vej'];

export interface RowReaderOptions {
  readonly columns: RoleColumns;
  readonly inputColumns: readonly string[];
  readonly srid: Srid;
}

/** `coverage`: of the addresses; null: the country. */
export function noAccessAddress(coverage: Pick<Coverage, 'name'> | null): Failure {
  return unknownTo(coverage, rowError('noAccessAddress'));
}

export class RowReader {
  row: Row = [];
  readonly #columns: RoleColumns;
  readonly #places: Readonly<Partial<Record<Role, number>>>;
  readonly #srid: '4326' | '25832';
  readonly #unread: readonly UnreadColumn[];

  /** `rows`: all of the chunk, among which a column of row numbers is found. */
  constructor({ columns, inputColumns, srid }: RowReaderOptions, rows: readonly Row[] = []) {
    this.#columns = columns;
    this.#srid = `${srid}`;
    const places: Partial<Record<Role, number>> = {};
    for (const [role, column] of Object.entries(columns)) {
      const place = inputColumns.indexOf(column);
      if (place >= 0) places[role as Role] = place;
    }
    this.#places = places;
    this.#unread = unreadColumnsOf(columns, inputColumns).flatMap((each): UnreadColumn[] => {
      const { part, place, isOfAnother } = each;
      // What is not another whole address may be a line of this one.
      if (isOfAnother) return part === 'adresse' ? [{ ...each, part: 'blank' }] : [];
      if (part === 'blank' && isIndex(rows, place)) return [];
      const isUnits = (part === 'blank' || part === 'word') && holdsUnits(rows, place);
      return [isUnits ? { ...each, part: 'enhed' } : each];
    });
  }

  get srid(): Srid {
    return this.#srid === '4326' ? 4326 : 25832;
  }

  has(role: Role): boolean {
    return this.#places[role] !== undefined;
  }

  columnName(role: Role): string {
    return JSON.stringify(this.#columns[role] ?? role);
  }

  /** Throws where it is empty. */
  needed(role: Role): string {
    const text = this.text(role);
    if (text !== null) return text;
    throw this.lacking('columnEmpty', [role], { column: this.columnName(role), role });
  }

  /** Throws for anything else than a whole number within the limits. */
  whole(role: Role, { min, max }: { readonly min: number; readonly max: number }): number {
    const value = numberOf(this.needed(role));
    if (value !== null && Number.isInteger(value) && value >= min && value <= max) return value;
    const column = this.columnName(role);
    throw refused('noWhole', { column, role, min, max });
  }

  /** Of a row without text; an unreadable cell is not empty. */
  lacking(empty: RowError, roles: readonly Role[] = NAMES_ADDRESS, values = {}): Failure {
    const role = roles.find((each) => isUnreadable(this.row[this.#places[each] ?? -1]));
    if (role === undefined) return refused(empty, values);
    const column = this.columnName(role);
    return refused('cellUnreadable', { column, role });
  }

  /** null: no such column, empty, or unreadable. */
  text(role: Role): string | null {
    const place = this.#places[role];
    if (place === undefined) return null;
    const cell = this.row[place];
    return isUnreadable(cell) ? null : textOf(cell);
  }

  /** Cells of columns without a role, of `roles` that the caller did not use, and unreadable ones. */
  unreadCells(roles: readonly AddressRole[]): readonly UnreadCell[] {
    const cells: UnreadCell[] = [];
    for (const part of ADDRESS_PARTS) {
      const place = this.#places[part];
      if (place === undefined || !(roles.includes(part) || isUnreadable(this.row[place]))) continue;
      this.#addCell(cells, { column: this.#columns[part] ?? part, part, place });
    }
    for (const each of this.#unread) this.#addCell(cells, each);
    return cells;
  }

  #addCell(cells: UnreadCell[], { column, part, place }: Omit<UnreadColumn, 'isOfAnother'>): void {
    const cell = this.row[place];
    const text = isUnreadable(cell) ? String(cell) : textOf(cell);
    if (text !== null && !isNothing(text)) cells.push({ column, part, text });
  }

  /** Found by the id, else by the text; null: the row has neither. Throws the row's Failure. */
  access(findAccess: FindAccess): FoundAccess | null {
    const id = this.text('adgangsadresse_id');
    if (id !== null) {
      const address = findAccess.byId(id);
      if (address === null) throw noAccessAddress(null);
      return address;
    }
    const isWritten = this.text('adresse') !== null || this.text('vej') !== null;
    return isWritten ? findAccess.written(this) : null;
  }

  /** The point of x and y, or of the address. Throws the row's Failure. */
  point(findAccess: FindAccess): Point {
    const hasNoPlace = this.text('x') === null && this.text('y') === null;
    const address = hasNoPlace ? this.access(findAccess) : null;
    if (address !== null) return placeOf(address);
    if (!this.#hasPointColumn) throw this.lacking('addressEmpty');
    const x = this.#number('x');
    const y = this.#number('y');
    return pointFromQuery({ x, y, srid: this.#srid });
  }

  /** Without one, an error about it would name a column that the file does not have. */
  get #hasPointColumn(): boolean {
    return this.#places.x !== undefined || this.#places.y !== undefined;
  }

  #number(role: 'x' | 'y'): number {
    const place = this.#places[role];
    if (place === undefined) throw refused('halfPoint');
    const cell = this.row[place];
    const value = numberOf(cell);
    const column = this.columnName(role);
    if (isRounded(cell)) throw refused('rounded', { column, role });
    if (value !== null && Number.isFinite(value)) return value;
    const what = textOf(cell) === null ? 'columnEmpty' : 'noNumber';
    throw refused(what, { column, role });
  }

  /** null: no such column, or empty. Throws for anything else than a BFE number. */
  bfe(): number | null {
    const { min, max } = LIMITS.bfe;
    const place = this.#places.bfe;
    const cell = place === undefined ? null : this.row[place];
    const value = numberOf(cell);
    if (isRounded(cell)) throw refused('rounded', { column: this.columnName('bfe'), role: 'bfe' });
    if (value === null && textOf(cell) === null) return null;
    if (value !== null && Number.isInteger(value) && value >= min && value <= max) return value;
    throw refused('noBfeNumber', { max });
  }
}

function refused(name: RowError, values = {}): Failure {
  return new Failure('invalid_request', rowError(name, values));
}

function placeOf({ position }: FoundAccess): Point {
  if (position === null) throw new Failure('not_found', rowError('noAccessPoint'));
  const { xUtm32: x, yUtm32: y } = position;
  return pointFromQuery({ x, y, srid: '25832' });
}
