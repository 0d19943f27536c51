/** All conditions in the order of answers. A condition is added to the list of its file alone (D209). */
import type { Condition, ConditionId } from './condition.ts';
import { NATURE } from './nature.ts';
import { PLANS } from './plans.ts';
import { SOIL } from './soil.ts';
import { SUPPLY } from './supply.ts';
import { WATER } from './water.ts';

export const CONDITIONS: readonly Condition[] = [...PLANS, ...SOIL, ...WATER, ...SUPPLY, ...NATURE];

export function conditionId(key: string): ConditionId {
  return `forhold_${key}`;
}

export const CONDITION_IDS: readonly ConditionId[] = CONDITIONS.map(({ key }) => conditionId(key));

const BY_ID = new Map(CONDITIONS.map((condition) => [conditionId(condition.key), condition]));

/** Throws for an unknown id. */
export function conditionOf(id: ConditionId): Condition {
  const found = BY_ID.get(id);
  if (found === undefined) throw new Error(`There is no condition ${id}.`);
  return found;
}

export function isConditionId(id: string): id is ConditionId {
  return id.startsWith('forhold_');
}
