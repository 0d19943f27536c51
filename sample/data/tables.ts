/**
 * Every table that the download service has beside the areas: addresses, cadastre, buildings, assessments,
 * companies, place names.
 */
import { ADDRESS_ENTITIES, generateAddresses } from './addresses.ts';
import { ASSESSMENT_ENTITIES, generateAssessments } from './assessments.ts';
import { BBR_ENTITIES, generateBuildings } from './buildings.ts';
import { CADASTRE_ENTITIES, generateCadastre } from './cadastre.ts';
import { COMPANY_ENTITIES, generateCompanies } from '../../src/registers/companies/sample/rows.ts';
import { PLACE_ENTITIES, generatePlaces } from './places.ts';
import type { TableRow } from './table-row.ts';

/** Each once, in whatever register it is. */
export const SAMPLE_ENTITIES = [
  ...ADDRESS_ENTITIES,
  ...CADASTRE_ENTITIES,
  ...BBR_ENTITIES,
  ...ASSESSMENT_ENTITIES,
  ...COMPANY_ENTITIES,
  ...PLACE_ENTITIES,
] as const;
export type SampleEntity = (typeof SAMPLE_ENTITIES)[number];
export type SampleTables = Readonly<Record<SampleEntity, readonly TableRow[]>>;

/** The same to the last digit every time. */
export function generateTables(): SampleTables {
  const addresses = generateAddresses();
  const cadastre = generateCadastre(addresses);
  const buildings = generateBuildings({ ...addresses, ...cadastre });
  return {
    ...{ ...addresses, ...cadastre, ...buildings },
    ...generateAssessments(buildings),
    ...generateCompanies(addresses),
    ...generatePlaces(),
  };
}
