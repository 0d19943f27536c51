/**
 * The composed service over a sample in trouble: one layer refused, one failed, one too old, one
 * never mirrored, one running, the others fresh. No nightly clockwork, so that it stays so.
 */
import { isRegisterId } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { FEATURE_IDS, MIRROR_IDS } from '../../src/layers/mirror-ids.ts';
import { keyOf } from '../../sample/holdings.ts';
import { SyncQueue } from '../../sync/queue.ts';
import { openDatedService } from '../support/dated-service.ts';
import { openMirroredLayers } from '../support/mirrored-store.ts';
import type { SyncBench } from '../support/sync-bench.ts';

export const TROUBLE = {
  refused: 'skov',
  failed: 'kirke',
  stale: 'aa',
  missing: 'vandloeb',
  running: 'natur',
} as const satisfies Record<string, LayerId>;

export interface DriftBench {
  readonly bench: SyncBench;
  /** `http://127.0.0.1:port` */
  readonly base: string;
  close(): Promise<void>;
}

/** For `beforeAll`. */
export async function openDriftBench(): Promise<DriftBench> {
  const bench = await openMirroredLayers(FEATURE_IDS);
  const { deps, store } = bench;
  // One beside the run that hangs.
  const queue = new SyncQueue(deps, store.kind === 'postgres' ? 2 : 1);
  const service = await openDatedService({ deps, store, queue });
  await makeTrouble(bench);
  // Left going while the page is looked at; the upstream answers only when it is mended.
  queue.request(TROUBLE.running, 'schedule');
  await runningIn(bench, TROUBLE.running);
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    bench,
    base,
    close: async () => {
      await queue.stop();
      await service.close();
      await bench.close();
    },
  };
}

async function makeTrouble(bench: SyncBench): Promise<void> {
  const { upstream, store } = bench;
  await seedMonth(bench);
  const missing = [TROUBLE.missing, ...MIRROR_IDS.filter(isRegisterId)];
  for (const table of ['layer_state', 'sync_run'])
    await store.pool.query(`delete from ${table} where layer = any($1)`, [missing]);
  // A few nights of history, with and without changes.
  for (const layer of ['soe', 'skov', 'kirke'] as const) {
    for (let night = 0; night < 4; night += 1) {
      if (night % 2 === 1) {
        upstream.holdings.edit(layer, (features) => features.slice(0, -2));
      }
      if (layer === 'soe' && night === 3) moveOne(bench);
      await bench.sync(layer, { trigger: 'schedule' });
    }
  }
  upstream.faults.set([
    { fault: 'down', layer: TROUBLE.failed },
    { fault: 'hang', layer: TROUBLE.running },
  ]);
  upstream.holdings.edit(TROUBLE.refused, (features) => features.slice(0, 30));
  await bench.sync(TROUBLE.refused, { trigger: 'schedule' });
  await bench.sync(TROUBLE.failed, { trigger: 'schedule' });
  await store.pool.query(
    "update layer_state set synced_at = now() - interval '3 days 5 hours' where layer = $1",
    [TROUBLE.stale],
  );
}

function moveOne({ upstream: { holdings } }: SyncBench): void {
  const keys: string[] = [];
  holdings.edit('soe', (features) => {
    keys.push(...features.map((feature) => keyOf('soe', feature) ?? ''));
    return features;
  });
  const [moved = ''] = keys;
  holdings.move('soe', moved, { east: 90, north: 40 });
}

/** A month of nights of `soe` as they are recorded, and of the audit and jobs of all. */
async function seedMonth({ store }: SyncBench): Promise<void> {
  const nights = Array.from({ length: 34 }, (_, index) => 35 - index);
  for (const ago of nights) {
    const night = `now() - interval '${ago} days'`;
    // Three nights in a row that failed, a refusal, and the release after it.
    const state = ago > 17 && ago <= 20 ? 'failed' : ago === 9 ? 'refused' : 'unchanged';
    const lifted = ago === 8 ? '{row-drop,canary}' : '{}';
    const refusal = state === 'refused' ? '{"guard":"row-drop","message":"","numbers":{}}' : null;
    await store.pool.query(
      `insert into sync_run (layer, trigger, state, phase, started_at, heartbeat_at, ended_at,
         proved_at, refusal, lifted_guards, error, asked_by)
       values ('soe', 'schedule', $1, 'check', ${night}, ${night}, ${night} + interval '2 minutes',
         case when $1 = 'unchanged' then ${night} end, $2::jsonb, $3::text[],
         case when $1 = 'failed' then 'opdigtet fejl' end, $4)`,
      [state, refusal, lifted, lifted === '{}' ? null : 'Opdigtet Operatør'],
    );
  }
  await store.pool.query(
    `insert into self_audit_hour (hour, compared, differences, alarms, skipped)
     select date_trunc('hour', now()) - d * interval '1 day', 9000 + d * 37,
       case d when 12 then 2 else 0 end, case d when 12 then 1 else 0 end, d
     from generate_series(1, 26) d where d not in (15, 16)`,
  );
  await store.pool.query(
    `with a as (insert into account (id, name, email, tier, created_at)
       values ('account_' || repeat('a', 20), 'Opdigtet', 'opdigtet@example.dk', 'free', now())
       returning id),
     k as (insert into api_key (id, account_id, hash, prefix, name, kind, environment, permission,
         created_at)
       select 'key_' || repeat('a', 20), id, decode(repeat('00', 32), 'hex'), 'svc', 'n', 'secret',
         'test', 'all', now() from a returning id, account_id)
     insert into job (id, account_id, key_id, environment, kind, status, srid, total_rows, succeeded,
       failed, created_at, updated_at, completed_at)
     select 'job_' || translate(lpad(n::text, 20, '0'), '0123456789', 'abcdefghij'), k.account_id,
       k.id, 'test', 'reverse', case n % 9 when 4 then 'failed' when 7 then 'cancelled' else 'completed' end,
       4326, 1000, 900 + n, n % 5, now(), now(), now() - (n * n % 27 + 1) * interval '1 day'
     from k, generate_series(1, 60) n`,
  );
}

async function runningIn({ store }: SyncBench, layer: LayerId): Promise<void> {
  for (;;) {
    const { rows } = await store.pool.query(
      "select from sync_run where layer = $1 and state = 'running'",
      [layer],
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
