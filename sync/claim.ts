/** A partial unique index decides, a heartbeat shows which runs live. */
import { instant } from '../src/kernel/clock.ts';
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { firstRow, firstValue, hasRow } from '../src/db/rows.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { storableText } from '../src/kernel/text.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import type { Refusal } from './check.ts';
import type { Log } from '../src/kernel/log.ts';
import type { ClaimedRun, Phase, Trigger } from './deps.ts';
import type { Lease } from './lease.ts';

export type Claim =
  | { readonly kind: 'claimed'; readonly runId: string }
  | { readonly kind: 'busy'; readonly sinceMs: number }
  /** A person reverted the layer: only a person's request syncs it. */
  | { readonly kind: 'held'; readonly sinceMs: number; readonly by: string };

export type RunKind = 'sync' | 'revert' | 'replay' | 'dated';

/** Nothing of this run may be published. */
export class ClaimLost extends Error {
  constructor() {
    super('Another process took this run over.');
    this.name = 'ClaimLost';
  }
}

/** What only the leader runs; a person's request runs in the process that was asked. */
export const AUTOMATIC: ReadonlySet<Trigger> = new Set<Trigger>([
  'start',
  'schedule',
  'expired',
  'dated',
]);

/**
 * A run without a heartbeat for `syncDeadAfterMs` is marked as failed; a living one gives `busy`.
 */
export async function claim(
  store: Store,
  options: {
    readonly layer: MirrorId;
    readonly trigger: Trigger;
    readonly liftedGuards: readonly string[];
    readonly nowMs: number;
    readonly kind: RunKind;
    /** Who asked; null: unknown. */
    readonly by: string | null;
    readonly lease: Lease | null;
  },
): Promise<Claim> {
  const { layer, trigger, liftedGuards, nowMs, kind, by, lease } = options;
  await buryDead(store, layer, nowMs);
  const row = await firstRow<{ id: string }>(store.db)`
    insert into sync_run
      (layer, trigger, kind, asked_by, started_at, heartbeat_at, lifted_guards, lease_epoch)
    values (${layer}, ${trigger}, ${kind}, ${by}, ${instant(nowMs)}, clock_timestamp(),
      ${liftedGuards}::text[], ${lease?.epoch ?? null}::bigint)
    on conflict (layer) where state = 'running' do nothing
    returning id::text`;
  if (row === null) {
    return { kind: 'busy', sinceMs: await runningSinceMs(store, layer, nowMs) };
  }
  // Read after the claim, so that a revert just ended is seen.
  const hold = AUTOMATIC.has(trigger) ? await holdOf(store, layer) : null;
  if (hold === null) return { kind: 'claimed', runId: row.id };
  await sql`delete from sync_run where id = ${row.id}`.execute(store.db);
  return { kind: 'held', ...hold };
}

async function holdOf(
  store: Store,
  layer: MirrorId,
): Promise<{ readonly sinceMs: number; readonly by: string } | null> {
  return await firstRow<{ sinceMs: number; by: string }>(store.db)`
    select (extract(epoch from held_since) * 1000)::float8 as "sinceMs", held_by as by
    from layer_state where layer = ${layer} and held_since is not null`;
}

/**
 * By the server's clock. A run of an earlier leader is dead at once: it can no longer publish. An
 * applying run has its row locked: `skip locked` treats it as alive.
 */
async function buryDead(store: Store, layer: MirrorId, nowMs: number): Promise<void> {
  await sql`
    update sync_run set state = 'failed', ended_at = ${instant(nowMs)},
      error = 'The process that ran this is gone: no heartbeat since ' || heartbeat_at::text
    where id in (
      select id from sync_run
      where layer = ${layer} and state = 'running'
        and (heartbeat_at < clock_timestamp() - ${LIMITS.syncDeadAfterMs} * interval '1 ms'
          or lease_epoch < (select epoch from sync_lease))
      for update skip locked)`.execute(store.db);
}

