/** Search, autocomplete and datavask over an invented country, against what was meant and brute force. */
import { describe, expect, it } from 'vitest';
import { misspelt } from '../addresses/writing.ts';
import { NO_FILTER, accessOf } from '../../src/registers/addresses/addresses.ts';
import type { AccessAddress } from '../../src/registers/addresses/addresses.ts';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { createAddressFinder } from '../../src/registers/addresses/index/finder.ts';
import { codesOf, EditMeter, normalize, keyOf } from '../../src/names/normalize.ts';
import { RoadNames } from '../../src/registers/addresses/index/road-names.ts';
import { addressDrawer, inventedIndex } from '../support/addresses.ts';
import { amountOf } from '../support/run-settings.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const addressIndex = inventedIndex(0.01);
const finder = createAddressFinder(addressIndex);
const ANYWHERE = NO_FILTER;

it('finds nothing in nothing', () => {
  for (const text of ['', ',', '12', '5000', '   ', '😀', 'x'.repeat(500), ', , ,']) {
    expect(finder.cleanse({ text }, 'unit', 5)).toEqual({ category: null, candidates: [] });
  }
});

it('tells what the datavask read, what differs and what it does not know', () => {
  const draw = addressDrawer(addressIndex, randomFrom(8));
  const { roadName, houseNumber, postcode, id } = draw('access');
  const text = `${roadName} ${houseNumber}, Vinduét, ${postcode.code} ${postcode.name}`;
  const { category, candidates } = finder.cleanse({ text }, 'access', 1);
  expect(category).toBe('C');
  expect(candidates[0]).toMatchObject({
    address: { id },
    former: null,
    differences: { road: 0, houseNumber: 0, postcode: 0, postcodeName: 0 },
    read: { road: roadName, houseNumber, postcode: postcode.code, postcodeName: postcode.name },
    unknownWords: ['Vinduét'],
  });
});

describe('the search', () => {
  const living = Array.from({ length: addressIndex.accessCount }, (_, place) =>
    addressIndex.accessAt(place),
  ).filter(({ status }) => status <= 3);
  const byRoad = Map.groupBy(living, ({ road }) => normalize(road.name));
  const begins = (text: string) => byRoad.get(text) ?? [];

  it('finds what looking at every address finds, anywhere, of a postcode or within an extent', () => {
    const random = randomFrom(21);
    for (let i = 0; i < amountOf({ gate: 40, night: 200 }); i++) {
      const meant = living[Math.floor(random() * living.length)]!;
      const { position, road, houseNumber, postcode } = meant;
      if (position === null || postcode === null) continue;
      const { xUtm32: x, yUtm32: y } = position;
      const [minX, minY] = [x - 10_000 * random() ** 3, y - 10_000 * random() ** 3];
      const holds = (at: PointUtm32 | null) =>
        at !== null && at.xUtm32 >= minX && at.xUtm32 <= x && at.yUtm32 >= minY && at.yUtm32 <= y;
      const isSame = (each: AccessAddress) =>
        each.houseNumber === houseNumber && normalize(each.road.name) === normalize(road.name);
      const filters = [
        [{}, () => true],
        [{ postcodes: [postcode.code] }, (each) => each.postcode?.code === postcode.code],
        [
          { municipalityCodes: [road.municipalityCode] },
          (each) => each.road.municipalityCode === road.municipalityCode,
        ],
        [{ within: { box: [minX, minY, x, y], covers: holds } }, (each) => holds(each.position)],
      ] as const satisfies readonly (readonly [object, (each: AccessAddress) => boolean])[];
      for (const [filter, isIn] of filters) {
        const text = `${road.name} ${houseNumber} `;
        const hits = finder
          .search({ ...ANYWHERE, ...filter, text, limit: 200 })
          .map(({ address }) => address);
        expect(hits.map(accessOf).every((each) => isIn(each) && each.status <= 3)).toBe(true);
        expect(finder.search({ ...ANYWHERE, ...filter, text, limit: 2 }).length).toBeLessThan(3);
        const exact = hits.filter((each) => 'road' in each && isSame(each));
        const plain = begins(normalize(road.name)).filter((each) => isSame(each) && isIn(each));
        const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id).sort();
        expect(idsOf(exact)).toEqual(idsOf(plain));
        expect(plain).toContain(meant);
      }
    }
  });

  it('lists the nearest of equally good matches first', () => {
    const random = randomFrom(22);
    for (let i = 0; i < 60; i++) {
      const { road } = living[Math.floor(random() * living.length)]!;
      const near = living[Math.floor(random() * living.length)]!.position;
      if (near === null) continue;
      const far = ({ position }: AccessAddress) =>
        position === null
          ? Infinity
          : Math.hypot(position.xUtm32 - near.xUtm32, position.yUtm32 - near.yUtm32);
      const hits = finder.search({ ...ANYWHERE, near, text: road.name, limit: 5 });
      const same = begins(normalize(road.name)).toSorted((a, b) => far(a) - far(b));
      const expected = same.slice(0, 5).map(far);
      const found = hits.map((hit) => far(accessOf(hit.address)));
      expect(found.slice(0, expected.length)).toEqual(expected);
      const [suggestion] = finder.suggest({
        ...{ ...ANYWHERE, near, text: `${road.name} ` },
        ...{ caret: road.name.length + 1, depth: 'access', limit: 5 },
      });
      expect(suggestion?.address?.id).toBe(hits[0]?.address.id);
    }
  });

  it('keeps to a status, of the house or of the unit', () => {
    for (const status of [2, 3] as const) {
      const some = living.filter((each) => each.status === status).slice(0, 40);
      expect(some.length).toBeGreaterThan(10);
      for (const { id, road, houseNumber } of some) {
        const text = `${road.name} ${houseNumber}`;
        const hits = finder.search({ ...ANYWHERE, status, limit: 100, text });
        expect(hits.map(({ address }) => address.id)).toContain(id);
        expect(hits.every(({ address }) => address.status === status)).toBe(true);
      }
    }
  });

  it('answers unit addresses when a floor or a door is asked for', () => {
    const draw = addressDrawer(addressIndex, randomFrom(10));
    for (let i = 0; i < 300; i++) {
      const { id, floor, roadName, houseNumber, door, postcode } = draw('unit');
      if (floor === null || door === null) continue;
      const text = `${roadName} ${houseNumber}, ${floor}. ${door}, ${postcode.code}`;
      const [hit] = finder.search({ ...ANYWHERE, text, limit: 5 });
      expect([hit?.kind, hit?.address.id]).toEqual(['unit', id]);
    }
  });
});

