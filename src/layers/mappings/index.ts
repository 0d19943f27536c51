import type { MappingId } from '../catalogue.ts';
import type { Mapping } from '../feature.ts';
import { isAreaId } from '../keys.ts';
import { cadastreMapping } from './cadastre.ts';
import { dagiMapping } from './dagi.ts';
import { heritageMapping } from './heritage.ts';
import type { MappingOptions } from './options.ts';
import {
  portalDykeMapping,
  portalForestMapping,
  portalMapping,
  portalNatureMapping,
} from './portal.ts';

export type { MappingOptions } from './options.ts';

export function mappingOf(id: MappingId, options: MappingOptions): Mapping {
  if (isAreaId(id)) return dagiMapping(id, options);
  switch (id) {
    case 'portal':
      return portalMapping(options);
    case 'portal-skov':
      return portalForestMapping(options);
    case 'portal-natur':
      return portalNatureMapping(options);
    case 'portal-dige':
      return portalDykeMapping(options);
    case 'cadastre':
      return cadastreMapping(options);
    case 'heritage':
      return heritageMapping(options);
  }
}
