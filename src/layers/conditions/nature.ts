import type { Condition, InForce } from './condition.ts';
import { code, day, geoJsonFrom, link, number, numbered, text } from './condition.ts';

export const PORTAL_CREDIT =
  'Danmarks Miljøportal: indeholder data, som benyttes i henhold til vilkår for brug af danske offentlige data';

const HOST = {
  host: 'portal',
  url: 'https://arealeditering-dist-geo.miljoeportal.dk/geoserver/wfs',
  geometryProperty: 'Shape',
  keyProperty: 'Objekt_id',
} as const;

export const portal = (type: string) => geoJsonFrom(HOST, `dai:${type}`);

const OTHER_STATUSES = ['0', '1', '2', '4'];
const PUBLIC = {
  columns: ['Off_kode'],
  accepted: ['1'],
  others: ['2', '3'],
  mayBeEmpty: true,
} as const;

/** Adopted, public, current, within its own days. */
export const PORTAL_IN_FORCE: InForce = {
  decides: [{ columns: ['Statuskode'], accepted: ['3'], others: OTHER_STATUSES }, PUBLIC],
  begins: [['Gyldig_fra']],
  ends: [['Systid_til'], ['Gyldig_til']],
};

const PROPOSED: InForce = {
  ...PORTAL_IN_FORCE,
  decides: [{ columns: ['Statuskode'], accepted: ['2', '3'], others: ['0', '1', '4'] }, PUBLIC],
};

const COMMON = {
  objectId: ['Objekt_id'],
  inForce: PORTAL_IN_FORCE,
  absence: 'outside',
  credit: PORTAL_CREDIT,
} as const;

const SITE = [
  text('site_nr', 'Site_nr'),
  text('navn', 'Objektnavn'),
  text('omraade', 'Loc_ident'),
  text('site_id', 'Site_ident'),
];

const CONSERVATION = [
  code(
    'fredningstype',
    ['Fred_tkode'],
    numbered('Arealfredning', 'Kirkefredning', 'Statsfredning', 'Videnskabeligt reservat'),
  ),
  text('navn', 'Fred_navn'),
  text('reg_nr', 'Reg_nr'),
  number('aar', 'Aar_fredn'),
  link('dokument', 'Link'),
];

export const NATURE: readonly Condition[] = [
  {
    ...COMMON,
    key: 'habitatomraade',
    name: 'Natura 2000, habitatområde',
    provision: 'Habitatbekendtgørelsen § 6',
    source: portal('habitat_omr'),
    minRows: 150,
    fields: SITE,
    absenceText: 'Uden for habitatområder. Et projekt i nærheden kan kræve en vurdering.',
  },
  {
    ...COMMON,
    key: 'fuglebeskyttelse',
    name: 'Natura 2000, fuglebeskyttelsesområde',
    provision: 'Habitatbekendtgørelsen § 6',
    source: portal('fugle_bes_omr'),
    minRows: 80,
    fields: SITE,
    absenceText: 'Uden for fuglebeskyttelsesområder.',
  },
  {
    ...COMMON,
    key: 'ramsar',
    name: 'Natura 2000, Ramsarområde',
    provision: 'Habitatbekendtgørelsen § 6',
    source: portal('ramsar_omr'),
    minRows: 18,
    fields: SITE,
    absenceText: 'Uden for Ramsarområder.',
  },
  {
    ...COMMON,
    key: 'fredning',
    name: 'Fredet område',
    provision: 'Naturbeskyttelsesloven § 33',
    source: portal('fredede_omr'),
    minRows: 2_000,
    fields: CONSERVATION,
    absenceText: 'Ingen registreret fredning.',
  },
  {
    ...COMMON,
    key: 'fredning_forslag',
    name: 'Forslag til fredning',
    provision: 'Naturbeskyttelsesloven § 34',
    source: portal('fredede_omr_forslag'),
    minRows: 5,
    inForce: PROPOSED,
    fields: CONSERVATION,
    absenceText: 'Intet registreret forslag til fredning.',
  },
  {
    ...COMMON,
    key: 'reservat',
    name: 'Natur- og vildtreservat',
    provision: 'Naturbeskyttelsesloven § 27',
    source: portal('natur_vildt_reservat'),
    minRows: 70,
    fields: [
      code(
        'reservattype',
        ['Res_tkode'],
        numbered('Trækfugle', 'Ynglefugle', 'Sæl', 'Hede', 'By', 'Øvrigt'),
      ),
      text('navn', 'Objektnavn', 'Res_navn'),
      link('dokument', 'Link'),
    ],
    absenceText: 'Uden for reservater.',
  },
  {
    ...COMMON,
    key: 'raastof',
    name: 'Råstofområde',
    provision: 'Råstofloven § 5 a',
    source: portal('raastofomr'),
    minRows: 300,
    fields: [
      code(
        'omraadetype',
        ['Omr_tkode'],
        numbered('Graveområde', 'Interesseområde', 'Anmeldte rettigheder'),
      ),
      text('navn', 'Objektnavn', 'Omr_navn'),
      day('registreret', 'Oprettet'),
      link('dokument', 'Link'),
    ],
    absenceText: 'Uden for råstofområder.',
  },
];
