/** Which faults are switched on, for whom, how often. Rules are plain data: JSON over HTTP. */
import type { LayerId } from '../src/layers/keys.ts';
import { FEATURE_IDS } from '../src/layers/mirror-ids.ts';
import { createRandom } from './data/random.ts';
import type { FaultName } from './faults.ts';
import { FAULT_NAMES, FAULTS } from './faults.ts';
import type { Fault, FaultContext, Operation } from './faults/stages.ts';
import type { HostId } from './hosts.ts';
import { FILES_HOST, HOSTS } from './hosts.ts';
import { SAMPLES } from './registers.ts';

/** One switch. Everything but the fault narrows it; left out means everywhere, always. */
export interface FaultRule {
  readonly fault: FaultName;
  readonly host?: HostId;
  readonly layer?: LayerId;
  readonly operation?: Operation;
  /**
   * Only requests whose address says so (`asker=`): one that an earlier question gave up may still be on
   * its way, and is not counted among those of the next.
   */
  readonly asker?: string;
  /** Only pages that begin at this index or later. */
  readonly fromIndex?: number;
  /** Requests let through before the fault sets in, and requests it then spoils. */
  readonly skip?: number;
  readonly times?: number;
  /** The fault's number; its meaning and default are the fault's own. */
  readonly value?: number;
  /** Share of the features or bytes concerned, 0 to 1. */
  readonly share?: number;
  readonly attribute?: string;
  /** Same seed, same spoiling. */
  readonly seed?: number;
}

export type FaultPlan = readonly FaultRule[];

/** What a request is, as far as rules care. */
export interface FaultTarget {
  readonly host: HostId;
  readonly layer: LayerId | null;
  readonly operation: Operation;
  /** Who asks, by the address; null where it does not say. */
  readonly asker: string | null;
  readonly startIndex: number;
}

/** The parameter of an address that says who asks. */
export const ASKER_PARAMETER = 'asker';

/** A fault in effect on one request. */
export interface ActiveFault {
  readonly fault: Fault;
  readonly context: FaultContext;
}

interface Counted {
  readonly rule: FaultRule;
  seen: number;
  applied: number;
}

export class FaultSwitches {
  #rules: readonly Counted[] = [];

  constructor(plan: FaultPlan = []) {
    this.set(plan);
  }

  /** Replaces the whole plan; counters start over. @throws RangeError naming the wrong field. */
  set(plan: FaultPlan): void {
    this.#rules = plan.map(counted);
  }

  add(...rules: FaultPlan): void {
    this.#rules = [...this.#rules, ...rules.map(counted)];
  }

  clear(): void {
    this.#rules = [];
  }

  list(): readonly (FaultRule & { readonly seen: number; readonly applied: number })[] {
    return this.#rules.map(({ rule, seen, applied }) => ({ ...rule, seen, applied }));
  }

  /** The faults in effect on a request; counts it. */
  take(target: FaultTarget): readonly ActiveFault[] {
    return this.#rules.filter((each) => applies(each, target)).map(activate);
  }
}

function counted(rule: FaultRule): Counted {
  return { rule: checkRule(rule), seen: 0, applied: 0 };
}

/** How a rule from outside must look. @throws RangeError naming the field that is wrong. */
export function checkRule(rule: FaultRule): FaultRule {
  // Rules arrive as JSON, so their type is a claim, not a fact.
  const given: unknown = rule;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new RangeError('Fault rule: it must be an object');
  }
  for (const [field, value] of Object.entries({ fault: undefined, ...given })) {
    const check = Object.hasOwn(CHECKS, field) ? CHECKS[field] : undefined;
    if (check === undefined) throw new RangeError(`Fault rule: there is no field ${field}`);
    if (!check.holds(value)) throw new RangeError(`Fault rule: ${field} must be ${check.wanted}`);
  }
  return rule;
}

interface Check {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
}

const WHOLE: Check = {
  wanted: 'a whole number',
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

const TEXT: Check = { wanted: 'a text', holds: (value) => typeof value === 'string' };

function oneOf(names: readonly string[]): Check {
  return {
    wanted: `one of ${names.join(', ')}`,
    holds: (value) => typeof value === 'string' && names.includes(value),
  };
}

const LIVE = SAMPLES.flatMap((sample) => sample.live ?? []);

const OPERATIONS: readonly Operation[] = [
  'capabilities',
  'schema',
  'features',
  'hits',
  'listing',
  'file',
  ...LIVE.map(({ operation }) => operation),
];

const CHECKS: Readonly<Record<string, Check>> = {
  fault: oneOf(FAULT_NAMES),
  host: oneOf([...HOSTS.map((host) => host.id), FILES_HOST, ...LIVE.map((live) => live.host)]),
  layer: oneOf(FEATURE_IDS),
  operation: oneOf(OPERATIONS),
  fromIndex: WHOLE,
  skip: WHOLE,
  times: WHOLE,
  seed: WHOLE,
  value: { wanted: 'a number', holds: Number.isFinite },
  share: {
    wanted: 'between 0 and 1',
    holds: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  },
  asker: TEXT,
  attribute: TEXT,
};

/** Whether a rule takes hold of a request; counts the requests it could have. */
function applies(counted: Counted, target: FaultTarget): boolean {
  const { rule } = counted;
  if (!concerns(rule, target)) return false;
  counted.seen += 1;
  if (counted.seen <= (rule.skip ?? 0)) return false;
  if (counted.applied >= (rule.times ?? Infinity)) return false;
  counted.applied += 1;
  return true;
}

function concerns(rule: FaultRule, target: FaultTarget): boolean {
  const operations = FAULTS[rule.fault].operations ?? [target.operation];
  return (
    operations.includes(target.operation) &&
    (rule.operation ?? target.operation) === target.operation &&
    (rule.host ?? target.host) === target.host &&
    (rule.layer ?? target.layer) === target.layer &&
    (rule.asker ?? target.asker) === target.asker &&
    (rule.fromIndex ?? 0) <= target.startIndex
  );
}

function activate({ rule, seen }: Counted): ActiveFault {
  const fault = FAULTS[rule.fault];
  const seed = `${rule.seed ?? 1}/${rule.fault}`;
  return {
    fault,
    context: {
      value: rule.value ?? fault.defaultValue ?? 0,
      share: rule.share ?? fault.defaultShare ?? 1,
      attribute: rule.attribute ?? null,
      random: createRandom(`${seed}/request/${seen}`),
      randomFor: (name) => createRandom(`${seed}/${name}`),
    },
  };
}
