import { sourceNameOf } from '../answers/sources.ts';
import type { Config } from '../config.ts';
import type { ServedRegisters } from '../core/register.ts';
import type { LongAnswers } from '../core/tasks/stream-reader.ts';
import type { Store } from '../db/connect.ts';
import type { DoorParts } from '../http/dawa/door.ts';
import { doorLookups } from '../http/dawa/lookups.ts';
import type { Services } from '../http/services.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import { ReplicationLog } from '../replication/log.ts';

interface ChangeParts {
  readonly config: Pick<Config, 'sources'>;
  readonly store: Store;
  readonly longAnswers: LongAnswers;
}

export function changesIn(
  catalogue: Catalogue,
  { config, store: { db }, longAnswers }: ChangeParts,
): Services['changes'] {
  const registers = Object.values(catalogue.registers);
  const schemas = new Map(registers.map(({ id, schema }) => [id, schema]));
  const isInvented = config.sources === 'sample';
  const sourceName = sourceNameOf('Registrene i /v1/status', { isInvented });
  return { source: { db, schemas, naming: 'told' }, sourceName, longAnswers };
}

export function doorOf(
  settings: DoorParts['settings'],
  { lookupsOf }: Pick<ServedRegisters, 'lookupsOf'>,
  { store, longAnswers }: Omit<ChangeParts, 'config'>,
): DoorParts {
  const replication = { log: new ReplicationLog(store), longAnswers };
  return { settings, lookups: doorLookups(lookupsOf), replication };
}
