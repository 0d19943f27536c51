/** The finder over real addresses: the extract of 2015, and the texts of the register of 2018. */
import { expect, it } from 'vitest';
import { judgeCleansing } from '../../bench/national/cleansing-judge.ts';
import { openAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from '../../src/registers/addresses/index/build-index.ts';
import { createAddressFinder } from '../../src/registers/addresses/index/finder.ts';
import { readDarDesignations, readOsak } from '../support/osak.ts';
import { describeReal } from '../support/real-data.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

describeReal('the real addresses of 2015', [], () => {
  const rows = readOsak();
  const addressIndex = openAddressIndex(buildAddressIndex(1, rows));
  const finder = createAddressFinder(addressIndex);

  it('are read', () => {
    expect([addressIndex.accessCount, addressIndex.unitCount]).toEqual([1_320, 2_802]);
  });

  it('answer to their own text as category A, every one', () => {
    const wrong = rows.accesses.flatMap(({ id }) => {
      const { designation } = addressIndex.access(id)!;
      const { category, candidates } = finder.cleanse({ text: designation }, 'access', 1);
      const found = candidates[0]?.address.id;
      return category === 'A' && found === id ? [] : [`${designation}: ${category} ${found}`];
    });
    expect(wrong).toEqual([]);
  });

  it('answer to their own unit text as category A, every one', () => {
    const wrong = rows.units.flatMap(({ id }) => {
      const { designation } = addressIndex.unit(id)!;
      const { category, candidates } = finder.cleanse({ text: designation }, 'unit', 1);
      const found = candidates[0]?.address.id;
      return category === 'A' && found === id ? [] : [`${designation}: ${category} ${found}`];
    });
    expect(wrong).toEqual([]);
  });

  it('are never taken for one another when they are misspelt', () => {
    const tallies = judgeCleansing(addressIndex, finder, { count: 4_000, seed: 7 });
    expect(tallies.flatMap(({ wrongA, examples }) => (wrongA > 0 ? examples : []))).toEqual([]);
    const right = tallies.reduce((sum, { rightFirst }) => sum + rightFirst, 0);
    expect(right).toBeGreaterThan(0.97 * 4_000);
  });

  it('are the nearest at their own point, or a twin of lower id is', () => {
    for (const { id, position } of rows.accesses) {
      if (position === null) continue;
      const nearest = addressIndex.nearest(position, 1)!;
      expect(nearest.distanceM).toBe(0);
      expect(nearest.address.position).toEqual(position);
      expect(nearest.address.id <= id).toBe(true);
    }
  });

  it('are the nearest to 10,000 points that looking at each finds', () => {
    const random = randomFrom(15);
    const known = rows.accesses.flatMap(({ id, position }) => (position ? [{ id, position }] : []));
    for (let i = 0; i < 10_000; i++) {
      const near = known[Math.floor(random() * known.length)]!.position;
      const point = {
        xUtm32: near.xUtm32 + Math.round(600 * random()) - 300,
        yUtm32: near.yUtm32 + Math.round(600 * random()) - 300,
      };
      let best: string | null = null;
      let least = 250 ** 2;
      for (const { id, position } of known) {
        const square =
          (position.xUtm32 - point.xUtm32) ** 2 + (position.yUtm32 - point.yUtm32) ** 2;
        if (square > least || (square === least && best !== null)) continue;
        best = id;
        least = square;
      }
      const nearest = addressIndex.nearest(point, 250);
      if ((nearest?.address.id ?? null) !== best)
        expect([point, nearest?.address.id ?? null]).toEqual([point, best]);
    }
  });

  it('are composed as the register of 2018 writes them, but for those that were renamed', () => {
    let same = 0;
    let other = 0;
    for (const [id, text] of readDarDesignations()) {
      const unit = addressIndex.unit(id);
      if (unit === null) continue;
      if (unit.designation === text) same += 1;
      else other += 1;
    }
    // The 15: roads renamed, a house number or a door given since.
    expect({ same, other }).toEqual({ same: 2_769, other: 15 });
  });
});
