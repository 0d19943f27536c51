import { hash } from 'node:crypto';

/** Whose limit it is, as slots know it. */
export interface Holder {
  /** What all keys of it have in common. */
  readonly base: bigint;
  /** The key of its slot. */
  readonly member: bigint;
  /** Its halves. */
  readonly low: number;
  readonly high: number;
  readonly hash: number;
  /** Where it was found last; -1: nowhere. */
  slot: number;
}

/** The lower bits of a key: which thread inserts it, and whether it is a member. */
const KEY_BITS = -1n << 10n;
const MEMBER = 1n;
const INSERTED = 2;

/** Names are hashed with a secret of the process, so that nobody can choose names that meet. */
export function holderOf(secret: string, name: string): Holder {
  const digest = hash('sha256', `${secret} ${name}`, 'buffer');
  const base = digest.readBigInt64LE(0) & KEY_BITS;
  const member = base | MEMBER;
  const low = Number(BigInt.asIntN(32, member));
  const high = Number(member >> 32n);
  return { base, member, low, high, hash: digest.readUInt32LE(8), slot: -1 };
}

export function insertedBy(thread: number, { base }: Holder): bigint {
  return base | BigInt((thread << 2) | INSERTED);
}

export function isInsertedBy(thread: number, key: bigint): boolean {
  return (key & ~KEY_BITS) === BigInt((thread << 2) | INSERTED);
}

export function isKeyOf({ base }: Holder, key: bigint): boolean {
  return (key & KEY_BITS) === base;
}