async function runningSinceMs(store: Store, layer: MirrorId, nowMs: number): Promise<number> {
  return await firstValue<number>(store.db, nowMs)`
    select (extract(epoch from started_at) * 1000)::float8 as "sinceMs"
    from sync_run where layer = ${layer} and state = 'running'`;
}

type RunNow = Pick<ClaimedRun, 'id' | 'counts'> & { readonly phase: Phase };

export async function beat(store: Store, run: RunNow): Promise<boolean> {
  return await hasRow(store.db)`
    update sync_run set heartbeat_at = clock_timestamp(), phase = ${run.phase},
      counts = ${JSON.stringify(run.counts)}::jsonb
    where id = ${run.id} and state = 'running'
    returning id`;
}

/**
 * Calls `onLost` once when the claim was taken over. A store that does not answer is not a lost
 * claim.
 */
export function keepBeating(options: {
  readonly store: Store;
  readonly log: Log;
  readonly current: () => RunNow;
  readonly onLost: () => void;
}): { stop(): void } {
  const { store, log, current, onLost } = options;
  let inFlight = false;
  const timer = setInterval(() => {
    // While apply holds the row a heartbeat waits; a second one would only queue.
    if (inFlight) return;
    inFlight = true;
    beat(store, current())
      .then((isHeld) => {
        if (!isHeld) onLost();
      })
      .catch((error: unknown) => log.warn({ reason: String(error) }, 'sync heartbeat failed'))
      .finally(() => {
        inFlight = false;
      });
  }, LIMITS.syncHeartbeatMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

export type Ending =
  | {
      readonly state: 'refused';
      readonly refusals: readonly Refusal[];
      /** Lookups ask the source live and must stop believing it. */
      readonly isAskedLive: boolean;
    }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'forgotten' };

export async function finish(
  store: Store,
  run: RunNow,
  ending: Ending & { readonly nowMs: number },
): Promise<void> {
  if (ending.state === 'forgotten') {
    await sql`delete from sync_run where id = ${run.id}`.execute(store.db);
    return;
  }
  const refusal = ending.state === 'refused' ? refusalRecord(ending.refusals) : null;
  // An unstorable reason would leave the run running and its layer claimed.
  const error = ending.state === 'failed' ? storableText(ending.reason) : null;
  // A refused source is also not believed live: both are recorded, or neither. A reading of another
  // day says nothing of the register.
  const isAskedLive = ending.state === 'refused' && ending.isAskedLive;
  await sql`
    with ended as (
      update sync_run set state = ${ending.state}, phase = ${run.phase},
        ended_at = ${instant(ending.nowMs)}, counts = ${JSON.stringify(run.counts)}::jsonb,
        refusal = ${refusal}::jsonb, error = ${error}
      where id = ${run.id} and state = 'running'
      returning id, layer, kind, state, ended_at)
    insert into register_refusal (layer, run_id, refused_at)
    select layer, id, ended_at from ended
    where state = 'refused' and kind = 'sync' and ${isAskedLive}::boolean
    on conflict (layer) do update
      set run_id = excluded.run_id, refused_at = excluded.refused_at`.execute(store.db);
}

export async function hasCopy({ db }: Pick<Store, 'db'>, layer: MirrorId): Promise<boolean> {
  return await hasRow(db)`select from layer_state where layer = ${layer}`;
}

function refusalRecord([first, ...also]: readonly Refusal[]): string {
  return JSON.stringify({ ...first, ...(also.length === 0 ? {} : { also }) });
}

/** Aborts when the claim or the lead is lost, the run takes too long, or its requester gives up. */
export function runSignal(...given: readonly (AbortSignal | undefined)[]): AbortSignal {
  const limit = AbortSignal.timeout(LIMITS.syncRunMs);
  return AbortSignal.any([limit, ...given.filter((each) => each !== undefined)]);
}
