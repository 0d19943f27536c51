import { expect } from 'vitest';
import type { Store } from '../../src/db/connect.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import { pageTask } from '../../src/wfs/page-task.ts';
import { parsePage } from '../../src/wfs/parse-page.ts';
import { noCounts } from '../../sync/deps.ts';
import { stagePage } from '../../sync/mirrors/features/stage.ts';

/** Stages features as a sync does that has them in one page, all of which can be read: its run, with what it counted. */
export async function stagedPage(store: Store, layer: Layer, collection: object) {
  const bytes = new TextEncoder().encode(JSON.stringify(collection));
  const page = parsePage(pageTask(layer, bytes));
  expect(page.issues).toEqual([]);
  const { rows: runs } = await store.pool.query<{ id: string }>(
    `insert into sync_run (layer, trigger, started_at, heartbeat_at, state, ended_at)
     values ($1, 'command', now(), now(), 'failed', now()) returning id::text`,
    [layer.id],
  );
  const run = {
    ...{ id: runs[0]!.id, layer, startedAtMs: 0, counts: noCounts(), replay: null, unread: [] },
    ...{ signal: new AbortController().signal, report: () => undefined },
  };
  await stagePage(store, run, page);
  return run;
}
