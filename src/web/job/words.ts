import { KIND_TERMS, STATUS_TERMS } from '../../jobs/for-pages.ts';
import type { Kind, Role, Srid, Status } from '../../jobs/for-pages.ts';
import { inLanguage } from '../shared/language.ts';
import type { Words } from '../../layers/words.ts';

export const ENVIRONMENTS = [
  ['test', 'Test'],
  ['live', 'Live'],
] as const;

export function kindWords(kind: Kind): string {
  return inLanguage(KIND_TERMS[kind].words);
}

const ROLE_WORDS: Readonly<Record<Role, Words>> = {
  adresse: { da: 'Hele adressen', en: 'The whole address' },
  vej: { da: 'Vejnavn', en: 'Road name' },
  husnr: { da: 'Husnummer', en: 'House number' },
  bogstav: { da: 'Husbogstav', en: 'House letter' },
  etage: { da: 'Etage', en: 'Floor' },
  doer: { da: 'Dør', en: 'Door' },
  postnr: { da: 'Postnummer', en: 'Postcode' },
  by: { da: 'By', en: 'Town' },
  x: { da: 'x: øst eller længdegrad', en: 'x: easting or longitude' },
  y: { da: 'y: nord eller breddegrad', en: 'y: northing or latitude' },
  bfe: { da: 'BFE-nummer', en: 'BFE number' },
  ejerlav: { da: 'Ejerlavskode', en: 'Cadastral district code' },
  matrikelnummer: { da: 'Matrikelnummer', en: 'Parcel number' },
  wkt: { da: 'Område som WKT', en: 'Area as WKT' },
  lag: { da: 'Lag: nøgler med komma imellem', en: 'Layers: keys with commas between' },
  adgangsadresse_id: { da: 'Adgangsadressens id', en: 'Id of the access address' },
};

export function roleWords(role: Role): string {
  return inLanguage(ROLE_WORDS[role]);
}

export function statusWords(status: Status): string {
  return inLanguage(STATUS_TERMS[status]);
}

export const SRID_WORDS: Readonly<Record<Srid, Words>> = {
  4326: { da: 'Grader (WGS84, EPSG:4326)', en: 'Degrees (WGS84, EPSG:4326)' },
  25832: { da: 'Meter (UTM 32, EPSG:25832)', en: 'Metres (UTM 32, EPSG:25832)' },
};
