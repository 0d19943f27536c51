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
  /** Over the driver's row `d` and what `joins` names. */
  readonly sql: string;
  readonly description: string;
}

export interface KeyColumn {
  /** Of the driver; null: of what `joins` makes of its row, by `sql`. */
  readonly column: string | null;
  readonly type: 'uuid' | 'bigint' | 'text';
  readonly sql?: string;
}

export interface Entity {
  readonly name: string;
  /** Of the older paths; null: it has none. */
  readonly plural: string | null;
  /** Which a key must be allowed to ask. */
  readonly area: Area;
  readonly driver: Mirrored;
  /** Names of attributes. */
  readonly key: readonly string[];
  /** Where the key is, in its order. */
  readonly columns: readonly KeyColumn[];
  /** Whether the driver's row `d` is one of the entity. */
  readonly isAlive: string;
  /** Which row `d` is the entity where several have the key; null: the key is the row's own id. */
  readonly order: string | null;
  readonly joins: (at: RowsAt) => string;
  readonly attributes: readonly Attribute[];
  /** Other tables that it is read from: a driver's column, and theirs that it equals. */
  readonly parts: readonly Part[];
  /** Rows at once. */
  readonly page: number;
}

export interface Part {
  readonly table: Mirrored;
  readonly column: string;
  readonly equals: string;
  /** Where `equals` is of another table, whose column names the part. */
  readonly by?: { readonly table: Mirrored; readonly column: string };
  /** Without its register there is nothing to say of the entity. */
  readonly isNeeded?: true;
}
