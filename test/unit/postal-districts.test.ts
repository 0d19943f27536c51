/** What is said of a postcode while its district is known, old, gone, or was never there. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPostalDistricts } from '../../src/registers/areas/postal-districts.ts';
import type { PostalDistrictsRead } from '../../src/registers/areas/districts.ts';
import { GENERATION } from '../edge/edge.ts';
import { SYNCED_AT_MS, X, Y, toldAddresses } from '../edge/address-edge.ts';

const DAY_S = 86_400;
const FRESHNESS = { limitS: 8 * DAY_S, hardLimitS: 30 * DAY_S };
const BOX = [X - 1_000, Y - 2_000, X + 3_000, Y + 4_000] as const;
const READ: PostalDistrictsRead = {
  generation: GENERATION - 1,
  copy: { version: 3, syncedAtMs: SYNCED_AT_MS, held: false },
  districts: new Map([['9990', { box: BOX, municipalityCodes: ['0997', '0998'] }]]),
};

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** Postcodes over districts that are as old as asked for, and what was asked of the store for them. */
function postcodes(read: () => Promise<PostalDistrictsRead>, ageS = 60) {
  const asked = vi.fn(read);
  const onExpired = vi.fn();
  const answered = vi.fn();
  const districts = createPostalDistricts({
    clock: { nowMs: () => SYNCED_AT_MS + 1000 * ageS },
    freshness: FRESHNESS,
    read: asked,
    onExpired,
    watcher: { answered },
  });
  return { asked, onExpired, answered, districts, ...toldAddresses({}, { districts }) };
}

const BY_ADDRESSES = {
  described: 'addresses',
  municipalities: [{ code: '0999', name: 'Prøveholm' }],
  boundsM: [X, Y, X + 100, Y],
};

describe('a postcode', () => {
  test('has the box of its district, and every municipality it or its addresses lie in', async () => {
    const told = postcodes(() => Promise.resolve(READ));
    const { value, generation, provenance } = await told.postcodes.find('9990');
    expect(value).toMatchObject({
      described: 'district',
      name: 'Prøveby',
      municipalities: [{ code: '0997' }, { code: '0998' }, { code: '0999', name: 'Prøveholm' }],
      boundsM: BOX,
    });
    // The older of the two reads.
    expect(generation).toBe(GENERATION - 1);
    // Of its addresses, its district, and the names of its municipalities.
    expect(provenance.map(({ rung }) => rung)).toEqual(['snapshot', 'store', 'store']);
    expect(told.onExpired).not.toHaveBeenCalled();
  });

  test.each([
    ['when no district was ever mirrored', () => Promise.resolve({ ...READ, copy: null }), 60],
    ['when the store is away', () => Promise.reject(new Error('away')), 60],
    ['when the copy is past its hard limit', () => Promise.resolve(READ), 31 * DAY_S],
  ])('is told by its addresses %s', async (_, read, ageS) => {
    const told = postcodes(read, ageS);
    const { value, generation, provenance } = await told.postcodes.find('9990');
    expect(value).toMatchObject(BY_ADDRESSES);
    expect(generation).toBe(GENERATION);
    expect(provenance.map(({ rung }) => rung)).toEqual(['snapshot', 'store']);
    expect(told.answered).toHaveBeenCalledWith('postnummer', 'unavailable');
  });

  test('of an old copy says that it is old, and asks for a sync', async () => {
    const told = postcodes(() => Promise.resolve(READ), 9 * DAY_S);
    const { value, provenance } = await told.postcodes.find('9990');
    expect(value.described).toBe('district');
    expect(provenance[1]).toEqual({ rung: 'stale', ageS: 9 * DAY_S });
    expect(told.onExpired).toHaveBeenCalled();
  });
});

describe('the districts', () => {
  test('are read once for a moment, then anew', async () => {
    const { asked, districts } = postcodes(() => Promise.resolve(READ));
    await Promise.all([districts.current(), districts.current()]);
    await districts.current();
    expect(asked).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1_001);
    await districts.current();
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test('go on answering from what was read while the store is away', async () => {
    let isUnavailable = false;
    const { districts } = postcodes(() =>
      isUnavailable ? Promise.reject(new Error('away')) : Promise.resolve(READ),
    );
    await districts.current();
    isUnavailable = true;
    vi.advanceTimersByTime(1_001);
    expect((await districts.current())?.byCode).toBe(READ.districts);
  });
});
