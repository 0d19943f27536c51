/** What it costs to know a key: beside a bare look into a Map, in one run. No store: none is asked. */
import { digestOf, newSecret } from '../src/account/key-format.ts';
import { StoredKeyRing } from '../src/account/key-ring.ts';
import { AREAS } from '../src/account/permissions.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { DB_LIMITS } from '../src/db/limits.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';

const KEYS = 10_000;
const ROUNDS = 7;
const CALLS = 400_000;
/** A known key is as cheap as this, on a machine that makes a SHA-256 of 50 bytes in 0.6 µs. */
const GATE_NS = 2_000;

export async function benchKeys(): Promise<readonly BenchRow[]> {
  const secrets = Array.from({ length: KEYS }, () =>
    newSecret({ kind: 'secret', environment: 'live' }),
  );
  const bare = new Map(secrets.map((secret, index) => [secret, index]));
  const ring = await filledRing(secrets);
  const garbage = secrets.map((secret) => `${secret.slice(0, -1)}_`);
  const bareNs = nanoseconds(secrets, (secret) => bare.get(arrived(secret)));
  const knownNs = nanoseconds(secrets, (secret) => ring.find(arrived(secret)));
  const digestNs = nanoseconds(secrets, (secret) => digestOf(arrived(secret)));
  const garbageNs = nanoseconds(garbage, (text) => ring.find(arrived(text)));
  const longNs = nanoseconds(['x'.repeat(1_000_000)], (text) => ring.find(text));
  const beside = ['a bare Map', bareNs] as const;
  return [
    row(`find a known key among ${KEYS}`, knownNs, 'ns', { beside, gate: `<= ${GATE_NS} ns` }),
    row('  of which its SHA-256', digestNs, 'ns', { beside }),
    row('refuse what is no key', garbageNs, 'ns', { beside }),
    row('refuse a megabyte', longNs, 'ns', { beside }),
  ];
}

/** A text no engine has hashed yet, as each request brings one. */
function arrived(secret: string): string {
  return `Bearer ${secret}`.slice(7);
}

async function filledRing(secrets: readonly string[]): Promise<StoredKeyRing> {
  const ring = new StoredKeyRing({
    readWorkingKeys: () => Promise.resolve({ revision: 1, keys: [] }),
    readKeys: (digests) =>
      Promise.resolve({
        revision: 1,
        keys: digests.map((digest, index) => ({
          digest,
          expiresAtMs: null,
          principal: {
            keyId: `key_${index}`,
            accountId: 'account',
            tier: 'pro' as const,
            environment: 'live' as const,
            kind: 'secret' as const,
            areas: new Set(AREAS),
            origins: [],
            capUnits: null,
          },
        })),
      }),
    readRevision: () => Promise.resolve(1),
    recordUse: () => Promise.resolve(),
    clock: systemClock,
    pollMs: DB_LIMITS.accountPollMs.postgres,
  });
  for (const secret of secrets) await ring.find(secret);
  return ring;
}

/** Per call: the best of several rounds, as the others were disturbed. */
function nanoseconds(texts: readonly string[], call: (text: string) => unknown): number {
  let best = Infinity;
  let kept: unknown;
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    for (let index = 0; index < CALLS; index += 1) kept = call(texts[index % texts.length]!);
    best = Math.min(best, ((performance.now() - startMs) * 1e6) / CALLS);
  }
  if (kept === Symbol.iterator) throw new Error('never');
  return best;
}
