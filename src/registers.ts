/** The only list of registers; each comes after those that it joins. */
import type { Static } from 'typebox';
import type {
  AddressSchema,
  ReverseAddressSchema,
  SuggestionsSchema,
} from './registers/addresses/questions.ts';
import type { ReverseSchema } from './registers/areas/questions.ts';
import type { ParcelSchema } from './registers/cadastre/questions.ts';
import type { CompanySchema } from './registers/companies/questions.ts';
import type { AreaConditionSchema } from './registers/conditions/area-questions.ts';
import type { BuildingLinesSchema } from './registers/lines/questions.ts';
import type { PlaceSchema } from './registers/places/questions.ts';
import type { PropertySchema } from './registers/property/schema.ts';
import type { KoteSchema } from './registers/terrain/questions.ts';
import { catalogueOf } from './layers/catalogue.ts';
import type { Catalogue } from './layers/catalogue.ts';
import type { Register } from './core/register.ts';
import { readSourcesFile } from './layers/sources-file.ts';
import type { SourcesFile } from './layers/sources-file.ts';
import { addresses } from './registers/addresses/register.ts';
import { areas } from './registers/areas/register.ts';
import { assessments } from './registers/assessments/register.ts';
import { cadastre } from './registers/cadastre/register.ts';
import { companies } from './registers/companies/register.ts';
import { conditions } from './registers/conditions/register.ts';
import { lines } from './registers/lines/register.ts';
import { places } from './registers/places/register.ts';
import { property } from './registers/property/register.ts';
import { terrain } from './registers/terrain/register.ts';

export const REGISTERS: readonly Register[] = [
  ...[lines, areas, addresses, cadastre, assessments],
  ...[property, terrain, companies, places, conditions],
];

export const REGISTERS_CATALOGUE: Catalogue = catalogueOf(
  REGISTERS.flatMap(({ mirrors }) => mirrors),
);

export const LAYERS = REGISTERS.flatMap(({ layers }) => layers ?? []);

/** Reads SOURCES_FILE; null: none. Throws with a sentence that names layer, field and limit. */
export function sourcesOf(file: string | null): SourcesFile {
  const live = REGISTERS.flatMap(({ liveSettings }) => liveSettings ?? []);
  return readSourcesFile(file, REGISTERS_CATALOGUE, live);
}

/** What questions answer, by their schemas; for who reads answers and loads nothing. */
export interface RegisterAnswers {
  readonly address: Static<typeof AddressSchema>;
  readonly areaCondition: Static<typeof AreaConditionSchema>;
  readonly areas: Static<typeof ReverseSchema>;
  readonly company: Static<typeof CompanySchema>;
  readonly height: Static<typeof KoteSchema>;
  readonly lines: Static<typeof BuildingLinesSchema>;
  readonly nearestAddress: Static<typeof ReverseAddressSchema>;
  readonly parcel: Static<typeof ParcelSchema>;
  readonly place: Static<typeof PlaceSchema>;
  readonly property: Static<typeof PropertySchema>;
  readonly suggestions: Static<typeof SuggestionsSchema>;
}