describe('the autocomplete', () => {
  it('goes no deeper than it is asked to', () => {
    for (const [depth, kinds] of [
      ['road', ['road']],
      ['access', ['road', 'access']],
    ] as const) {
      for (const text of ['Skol', 'Skolevej ', 'Skolevej 1', 'Skolevej 1, ', 'Nørregade 2, st']) {
        const found = finder.suggest({ ...ANYWHERE, text, caret: text.length, depth, limit: 20 });
        expect(kinds).toEqual(expect.arrayContaining(found.map(({ kind }) => kind)));
      }
    }
  });

  it('forgives a typo, and letters spelt out', () => {
    for (const text of ['skolvej', 'Skoelvej', 'norregade', 'noerregade', 'NØRREGDAE']) {
      const asked = { text, caret: text.length, depth: 'road', limit: 5 } as const;
      const found = finder.suggest({ ...ANYWHERE, ...asked });
      const name = text.toLowerCase().startsWith('s') ? 'Skolevej' : 'Nørregade';
      expect(found.map(({ label }) => label)).toContain(name);
    }
  });
});

it('road names that are alike are those that counting edits to every name finds', () => {
  const names = new RoadNames(addressIndex);
  const random = randomFrom(13);
  const { columns } = addressIndex;
  const keys = Array.from({ length: columns.names.count - 1 }, (_, i) =>
    keyOf(normalize(columns.names.at(i + 1))),
  );
  const meter = new EditMeter();
  for (let i = 0; i < 60; i++) {
    const text = normalize(
      misspelt(columns.names.at(1 + Math.floor(random() * keys.length)), random),
    );
    for (const edits of [1, 2]) {
      meter.set(keyOf(text));
      const plain = keys.flatMap((key, at) => {
        const codes = codesOf(key);
        return meter.edits(codes, 0, codes.length) <= edits ? [at + 1] : [];
      });
      const found = names.near(text, edits).map(({ name }) => name);
      expect(found.sort((a, b) => a - b)).toEqual(plain);
    }
  }
});
