import { expect, test, vi } from 'vitest';
import type { AccessAddress } from '../../src/registers/addresses/addresses.ts';
import { keptDetails } from '../../src/registers/addresses/details.ts';
import type { AddressDetails, ReadDetails } from '../../src/registers/addresses/details.ts';

const DETAILS: AddressDetails = {
  ...{ sinceMs: 1, unitSinceMs: null, direction: null, point: null, roadPoint: null },
};
const address = (id: string) => ({ id }) as AccessAddress;

test('details of one address are read once a version, and none that are unknown are kept', async () => {
  const read = vi.fn<ReadDetails>((all) =>
    Promise.resolve(all.map(({ id }) => (id === 'gone' ? null : DETAILS))),
  );
  const kept = keptDetails(read);
  for (const [id, version, reads] of [
    ['a', 1, 1],
    ['a', 1, 1],
    ['a', 2, 2],
    ['gone', 2, 3],
    ['gone', 2, 4],
  ] as const) {
    expect(await kept([address(id)], version)).toEqual([id === 'gone' ? null : DETAILS]);
    expect(read).toHaveBeenCalledTimes(reads);
  }
  expect(await kept([address('a'), address('a')], 2)).toHaveLength(2);
  expect(read).toHaveBeenCalledTimes(5);
});
