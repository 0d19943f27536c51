/** A sync of the sample's addresses for one test file: a real store, threads, the sample upstream. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createDownloads } from '../../src/downloads/client.ts';
import { ADDRESSES, CADASTRE } from '../../src/layers/keys.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { RunOutcome, SyncDeps } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SyncOptions } from '../../sync/run.ts';
import { SAMPLE_API_KEY } from '../../sample/catalogue.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import type { TableShelf } from '../../sample/files/table-shelf.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import type { TestStore } from '../support/store.ts';

export interface AddressBench extends Pick<
  SyncBench,
  'store' | 'advance' | 'published' | 'syncAll' | 'upstream'
> {
  readonly deps: SyncDeps;
  readonly shelf: TableShelf;
  readonly upstreamUrl: string;
  sync(options?: Partial<SyncOptions>): Promise<RunOutcome>;
  /** The cadastre: what addresses take their property (BFE) from. */
  syncParcels(): Promise<RunOutcome>;
  /** One column of one statement's rows, as text. */
  column(query: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** Open in `beforeAll`, close in `afterAll`. A store that is given is closed too. */
export async function openAddressBench(given?: TestStore): Promise<AddressBench> {
  const bench = await openSyncBench(given);
  const downloads = createDownloads({
    dir: mkdtempSync(join(bench.store.dataDir, 'downloads-')),
    clock: bench.deps.clock,
    wait: () => Promise.resolve(),
  });
  const deps: SyncDeps = {
    ...bench.deps,
    downloads,
    keys: { ...bench.deps.keys, 'datafordeler-files': SAMPLE_API_KEY },
  };
  return {
    ...bench,
    deps,
    shelf: bench.upstream.shelf.tables,
    upstreamUrl: bench.upstream.url,
    sync: (options = {}) => syncLayer(deps, ADDRESSES, { trigger: 'command', ...options }),
    syncParcels: () => syncLayer(deps, CADASTRE, { trigger: 'command' }),
    column: async (query) => {
      const { rows } = await bench.store.pool.query<Record<string, unknown>>(query);
      return rows.map((row) => Object.values(row)[0]);
    },
    close: async () => {
      await downloads.close();
      await bench.close();
    },
  };
}

/** A new total of a table, in which rows that fit have these cells in place of their own. */
export function breakRows(
  { shelf }: Pick<AddressBench, 'shelf'>,
  entity: SampleEntity,
  { fits, cells }: { readonly fits: (row: TableRow) => boolean; readonly cells: TableRow },
): void {
  shelf.renew(entity);
  shelf.spoil({
    rows: (of, rows) =>
      of === entity ? rows.map((row) => (fits(row) ? { ...row, ...cells } : row)) : rows,
  });
}

/** All that the tables of a register hold, the past included, as one text. */
export async function contentOf(
  { column }: Pick<AddressBench, 'column'>,
  register: RegisterId,
  more: readonly string[] = [],
): Promise<string> {
  const { schema } = REGISTERS_CATALOGUE.registers[register];
  const sums = [...storeTables(schema), ...more].map(
    (table) => `select md5(string_agg(t::text, '|' order by t::text)) from ${table} t`,
  );
  return (await Promise.all(sums.map((query) => column(query)))).flat().join();
}

export function currentRow(
  { shelf }: Pick<AddressBench, 'shelf'>,
  entity: SampleEntity,
  id: string,
): TableRow {
  const found = shelf
    .rows(entity)
    .findLast((row) => row['id_lokalId'] === id && row['virkningTil'] === null);
  if (found === undefined) throw new Error(`${entity} has no ${id}`);
  return found;
}
