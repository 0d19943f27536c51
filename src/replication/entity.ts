import type { Area } from '../account/permissions.ts';
import type { Mirrored, RowsAt } from './rows-at.ts';

export type AttributeType =
  | 'integer'
  | 'real'
  | 'boolean'
  | 'string'
  | 'uuid'
  | 'localdatetime'
  | 'point2d'
  | 'geometry';

export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly nullable: boolean;
  /** Uses the driver's row `d` and the tables of `joins`. */
  readonly sql: string;
  readonly description: string;
}

export interface KeyColumn {
  /** Of the driver; null: made by `sql`. */
  readonly column: string | null;
  readonly type: 'uuid' | 'bigint' | 'text';
  readonly sql?: string;
}

export interface Entity {
  readonly name: string;
  /** Name in the older paths; null: none. */
  readonly plural: string | null;
  readonly area: Area;
  readonly driver: Mirrored;
  readonly key: readonly string[];
  /** In the key's order. */
  readonly columns: readonly KeyColumn[];
  readonly isAlive: string;
  /** Chooses one of several rows with the key; null: the key is the row's id. */
  readonly order: string | null;
  readonly joins: (at: RowsAt) => string;
  readonly attributes: readonly Attribute[];
  /** Other tables: a driver's column, and theirs that it equals. */
  readonly parts: readonly Part[];
  /** Rows per page. */
  readonly page: number;
}

export interface Part {
  readonly table: Mirrored;
  readonly column: string;
  readonly equals: string;
  /** When `equals` is in another table, whose column names the part. */
  readonly by?: { readonly table: Mirrored; readonly column: string };
  /** The entity cannot do without this register. */
  readonly isNeeded?: true;
}
