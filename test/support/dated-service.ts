/** The whole service over a bench with a clock to turn. */
import type { Logger } from 'pino';
import { createLogging } from '../../src/kernel/logger.ts';
import { loadConfig } from '../../src/config.ts';
import { MIRROR_IDS } from '../../src/layers/mirror-ids.ts';
import type { MirrorId } from '../../src/layers/keys.ts';
import { compose } from '../../src/start/service.ts';
import type { Composed } from '../../src/start/service.ts';
import type { SyncDeps } from '../../sync/deps.ts';
import { syncOperations } from '../../sync/operations.ts';
import type { SyncQueue } from '../../sync/queue.ts';
import { revertLayer } from '../../sync/revert.ts';
import { TOKEN } from '../edge/operator.ts';
import type { TestStore } from './store.ts';

export interface DatedServiceOptions {
  readonly deps: SyncDeps;
  readonly store: TestStore;
  /** Another way to the same store; absent: its own. */
  readonly databaseUrl?: string;
  /** Whether nobody is asked for a key; so unless told. */
  readonly open?: boolean;
  /** Absent: silent. */
  readonly log?: Logger;
  /** What operators may set going; absent: nothing. */
  readonly queue?: SyncQueue;
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Close it in `afterAll`, before the bench. */
export async function openDatedService({
  deps,
  store,
  databaseUrl = store.databaseUrl ?? undefined,
  open = true,
  log = createLogging({ level: 'silent' }).log,
  queue,
  settings = {},
}: DatedServiceOptions): Promise<Composed> {
  const running = queue && {
    requestSync: queue.request.bind(queue),
    revert: (layer: MirrorId, by: string, of?: number) => revertLayer(deps, layer, { by, of }),
  };
  return await compose({
    config: loadConfig({
      DATA_DIR: store.dataDir,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...{ OPERATOR_TOKEN: TOKEN, JOBS: 'off', THREADS: '1', LOG_LEVEL: 'silent' },
      ...settings,
    }),
    clock: deps.clock,
    sources: deps,
    ...{ open, log, ...(running && { operations: syncOperations(() => running, deps) }) },
    onExpired: () => undefined,
  });
}

/** What a test does not look at is left alone by the sync. */
export async function holdOthers(
  { pool }: Pick<TestStore, 'pool'>,
  looked: readonly MirrorId[],
): Promise<void> {
  await pool.query(
    `insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2,
       held_since, held_by)
     select layer, 1, 1, now(), now(), 0, 0, now(), 'test' from unnest($1::text[]) as other(layer)`,
    [MIRROR_IDS.filter((id) => !looked.includes(id))],
  );
}
