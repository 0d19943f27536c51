import { randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const CHARS = 20;

export const TRIAL_ACCOUNT = 'account_aabenproeveaabenproe';

export type IdKind =
  | 'account'
  | 'person'
  | 'request'
  | 'key'
  | 'session'
  | 'job'
  | 'webhook'
  | 'webhookDelivery'
  | 'watch';

export function newId(kind: IdKind): string {
  // 32 divides 256, so characters are uniform.
  const chars = Array.from(randomBytes(CHARS), (byte) => BASE32[byte % BASE32.length] ?? '');
  return `${kind}_${chars.join('')}`;
}

/** Linear: checks the length first. */
export function isId(kind: IdKind, text: string): boolean {
  return (
    text.length === kind.length + 1 + CHARS &&
    text.startsWith(`${kind}_`) &&
    /^[a-z2-7]+$/.test(text.slice(kind.length + 1))
  );
}
