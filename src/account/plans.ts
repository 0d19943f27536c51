/** Plans (D60, D61), from plans.json or PLANS_FILE. */
import { join } from 'node:path';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { LIMITS } from '../kernel/limits.ts';
import { readPlainFile } from '../kernel/setting-values.ts';
import { parseUniqueKeys } from '../bytes/json-scan.ts';

export const TIERS = ['free', 'pro', 'business'] as const;
export type Tier = (typeof TIERS)[number];

export const ENVIRONMENTS = ['live', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

const units = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const CLOSED = { additionalProperties: false } as const;

const PlanSchema = Type.Object(
  {
    /** Units included per month (D62). */
    unitsPerMonth: Type.Object({ live: units, test: units }, CLOSED),
    /** Burst rate; the bucket holds twice as many (D60). */
    requestsPerSecond: Type.Integer({ minimum: 1, maximum: 100_000 }),
    /** Units beyond the allowance are billed up to the account's cap, else refused (D61). */
    overage: Type.Boolean(),
    /** Opens batches and jobs (otherwise 402). */
    batches: Type.Boolean(),
  },
  CLOSED,
);
const PlansSchema = Type.Object(
  { free: PlanSchema, pro: PlanSchema, business: PlanSchema },
  CLOSED,
);

export type Plan = Readonly<Static<typeof PlanSchema>>;
export type Plans = Readonly<Record<Tier, Plan>>;

/** The default cap is this many allowances (D61). */
const DEFAULT_CAP_TIMES = 10;

/** Validates the file; null: the built-in plans. */
export function readPlans(path: string | null = null): Plans {
  const parsed = parseFile(path ?? join(import.meta.dirname, 'plans.json'));
  const [problem] = Value.Errors(PlansSchema, parsed);
  if (problem !== undefined) {
    throw new Error(`PLANS_FILE${problem.instancePath}: ${problem.message}.`);
  }
  return parsed as Plans;
}

function parseFile(path: string): unknown {
  try {
    return parseUniqueKeys(readPlainFile(path, LIMITS.settingsFileBytes));
  } catch (cause) {
    throw new Error(`PLANS_FILE cannot be read as JSON: ${(cause as Error).message}`, { cause });
  }
}

/** The allowance, or with overage the account's cap (D61); test keys never exceed the allowance. */
export function monthlyCeiling(
  plan: Plan,
  {
    environment,
    capUnits,
  }: { readonly environment: Environment; readonly capUnits: number | null },
): number {
  const allowance = plan.unitsPerMonth[environment];
  if (environment === 'test' || !plan.overage) return allowance;
  return Math.max(allowance, capUnits ?? DEFAULT_CAP_TIMES * allowance);
}

/** By tier, as note_thresholds takes them. */
export function liveAllowances(plans: Plans): {
  readonly tiers: readonly Tier[];
  readonly units: readonly number[];
} {
  return { tiers: TIERS, units: TIERS.map((tier) => plans[tier].unitsPerMonth.live) };
}

/** Named in the 402. */
export function leastTierWithBatches(plans: Plans): Tier | null {
  return TIERS.find((tier) => plans[tier].batches) ?? null;
}
