/** Place names as searched and answered (D121 to D123). */
import type { Bounds } from '../../geo/bounds.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import type { PublishedVersion } from '../../layers/published-copy.ts';

export interface Spelling {
  readonly name: string;
  readonly status: string | null;
  readonly priority: string | null;
}

export interface PlaceMunicipality {
  readonly code: string;
  readonly name: string;
}

export interface NamedPlace {
  readonly id: string;
  /** Never empty; the first is the one to show. */
  readonly spellings: readonly Spelling[];
  readonly mainType: string;
  readonly subtype: string | null;
  readonly position: PointUtm32;
  readonly boundsM: Bounds;
  /** Sharing more than a border with it, by code; null: not mirrored. */
  readonly municipalities: readonly PlaceMunicipality[] | null;
  readonly inhabitants: number | null;
}

export interface PlaceQuestion {
  readonly text: string;
  /** Case-insensitive; null: all. */
  readonly type: string | null;
  readonly municipalityCodes: readonly string[];
  readonly limit: number;
}

/** Empty lists do not filter. */
export interface PlaceScan {
  /** Case-insensitive. */
  readonly mainTypes: readonly string[];
  readonly subtypes: readonly string[];
  readonly municipalityCodes: readonly string[];
}

export interface PlaceTypeFound {
  readonly mainType: string;
  readonly subtypes: readonly string[];
}

export interface ShapedPlace {
  readonly place: NamedPlace;
  /** WKB in EPSG:25832; null: over the size limit. */
  readonly wkb: Uint8Array | null;
}

export interface NearPlace {
  readonly place: NamedPlace;
  /** 0 inside. */
  readonly distanceM: number;
}

export interface PlaceFinder {
  readonly version: number;
  readonly placeCount: number;
  /** null: not mirrored. */
  readonly municipalities: PublishedVersion | null;
  /** A place of the copy, or the catalogue, has this type. */
  knowsType(type: string): boolean;
  search(question: PlaceQuestion): readonly NamedPlace[];
  scan(question: PlaceScan): Iterable<NamedPlace>;
  readonly types: readonly PlaceTypeFound[];
  /** Id in lower case. Rejects where the geometry cannot be read. */
  find(id: string): Promise<ShapedPlace | undefined>;
  /**
   * Areas that contain the point, smallest first, then others by distance (D123). Rejects like
   * `find`.
   */
  near(point: PointUtm32, radiusM: number): Promise<readonly NearPlace[]>;
  retire(): void;
}

/** A row of the store; `names`: a JSON array of [name, status, priority]. */
export interface PlaceRow {
  readonly public_id: string;
  readonly main_type: string;
  readonly subtype: string | null;
  readonly names: string;
  readonly inhabitants: number | null;
  readonly easting: number;
  readonly northing: number;
  readonly min_x: number;
  readonly min_y: number;
  readonly max_x: number;
  readonly max_y: number;
  /** 0 for points and lines. */
  readonly area_m2: number;
  /** null: in none. */
  readonly municipality_codes: readonly string[] | null;
}

export interface ExportedPlace extends PlaceRow {
  readonly wkb: Uint8Array;
}

export interface JoinedMunicipalities {
  readonly copy: PublishedVersion;
  readonly names: readonly (readonly [code: string, name: string])[];
}

export const PLACE_LISTS = ['municipalities', 'places'] as const;
export type PlaceList = (typeof PLACE_LISTS)[number];

export function spellingsOf(names: string): readonly Spelling[] {
  const spellings = (JSON.parse(names) as readonly (readonly (string | null)[])[]).map(
    ([name, status = null, priority = null]) => ({ name: name ?? '', status, priority }),
  );
  if (spellings.length === 0) throw new Error('A place has no name.');
  return spellings;
}

export function placeOf(
  row: PlaceRow,
  municipalityNames: ReadonlyMap<string, string> | null,
): NamedPlace {
  const codes = row.municipality_codes ?? [];
  return {
    id: row.public_id,
    spellings: spellingsOf(row.names),
    mainType: row.main_type,
    subtype: row.subtype,
    position: { xUtm32: row.easting, yUtm32: row.northing },
    boundsM: [row.min_x, row.min_y, row.max_x, row.max_y],
    municipalities:
      municipalityNames &&
      codes.map((code) => ({ code, name: municipalityNames.get(code) ?? code })),
    inhabitants: row.inhabitants,
  };
}

/** Lower case (D122). */
export const OFFICIAL_STATUSES: readonly string[] = ['officielt', 'suautoriseret'];

export function isOfficial({ status }: Spelling): boolean {
  return OFFICIAL_STATUSES.includes(status?.toLowerCase() ?? '');
}

export function isPrimary({ priority }: Spelling): boolean {
  return priority?.toLowerCase().startsWith('prim') ?? false;
}
