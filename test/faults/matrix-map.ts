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
    outcome: '503 for tile, TileJSON and file',
  },
  'map-off': {
    about: 'Nothing answers from memory (`LOOKUPS=store`)',
    outcome: '503 for tile, TileJSON and file',
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
    about: 'The layer’s file is gone',
    outcome: '503 for the file; tiles are answered',
  },
  'map-threads-full': {
    about: 'Too many tiles wait for a thread',
    outcome: '503 `overloaded` with `Retry-After`; the next try is cut',
  },
} as const satisfies Record<string, MapRow>;

/** Of the parcels, which are cut from the store. Played by `test/store-contract/parcel-tiles.test.ts`. */
export const PARCEL_ROWS = {
  'parcels-missing': {
    about: 'The cadastre was never mirrored',
    outcome: '503 for tile and TileJSON',
  },
  'parcels-placeless': {
    about: 'The cadastre is mirrored without faces (Lodflade): parcels have no place',
    outcome: '503 for tile and TileJSON',
  },
  'parcels-unreadable': {
    about: 'The table of faces cannot be read',
    outcome: '503; tiles already cut of this version are answered',
  },
  'parcels-old': {
    about: 'The copy is past its freshness limit',
    outcome: 'answered, `X-Service-Stale: true`',
  },
  'parcels-expired': { about: 'The copy is past its hard limit', outcome: '503' },
  'parcels-store-away': {
    about: 'The store is unavailable',
    outcome: '503; only the store knows the copy’s age',
  },
} as const satisfies Record<string, MapRow>;
