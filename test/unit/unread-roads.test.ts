/** Datavask beside rows of a road that could not be read (D143): no other number of it is almost certain. */
import { expect, test } from 'vitest';
import type { CleanseCandidate, Cleansed } from '../../src/registers/addresses/addresses.ts';
import { asSureAs } from '../../src/registers/addresses/lookup.ts';

const NONE = {
  ...{ road: 0, houseNumber: 0, floor: 0, door: 0 },
  ...{ supplementaryTown: 0, postcode: 0, postcodeName: 0 },
};

function found(
  differences: Partial<CleanseCandidate['differences']>,
  read: string,
  unknownWords: readonly string[] = [],
): Cleansed {
  const candidate = {
    kind: 'access',
    address: { road: { name: 'Prøvevej' } },
    differences: { ...NONE, ...differences },
    ...{ read: { road: read }, unknownWords },
  };
  return { category: 'B', candidates: [candidate as unknown as CleanseCandidate] };
}

test.each([
  ['another number of the road', found({ houseNumber: 1 }, 'Prøvevej'), ['prøvevej'], 'C'],
  ['the very number', found({}, 'Prøvevej'), ['Prøvevej'], 'B'],
  ['a name left out that is a road', found({}, 'Prøvevej', ['Andenvej']), ['Andenvej'], 'C'],
  ['a name left out', found({}, 'Prøvevej', ['Jens Hansen']), ['Andenvej'], 'B'],
  ['another road in its place', found({ road: 1 }, 'Prævevej'), ['Prævevej'], 'C'],
  ['a number of a sound road', found({ houseNumber: 1 }, 'Prøvevej'), ['Andenvej'], 'B'],
  ['a road nobody knows', found({ houseNumber: 1 }, 'Prøvevej'), [null], 'C'],
  ['nothing unread', found({ houseNumber: 1 }, 'Prøvevej'), [], 'B'],
])('%s', (_of, cleansed, roads, category) => {
  expect(asSureAs(cleansed, roads).category).toBe(category);
});
