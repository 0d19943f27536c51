/** Keys and a meter in memory, for tests of the edge: typed stand-ins that keep account of everything. */
import { areasOf } from '../../src/account/permissions.ts';
import type { Permission } from '../../src/account/permissions.ts';
import { readPlans } from '../../src/account/plans.ts';
import type { Principal } from '../../src/account/principal.ts';
import type { Access } from '../../src/http/access.ts';
import { Failure } from '../../src/kernel/failures.ts';
import type { Answered, Meter, Settlement } from '../../src/metering/meter-types.ts';

export type KeySpec = Partial<Omit<Principal, 'areas'>> & { readonly permission?: Permission };

export interface Settled extends Answered {
  readonly keyId: string;
  readonly reserved: number;
}

export interface KeptAccess extends Access {
  readonly settled: Settled[];
  outstanding(): number;
  restored(): number;
  /** Thrown by the next calls of that name, until taken away. */
  readonly failing: Partial<Record<keyof Meter, Failure>>;
}

export function keptAccess(keys: Readonly<Record<string, KeySpec>>): KeptAccess {
  const ring = new Map(Object.entries(keys).map(([secret, spec]) => [secret, principal(spec)]));
  const settled: Settled[] = [];
  const failing: Partial<Record<keyof Meter, Failure>> = {};
  let outstanding = 0;
  let restored = 0;
  const mayFail = (name: keyof Meter): void => {
    const failure = failing[name];
    if (failure !== undefined) throw failure;
  };
  const settleAll = (settlements: readonly Settlement[]): void => {
    for (const { reserved } of settlements) outstanding -= reserved;
    mayFail('settle');
    for (const { principal: who, reserved, answered } of settlements) {
      if (answered.units > 0) settled.push({ keyId: who.keyId, reserved, ...answered });
    }
  };
  return {
    plans: readPlans(),
    settled,
    failing,
    outstanding: () => outstanding,
    restored: () => restored,
    keys: { find: (secret) => ring.get(secret) ?? null },
    meter: {
      admit: () => mayFail('admit'),
      restore: () => (restored += 1),
      reserve: (_principal, units) => {
        mayFail('reserve');
        outstanding += units;
      },
      settle: (who, reserved, answered) => settleAll([{ principal: who, reserved, answered }]),
      settleAll,
      admitMap: () => mayFail('admitMap'),
      mapLimits: () => ({
        key: { limit: 100, windowS: 2, remaining: 99, resetS: 1 },
        address: { limit: 100, windowS: 2, remaining: 98, resetS: 1 },
      }),
      limits: ({ kind }) => ({
        burst: { limit: 100, windowS: 2, remaining: 99, resetS: 1 },
        month: { limit: 50_000, windowS: 2_592_000, remaining: 123, resetS: 86_400 },
        visitor: null,
        address: kind === 'public' ? { limit: 60, windowS: 60, remaining: 59, resetS: 1 } : null,
      }),
    },
  };
}

/** For an edge that is built once while each test has an access of its own: the one of the moment. */
export function following(current: () => Access): Access {
  const through = <Part extends object>(part: () => Part): Part =>
    new Proxy({} as Part, { get: (_target, name) => Reflect.get(part(), name) as unknown });
  return {
    plans: current().plans,
    keys: through(() => current().keys),
    meter: through(() => current().meter),
  };
}

function principal({ permission = 'read', ...spec }: KeySpec): Principal {
  return {
    keyId: 'key_1',
    accountId: 'account_1',
    tier: 'pro',
    environment: 'live',
    kind: 'secret',
    origins: [],
    capUnits: null,
    ...spec,
    areas: areasOf(permission),
  };
}

export const rateLimited = (): Failure =>
  new Failure('rate_limited', { error: 'Too fast.', retryAfterS: 2 });
