/** The door over lookups in memory. */
import type { FastifyInstance } from 'fastify';
import { Door } from '../../src/http/dawa/door.ts';
import { Typing } from '../../src/http/typing.ts';
import type { DoorParts } from '../../src/http/dawa/door.ts';
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import { Failure } from '../../src/kernel/failures.ts';
import type { NamedPlace } from '../../src/registers/places/places.ts';
import { X, Y, toldAddresses } from './address-edge.ts';
import { GENERATION, area, atGeneration } from './edge.ts';
import { fewParcels } from './parcel-edge.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';

export const HOST = 'dawa.example.dk';

const PROVENANCE = { rung: 'snapshot', ageS: 60 } as const;
export const AREA = {
  key: '900999',
  code: '0999',
  name: 'Prøveholm',
  regionCode: null,
  boundsM: [X, Y, X, Y],
  center: null,
} as const;

export function doorParts(
  settings: Partial<DoorParts['settings']> = {},
  places: readonly NamedPlace[] = [],
): DoorParts {
  const unknown = () => Promise.reject(new Failure('not_found'));
  const listed = <T>(value: T) =>
    Promise.resolve({ generation: GENERATION, provenance: [PROVENANCE], value });
  return {
    settings: { host: HOST, keyless: null, isOpen: false, ...settings },
    lookups: {
      addresses: toldAddresses(),
      areas: {
        find: (theme, codes) => atGeneration(codes.map((code) => area(theme, code))),
      },
      areaList: {
        ...{
          all: () => listed([AREA]),
          districtsAt: () => listed([{ code: '9990', name: 'Prøveby' }]),
        },
        changes: () => Promise.resolve(new Map()),
        shapes: (_, codes) => Promise.resolve(codes.map(() => SURFACE)),
      },
      reverseAreas: {
        at: (points) =>
          atGeneration(points.map((point) => ({ point, areas: [], provenance: [PROVENANCE] }))),
      },
      places: {
        search: () => ({ ...EMPTY, value: places }),
        scan: () => ({ ...EMPTY, value: places }),
        types: () => ({ ...EMPTY, value: [{ mainType: 'Bebyggelse', subtypes: ['by'] }] }),
        find: unknown,
        near: () => Promise.resolve({ ...EMPTY, value: [] }),
      },
      parcels: fewParcels(),
      heightAt: () => Promise.resolve(12.345),
      built: () => Promise.resolve({ ...EMPTY, buildings: [], entrances: [], units: [] }),
      ...{ coverage: null, placesCoverage: null, parcelsCoverage: null },
    },
  };
}

const SURFACE = multiPolygonWkb([[[X, Y, X + 9, Y, X, Y + 9, X, Y]]]);
export const EMPTY = { generation: GENERATION, provenance: [PROVENANCE] };

export function routesOf(parts: DoorParts): readonly string[] {
  const paths: string[] = [];
  const app = { get: (path: string) => paths.push(path.slice('/dawa'.length)) };
  const edge = {
    ...{ publicUrl: null, trial: null, typing: new Typing(), limiters: localLimiters() },
    isStoreUnavailable: () => false,
  };
  new Door(parts, edge).install(app as unknown as FastifyInstance);
  return paths;
}
