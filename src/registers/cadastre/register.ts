import type { CutAreasTask, CutTile } from '../../snapshot/tiles/tile-task.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';
import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import { areas, municipalitiesIn } from '../areas/register.ts';
import { auditOfParcels } from './audit.ts';
import type { CadastreLookups } from './parcel-lookup.ts';
import { CADASTRE_SCHEMAS, CADASTRE_QUESTIONS } from './questions.ts';
import { createParcelLoader } from './load.ts';
import type { ParcelLoader, ParcelsInMemory } from './load.ts';
import { CADASTRE_REGISTER } from './mirror.ts';
import { boxOfPoint } from '../../geo/box.ts';
import { sourceText, sourceNameOf } from '../../answers/sources.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { CADASTRE, PARCEL_TILES } from '../../layers/keys.ts';
import { createStoreTiles } from '../../core/tiles/store-tiles.ts';
import type { TileParts } from '../../core/tiles/store-tiles.ts';
import type { MapTiles } from '../../core/map-tiles.ts';
import { PARCEL_FIELDS } from '../../snapshot/tiles/tags.ts';
import { createCadastre } from './lookup.ts';
import { createParcels } from './parcel-lookup.ts';
import { PARCEL_NAMES, bytesOfParcels, parcelsTask } from './parcel-tiles.ts';
import { readCadastreProperty } from './store.ts';
import { readParcelCopy, readParcelsOfNumber, readParcelsWithin } from './tiles.ts';

export const CUT_AREAS: ThreadTask<CutAreasTask, CutTile> = {
  file: new URL('./cut.thread.ts', import.meta.url),
  isOfMaps: true,
};

export const cadastre: Register<CadastreLookups, ParcelLoader> = {
  name: 'cadastre',
  joins: [areas],
  mirrors: [CADASTRE_REGISTER],
  document: {
    tags: [{ name: 'matrikel', description: 'Cadastre' }],
    schemas: CADASTRE_SCHEMAS,
    folder: import.meta.dirname,
  },
  questions: CADASTRE_QUESTIONS,
  openMemory: createParcelLoader,
  auditOf: auditOfParcels,
  compose: composeCadastre,
};

/** Boxes that hold one point: some tens. */
const MOST_AROUND = 10_000;

function composeCadastre(
  parts: RegisterParts,
  memory: { readonly current: ParcelsInMemory | null } | null,
): Composed<CadastreLookups> {
  const { catalogue, clock, onExpired, watcher, store, isInvented } = parts;
  const common = {
    ...{ catalogue, clock, onExpired, watcher },
    municipalities: () => municipalitiesIn(parts),
    nameSources: (names: readonly string[]) => sourceText(names, isInvented),
  };
  const cadastre = createCadastre({
    ...common,
    read: (bfe, mostParcels) => readCadastreProperty(store, bfe, mostParcels),
  });
  const parcels = createParcels({
    ...common,
    lands: parts.lands,
    memory: () => memory?.current ?? null,
    readAround: ({ utm32 }) => readParcelsWithin(store, boxOfPoint(utm32, 0), MOST_AROUND),
    readNumber: (districtCode, number) => readParcelsOfNumber(store, districtCode, number),
  });
  const { coverage = null } = catalogue.registers[CADASTRE];
  return {
    lookups: { cadastre, parcels, coverage },
    tiles: [composeParcelTiles(parts)],
  };
}

export function composeParcelTiles(parts: TileParts): MapTiles {
  const { store, workers, catalogue, clock, onExpired, limiters } = parts;
  return createStoreTiles({
    ...{ clock, onExpired, limiters, mirrored: catalogue.registers[CADASTRE] },
    ...{ layer: PARCEL_TILES, name: 'Jordstykker', fields: PARCEL_FIELDS },
    ...{ attribution: sourceNameOf('Matriklen', parts), minZoom: LIMITS.kort.parcels.minZoom },
    names: PARCEL_NAMES,
    bytesOf: bytesOfParcels,
    cutRows: (place, parcels) => workers.run(CUT_AREAS, parcelsTask(place, parcels)),
    readCopy: () => readParcelCopy(store),
    readWithin: async (box, most) => {
      const { parcels: rows, ...copy } = await readParcelsWithin(store, box, most);
      return { ...copy, rows };
    },
  });
}
