/** Reverts tables: takes the latest publication's history step, as a new version. */
import type { Store } from '../../../src/db/connect.ts';
import type { Publication } from '../../deps.ts';
import { closeStep } from '../../history.ts';
import type { Step } from '../../history.ts';
import { advance, closeRun, holdClaim, queueUp } from '../../version.ts';
import { restoreUnread } from '../features/unread.ts';
import { takeStep } from './history.ts';
import { countedRows } from './publish.ts';
import { noteOutdated } from './source-store.ts';
import type { TableRun } from './table-run.ts';

/** Throws, and changes nothing, when the claim is lost or the history is incomplete. */
export async function publishStep(
  store: Store,
  { register, ...run }: Pick<TableRun, 'id' | 'counts' | 'register'>,
  { step, by, nowMs }: { readonly step: Step; readonly by: string; readonly nowMs: number },
): Promise<Publication> {
  return await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    await queueUp(trx);
    Object.assign(run.counts, await takeStep(trx, register, step));
    await restoreUnread(trx, register.id, step);
    await closeStep(trx, register.id, step);
    const publication = await advance(trx, register.id, {
      nowMs,
      syncedAtMs: step.syncedAtMs,
      heldBy: by,
      sourceRows: null,
      counted: countedRows(register.schema),
    });
    await noteOutdated(trx, register);
    const { rowCount, version } = publication;
    if (rowCount !== step.rowCount) {
      throw new Error(
        `The history gives ${rowCount} rows; the earlier version had ${step.rowCount}.`,
      );
    }
    await closeRun(trx, run, { version, nowMs });
    return publication;
  });
}
