/**
 * Every table that the download service has beside the areas: addresses, cadastre, buildings, assessments,
 * companies, place names.
 */
import { ADDRESS_ENTITIES, generateAddresses } from './addresses.ts';
import { ASSESSMENT_ENTITIES, generateAssessments } from './assessments.ts';
import { BBR_ENTITIES, generateBuildings } from './buildings.ts';
import { CADASTRE_ENTITIES, generateCadastre } from './cadastre.ts';
import { SAMPLES } from '../../src/registers.ts';
import type { SampleRows } from '../../src/mirror/sample-register.ts';
import { PLACE_ENTITIES, generatePlaces } from './places.ts';

const ENTITIES = [
  ...ADDRESS_ENTITIES,
  ...CADASTRE_ENTITIES,
  ...BBR_ENTITIES,
  ...ASSESSMENT_ENTITIES,
  ...PLACE_ENTITIES,
] as const;
/** Each once, whichever register it is in. */
export const SAMPLE_ENTITIES: readonly string[] = [
  ...ENTITIES,
  ...SAMPLES.flatMap((sample) => Object.keys(sample.minRows)),
];
export type SampleEntity = (typeof ENTITIES)[number] | (string & {});
export type SampleTables = SampleRows &
  Readonly<Record<(typeof ENTITIES)[number], SampleRows[string]>>;

/** The same to the last digit every time. */
export function generateTables(): SampleTables {
  const addresses = generateAddresses();
  const cadastre = generateCadastre(addresses);
  const buildings = generateBuildings({ ...addresses, ...cadastre });
  const tables = {
    ...{ ...addresses, ...cadastre, ...buildings },
    ...generateAssessments(buildings),
    ...generatePlaces(),
  };
  return SAMPLES.reduce((drawn, sample) => ({ ...drawn, ...sample.rows(drawn) }), tables);
}
