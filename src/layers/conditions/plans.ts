import type { Condition, ConditionField, InForce } from './condition.ts';
import { code, day, geoJsonFrom, link, number, numbered, text, yes } from './condition.ts';

export const PLANDATA_CREDIT = 'Plandata.dk, Plan- og Landdistriktsstyrelsen';

const HOST = {
  host: 'plandata',
  url: 'https://geoserver.plandata.dk/geoserver/wfs',
  geometryProperty: 'geometri',
  keyProperty: 'id',
} as const;

export const plandata = (type: string, keyProperty = 'id') =>
  geoJsonFrom(HOST, `pdk:theme_pdk_${type}`, { keyProperty, pageSize: 5_000 });

const STATUS = ['status', 'planstatus'];

/** Adopted, in force, and neither repealed nor followed by another version. */
export const ADOPTED: InForce = {
  decides: [
    { columns: STATUS, accepted: ['v', 'vedtaget'], others: ['f', 'forslag', 'a', 'aflyst', 'k'] },
  ],
  begins: [['datoikraft']],
  ends: [['datoaflyst'], ['datogslut']],
};

/** Proposals lapse three years after publication (planloven § 32). */
const PROPOSED: InForce = {
  decides: [
    { columns: STATUS, accepted: ['f', 'forslag'], others: ['v', 'vedtaget', 'a', 'aflyst', 'k'] },
  ],
  begins: [['datoforsl']],
  ends: [['datoaflyst'], ['datogslut']],
  lapses: { after: ['datoforsl'], years: 3 },
};

const ZONES = numbered(
  'Byzone',
  'Landzone',
  'Sommerhusområde',
  'Byzone og landzone',
  'Sommerhusområde og landzone',
  'By og sommerhusområde',
  'Byzone, landzone og sommerhusområde',
);

const USES = {
  11: 'Boligområde',
  21: 'Blandet bolig og erhverv',
  31: 'Erhvervsområde',
  41: 'Centerområde',
  51: 'Rekreativt område',
  61: 'Sommerhusområde',
  71: 'Område til offentlige formål',
  81: 'Tekniske anlæg',
  91: 'Landområde',
  96: 'Andet',
};

const OF_WHAT = numbered(
  'Området som helhed',
  'Den enkelte ejendom',
  'Den enkelte grund',
  'Det enkelte jordstykke',
);

/**
 * A percentage is of what the next field says; the plan itself may have figures that are empty
 * here.
 */
const BUILDING_RIGHTS: readonly ConditionField[] = [
  number('bebyggelsesprocent', 'bebygpct'),
  code('bebyggelsesprocent_af', ['bebygpctaf'], OF_WHAT),
  number('etager', 'maxetager'),
  number('hoejde_m', 'maxbygnhjd'),
];

const PLAN: readonly ConditionField[] = [
  text('plannr'),
  text('plannavn'),
  text('planid'),
  code('anvendelse', ['anvgen'], USES),
];

const DATES: readonly ConditionField[] = [
  day('vedtaget', 'datovedt'),
  day('i_kraft', 'datoikraft'),
  link('dokument', 'doklink'),
];

const MUNICIPALITY = text('kommune', 'kommunenavn', 'komunenavn');

const COMMON = { credit: PLANDATA_CREDIT, absence: 'outside' } as const;

