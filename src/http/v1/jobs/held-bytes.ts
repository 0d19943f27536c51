import { Failure } from '../../../kernel/failures.ts';
import { localLimiters } from '../../../kernel/limiters.ts';
import type { Limiters } from '../../../kernel/limiters.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { JOB_LIMITS } from '../../../jobs/limits.ts';

export interface HeldBytes {
  /**
   * Throws when the next bytes are too many: `rate_limited` for the account, `overloaded` for all.
   */
  take(holder: object, account: string, bytes: number): void;
  release(holder: object): void;
}

export function createHeldBytes(limiters: Limiters = localLimiters()): HeldBytes {
  const byHolder = new Map<object, { readonly account: string; bytes: number }>();
  const { account: each, total } = JOB_LIMITS.bodyBytesHeld;
  const counter = limiters.counter('bytes of rows', { each, total });
  return {
    take: (holder, account, bytes) => {
      const passed = counter.add(account, bytes);
      if (passed !== null) throw tooMany(passed === 'each' ? 'rate_limited' : 'overloaded');
      const held = byHolder.get(holder) ?? { account, bytes: 0 };
      held.bytes += bytes;
      byHolder.set(holder, held);
    },
    release: (holder) => {
      const held = byHolder.get(holder);
      if (held === undefined) return;
      byHolder.delete(holder);
      counter.remove(held.account, held.bytes);
    },
  };
}

function tooMany(type: 'rate_limited' | 'overloaded'): Failure {
  return new Failure(type, {
    error: 'Too many rows are being sent at a time: send one body after the other.',
    errorDa: 'Der sendes for mange rækker på én gang: send ét indhold efter det andet.',
    retryAfterS: LIMITS.retryAfterS.busy,
    headers: { connection: 'close' },
  });
}
