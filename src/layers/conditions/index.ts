/** A new condition is added to the list of its file alone (D209). */
import type { Words } from '../words.ts';
import type { Condition, ConditionId } from './condition.ts';
import { NATURE } from './nature.ts';
import { PLANS } from './plans.ts';
import { SOIL } from './soil.ts';
import { SUPPLY } from './supply.ts';
import { WATER } from './water.ts';

/** In the order of legends and answers. */
export const CONDITION_GROUPS: readonly {
  readonly name: Words;
  readonly colour: string;
  readonly conditions: readonly Condition[];
}[] = [
  { name: { da: 'Planer og zone', en: 'Plans and zone' }, colour: '#8e3b6e', conditions: PLANS },
  { name: { da: 'Jord', en: 'Soil' }, colour: '#7a4a1e', conditions: SOIL },
  { name: { da: 'Drikkevand', en: 'Drinking water' }, colour: '#1c6ea4', conditions: WATER },
  { name: { da: 'Forsyning', en: 'Supply' }, colour: '#b3541e', conditions: SUPPLY },
  {
    name: { da: 'Beskyttet natur', en: 'Protected nature' },
    colour: '#3f7d3a',
    conditions: NATURE,
  },
];

export const CONDITIONS: readonly Condition[] = CONDITION_GROUPS.flatMap(
  ({ conditions }) => conditions,
);

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

export function colourOf(id: ConditionId): string {
  const condition = conditionOf(id);
  const group = CONDITION_GROUPS.find(({ conditions }) => conditions.includes(condition));
  if (group === undefined) throw new Error(`${id} is in no group.`);
  return group.colour;
}

export function isConditionId(id: string): id is ConditionId {
  return id.startsWith('forhold_');
}