export const PLANS: readonly Condition[] = [
  {
    ...COMMON,
    key: 'zone',
    name: 'Zonestatus',
    provision: 'Planloven § 34',
    source: plandata('zonekort_samlet_v'),
    minRows: 100,
    objectId: ['id'],
    inForce: { decides: [], begins: [], ends: [] },
    fields: [code('zone', ['zone'], ZONES), text('kommunekode', 'komnr'), MUNICIPALITY],
    absence: 'rural-zone',
    absenceText: 'Landzone: hverken byzone eller sommerhusområde.',
  },
  {
    ...COMMON,
    key: 'lokalplan',
    name: 'Vedtaget lokalplan',
    provision: 'Planloven §§ 13, 15 og 18',
    source: plandata('lokalplan_vedtaget'),
    minRows: 25_000,
    objectId: ['planid'],
    inForce: ADOPTED,
    fields: [
      ...PLAN,
      ...BUILDING_RIGHTS,
      code('zone', ['zone'], ZONES),
      yes('bebyggelse_efter_tegning', 'iomfangreg'),
      ...DATES,
      MUNICIPALITY,
    ],
    absenceText: 'Ingen vedtaget lokalplan. Kommuneplan og zone gælder stadig.',
  },
  {
    ...COMMON,
    key: 'lokalplan_forslag',
    name: 'Forslag til lokalplan',
    provision: 'Planloven § 17',
    source: plandata('lokalplan_forslag'),
    minRows: 100,
    objectId: ['planid'],
    inForce: PROPOSED,
    fields: [
      ...PLAN,
      day('offentliggjort', 'datoforsl'),
      { ...day('midlertidigt_forbud_til', 'datoforsl'), plusYears: 1 },
      day('hoering_fra', 'datostart'),
      day('hoering_til', 'datoslut'),
      link('dokument', 'doklink'),
      MUNICIPALITY,
    ],
    absenceText: 'Intet offentliggjort forslag. Kladder er ikke offentlige.',
  },
  {
    ...COMMON,
    key: 'lokalplandelomraade',
    name: 'Delområde i lokalplan',
    provision: 'Planloven § 15',
    source: plandata('lokalplandelomraade_vedtaget'),
    minRows: 40_000,
    objectId: ['id'],
    inForce: ADOPTED,
    fields: [
      text('delnr'),
      text('lokalplan_plannr', 'lp_plannr'),
      text('lokalplan_plannavn', 'lp_plannavn'),
      text('lokalplan_id', 'lokplan_id'),
      code('anvendelse', ['anvgen'], USES),
      ...BUILDING_RIGHTS,
      ...DATES,
    ],
    absenceText: 'Intet delområde. En lokalplan uden delområder har sine egne tal.',
  },
  {
    ...COMMON,
    key: 'kommuneplanramme',
    name: 'Kommuneplanramme',
    provision: 'Planloven §§ 11 og 12',
    source: plandata('kommuneplanramme_alle_vedtaget_v'),
    minRows: 30_000,
    objectId: ['planid'],
    inForce: ADOPTED,
    fields: [
      ...PLAN,
      ...BUILDING_RIGHTS,
      code('zone', ['zonestatus'], ZONES),
      code(
        'fremtidig_zone',
        ['fremtidigzonestatus'],
        numbered(
          'Fremtidig byzone i planperioden',
          'Mulig byzone',
          'Fremtidigt sommerhusområde',
          'Muligt sommerhusområde',
          'Byzone, der tilbageføres til landzone',
          'Sommerhusområde, der tilbageføres til landzone',
        ),
      ),
      ...DATES,
      MUNICIPALITY,
    ],
    absenceText: 'Ingen kommuneplanramme.',
  },
  {
    ...COMMON,
    key: 'byggefelt',
    name: 'Byggefelt',
    provision: 'Planloven § 15',
    source: plandata('byggefelt_vedtaget'),
    minRows: 30_000,
    objectId: ['id'],
    inForce: ADOPTED,
    fields: [
      text('lokalplan_plannr', 'lp_plannr'),
      text('lokalplan_plannavn', 'lp_plannavn'),
      text('lokalplan_id', 'lokplan_id'),
      text('delnr'),
      number('etager', 'maxetager'),
      number('hoejde_m', 'maxbygnhjd'),
      number('etageareal_m2', 'eareal'),
      yes('kun_i_feltet', 'bygkunifelt'),
      yes('vejledende', 'bygvejledende'),
    ],
    absence: 'not-mapped',
    absenceText: 'Intet digitalt byggefelt. Planen kan have tegnet et på papir.',
  },
];
