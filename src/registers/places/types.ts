/**
 * The tables of place types of the register of place names (DS), as data. Names of entities and of their
 * columns are known by their GraphQL names only (upstream/registers-geo.md 5.1): what is called otherwise
 * is said in SOURCES_FILE, and a type that is not there is left out by it.
 */

/** Entity, and what its column of the subtype begins with where that is not the entity's own name. */
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
  /** The entity, which is the `hovedtype` too. */
  readonly entity: string;
  /** What the column of its subtype may be called. */
  readonly subtypeFrom: readonly string[];
}

export const PLACE_TYPES: readonly PlaceType[] = TYPES.map(
  ([entity, stem = entity.toLowerCase()]) => ({
    entity,
    subtypeFrom: [`${stem}type`, `${stem}stype`, 'undertype'],
  }),
);
