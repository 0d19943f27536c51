/** Watch-lists of accounts; one process's first thread compares them. */
import { REGISTERS_CATALOGUE } from '../registers.ts';
import { Comparer } from '../watch/comparer.ts';
import type { ComparerOptions } from '../watch/comparer.ts';
import { createWatchLists } from '../watch/lists.ts';
import type { WatchLists } from '../watch/lists.ts';

const SCHEMAS = new Map(
  Object.values(REGISTERS_CATALOGUE.registers).map(({ id, schema }) => [id, schema]),
);

export interface WatchParts extends Omit<ComparerOptions, 'schemas'> {
  readonly compares: boolean;
}

export interface ComposedWatch {
  readonly lists: WatchLists;
  /** Call when the tables exist. */
  start(): void;
  /** Call before the store closes. */
  stop(): Promise<void>;
}

export function composeWatch({ compares, times, ...parts }: WatchParts): ComposedWatch {
  const comparer = compares
    ? new Comparer({ ...parts, schemas: SCHEMAS, ...(times && { times }) })
    : null;
  return {
    lists: createWatchLists(parts),
    start: () => comparer?.start(),
    stop: async () => await comparer?.stop(),
  };
}
