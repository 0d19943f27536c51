/** Filters of DAWA that are not offered: ignoring one would answer another question. */
import { badParameter } from './failure.ts';
import type { Params } from './params.ts';

const REGIONAL = [
  ...['regionskode', 'landsdelsnuts3', 'sognekode', 'retskredskode', 'politikredskode'],
  ...['opstillingskredskode', 'storkredsnummer', 'valglandsdelsbogstav', 'zone', 'zonekode'],
  ...['afstemningsområdenummer', 'menighedsrådsafstemningsområdenummer', 'dagi_id'],
];
const WITHIN = ['cirkel', 'polygon'];

const NOT_OFFERED = {
  addresses: [
    ...REGIONAL,
    ...['ejerlavkode', 'matrikelnr', 'esrejendomsnr', 'husnrfra', 'husnrtil', 'nøjagtighed'],
    ...['adgangspunktid', 'adgangspunktsstatus', 'vejpunkt_id', 'bebyggelsesid'],
    ...['bebyggelsestype', 'supplerendebynavn_dagi_id', 'stormodtagerpostnr', 'postnrnavn'],
    ...['oprettetefter', 'oprettetfør', 'ændretefter', 'ændretfør', 'x', 'y'],
  ],
  roads: [...REGIONAL, ...WITHIN, 'postnrnavn', 'darstatus', 'vejstykkeid', 'nedlagt'],
  areas: [...REGIONAL, ...WITHIN, 'nuts2', 'x', 'y'],
  postcodes: [...REGIONAL, ...WITHIN, 'x', 'y'],
  places: [...REGIONAL, ...WITHIN, 'navnestatus', 'brugsprioritet', 'sted_id', 'x', 'y'],
  districts: [...REGIONAL, ...WITHIN, 'x', 'y'],
  towns: [...REGIONAL.filter((name) => name !== 'dagi_id'), ...WITHIN, 'x', 'y'],
  parcels: [...REGIONAL, ...WITHIN, 'sfeejendomsnr', 'moderjordstykke', 'fælleslod'],
} as const;

export function refuseFilters(params: Params, of: keyof typeof NOT_OFFERED): void {
  const asked = NOT_OFFERED[of].find((name) => params.text(name) !== null);
  if (asked !== undefined) throw badParameter(asked, 'not offered here');
}
