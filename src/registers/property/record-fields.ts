/** Building fields of one BBR column each, in the order of the record. */
import type { CodeLabels } from '../../answers/codes.ts';
import { exampleRow, fieldsIn } from './fields.ts';
import type { Field, Fields, Recorded, RowOf } from './fields.ts';

type More = Pick<Field, 'expected' | 'example' | 'description'>;

function field<K extends Field['kind'], C extends string>(
  kind: K,
  column: C,
  prefix: string,
  more: More,
) {
  return { kind, column, prefix, ...more };
}

const expected = true;

export const BUILDING_FIELDS = {
  bygningsnummer: field('integer', 'number', 'byg007', { expected, example: 1 }),
  anvendelse: field('code', 'use', 'byg021', { expected, example: '120' }),
  opfoerelsesaar: field('integer', 'built_year', 'byg026', { expected, example: 1968 }),
  om_tilbygningsaar: field('integer', 'rebuilt_year', 'byg027', { example: 1994 }),
  antal_etager: field('integer', 'storeys', 'byg054', { example: 1 }),
  afvigende_etager: field('code', 'deviating_storeys', 'byg055', { example: '11' }),
  areal: {
    bebygget_m2: field('integer', 'footprint_area', 'byg041', { expected, example: 132 }),
    samlet_bygningsareal_m2: field('integer', 'total_area', 'byg038', { expected, example: 132 }),
    samlet_boligareal_m2: field('integer', 'dwelling_area', 'byg039', { expected, example: 132 }),
    samlet_erhvervsareal_m2: field('integer', 'business_area', 'byg040', {
      expected,
      example: null,
    }),
  },
  materialer: {
    ydervaeg: field('code', 'outer_wall', 'byg032', { example: '1' }),
    ydervaeg_supplerende: field('code', 'other_outer_wall', 'byg034', { example: '5' }),
    tag: field('code', 'roof', 'byg033', { example: '3' }),
    tag_supplerende: field('code', 'other_roof', 'byg035', { example: '5' }),
  },
  varme: {
    installation: field('code', 'heating', 'byg056', { example: '2' }),
    opvarmningsmiddel: field('code', 'heating_fuel', 'byg057', { example: '3' }),
    supplerende: field('code', 'other_heating', 'byg058', { example: '2' }),
  },
  asbest: field('code', 'asbestos', 'byg036', { example: '2' }),
} satisfies Fields;

export type BuildingFieldsRow = RowOf<typeof BUILDING_FIELDS>;

export const BUILDING_COLUMNS = fieldsIn(BUILDING_FIELDS);
export const EXAMPLE_BUILDING = exampleRow(BUILDING_FIELDS);

/** A loop over the fields takes twice as long. */
export function beginBuilding(
  row: BuildingFieldsRow & { readonly id: string },
  labels: CodeLabels,
): { id: string; type: 'bygning' } & Recorded<typeof BUILDING_FIELDS> {
  return {
    id: row.id,
    type: 'bygning',
    bygningsnummer: row.number,
    anvendelse: labels.field('BygAnvendelse', row.use),
    opfoerelsesaar: row.builtYear,
    om_tilbygningsaar: row.rebuiltYear,
    antal_etager: row.storeys,
    afvigende_etager: labels.field('AfvigendeEtager', row.deviatingStoreys),
    areal: {
      bebygget_m2: row.footprintArea,
      samlet_bygningsareal_m2: row.totalArea,
      samlet_boligareal_m2: row.dwellingArea,
      samlet_erhvervsareal_m2: row.businessArea,
    },
    materialer: {
      ydervaeg: labels.field('YdervaeggenesMateriale', row.outerWall),
      ydervaeg_supplerende: labels.field('YdervaeggenesMateriale', row.otherOuterWall),
      tag: labels.field('Tagdaekningsmateriale', row.roof),
      tag_supplerende: labels.field('Tagdaekningsmateriale', row.otherRoof),
    },
    varme: {
      installation: labels.field('Varmeinstallation', row.heating),
      opvarmningsmiddel: labels.field('Opvarmningsmiddel', row.heatingFuel),
      supplerende: labels.field('SupplerendeVarme', row.otherHeating),
    },
    asbest: labels.field('AsbestholdigtMateriale', row.asbestos),
  };
}
