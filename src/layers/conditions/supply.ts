import type { Condition, InForce } from './condition.ts';
import { code, day, link, numbered, text, number } from './condition.ts';
import { PLANDATA_CREDIT, plandata } from './plans.ts';

/** The themes numbered 12xx have a status as code and as word. */
const ADOPTED_THEME: InForce = {
  decides: [{ columns: ['statuskode'], accepted: ['3'], others: ['0', '1', '2', '4'] }],
  begins: [['datoikraft']],
  ends: [['datoaflyst'], ['systid_til']],
};

/**
 * Duties to stay on natural gas are without effect since 1 July 2022 (varmeforsyningsloven § 14 b).
 */
const NO_EFFECT = { columns: ['vaerd1204a', 'forsytekst'], word: 'naturgas' } as const;

const COMMON = {
  objectId: ['objekt_id'],
  inForce: ADOPTED_THEME,
  credit: PLANDATA_CREDIT,
} as const;

const SEWERS = numbered(
  'Fælleskloakeret',
  'Separatkloakeret',
  'Spildevandskloakeret',
  'Overfladevandskloakeret',
  'Ukloakeret',
  'Andet',
);

const PLAN = [
  day('vedtaget', 'datovedt'),
  day('i_kraft', 'datoikraft'),
  link('dokument', 'doklink'),
];

const of = (type: string) => plandata(`${type}_vedtaget_v`, 'objekt_id');

export const SUPPLY: readonly Condition[] = [
  {
    ...COMMON,
    key: 'kloakopland',
    name: 'Kloakopland',
    provision: 'Miljøbeskyttelsesloven § 32',
    source: of('kloakopland'),
    minRows: 20_000,
    fields: [
      text('navn', 'navn1201'),
      code('kloaktype_nu', ['type1201a'], SEWERS),
      code('kloaktype_planlagt', ['type1201b'], SEWERS),
      number('periode_fra_aar', 'staar1201'),
      number('periode_til_aar', 'sluaar1201'),
      text('kommune', 'cvrname'),
      ...PLAN,
    ],
    absence: 'not-mapped',
    absenceText: 'Intet registreret kloakopland. Det er ikke det samme som ukloakeret.',
  },
  {
    ...COMMON,
    key: 'tilslutningspligt',
    name: 'Tilslutnings- eller forblivelsespligt til varme',
    provision: 'Varmeforsyningsloven § 14 a',
    source: of('tilslutningspligtomraade'),
    minRows: 300,
    inForce: { ...ADOPTED_THEME, withoutEffect: NO_EFFECT },
    fields: [
      text('navn', 'navn1204'),
      text('pligt', 'vaerd1204a'),
      text('grundlag', 'vaerd1204b'),
      day('pligt_fra', 'dato1204'),
      ...PLAN,
    ],
    absence: 'outside',
    absenceText: 'Ingen registreret pligt. En lokalplan kan stille et krav.',
  },
  {
    ...COMMON,
    key: 'varmeplan',
    name: 'Varmeplanområde',
    provision: 'Varmeforsyningsloven §§ 3 og 4',
    source: of('varmeplansomraade'),
    minRows: 800,
    fields: [
      code('varmeform', ['type1207'], numbered('Fjernvarme', 'Individuel varmeforsyning')),
      number('omstilling_fra_aar', 'konvstartaar'),
      number('omstilling_til_aar', 'konvslutaar'),
      text('selskab', 'virknavn'),
      ...PLAN,
    ],
    absence: 'outside',
    absenceText: 'Uden for varmeplanområder.',
  },
  {
    ...COMMON,
    key: 'forsyningsomraade',
    name: 'Forsyningsområde',
    provision: 'Varmeforsyningsloven § 4',
    source: of('forsyningomraade'),
    minRows: 500,
    fields: [
      text('navn', 'navn1203'),
      text('forsyning', 'vaerdi1203', 'forsytekst'),
      text('selskab', 'virknavn'),
      ...PLAN,
    ],
    absence: 'outside',
    absenceText: 'Uden for godkendte forsyningsområder. Et område er ikke en pligt.',
  },
  {
    ...COMMON,
    key: 'varmeforbud',
    name: 'Forbud mod visse varmeanlæg',
    provision: 'Varmeforsyningsloven § 14',
    source: of('forsyningsforbudomraade'),
    minRows: 30,
    fields: [text('forbud', 'vaerdi1205'), ...PLAN],
    absence: 'outside',
    absenceText: 'Intet registreret forbud.',
  },
];
