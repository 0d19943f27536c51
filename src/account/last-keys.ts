/**
 * The last read keys, for a start without the store within a day: digests (never a secret) with
 * plan and rights, and revoked ones.
 */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { readLastKnown, saveLastKnown } from '../kernel/last-known-file.ts';
import type { LastKnownFile, SharedLastKnown } from '../kernel/last-known-file.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import type { Area } from './permissions.ts';
import type { KeyRecord } from './principal.ts';

const text = Type.String({ maxLength: 300 });
const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });

const schema = Type.Object({
  confirmedAtMs: Type.Number(),
  ended: Type.Array(digest),
  keys: Type.Array(
    Type.Object({
      digest,
      expiresAtMs: Type.Union([Type.Number(), Type.Null()]),
      principal: Type.Object({
        keyId: text,
        accountId: text,
        tier: Type.Enum(['free', 'pro', 'business']),
        environment: Type.Enum(['live', 'test']),
        kind: Type.Enum(['secret', 'public']),
        areas: Type.Array(text),
        origins: Type.Array(text),
        capUnits: Type.Union([Type.Number(), Type.Null()]),
      }),
    }),
  ),
});

export interface LastKeys {
  /** When the store last confirmed them. */
  readonly confirmedAtMs: number;
  readonly keys: readonly KeyRecord[];
  /** Digests of revoked keys and those of closed accounts. */
  readonly ended: readonly string[];
}

export async function saveLastKeys(file: LastKnownFile, known: LastKeys): Promise<void> {
  await saveLastKnown(file, contentOf(known));
}

export function shareLastKeys(shared: SharedLastKnown, known: LastKeys): void {
  shared.save(contentOf(known));
}

function contentOf(known: LastKeys): Static<typeof schema> {
  return {
    confirmedAtMs: known.confirmedAtMs,
    ended: known.ended.map(hexOf),
    keys: known.keys.map(({ digest: own, expiresAtMs, principal }) => ({
      digest: hexOf(own),
      expiresAtMs,
      principal: {
        ...principal,
        areas: [...principal.areas],
        origins: [...principal.origins],
      },
    })),
  };
}

/** null: none, or too old at `nowMs`. */
export async function readLastKeys(
  from: LastKnownFile | SharedLastKnown,
  nowMs: number,
): Promise<LastKeys | null> {
  const content = 'read' in from ? await from.read() : await readLastKnown(from);
  if (!Value.Check(schema, content) || isTooOld(content, nowMs)) return null;
  return {
    confirmedAtMs: content.confirmedAtMs,
    ended: content.ended.map(digestOfHex),
    keys: content.keys.map(({ digest: own, expiresAtMs, principal }) => ({
      digest: digestOfHex(own),
      expiresAtMs,
      principal: Object.freeze({ ...principal, areas: new Set(principal.areas as Area[]) }),
    })),
  };
}

/** A clock set back makes nothing young again. */
export function isTooOld({ confirmedAtMs }: Pick<LastKeys, 'confirmedAtMs'>, nowMs: number) {
  return Math.abs(nowMs - confirmedAtMs) > ACCOUNT_LIMITS.keysLastKnownMs;
}

const hexOf = (own: string): string => Buffer.from(own, 'latin1').toString('hex');
const digestOfHex = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');
