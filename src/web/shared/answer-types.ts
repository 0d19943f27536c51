/** What questions answer, by the schemas of those who write it. */
import type { Static } from 'typebox';
import type { LayerStatusSchema } from '../../http/v1/status/schema.ts';
import type {
  AddressSchema,
  ReverseAddressSchema,
  SuggestionsSchema,
} from '../../registers/addresses/questions.ts';
import type { ReverseSchema } from '../../registers/areas/questions.ts';
import type { ParcelSchema } from '../../registers/cadastre/questions.ts';
import type { CompanySchema } from '../../registers/companies/questions.ts';
import type { AreaConditionSchema } from '../../registers/conditions/area-questions.ts';
import type { BuildingLinesSchema } from '../../registers/lines/questions.ts';
import type { PlaceSchema } from '../../registers/places/questions.ts';
import type { PropertySchema } from '../../registers/property/schema.ts';
import type { KoteSchema } from '../../registers/terrain/questions.ts';

export type Address = Static<typeof AddressSchema>;
export type AddressSuggestion = Static<typeof SuggestionsSchema>['forslag'][number];
export type Areas = Static<typeof ReverseSchema>;
export type BuildingLines = Static<typeof BuildingLinesSchema>;
export type Company = Static<typeof CompanySchema>;
export type Height = Static<typeof KoteSchema>;
export type LayerStatus = Static<typeof LayerStatusSchema>;
export type NamedPlace = Static<typeof PlaceSchema>;
export type NearestAddress = Static<typeof ReverseAddressSchema>;
export type Property = Static<typeof PropertySchema>;

export type Line = BuildingLines['linjer'][keyof BuildingLines['linjer']];
export type Hit = NonNullable<Line['traef']>;

export type Field =
  | string
  | number
  | boolean
  | null
  | { readonly kode: string; readonly tekst: string | null };

export interface Condition extends Static<typeof AreaConditionSchema> {
  readonly objekter: Readonly<Record<string, Field>>[];
}
export type Conditions = Readonly<Record<string, Condition>>;

/** Of a parcel or a property. */
export interface AreaConditions {
  readonly areal_m2: number | null;
  readonly ejendom?: { readonly egen_grund: boolean };
  readonly forhold: Conditions;
}

export interface Cleansed {
  readonly kategori: string | null;
  readonly resultater: readonly { readonly aktueladresse: Address }[];
}

type Ring = readonly (readonly [lon: number, lat: number])[];

export interface NamedParcel extends Omit<Static<typeof ParcelSchema>, 'geometri'> {
  readonly geometri: { readonly coordinates: readonly (readonly Ring[])[] } | null;
}

export interface Parcels {
  readonly jordstykker: readonly NamedParcel[];
}

export interface Status {
  readonly generation: number;
  readonly lag: readonly LayerStatus[];
}
