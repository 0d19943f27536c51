/**
 * Known only by their GraphQL names (upstream/registers-geo.md 5.1): SOURCES_FILE can rename
 * entities and columns, and leave out missing types.
 */

const TYPES: readonly (readonly [entity: string, stem?: string])[] = [
  ['AndenTopografiFlade', 'andentopografi'],
  ['AndenTopografiPunkt', 'andentopografi'],
  ['Bebyggelse'],
  ['Begravelsesplads'],
  ['Bygning'],
  ['Campingplads'],
  ['Farvand'],
  ['Fortidsminde'],
  ['Friluftsbad'],
  ['Havnebassin'],
  ['Idraetsanlaeg'],
  ['Jernbane'],
  ['Landskabsform'],
  ['Lufthavn'],
  ['Naturareal'],
  ['Navigationsanlaeg'],
  ['Restriktionsareal'],
  ['Rute'],
  ['Sevaerdighed'],
  ['Soe'],
  ['Standsningssted'],
  ['Terraenkontur'],
  ['UbearbejdetNavnFlade', 'ubearbejdetnavn'],
  ['UbearbejdetNavnLinje', 'ubearbejdetnavn'],
  ['UbearbejdetNavnPunkt', 'ubearbejdetnavn'],
  ['UrentFarvand'],
  ['Vandloeb'],
  ['Vej'],
];

export interface PlaceType {
  readonly entity: string;
  readonly subtypeFrom: readonly string[];
}

export const PLACE_TYPES: readonly PlaceType[] = TYPES.map(
  ([entity, stem = entity.toLowerCase()]) => ({
    entity,
    subtypeFrom: [`${stem}type`, `${stem}stype`, 'undertype'],
  }),
);
