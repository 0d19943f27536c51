/** Back to the tables before: the step of the latest publication, taken under a version of its own. */
import type { Store } from '../../../src/db/connect.ts';
import { ADDRESSES } from '../../../src/layers/keys.ts';
import type { Publication } from '../../deps.ts';
import { closeStep } from '../../history.ts';
import type { Step } from '../../history.ts';
import { advance, closeRun, holdClaim, queueUp } from '../../version.ts';
import { takeStep } from './history.ts';
import { COUNTED } from './publish.ts';
import { noteAddressesOutdated } from './source-store.ts';
import type { TableRun } from './table-run.ts';

/** Throws, and changes nothing, when the claim is lost or the history is not whole. */
export async function publishStep(
  store: Store,
  run: Pick<TableRun, 'id' | 'counts'>,
  { step, by, nowMs }: { readonly step: Step; readonly by: string; readonly nowMs: number },
): Promise<Publication> {
  return await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    await queueUp(trx);
    Object.assign(run.counts, await takeStep(trx, step));
    await closeStep(trx, ADDRESSES, step);
    const publication = await advance(trx, ADDRESSES, {
      nowMs,
      syncedAtMs: step.syncedAtMs,
      heldBy: by,
      sourceRows: null,
      counted: COUNTED,
    });
    await noteAddressesOutdated(trx);
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
