import { ADDRESSES, BBR, CADASTRE, PLACE_NAMES } from '../layers/keys.ts';
import type { Theme } from '../layers/keys.ts';
import type { Mirrored } from './rows-at.ts';

const address = (entity: string, table: string): Mirrored => ({
  ...{ mirror: ADDRESSES, entity, table, history: 'address_history', id: 'uuid' },
});
const cadastre = (entity: string, table: string, id: Mirrored['id'] = 'bigint'): Mirrored => ({
  ...{ mirror: CADASTRE, entity, table, history: 'cadastre_history', id },
});

export const POSTCODE = address('Postnummer', 'address_postcode');
export const TOWN = address('SupplerendeBynavn', 'address_town');
export const ROAD = address('NavngivenVej', 'address_road');
export const ROAD_PART = address('NavngivenVejKommunedel', 'address_road_part');
export const POINT = address('Adressepunkt', 'address_point');
export const ACCESS = address('Husnummer', 'address_access');
export const UNIT = address('Adresse', 'address_unit');

export const DISTRICT = cadastre('Ejerlav', 'cadastre_district');
export const PARCEL = cadastre('Jordstykke', 'cadastre_parcel');
export const FACE = cadastre('Lodflade', 'cadastre_face', 'text');

export const bbr = (entity: string, table: string): Mirrored => ({
  ...{ mirror: BBR, entity, table, history: 'bbr_history', id: 'uuid' },
});

export const PLACE: Mirrored = {
  ...{ mirror: PLACE_NAMES, entity: 'Sted', table: 'place', history: 'place_history' },
  id: 'bigint',
};

/** `id` is DAGI's, then `code`, `name` and `geom`. */
export const areaOf = (mirror: Theme): Mirrored => ({
  ...{ mirror, entity: mirror, table: 'area', history: 'feature_history', id: 'text' },
});
