import { hash } from 'node:crypto';

export interface Holder {
  /** Common to all keys of the holder. */
  readonly base: bigint;
  readonly member: bigint;
  readonly low: number;
  readonly high: number;
  readonly hash: number;
  /** The last known slot; -1: none. */
  slot: number;
}

/** The inserting thread, and whether the key is a member. */
const KEY_BITS = -1n << 10n;
const MEMBER = 1n;
const INSERTED = 2;

/** The process's secret makes colliding names impossible to choose. */
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
