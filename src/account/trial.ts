/**
 * The open trial: short-lived test keys for this service's pages, limited per client address (D68).
 */
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { insertAccount } from './account-store.ts';
import { changeAccount } from './accounts.ts';
import type { AccountDeps } from './accounts.ts';
import { TRIAL_ACCOUNT } from './ids.ts';
import { mintIn } from './keys.ts';
import type { MintedKey } from './keys.ts';
import type { Permission } from './permissions.ts';

const PERMISSION: Permission = 'restricted:bbr,dagi,natur,adresser,dhm,stednavne,vurdering,miljoe';

export type Trial = ReturnType<typeof createTrial>;

export function createTrial(deps: AccountDeps) {
  let current: Promise<MintedKey> | null = null;
  let endsAtMs = 0;
  return {
    /** Valid for at least `trialKeyMs.least`; shared by all callers for a while. */
    key: () => {
      const nowMs = deps.clock.nowMs();
      if (current === null || endsAtMs - nowMs < ACCOUNT_LIMITS.trialKeyMs.least) {
        endsAtMs = nowMs + ACCOUNT_LIMITS.trialKeyMs.whole;
        const minted = mintTrialKey(deps, endsAtMs);
        current = minted;
        // The next call retries a failure.
        minted.catch(() => {
          if (current === minted) current = null;
        });
      }
      return current;
    },
  };
}

async function mintTrialKey(deps: AccountDeps, expiresAtMs: number): Promise<MintedKey> {
  await ensureAccount(deps.store, deps.clock);
  return await changeAccount(deps, TRIAL_ACCOUNT, (db) =>
    mintIn(db, deps, {
      accountId: TRIAL_ACCOUNT,
      name: 'Åben prøve',
      kind: 'secret',
      environment: 'test',
      permission: PERMISSION,
      origins: [],
      expiresAtMs,
    }),
  );
}

/** A closed account stays closed: no trial. */
async function ensureAccount({ db }: Pick<Store, 'db'>, clock: Clock): Promise<void> {
  await insertAccount(db, {
    id: TRIAL_ACCOUNT,
    name: 'Åben prøve',
    email: 'aaben-proeve@localhost',
    tier: 'business',
    createdAtMs: clock.nowMs(),
  });
}
