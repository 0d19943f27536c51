/**
 * Values are DAR's (upstream/registers-geo.md 3), written as in section 3.3; `null`: the register
 * leaves it open.
 */
import type { Bounds } from '../../geo/bounds.ts';
import type { PointUtm32 } from '../../geo/point.ts';

export type AddressStatus = 2 | 3 | 4 | 5;

export interface Postcode {
  /** Four digits. */
  readonly code: string;
  readonly name: string;
}

export interface Road {
  readonly roadId: string;
  readonly municipalityCode: string;
  /** Four digits, within the municipality. */
  readonly roadCode: string | null;
  readonly name: string;
  /** The short form on labels; null where it equals the name. */
  readonly shortName: string | null;
}

/** DAR's Husnummer. */
export interface AccessAddress {
  readonly id: string;
  readonly status: AddressStatus;
  readonly road: Road;
  /** `23`, `12A`: no leading zeros. */
  readonly houseNumber: string;
  readonly supplementaryTown: string | null;
  readonly postcode: Postcode | null;
  /** The register's text or composed from the parts (D48). */
  readonly designation: string;
  /** Null where the register has no usable point. */
  readonly position: PointUtm32 | null;
  /** Of its parcel, else EBR's at the house number. */
  readonly bfe: number | null;
}

/** DAR's Adresse: a flat or a whole house. */
export interface UnitAddress extends Pick<AccessAddress, 'id' | 'status' | 'designation' | 'bfe'> {
  readonly access: AccessAddress;
  readonly floor: string | null;
  readonly door: string | null;
}

export function accessOf(address: AccessAddress | UnitAddress): AccessAddress {
  return 'access' in address ? address.access : address;
}

