import type { MakeAnswer, Maker } from '../../../core/tasks/stream-task.ts';
import { ENTITIES } from '../../../replication/entities.ts';
import type { Entity } from '../../../replication/entity.ts';
import { ReplicationLog } from '../../../replication/log.ts';
import type { EntityEvent, EventRange } from '../../../replication/log.ts';
import type { ReplicationFormat } from './asked.ts';
import { bodyOf } from './written.ts';
import type { Body } from './written.ts';

export interface RowsGiven {
  readonly entity: string;
  readonly format: ReplicationFormat;
  readonly of:
    | { readonly transaction: number; readonly key: EventRange['key'] }
    | { readonly range: EventRange };
}

export const ROWS_TEXT: Maker<RowsGiven, null> = { file: new URL(import.meta.url) };

const make: MakeAnswer<RowsGiven, null> = async ({ db }, given) => {
  const { text } = await rowsBody(new ReplicationLog({ db }), given);
  return { head: null, text };
};
export default make;

/** Rejects where the first rows cannot be read. */
export async function rowsBody(
  log: ReplicationLog,
  { entity: name, format, of }: RowsGiven,
): Promise<Body> {
  const entity = ENTITIES.find((each) => each.name === name);
  if (entity === undefined) throw new Error(`There is no entity ${name}.`);
  const columns = entity.attributes.map((attribute) => attribute.name);
  if ('range' in of) {
    const table = { columns: [...EVENT, ...columns], flat: flatEvent };
    return await bodyOf(format, table, textsOf(log.events(entity, of.range)));
  }
  const rows = log.extract(entity, of.transaction);
  return await bodyOf(format, { columns }, fitting(rows, entity, of.key));
}

const EVENT = ['txid', 'sekvensnummer', 'tidspunkt', 'operation'] as const;

const flatEvent = ({ data, ...event }: Readonly<Record<string, unknown>>) => ({
  ...(data as object),
  ...event,
});

async function* textsOf(
  pages: AsyncIterable<readonly EntityEvent[]>,
): AsyncGenerator<readonly string[]> {
  for await (const page of pages) {
    yield page.map(({ nr, transaction, atMs, operation, data }) => {
      const event = {
        txid: transaction,
        operation,
        tidspunkt: new Date(atMs).toISOString(),
        sekvensnummer: nr,
      };
      return `${JSON.stringify(event).slice(0, -1)},"data":${data}}`;
    });
  }
}

export async function* fitting(
  pages: AsyncIterable<readonly string[]>,
  entity: Entity,
  key: readonly (string | null)[],
): AsyncGenerator<readonly string[]> {
  for await (const page of pages) {
    yield key.every((value) => value === null)
      ? page
      : page.filter((row) => isOfKey(row, entity, key));
  }
}

function isOfKey(row: string, entity: Entity, key: readonly (string | null)[]): boolean {
  const values = JSON.parse(row) as Readonly<Record<string, unknown>>;
  return key.every((value, n) => value === null || String(values[entity.key[n] ?? '']) === value);
}
