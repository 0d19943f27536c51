import { sourceText } from '../../answers/sources.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { CADASTRE, PARCEL_TILES } from '../../layers/keys.ts';
import { cacheOfTiles, createStoreTiles } from '../../memory/store-tiles.ts';
import type { MapTiles } from '../../mirror/map-tiles.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import type { RegisterParts, ServedRegister } from '../../mirror/register.ts';
import { PARCEL_FIELDS } from '../../snapshot/tiles/tags.ts';
import { municipalitiesOf } from '../areas/municipalities.ts';
import { readAreas } from '../areas/store.ts';
import { CUT_PARCELS } from './cut.ts';
import { CADASTRE_DOCUMENT } from './document.ts';
import { createCadastre } from './lookup.ts';
import type { Cadastre } from './lookup.ts';
import { bytesOfParcels, parcelsTask } from './parcel-tiles.ts';
import { matrikelRoutes } from './routes.ts';
import { readCadastreProperty } from './store.ts';
import { readParcelCopy, readParcelsWithin } from './tiles.ts';

export interface CadastreLookups {
  readonly cadastre: Cadastre;
}

export function composeCadastre(parts: RegisterParts): ServedRegister<CadastreLookups> {
  const { catalogue, clock, onExpired, watcher, store, layers, isInvented } = parts;
  const cadastre = createCadastre({
    ...{ catalogue, clock, onExpired, watcher },
    municipalities: () =>
      municipalitiesOf(layers(), (theme, codes) => readAreas(store, theme, codes)),
    nameSources: (names) => sourceText(names, isInvented),
    read: (bfe, mostParcels) => readCadastreProperty(store, bfe, mostParcels),
  });
  return {
    name: 'cadastre',
    lookups: { cadastre },
    document: CADASTRE_DOCUMENT,
    routes: (app) => matrikelRoutes(app, cadastre),
    hosts: [],
    tiles: composeParcelTiles(parts),
    stop: () => Promise.resolve(),
  };
}

export function composeParcelTiles(
  parts: Pick<RegisterParts, 'store' | 'catalogue' | 'clock' | 'onExpired' | 'isInvented'> & {
    readonly workers: Pick<RegisterParts['workers'], 'run'>;
  },
): MapTiles {
  const { store, workers, catalogue, clock, onExpired } = parts;
  const { minZoom } = LIMITS.kort.parcels;
  const tiles = createStoreTiles({
    ...{ catalogue, clock, onExpired, minZoom, register: CADASTRE },
    names: { en: 'parcels', da: 'jordstykker', daThe: 'Jordstykkerne' },
    bytesOf: bytesOfParcels,
    cutRows: (place, parcels) => workers.run(CUT_PARCELS, parcelsTask(place, parcels)),
    readCopy: () => readParcelCopy(store),
    readWithin: (box, most) => readParcelsWithin(store, box, most),
    cut: cacheOfTiles(),
  });
  return {
    layer: PARCEL_TILES,
    name: 'Jordstykker',
    attribution: sourceNameOf('Matriklen', parts),
    fields: PARCEL_FIELDS,
    minZoom,
    ...tiles,
  };
}
