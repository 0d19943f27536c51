/** DAWA's entities that are mirrored here (D230), by name. */
import type { MirrorId } from '../layers/keys.ts';
import { ADDRESS_ENTITIES } from './addresses.ts';
import type { Entity } from './entity.ts';
import { BUILDING_ENTITIES } from './buildings.ts';
import { LAND_ENTITIES } from './land.ts';

export const ENTITIES: readonly Entity[] = [
  ...ADDRESS_ENTITIES,
  ...LAND_ENTITIES,
  ...BUILDING_ENTITIES,
].toSorted((a, b) => (a.name < b.name ? -1 : 1));

export function mirrorsOf({ driver, parts }: Entity): readonly MirrorId[] {
  return [...new Set([driver.mirror, ...parts.map(({ table }) => table.mirror)])];
}

/** Mirrors the entity cannot do without. */
export function neededBy({ driver, parts }: Entity): readonly MirrorId[] {
  const needed = parts.filter(({ isNeeded }) => isNeeded === true);
  return [...new Set([driver.mirror, ...needed.map(({ table }) => table.mirror)])];
}

export const REPLICATED: readonly MirrorId[] = [...new Set(ENTITIES.flatMap(mirrorsOf))];
