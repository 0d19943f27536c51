/**
 * Rows of the matrix for tiles and files of layers (D139): what may be missing or old, and what is answered.
 * Played by `test/store-contract/tiles.test.ts` under their words.
 */
interface MapRow {
  readonly about: string;
  readonly outcome: string;
}

export const MAP_ROWS = {
  'map-missing': {
    about: 'The layer was never mirrored, or could not be loaded',
    outcome: '503 for tile, TileJSON and file; never an empty tile',
  },
  'map-off': {
    about: 'Nothing answers from memory (`LOOKUPS=store`)',
    outcome: '503 for tile, TileJSON and file; never an empty tile',
  },
  'map-old': {
    about: 'The copy is past its freshness limit',
    outcome: 'answered, `X-Service-Stale: true`',
  },
  'map-expired': { about: 'The copy is past its hard limit', outcome: '503' },
  'map-store-away': {
    about: 'The store is unavailable',
    outcome: 'answered from memory and its file',
  },
  'map-file-gone': {
    about: 'The file of the layer was taken away',
    outcome: '503 for the file; tiles are answered',
  },
  'map-threads-full': {
    about: 'More tiles wait for a thread than may',
    outcome: '503 `overloaded` with `Retry-After`; the next try is cut',
  },
} as const satisfies Record<string, MapRow>;

/** Of the parcels, which are cut from the store. Played by `test/store-contract/parcel-tiles.test.ts`. */
export const PARCEL_ROWS = {
  'parcels-missing': {
    about: 'The cadastre was never mirrored',
    outcome: '503 for tile and TileJSON; never an empty tile',
  },
  'parcels-placeless': {
    about: 'The cadastre is mirrored without its faces (Lodflade): no parcel has a place',
    outcome: '503 for tile and TileJSON; never an empty tile',
  },
  'parcels-unreadable': {
    about: 'The table of faces cannot be read',
    outcome: '503 for a tile; one that was cut of this version is answered',
  },
  'parcels-old': {
    about: 'The copy is past its freshness limit',
    outcome: 'answered, `X-Service-Stale: true`',
  },
  'parcels-expired': { about: 'The copy is past its hard limit', outcome: '503' },
  'parcels-store-away': {
    about: 'The store is unavailable',
    outcome: '503; how old the copy is, only the store tells',
  },
} as const satisfies Record<string, MapRow>;
