/**
 * Addresses as every part of the service speaks of them: what the mirror hands to the index, and what
 * the index answers. Values are those of DAR (upstream/registers-geo.md 3), house numbers, floors and
 * doors in the written form of section 3.3; `null` is what the register leaves open.
 */
import type { PointUtm32 } from '../../geo/point.ts';

/** DAR's own statuses that an answer can carry: 2 provisional, 3 in force, 4 retired, 5 given up. */
export type AddressStatus = 2 | 3 | 4 | 5;

export interface Postcode {
  /** Four digits. */
  readonly code: string;
  readonly name: string;
}

/** A named road within one municipality. */
export interface Road {
  /** DAR's NavngivenVej. */
  readonly roadId: string;
  readonly municipalityCode: string;
  /** Four digits, of the municipality; null where the register has none. */
  readonly roadCode: string | null;
  readonly name: string;
  /** The short form on labels (`vejadresseringsnavn`); null where it is the name. */
  readonly shortName: string | null;
}

/** An access address: a door to the street, DAR's Husnummer. */
export interface AccessAddress {
  readonly id: string;
  readonly status: AddressStatus;
  readonly road: Road;
  /** `23`, `12A`: no leading zeros. */
  readonly houseNumber: string;
  readonly supplementaryTown: string | null;
  readonly postcode: Postcode | null;
  /** D48: the register's own text, or the one put together from the parts. */
  readonly designation: string;
  /** EPSG:25832, metres; null where the register has no usable point. */
  readonly position: PointUtm32 | null;
  /** Of the parcel it stands on, else the one that EBR has at the house number; null where neither is known. */
  readonly bfe: number | null;
}

/** A unit address: a flat or a whole house, DAR's Adresse. */
export interface UnitAddress {
  readonly id: string;
  readonly status: AddressStatus;
  readonly access: AccessAddress;
  /** `st`, `kl`, `3`; null for the whole house. */
  readonly floor: string | null;
  /** `tv`, `12`; null where there is one door. */
  readonly door: string | null;
  readonly designation: string;
  /** Its own property's, where the flat is one; else that of its access address. */
  readonly bfe: number | null;
}

/** What an address was called before: for datavask, so that an old text finds the living address. */
export interface FormerName {
  readonly kind: 'access' | 'unit';
  /** The address that once had it; living or retired. */
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
 * What an index is built from, in this order: every list sorted by id ascending (bytewise), references
 * by place in the lists before. Retired addresses are among them, told by their status.
 */
export interface IndexRows {
  readonly postcodes: Iterable<Postcode>;
  readonly roads: Iterable<Road>;
  readonly accesses: Iterable<AccessRow>;
  readonly units: Iterable<UnitRow>;
  readonly formerNames: Iterable<FormerName>;
}

export interface AccessRow {
  readonly id: string;
  readonly status: AddressStatus;
  /** Place in `roads`. */
  readonly road: number;
  readonly houseNumber: string;
  readonly supplementaryTown: string | null;
  /** Place in `postcodes`. */
  readonly postcode: number | null;
  /** The register's own text where it differs from the composed one; else null. */
  readonly designation: string | null;
  readonly position: PointUtm32 | null;
  readonly bfe: number | null;
}

export interface UnitRow {
  readonly id: string;
  readonly status: AddressStatus;
  /** Place in `accesses`. */
  readonly access: number;
  readonly floor: string | null;
  readonly door: string | null;
  readonly designation: string | null;
  /** Of a property of its own; null: it belongs to that of its access address. */
  readonly bfe: number | null;
}

export interface Nearest {
  readonly address: AccessAddress;
  /** EPSG:25832, metres, not rounded. */
  readonly distanceM: number;
}

/** The addresses of one published version in shared memory. Reading throws nothing and waits for nothing. */
export interface AddressIndex {
  readonly version: number;
  readonly accessCount: number;
  readonly unitCount: number;
  access(id: string): AccessAddress | null;
  unit(id: string): UnitAddress | null;
  /** In force (D47) within the radius; ties by the lowest id. */
  nearest(point: PointUtm32, radiusM: number): Nearest | null;
  /** Units of an access address in the order of their floors and doors. */
  unitsOf(accessId: string): readonly UnitAddress[];
  readonly postcodes: readonly PostcodeEntry[];
  /** What took the place of an address that is gone; null of one that is not (D137). */
  successors(address: AccessAddress | UnitAddress): readonly SearchHit[] | null;
}

/** A postcode with where its addresses in force lie. */
export interface PostcodeEntry extends Postcode {
  /** Ascending; a district can lie in several. */
  readonly municipalityCodes: readonly string[];
  /** EPSG:25832: west, south, east, north of its addresses; null without any. */
  readonly box: readonly [number, number, number, number] | null;
  readonly addressCount: number;
}

/** What narrows a search. Empty lists narrow nothing. */
export interface SearchFilter {
  readonly municipalityCodes: readonly string[];
  readonly postcodes: readonly string[];
}

export interface SearchQuestion extends SearchFilter {
  readonly text: string;
  readonly limit: number;
}

export type SearchHit =
  | { readonly kind: 'access'; readonly address: AccessAddress }
  | { readonly kind: 'unit'; readonly address: UnitAddress };

export interface SuggestQuestion extends SearchQuestion {
  /** Where the caret stands in `text`, in UTF-16 units. */
  readonly caret: number;
  /** How deep to go: roads only, to house numbers, or to floors and doors. */
  readonly depth: 'road' | 'access' | 'unit';
}

/** One suggestion; taking it puts `text` in the field with the caret at `caret`. */
export interface Suggestion {
  readonly kind: 'road' | 'access' | 'unit';
  /** As it is shown: `Nørregade 12A, 5000 Odense C`. */
  readonly label: string;
  readonly text: string;
  readonly caret: number;
  readonly road: Pick<Road, 'roadId' | 'name'>;
  readonly address: AccessAddress | UnitAddress | null;
}

/** An address as somebody wrote it, in one text or in parts. */
export type WrittenAddress =
  | {
      readonly text: string;
      /** Given beside the text, which may name them as well. */
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

/** DAWA's three (section 3.5): A certain, B almost certain, C a guess. */
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
  /** The former name that matched; null when the present one did. */
  readonly former: FormerName | null;
  /** Edits between what was written and the candidate, by field; 0: the same. */
  readonly differences: Readonly<Record<CleanseField, number>>;
  /** What was read from the text, field by field; null: nothing. */
  readonly read: Readonly<Record<CleanseField, string | null>>;
  readonly unknownWords: readonly string[];
  /** What took its place, where it is gone. */
  readonly successors?: readonly SearchHit[];
}

export interface Cleansed {
  /** null: nothing alike was found; `candidates` is then empty. */
  readonly category: CleanseCategory | null;
  /** Best first, in an order that never depends on chance. */
  readonly candidates: readonly CleanseCandidate[];
}

/** The index with its texts indexed. */
export interface AddressFinder {
  readonly addressIndex: AddressIndex;
  search(question: SearchQuestion): readonly SearchHit[];
  suggest(question: SuggestQuestion): readonly Suggestion[];
  /**
   * `kind`: what is looked for. null: whichever is written, a house where there is neither floor nor
   * door, its units behind it.
   */
  cleanse(written: WrittenAddress, kind: CleanseKind | null, limit: number): Cleansed;
}
