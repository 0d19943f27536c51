/** The append-only trail of operators' acts (D159, D199). */
import { hostname, userInfo } from 'node:os';
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { allRows, firstRow } from '../db/rows.ts';
import type { MirrorId } from '../layers/keys.ts';

export const ACTIONS = ['sync', 'release', 'revert', 'confirm', 'unconfirm'] as const;
export type Action = (typeof ACTIONS)[number];

export interface OperatorAct {
  readonly who: string;
  readonly via: 'command' | 'api';
  /** Client address, or the host of the command line. */
  readonly from: string;
  /** As `key mint` or `sync`. */
  readonly act: string;
  readonly accountId: string | null;
  /** Key, endpoint, delivery, layer or change. */
  readonly target: string | null;
  /** null: none, or not kept. Names no customer. */
  readonly before: object | null;
  /** Never a secret, and nothing that a customer named. */
  readonly wanted: object;
  readonly requestId: string | null;
}

export interface KeptAct extends OperatorAct {
  readonly id: number;
  readonly atMs: number;
  /** An erased customer's data were removed. */
  readonly redacted: boolean;
}

export interface LayerAct {
  readonly atMs: number;
  readonly layer: MirrorId;
  readonly action: Action;
  readonly guards: readonly string[];
  readonly who: string;
}

export interface ActsAsked {
  readonly limit: number;
  /** Number of an act; null: the newest page. */
  readonly before: number | null;
  readonly accountId?: string | undefined;
  readonly who?: string | undefined;
  readonly object?: string | undefined;
}

/** Containers run as users without a name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Call before the act: what cannot be recorded is not done. */
export async function recordAct({ db }: Pick<Store, 'db'>, act: OperatorAct): Promise<void> {
  const { who, via, from, accountId, target, before, wanted, requestId } = act;
  await sql`
    insert into operator_act (who, via, from_address, act, account_id, target, before, wanted, request_id)
    values (${who}, ${via}, ${from}, ${act.act}, ${accountId}, ${target},
      ${before && JSON.stringify(before)}::jsonb, ${JSON.stringify(wanted)}::jsonb, ${requestId})`.execute(
    db,
  );
}

interface CommandAct {
  readonly act: string;
  /** null: the layer is that of its run. */
  readonly layer: string | null;
  readonly by: string | null;
  readonly wanted: object;
}

/** `by` null: the system's user. */
export async function recordCommand(
  store: Pick<Store, 'db'>,
  { act, layer, by, wanted }: CommandAct,
): Promise<void> {
  const before = layer === null ? null : await layerState(store, layer);
  await recordAct(store, {
    ...{ who: by ?? userName(), via: 'command', from: hostname(), act, accountId: null },
    ...{ target: layer, before, wanted, requestId: null },
  });
}

/** null: it has no version. */
export async function layerState(
  { db }: Pick<Store, 'db'>,
  layer: string,
): Promise<{ readonly version: number } | null> {
  return await firstRow<{ version: number }>(db)`
    select version::float8 as version from layer_state where layer = ${layer}`;
}

/** Newest first. */
export async function readActs(
  { db }: Pick<Store, 'db'>,
  { accountId, who, object, before, limit }: ActsAsked,
): Promise<readonly KeptAct[]> {
  return await allRows<KeptAct>(db)`
    select id::float8 as id, (extract(epoch from at) * 1000)::float8 as "atMs", who, via,
      from_address as "from", act, account_id as "accountId", target, before, wanted,
      request_id as "requestId", redacted_at is not null as redacted
    from operator_act
    where (${accountId ?? null}::text is null or account_id = ${accountId ?? null})
      and (${who ?? null}::text is null or lower(who) = lower(${who ?? null}))
      and (${object ?? null}::text is null or ${object ?? null} in (account_id, target))
      and (${before}::bigint is null or id < ${before})
    order by id desc limit ${limit}`;
}

export async function readLayerActs(
  { db }: Pick<Store, 'db'>,
  limit: number,
): Promise<readonly LayerAct[]> {
  return await allRows<LayerAct>(db)`
    select (extract(epoch from at) * 1000)::float8 as "atMs", target as layer, act as action, who,
      array(select jsonb_array_elements_text(coalesce(wanted -> 'guards', '[]'))) as guards
    from operator_act where act = any(${[...ACTIONS]}::text[]) and target is not null
    order by id desc limit ${limit}`;
}
