/** Faults of the terrain's WCS alone. */
import { coverageOfOne } from '../registers/terrain/answer.ts';
import type { Fault } from './stages.ts';

export const TERRAIN_FAULTS = {
  'coverage-out-of-range': {
    title: 'a window of the right form, each cell the number that stands for nothing, unnamed',
    valueIs: 'the number',
    defaultValue: 9.9e37,
    operations: ['coverage'],
    answer: ({ value }, _, url) => coverageOfOne(url, value),
  },
  'coverage-elsewhere': {
    title: 'the window of another place: one kilometre to the north',
    operations: ['coverage'],
    answer: (_, __, url) => {
      const there = new URL(url);
      const [west = 0, south = 0, east = 0, north = 0] = (url.searchParams.get('bbox') ?? '')
        .split(',')
        .map(Number);
      there.searchParams.set('bbox', [west, south + 1_000, east, north + 1_000].join(','));
      return coverageOfOne(there, 12.5);
    },
  },
} as const satisfies Record<string, Fault>;
