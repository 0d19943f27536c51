/** Roads with a text in their names, and all that a filter keeps. */
import { NO_FILTER } from './addresses.ts';
import type { ListedRoad, RoadFilter, RoadQuestion } from './addresses.ts';
import type { AddressAnswer } from './copy.ts';
import type { Addresses } from './lookup.ts';
import type { Limited } from './narrowed.ts';

export interface RoadsWanted {
  readonly filter: RoadFilter & Pick<RoadQuestion, 'keep'>;
  readonly text: string | null;
  /** More than the search's own filters are given. */
  readonly isBeyondSearch: boolean;
  readonly page: { readonly skip: number; readonly take: number };
}

/** All that fit. Throws where a search finds more than it may. */
export function foundRoads(
  { search, listing }: Addresses,
  { filter, text, isBeyondSearch, page }: RoadsWanted,
  { rows: most, refused }: Omit<Limited, 'scannedRows'>,
): AddressAnswer<readonly ListedRoad[]> {
  const all = { skip: 0, take: Infinity };
  if (text === null) return listing.roads({ ...filter, ...all });
  const { municipalityCodes, postcodes } = filter;
  const end = page.skip + page.take;
  const limit = isBeyondSearch ? most : Math.min(end, most);
  const asked = { ...NO_FILTER, text, caret: text.length, depth: 'road', limit } as const;
  const { value, ...facts } = search.suggest({ ...asked, municipalityCodes, postcodes });
  const isCut = isBeyondSearch || end > most;
  if (isCut && value.length >= most) throw refused('q', `more than ${most} roads`);
  const names = [...new Set(value.map(({ road }) => road.name))];
  const roads = names.flatMap((name) => {
    return listing.roads({ ...filter, roadNames: [name], ...all }).value;
  });
  return { ...facts, value: roads };
}
