/** Where the log is read from: the store, and what its tables are. */
import type { Store } from '../db/connect.ts';
import type { RegisterId } from '../layers/keys.ts';
import type { RegisterSchema } from '../layers/register-tables.ts';

export interface ChangeSource {
  readonly db: Store['db'];
  /** Of the registers of tables; layers of features need none. */
  readonly schemas: ReadonlyMap<RegisterId, RegisterSchema>;
}
