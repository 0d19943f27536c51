/** Names of things of an account: a kind and 100 random bits, in lower-case base32. */
import { randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const CHARS = 20;

/** The account that keys of the open trial belong to: the same in every store, so that all know it. */
export const TRIAL_ACCOUNT = 'account_aabenproeveaabenproe';

export type IdKind = 'account' | 'key' | 'session' | 'job' | 'webhook' | 'webhookDelivery';

/** Such as `key_7m2q…`: 20 characters after the kind. */
export function newId(kind: IdKind): string {
  // 32 divides 256: every character is as likely as the next.
  const chars = Array.from(randomBytes(CHARS), (byte) => BASE32[byte % BASE32.length] ?? '');
  return `${kind}_${chars.join('')}`;
}

/** Whether a text has the form of such a name. Linear: the length comes first. */
export function isId(kind: IdKind, text: string): boolean {
  return (
    text.length === kind.length + 1 + CHARS &&
    text.startsWith(`${kind}_`) &&
    /^[a-z2-7]+$/.test(text.slice(kind.length + 1))
  );
}
