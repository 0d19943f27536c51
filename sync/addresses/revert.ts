/** Back to the addresses before: the step of the latest publication, taken under a version of its own. */
import { sql } from 'kysely';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { ADDRESS_TABLES } from '../../src/layers/address-tables.ts';
import type { Publication } from '../deps.ts';
import { closeStep } from '../history.ts';
import type { Step } from '../history.ts';
import type { RevertWay, Reverting } from '../revert-terms.ts';
import { takeStep } from './history.ts';
import { advanceAddresses, closeRun, holdClaim } from './publish.ts';
import { tidyAddresses } from './tidy.ts';

export const ADDRESS_REVERT: RevertWay = {
  layer: ADDRESSES,
  take: async ({ store, clock }, reverting, step) => {
    await reverting.enter('apply');
    return await store.db
      .transaction()
      .execute((trx) => publishStep(trx, reverting, { step, nowMs: clock.nowMs() }));
  },
  tidy: (deps) =>
    tidyAddresses(deps, {
      changed: [...ADDRESS_TABLES.map(({ table }) => table), 'address_former'],
    }),
};

async function publishStep(
  trx: Parameters<typeof takeStep>[0],
  reverting: Reverting,
  { step, nowMs }: { readonly step: Step; readonly nowMs: number },
): Promise<Publication> {
  await holdClaim(trx, reverting.id);
  await sql`select generation from store_state for update`.execute(trx);
  Object.assign(reverting.counts, await takeStep(trx, step));
  await closeStep(trx, ADDRESSES, step);
  const publication = await advanceAddresses(trx, {
    nowMs,
    syncedAtMs: step.syncedAtMs,
    heldBy: reverting.by,
  });
  if (publication.rowCount !== step.rowCount) {
    throw new Error(
      `The history gives ${publication.rowCount} rows; the earlier version had ${step.rowCount}.`,
    );
  }
  await closeRun(trx, reverting, { state: 'published', version: publication.version, nowMs });
  return publication;
}
