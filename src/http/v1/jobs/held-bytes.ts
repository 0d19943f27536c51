/** Bytes of bodies that are being read: bounded for one account, and for all together. */
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';

export interface HeldBytes {
  /** Throws where the next bytes are too many: `rate_limited` for the account, `overloaded` for all. */
  take(holder: object, account: string, bytes: number): void;
  release(holder: object): void;
}

export function createHeldBytes(): HeldBytes {
  const byHolder = new Map<object, { readonly account: string; bytes: number }>();
  const byAccount = new Map<string, number>();
  let all = 0;
  return {
    take: (holder, account, bytes) => {
      const { account: most, total } = LIMITS.jobs.bodyBytesHeld;
      const ofAccount = (byAccount.get(account) ?? 0) + bytes;
      if (ofAccount > most) throw tooMany('rate_limited');
      if (all + bytes > total) throw tooMany('overloaded');
      const held = byHolder.get(holder) ?? { account, bytes: 0 };
      held.bytes += bytes;
      byHolder.set(holder, held);
      byAccount.set(account, ofAccount);
      all += bytes;
    },
    release: (holder) => {
      const held = byHolder.get(holder);
      if (held === undefined) return;
      byHolder.delete(holder);
      all -= held.bytes;
      const left = (byAccount.get(held.account) ?? 0) - held.bytes;
      if (left > 0) byAccount.set(held.account, left);
      else byAccount.delete(held.account);
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
