import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import type { AreaLookups } from './lookup.ts';
import { DAGI_SCHEMAS, AREA_QUESTIONS } from './questions.ts';
import { AREAS_IN_MEMORY } from './layers.ts';
import { AREA_LAYERS } from './mirror.ts';
import { municipalitiesOf } from './municipalities.ts';
import { cacheByBytes } from '../../kernel/cache.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { registerMeta, withTail } from '../../answers/register-meta.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import { createAreas } from './lookup.ts';
import { createAreaList } from './list.ts';
import { createAreaOrigin } from './origin.ts';
import { RENDER_AREA } from './render.ts';
import { createReverseAreas } from './reverse.ts';
import {
  readAreaChanges,
  readAreaGeometry,
  readAreaList,
  readAreas,
  readDistrictsAt,
  readCoveringAreas,
} from './store.ts';

export const areas: Register<AreaLookups> = {
  name: 'areas',
  joins: [],
  mirrors: Object.values(AREA_LAYERS),
  layers: AREAS_IN_MEMORY,
  document: {
    tags: [{ name: 'dagi', description: 'Administrative areas' }],
    schemas: DAGI_SCHEMAS,
    folder: import.meta.dirname,
  },
  questions: AREA_QUESTIONS,
  compose: composeAreas,
};

function composeAreas(parts: RegisterParts): Composed<AreaLookups> {
  const { catalogue, clock, onExpired, lands, watcher, store, workers } = parts;
  const origin = createAreaOrigin(parts);
  const common = { catalogue, clock, onExpired, lands, watcher, memory: parts.layers };
  const lookups: AreaLookups = {
    ...withTail(registerMeta(sourceNameOf('DAGI', parts), null)),
    areas: createAreas({
      ...common,
      isStoreUnavailable: parts.isStoreUnavailable,
      readStore: (theme, codes) => readAreas(store, theme, codes),
      readGeometry: (area) => readAreaGeometry(store, area),
      askOrigin: (theme, code, asking) => origin.byCode(catalogue.areas[theme], code, asking),
      render: (wkb) => workers.run(RENDER_AREA, { wkb }),
      rendered: cacheByBytes(LIMITS.renderedAreaBytes, (piece) => piece.deflated.byteLength),
    }),
    areaList: createAreaList({
      ...common,
      readStore: (theme) => readAreaList(store, theme),
      readShape: async (area, code) => {
        const [found] = (await readAreas(store, area, [code])).areas;
        return found === undefined ? null : await readAreaGeometry(store, found);
      },
      readChanges: (area, keys) => readAreaChanges(store, area, keys),
      readDistricts: (district, point) => readDistrictsAt(store, district, point),
    }),
    reverseAreas: createReverseAreas({
      ...common,
      readStore: (points) =>
        readCoveringAreas(
          store,
          points.map(({ utm32 }) => utm32),
        ),
      askOrigin: (theme, point, asking) => origin.covering(catalogue.areas[theme], point, asking),
    }),
  };
  return { lookups };
}

export function municipalitiesIn({ layers, store }: Pick<RegisterParts, 'layers' | 'store'>) {
  return municipalitiesOf(layers(), (theme, codes) => readAreas(store, theme, codes));
}
