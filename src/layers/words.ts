/** Names of registers stay Danish. */
import type { LineKey, Theme } from './keys.ts';
import type { SourceHost } from './source.ts';

export type Words = Readonly<Record<'da' | 'en', string>>;

export const THEME_WORDS: Readonly<Record<Theme, Words>> = {
  region: { da: 'Region', en: 'Region' },
  kommune: { da: 'Kommune', en: 'Municipality' },
  sogn: { da: 'Sogn', en: 'Parish' },
  retskreds: { da: 'Retskreds', en: 'Judicial district' },
  politikreds: { da: 'Politikreds', en: 'Police district' },
  opstillingskreds: { da: 'Opstillingskreds', en: 'Nomination district' },
};

const same = (name: string): Words => ({ da: name, en: name });

export const SOURCE_WORDS = {
  portal: same('Miljøportalen'),
  plandata: same('Plandata'),
  dkjord: same('DKJord'),
  grukos: same('GRUKOS'),
  heritage: same('Fund og Fortidsminder'),
  cadastre: same('Matriklen'),
  dagi: same('DAGI'),
  'datafordeler-files': same('Datafordeleren'),
  terrain: { da: 'Terrænmodellen', en: 'The terrain model' },
  virk: same('CVR'),
} as const satisfies Readonly<Record<SourceHost, Words>>;

export function lineSource(key: LineKey): Words {
  if (key === 'strandbeskyttelse' || key === 'klitfredning') return SOURCE_WORDS.cadastre;
  return key === 'fortidsminde' ? SOURCE_WORDS.heritage : SOURCE_WORDS.portal;
}

export const PROPERTY_WORDS = {
  lines: { da: 'Byggelinjer og beskyttet natur', en: 'Building lines and protected nature' },
  areas: { da: 'Områder', en: 'Areas' },
  property: { da: 'Ejendommen', en: 'The property' },
  bfe: { da: 'BFE-nummer', en: 'BFE number' },
  parcel: { da: 'Matrikelnummer', en: 'Parcel number' },
  buildings: { da: 'Bygninger', en: 'Buildings' },
  nearestAddress: { da: 'Nærmeste adresse', en: 'Nearest address' },
} as const satisfies Readonly<Record<string, Words>>;
