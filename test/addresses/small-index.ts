/** An index of few addresses written down by hand: `Ring 4 | 2750 Ballerup | 2 4 14`. */
import type {
  AccessRow,
  IndexRows,
  FormerName,
  UnitRow,
} from '../../src/registers/addresses/addresses.ts';
import { openAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from '../../src/registers/addresses/index/build-index.ts';
import { createAddressFinder } from '../../src/registers/addresses/index/finder.ts';

/** A road, its place and its numbers; `-36` is gone. `@` and metres east stand where it lies. */
export interface SmallRoad {
  readonly road: string;
  /** Empty where the addresses have no postcode. */
  readonly place: string;
  readonly numbers: string;
  /** Floors and doors of every house, `st.tv 1.`; a whole house where absent. */
  readonly units?: string;
  /** Supplementary town. */
  readonly town?: string;
  /** The road's name in its short form. */
  readonly short?: string;
  /** What the road was called before, and where it was then; in the same place where absent. */
  readonly former?: string;
  readonly formerPlace?: string;
}

const uuid = (kind: number, i: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(i).padStart(12, '0')}`;

export const finderOver = (rows: IndexRows) =>
  createAddressFinder(openAddressIndex(buildAddressIndex(1, rows), { verified: true }));

export function smallIndex(written: readonly SmallRoad[]): IndexRows {
  const named = written.flatMap(({ place, formerPlace = place }) => [place, formerPlace]);
  const places = [...new Set(named)].filter(Boolean).sort();
  const postcodes = places.map((place) => ({ code: place.slice(0, 4), name: place.slice(5) }));
  const roads = written.map(({ road: name, short: shortName = null }, i) => {
    return { roadId: uuid(1, i), municipalityCode: '0101', roadCode: null, name, shortName };
  });
  const accesses: AccessRow[] = [];
  const units: UnitRow[] = [];
  const formerNames: FormerName[] = [];
  for (const [road, { place, numbers, units: homes = '', ...more }] of written.entries()) {
    const { town = null } = more;
    for (const number of numbers.split(' ')) {
      const [houseNumber = '', metres = '0'] = number.replace('-', '').split('@');
      const status = number.startsWith('-') ? 4 : 3;
      const access = accesses.length;
      accesses.push({
        ...{ id: uuid(2, access), status, road, houseNumber, supplementaryTown: town },
        ...{ postcode: place === '' ? null : places.indexOf(place), designation: null, bfe: null },
        position: { xUtm32: 588_000 + Number(metres), yUtm32: 6_140_000 + 1_000 * road },
      });
      formerNames.push(...formerOf({ ...more, place }, { id: uuid(2, access), houseNumber }));
      for (const home of homes === '' ? ['.'] : homes.split(' ')) {
        const [floor, door] = home.split('.');
        units.push({
          ...{ id: uuid(3, units.length), status, access },
          ...{ floor: floor || null, door: door || null, designation: null, bfe: null },
        });
      }
    }
  }
  return { postcodes, roads, accesses, units, formerNames };
}

/** What an address of a road was called before; nothing where it was always called so. */
function formerOf(
  { place, former, formerPlace = place }: Pick<SmallRoad, 'place' | 'former' | 'formerPlace'>,
  address: Pick<FormerName, 'id' | 'houseNumber'>,
): readonly FormerName[] {
  if (former === undefined) return [];
  const nothing = {
    ...{ floor: null, door: null, supplementaryTown: null, validFrom: null, validTo: null },
  };
  const postcode = formerPlace.slice(0, 4);
  return [{ kind: 'access', ...address, roadName: former, postcode, ...nothing }];
}
