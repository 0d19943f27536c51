import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { MirrorId } from '../layers/keys.ts';
import { recordAct } from './operator-acts.ts';

export const ACTIONS = ['sync', 'release', 'revert', 'confirm', 'unconfirm'] as const;
export type Action = (typeof ACTIONS)[number];

export interface OperatorAction {
  readonly atMs: number;
  readonly layer: MirrorId;
  readonly action: Action;
  readonly guards: readonly string[];
  readonly who: string;
}

export type NewAction = OperatorAction & { readonly requestId: string; readonly from: string };

/** Throws when the store does: what cannot be recorded is not done. */
export async function recordAction(store: Pick<Store, 'db'>, action: NewAction): Promise<void> {
  const { atMs, layer, guards, who, from, requestId } = action;
  await recordAct(store, {
    ...{ who, via: 'api', from, act: action.action, accountId: null, target: layer },
    ...{ before: null, wanted: { guards }, requestId },
  });
  await sql`
    insert into operator_action (at, layer, action, guards, who, request_id)
    values (${new Date(atMs).toISOString()}, ${layer}, ${action.action}, ${guards}::text[], ${who},
      ${requestId})`.execute(store.db);
}

export async function readActions(
  store: Pick<Store, 'db'>,
  limit: number,
): Promise<readonly OperatorAction[]> {
  const { rows } = await sql<Omit<OperatorAction, 'atMs'> & { readonly at_ms: number }>`
    select (extract(epoch from at) * 1000)::float8 as at_ms, layer, action, guards, who
    from operator_action order by id desc limit ${limit}`.execute(store.db);
  return rows.map(({ at_ms: atMs, ...row }) => ({ atMs, ...row }));
}
