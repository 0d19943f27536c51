/** Where the log is read from: the store, and what its tables are. */
import type { Store } from '../db/connect.ts';
import type { Naming, Schemas } from './entity-rows.ts';

export interface ChangeSource {
  readonly db: Store['db'];
  /** Of the registers of tables; layers of features need none. */
  readonly schemas: Schemas;
  /** Absent: as the store. */
  readonly naming?: Naming;
}
