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
import type { KeyRing } from './principal.ts';

const PERMISSION: Permission = 'restricted:bbr,dagi,natur,adresser,dhm,stednavne,vurdering,miljoe';

export type Trial = ReturnType<typeof createTrial>;

export function createTrial(deps: AccountDeps, keys: KeyRing) {
  let current: Promise<MintedKey> | null = null;
  const isUsable = async ({ key, secret }: MintedKey): Promise<boolean> => {
    const leftMs = (key.expiresAtMs ?? 0) - deps.clock.nowMs();
    return leftMs >= ACCOUNT_LIMITS.trialKeyMs.least && (await keys.find(secret)) !== null;
  };
  return {
    /** Lasts `trialKeyMs.least` or longer unless revoked; shared for a while. */
    key: async (): Promise<MintedKey> => {
      const held = current;
      if (held !== null && (await isUsable(await held))) return await held;
      // Another caller may have replaced it meanwhile.
      if (current === held) current = null;
      const next = (current ??= mintTrialKey(deps));
      // The next call retries a failure.
      next.catch(() => {
        if (current === next) current = null;
      });
      return await next;
    },
  };
}

async function mintTrialKey(deps: AccountDeps): Promise<MintedKey> {
  const expiresAtMs = deps.clock.nowMs() + ACCOUNT_LIMITS.trialKeyMs.whole;
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