/** Datavask matches old texts with it. */
export interface FormerName {
  readonly kind: 'access' | 'unit';
  readonly id: string;
  readonly roadName: string;
  readonly houseNumber: string;
  readonly floor: string | null;
  readonly door: string | null;
  readonly supplementaryTown: string | null;
  readonly postcode: string | null;
  /** ISO instants; null: open. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/**
 * Input of an index build: each list sorted by id (bytewise ascending), references by place in
 * earlier lists. Retired addresses are included.
 */
export interface IndexRows {
  readonly postcodes: Iterable<Postcode>;
  readonly roads: Iterable<Road>;
  readonly accesses: Iterable<AccessRow>;
  readonly units: Iterable<UnitRow>;
  readonly formerNames: Iterable<FormerName>;
  readonly towns?: Iterable<TownEntry>;
}

export interface AccessRow extends Omit<AccessAddress, 'road' | 'postcode' | 'designation'> {
  readonly road: number;
  /** Place in `postcodes`. */
  readonly postcode: number | null;
  /** Null where it equals the composed text. */
  readonly designation: string | null;
}

export interface UnitRow extends Omit<UnitAddress, 'access' | 'designation'> {
  /** Place in `accesses`. */
  readonly access: number;
  readonly designation: string | null;
  /** Null: that of the access address. */
  readonly bfe: number | null;
}

export interface Nearest {
  readonly address: AccessAddress;
  /** Not rounded. */
  readonly distanceM: number;
}

/** One published version in shared memory. Reads never throw or wait. */
export interface AddressIndex {
  readonly version: number;
  readonly accessCount: number;
  readonly unitCount: number;
  access(id: string): AccessAddress | null;
  unit(id: string): UnitAddress | null;
  /** In force (D47) and within the radius; ties by the lowest id. */
  nearest(point: PointUtm32, radiusM: number): Nearest | null;
  unitsOf(accessId: string): readonly UnitAddress[];
  readonly postcodes: readonly PostcodeEntry[];
  readonly towns: readonly TownEntry[];
  /** Replacements of a retired address; null for one in use (D137). */
  successors(address: AccessAddress | UnitAddress): readonly SearchHit[] | null;
}

export interface TownEntry {
  readonly name: string;
  readonly status: AddressStatus;
  /** Null: not mirrored yet. */
  readonly dagiId: string | null;
  /** That of most of its addresses. */
  readonly municipalityCode: string | null;
  readonly postcodes: readonly Postcode[];
}

export interface PostcodeEntry extends Postcode {
  /** Ascending. */
  readonly municipalityCodes: readonly string[];
  /** Null without addresses. */
  readonly box: readonly [number, number, number, number] | null;
}

export interface SearchFilter {
  readonly municipalityCodes: readonly string[];
  readonly postcodes: readonly string[];
  /** Null: everywhere. */
  readonly within: Extent | null;
  /** The nearest of equal matches come first; null: those on the busiest road. */
  readonly near: PointUtm32 | null;
  /** Of a house for houses, of a unit for units. */
  readonly status: 2 | 3 | null;
}

export const NO_FILTER: SearchFilter = {
  ...{ municipalityCodes: [], postcodes: [] },
  ...{ within: null, near: null, status: null },
};

export interface Extent {
  readonly box: Bounds;
  /** Edges included. */
  covers(point: PointUtm32): boolean;
}

export interface SearchQuestion extends SearchFilter {
  readonly text: string;
  readonly limit: number;
}

export type SearchHit =
  | { readonly kind: 'access'; readonly address: AccessAddress }
  | { readonly kind: 'unit'; readonly address: UnitAddress };

export interface SuggestQuestion extends SearchQuestion {
  /** In UTF-16 units. */
  readonly caret: number;
  readonly depth: 'road' | 'access' | 'unit';
}

export interface Suggestion {
  readonly kind: 'road' | 'access' | 'unit';
  readonly label: string;
  readonly text: string;
  readonly caret: number;
  readonly road: Pick<Road, 'roadId' | 'name'>;
  readonly address: AccessAddress | UnitAddress | null;
}

export type WrittenAddress =
  | {
      readonly text: string;
      /** In addition to the text, which may also contain them. */
      readonly postcode?: string | null;
      readonly town?: string | null;
      readonly floor?: string | null;
      readonly door?: string | null;
    }
  | {
      readonly road: string;
      readonly houseNumber: string | null;
      readonly floor: string | null;
      readonly door: string | null;
      readonly postcode: string | null;
      readonly town: string | null;
    };

export type CleanseKind = 'access' | 'unit';

/** DAWA's (section 3.5): A certain, B almost certain, C a guess. */
export type CleanseCategory = 'A' | 'B' | 'C';

export const CLEANSE_FIELDS = [
  'road',
  'houseNumber',
  'floor',
  'door',
  'supplementaryTown',
  'postcode',
  'postcodeName',
] as const;
export type CleanseField = (typeof CLEANSE_FIELDS)[number];

export interface CleanseCandidate {
  readonly kind: 'access' | 'unit';
  readonly address: AccessAddress | UnitAddress;
  /** The former name that matched. */
  readonly former: FormerName | null;
  readonly differences: Readonly<Record<CleanseField, number>>;
  readonly read: Readonly<Record<CleanseField, string | null>>;
  readonly unknownWords: readonly string[];
  readonly successors?: readonly SearchHit[];
}

export interface Cleansed {
  /** null: nothing similar. */
  readonly category: CleanseCategory | null;
  /** Best first. */
  readonly candidates: readonly CleanseCandidate[];
}

/** Empty lists and nulls do not filter. */
export interface RoadFilter {
  readonly municipalityCodes: readonly string[];
  readonly postcodes: readonly string[];
  readonly roadCodes: readonly string[];
  /** Case-insensitive. */
  readonly roadNames: readonly string[];
  readonly roadId: string | null;
}

export interface WalkFilter extends RoadFilter {
  readonly houseNumbers: readonly string[];
  /** An empty text means no town. */
  readonly towns: readonly string[];
  readonly statuses: readonly number[];
  readonly accessId: string | null;
  readonly within: Extent | null;
}

export interface UnitFilter extends WalkFilter {
  /** An empty text means none. */
  readonly floors: readonly string[];
  readonly doors: readonly string[];
}

export interface Page {
  readonly skip: number;
  readonly take: number;
}

export interface RoadExtent {
  readonly postcodes: readonly Postcode[];
  /** null: no address has a point. */
  readonly box: Bounds | null;
}

export interface ListedRoad extends RoadExtent {
  readonly road: Road;
}

export type Keep<R> = ((row: R) => boolean) | null;

export type ListQuestion = UnitFilter &
  Page & {
    readonly kind: 'access' | 'unit';
    readonly keep: Keep<AccessAddress | UnitAddress>;
  };

export interface AddressesWalked {
  readonly count: number;
  readonly rows: Iterable<AccessAddress | UnitAddress>;
}

export type RoadQuestion = RoadFilter & Page & { readonly keep: Keep<ListedRoad> };

export interface AddressListing {
  /** Lazy: the count, then one address at a time. */
  walk(question: Omit<ListQuestion, 'keep'>): AddressesWalked;
  addresses(question: ListQuestion): readonly (AccessAddress | UnitAddress)[];
  roads(question: RoadQuestion): readonly ListedRoad[];
}

export interface AddressFinder {
  readonly listing: AddressListing;
  readonly addressIndex: AddressIndex;
  search(question: SearchQuestion): readonly SearchHit[];
  suggest(question: SuggestQuestion): readonly Suggestion[];
  /** `kind` null: a unit if a floor or door is written, else a house followed by its units. */
  cleanse(written: WrittenAddress, kind: CleanseKind | null, limit: number): Cleansed;
}
