/**
 * DKJord of the regions, and the area classification of the municipalities (jordforureningsloven).
 */
import type { Condition, ConditionField } from './condition.ts';
import { NAMED_PARCELS, code, geoJsonFrom, link, numbered, text, day } from './condition.ts';
import { PORTAL_CREDIT, PORTAL_IN_FORCE, portal } from './nature.ts';

const HOST = {
  host: 'dkjord',
  url: 'https://jord.miljoeportal.dk/geo/wfs',
  geometryProperty: 'Fladegeometri',
  keyProperty: 'Objekt_id',
} as const;

/** Membership of the layer decides, never the text of a status. */
const COMMON = {
  inForce: { decides: [], begins: [], ends: [] },
  objectId: ['Objekt_id'],
  credit: `${PORTAL_CREDIT}, og regionerne`,
} as const;

const LOCALITY: readonly ConditionField[] = [
  text('lokalitetsnr', 'Lokalitetsnr'),
  text('lokalitetens_status', 'Lokalitetetsforureningsstatus'),
  text('adresse', 'Lokalitetetsadresse'),
  text('region', 'Regionsnavn'),
  text(NAMED_PARCELS.district, 'Lokalitetsejerlavkode'),
  text(NAMED_PARCELS.numbers, 'Lokalitetsmatrikler'),
  day('senest_indberettet', 'SenesteInddateringsdato'),
  link('attest', 'Jordforureningsattester'),
];

const view = (type: string) => geoJsonFrom(HOST, `DKJord:${type}`);

const UNKNOWN = 'Ikke kortlagt: regionen har ingen oplysninger. Det siger ikke, at jorden er ren.';

export const SOIL: readonly Condition[] = [
  {
    ...COMMON,
    key: 'jord_v1',
    name: 'Jordforurening, vidensniveau 1',
    provision: 'Jordforureningsloven § 4',
    source: view('View_V1Flader'),
    minRows: 19_000,
    fields: LOCALITY,
    absence: 'not-mapped',
    absenceText: UNKNOWN,
  },
  {
    ...COMMON,
    key: 'jord_v2',
    name: 'Jordforurening, vidensniveau 2',
    provision: 'Jordforureningsloven § 5',
    source: view('View_V2Flader'),
    minRows: 22_000,
    fields: LOCALITY,
    absence: 'not-mapped',
    absenceText: UNKNOWN,
  },
  {
    ...COMMON,
    key: 'jord_lokaliseret',
    name: 'Lokaliseret, uafklaret',
    provision: 'Jordforureningsloven § 3',
    source: view('View_LokaliseretFlader'),
    minRows: 500,
    fields: LOCALITY,
    absence: 'outside',
    absenceText: 'Ingen uafklaret lokalitet.',
  },
  {
    ...COMMON,
    key: 'jord_udgaaet_inden',
    name: 'Udgået inden kortlægning',
    provision: 'Jordforureningsloven § 14',
    source: view('View_UIKFlader'),
    minRows: 500,
    fields: LOCALITY,
    absence: 'outside',
    absenceText: 'Ingen lokalitet, der er udgået inden kortlægning.',
  },
  {
    ...COMMON,
    key: 'jord_udgaaet_efter',
    name: 'Udgået efter kortlægning',
    provision: 'Jordforureningsloven § 13',
    source: view('View_UEKFlader'),
    minRows: 500,
    fields: LOCALITY,
    absence: 'outside',
    absenceText: 'Ingen lokalitet, der er udgået efter kortlægning.',
  },
  {
    ...COMMON,
    key: 'jord_nuancering',
    name: 'Nuancering af boligejendom',
    provision: 'Jordforureningsloven § 12 a',
    source: view('View_NuanceringsFlader'),
    minRows: 200,
    fields: LOCALITY,
    absence: 'outside',
    absenceText: 'Ingen nuancering. Kun boliger på vidensniveau 2 nuanceres.',
  },
  {
    key: 'omraadeklassificering',
    name: 'Områdeklassificering',
    provision: 'Jordforureningsloven § 50 a',
    source: portal('omr_klassificering'),
    minRows: 500,
    objectId: ['Objekt_id'],
    inForce: PORTAL_IN_FORCE,
    fields: [
      code(
        'analyse',
        ['Ana_krkode'],
        numbered(
          'Analysefrit område (kategori 1)',
          'Analysefrit område (kategori 2)',
          'Område med krav om analyser',
        ),
      ),
      text('kommune', 'CVR_navn'),
      link('regulativ', 'Komurl_link'),
    ],
    absence: 'outside',
    absenceText: 'Uden for det klassificerede område. Jorden kan stadig være kortlagt.',
    credit: PORTAL_CREDIT,
  },
];
