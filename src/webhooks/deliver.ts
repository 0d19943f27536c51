import type { Clock } from '../kernel/clock.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import type { Counter } from '../kernel/limited-counter.ts';
import { localLimiters } from '../kernel/limiters.ts';
import type { AddressGuard, Judged } from './address-guard.ts';
import type { Attempt, Ended } from './dispatch-store.ts';
import type { Sealer } from './seal.ts';
import { webhookHeaders } from './sign.ts';
import type { SignedWith } from './sign.ts';
import { STOPPED } from './transport.ts';
import type { Answered, Transport } from './transport.ts';

export type Outcome =
  | { readonly kind: 'ended'; readonly ended: Ended }
  | { readonly kind: 'not begun'; readonly why: 'address busy' | 'secret unread' };

export interface DeliverDeps {
  readonly guard: AddressGuard;
  readonly transport: Transport;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly attemptMs?: number;
}

export type Deliverer = ReturnType<typeof createDeliverer>;

export function createDeliverer(deps: DeliverDeps) {
  const { address, addressOfAll, total } = WEBHOOK_LIMITS.inFlight;
  const { attemptMs = WEBHOOK_LIMITS.attemptMs } = deps;
  const limiters = localLimiters();
  // Includes pings, which are not in the total.
  const places: Places = {
    ofAccount: limiters.counter('webhooks of accounts', { each: address, total: 2 * total }),
    ofAll: limiters.counter('webhooks', { each: addressOfAll, total: 2 * total }),
  };
  return {
    /** `stopping` aborts it, which counts as interrupted. Never throws. */
    deliver: async (attempt: Attempt, stopping?: AbortSignal): Promise<Outcome> => {
      const opened = (sealed: Buffer | null): string | null =>
        sealed === null ? null : deps.sealer.open(sealed, attempt.endpointId);
      const secret = opened(attempt.sealedSecret);
      if (secret === null) return { kind: 'not begun', why: 'secret unread' };
      const tooLate = new AbortController();
      const timer = setTimeout(() => tooLate.abort(), attemptMs);
      const stop = (): void => tooLate.abort(STOPPED);
      stopping?.addEventListener('abort', stop);
      try {
        const secrets = { secret, formerSecret: opened(attempt.sealedFormer) };
        return await within(deps, { attempt, secrets, places, signal: tooLate.signal });
      } finally {
        clearTimeout(timer);
        stopping?.removeEventListener('abort', stop);
      }
    },
  };
}

/** Per account, and in total. */
interface Places {
  readonly ofAccount: Counter;
  readonly ofAll: Counter;
}

interface Begun {
  readonly attempt: Attempt;
  readonly secrets: Omit<SignedWith, 'atMs'>;
  readonly places: Places;
  readonly signal: AbortSignal;
}

async function within(
  { guard, transport, clock }: DeliverDeps,
  { attempt, secrets, places, signal }: Begun,
): Promise<Outcome> {
  const end = (answered: Answered): Outcome => ({
    kind: 'ended',
    ended: endOf(attempt, answered, clock.nowMs()),
  });
  const judged = await Promise.race([guard.judge(attempt.url), aborted(signal)]);
  if (judged.kind !== 'allowed') return end(refusalOf(judged, signal));
  const { target } = judged;
  const { address } = target;
  const own = `${attempt.accountId} ${address}`;
  if (places.ofAccount.add(own) !== null) return { kind: 'not begun', why: 'address busy' };
  if (places.ofAll.add(address) !== null) {
    places.ofAccount.remove(own);
    return { kind: 'not begun', why: 'address busy' };
  }
  try {
    const { deliveryId, event, body } = attempt;
    const headers = webhookHeaders(
      { deliveryId, event, body },
      { ...secrets, atMs: clock.nowMs() },
    );
    return end(await transport.post(target, { headers, body }, signal));
  } finally {
    places.ofAccount.remove(own);
    places.ofAll.remove(address);
  }
}

function aborted(signal: AbortSignal): Promise<{ readonly kind: 'late' }> {
  const { promise, resolve } = Promise.withResolvers<{ readonly kind: 'late' }>();
  if (signal.aborted) resolve({ kind: 'late' });
  else signal.addEventListener('abort', () => resolve({ kind: 'late' }), { once: true });
  return promise;
}

function refusalOf(
  judged: Exclude<Judged, { readonly kind: 'allowed' }> | { readonly kind: 'late' },
  signal: AbortSignal,
): Answered {
  const failed = (error: string): Answered => ({ kind: 'failed', statusCode: null, error });
  switch (judged.kind) {
    case 'refused':
      return failed('address not allowed');
    case 'unknown':
      return failed('name not resolved');
    case 'late':
      return failed(signal.reason === STOPPED ? 'interrupted' : 'timeout');
  }
}

/** Only 2xx is a success: no redirect or truncated answer (D105). */
function endOf({ deliveryId, number }: Attempt, answered: Answered, endedAtMs: number): Ended {
  const { statusCode } = answered;
  const common = { deliveryId, number, statusCode, endedAtMs };
  if (answered.kind === 'failed') return { ...common, isSuccess: false, error: answered.error };
  const isSuccess = answered.statusCode >= 200 && answered.statusCode <= 299;
  return { ...common, isSuccess, error: isSuccess ? null : `status ${answered.statusCode}` };
}
