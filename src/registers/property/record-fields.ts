/** Fields of one BBR column each, in the order of the record. */
import type { CodeLabels } from '../../answers/codes.ts';
import { exampleRow, fieldsIn } from './fields.ts';
import type { Field, Fields, Recorded, RowOf } from './fields.ts';

type More = Pick<Field, 'list' | 'expected' | 'example' | 'description'>;

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

/** A ground's have other numbers. */
export const DRAINAGE_FIELDS = {
  afloebsforhold: field('code', 'drainage', 'byg031', { example: '1' }),
  medlemskab_spildevandsforsyning: field('code', 'sewer_membership', 'byg123', { example: '2' }),
  paabud: field('code', 'sewer_order', 'byg124', { example: '1' }),
  paabud_frist: field('date', 'sewer_order_due', 'byg125', { example: null }),
  tilladelse_udtraeden: field('code', 'exit_permit', 'byg126', { example: '0' }),
  tilladelse_udtraeden_dato: field('date', 'exit_permit_date', 'byg127', { example: null }),
  tilladelse_alternativ_afledning: field('code', 'alternative_permit', 'byg128', { example: '0' }),
  tilladelse_alternativ_afledning_dato: field('date', 'alternative_permit_date', 'byg129', {
    example: null,
  }),
} satisfies Fields;

export const FACILITY_FIELDS = {
  etableringsaar: field('integer', 'established_year', 'tek024', { example: 1994 }),
  ombygningsaar: field('integer', 'rebuilt_year', 'tek025', { example: null }),
  driftstatus: field('code', 'operation', 'tek110', { example: '1' }),
  areal_m2: field('decimal', 'area', 'tek037', { example: null }),
  hoejde_m: field('decimal', 'height', 'tek038', { example: null }),
  rotordiameter_m: field('decimal', 'rotor_diameter', 'tek075', { example: null }),
} satisfies Fields;

export const TANK_FIELDS = {
  indhold: field('code', 'contents', 'tek034', { list: 'Indhold', example: '12' }),
  materiale: field('code', 'material', 'tek068', { list: 'Materiale', example: '2' }),
  type: field('code', 'wall_type', 'tek033', { list: 'TypeAfVaegge', example: '1' }),
  stoerrelsesklasse: field('code', 'size_class', 'tek026', {
    list: 'Stoerrelsesklasse',
    example: '1',
  }),
  placering: field('code', 'placement', 'tek027', { list: 'Placering', example: '1' }),
  sloejfning: field('code', 'decommissioning', 'tek028', { list: 'Sloejfning', example: '2' }),
  korrosionsbeskyttelse: field('code', 'corrosion_protection', 'tek069', {
    list: 'SupplerendeIndvendigKorrosionsbeskyttelse',
    example: '3',
  }),
  stoerrelse: field('decimal', 'size', 'tek032', { example: 2500 }),
  rumfang: field('decimal', 'volume', 'tek036', { example: 2500 }),
  sloejfningsaar: field('integer', 'decommissioned_year', 'tek072', { example: 2020 }),
  fabrikationsaar: field('integer', 'made_year', 'tek067', { example: 1994 }),
  sloejfningsfrist: field('date', 'decommissioning_due', 'tek035', { example: '2034-12-31' }),
  fabrikationsnummer: field('text', 'serial_number', 'tek030', { example: 'OPDIGTET-1' }),
  typegodkendelsesnummer: field('text', 'type_approval', 'tek031', { example: '00-0000' }),
  korrosionsbeskyttelse_dato: field('date', 'corrosion_protection_date', 'tek070', {
    example: '1994-06-01',
  }),
  overdaekning: field('text', 'cover', 'tek105', { example: null }),
  inspektionsdato: field('date', 'inspection_date', 'tek106', { example: null }),
  seneste_inspektion: field('date', 'latest_inspection', 'tek111', { example: null }),
} satisfies Fields;

export const RECORD_FIELDS = [BUILDING_FIELDS, DRAINAGE_FIELDS, FACILITY_FIELDS, TANK_FIELDS];

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
