/** Two parcels in two districts: the real index of them, for tests of the edge. */
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { buildParcelIndex } from '../../src/registers/cadastre/index/build-parcels.ts';
import { ParcelIndex } from '../../src/registers/cadastre/index/parcel-index.ts';
import { createParcels } from '../../src/registers/cadastre/parcel-lookup.ts';
import type { Parcels } from '../../src/registers/cadastre/parcel-lookup.ts';
import { SYNCED_AT_MS, X, Y } from './address-edge.ts';
import { GENERATION } from './edge.ts';

const FIELD = { bfe: 9_100_001, area: 10_000, municipality_code: '0999' };

/** The second has no place, nor have `further` ones beside it; the third district has no parcel. */
export function fewParcels(unread: readonly string[] = [], further = 0): Parcels {
  const ring = [X, Y, X + 100, Y, X + 100, Y + 100, X, Y + 100, X, Y];
  const wkb = multiPolygonWkb([[ring]]);
  const buffer = buildParcelIndex(
    { version: 1, hasFaces: true },
    {
      districts: [
        { id: 1, code: 12_851, name: 'Prøveby' },
        { id: 2, code: 2_000_152, name: 'Ny Mark, Prøveby' },
        { id: 3, code: 93, name: 'Åmark' },
      ],
      parcels: [
        { id: 1, number: '12a', district_id: 1, ...FIELD, wkb },
        { id: 2, number: '1', district_id: 2, ...FIELD, wkb: null },
        ...Array.from({ length: further }, (_, n) => ({
          ...{ id: 3 + n, number: `${2 + n}`, district_id: 2, ...FIELD, wkb: null },
        })),
      ],
    },
  );
  const index = new ParcelIndex(buffer, { verified: true });
  const never = () => Promise.reject(new Error('The store is away.'));
  return createParcels({
    clock: { nowMs: () => SYNCED_AT_MS },
    catalogue: REGISTERS_CATALOGUE,
    municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
    nameSources: (names) => names.join(),
    memory: () => ({
      ...{ index, buffer, generation: GENERATION },
      copy: {
        ...{ layer: 'matrikel' as const, version: 1, syncedAtMs: SYNCED_AT_MS, held: false },
        publishedAtMs: SYNCED_AT_MS,
        ...(unread.length > 0 && { unanswered: { unreadable: [], objects: [...unread] } }),
      },
    }),
    ...{ readAround: never, readNumber: never },
  });
}
