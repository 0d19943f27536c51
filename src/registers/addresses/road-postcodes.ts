import { compareTexts } from '../../kernel/compare.ts';
import type { ListedRoad } from './addresses.ts';

export interface Relation {
  readonly name: string;
  readonly post: ListedRoad['postcodes'][number];
  readonly municipalityCodes: ReadonlySet<string>;
}

/** By postcode and name. */
export function relationsOf(roads: readonly ListedRoad[]): readonly Relation[] {
  const all = roads.flatMap(({ road, postcodes }) => postcodes.map((post) => ({ road, post })));
  const groups = Map.groupBy(all, ({ road, post }) => `${post.code} ${road.name}`);
  return [...groups]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .flatMap(([, [first, ...others]]) => {
      if (first === undefined) return [];
      const codes = [first, ...others].map(({ road }) => road.municipalityCode).toSorted();
      return [{ name: first.road.name, post: first.post, municipalityCodes: new Set(codes) }];
    });
}
