/**
 * DAWA's parameters by resource, from its apiSpecification; each is served or refused, never
 * ignored (D151a).
 */
const EVERYWHERE =
  'format callback noformat ndjson srid struktur side per_side q autocomplete polygon cirkel x y nærmeste';
const PLACE_IN_COUNTRY =
  'regionskode sognekode retskredskode politikredskode opstillingskredskode landsdelsnuts3 ' +
  'afstemningsområdenummer storkredsnummer valglandsdelsbogstav zone zonekode';
const ADDRESS = `id status vejkode vejnavn husnr husnrfra husnrtil supplerendebynavn postnr kommunekode
  ${PLACE_IN_COUNTRY} esrejendomsnr nøjagtighed stedid stednavnid bebyggelsesid bebyggelsestype ejerlavkode
  matrikelnr adgangspunktid vejpunkt_id navngivenvej_id medtagugyldige medtagnedlagte fuzzy
  stednavnafstand stedafstand geometri`;
const AREA = 'navn kode';
const ROAD = 'navn kommunekode postnr fuzzy';

const LISTS: Readonly<Record<string, string>> = {
  adgangsadresser: `${ADDRESS} kvh`,
  adresser: `${ADDRESS} kvhx etage dør adgangsadresseid`,
  autocomplete: `id adgangsadresseid kommunekode postnr geometri fuzzy caretpos type startfra
    supplerendebynavn stormodtagerpostnumre multilinje gældende`,
  afstemningsomraader: 'dagi_id kommunekode regionskode opstillingskredsnummer nummer navn',
  menighedsraadsafstemningsomraader: 'dagi_id kommunekode nummer sognekode navn',
  bbrlight: `id adresseid adgangsadresseid bygningsid kommunekode anvendelseskode esrejendomsnr
    medtagophørte`,
  ejerlav: AREA,
  historik: 'id postnr kommunekode adgangsadresseid',
  jordstykker: `ejerlavkode matrikelnr kommunekode sognekode regionskode retskredskode udvidet_esrejendomsnr
    esrejendomsnr sfeejendomsnr featureid moderjordstykke bfenummer`,
  kommuner: `${AREA} regionskode udenforkommuneinddeling`,
  landsdele: 'dagi_id nuts3 navn',
  storkredse: 'navn nummer regionskode valglandsdelsbogstav',
  valglandsdele: 'bogstav navn',
  navngivneveje: `${ROAD} id darstatus adresseringsnavn administrerendekommunekode vejstykkeid regex geometri
    medtagnedlagte`,
  opstillingskredse: `${AREA} dagi_id nummer kredskommunekode regionskode storkredsnummer
    valglandsdelsbogstav kommunekode`,
  politikredse: AREA,
  postnumre: 'nr navn kommunekode stormodtagere landpostnumre',
  regioner: `${AREA} nuts2`,
  retskredse: AREA,
  sogne: AREA,
  bebyggelser: 'id navn type',
  steder: 'id hovedtype undertype kommunekode primærtnavn primærnavnestatus',
  stednavne: 'id navn hovedtype undertype kommunekode navnestatus fuzzy',
  stednavntyper: 'hovedtype',
  stednavne2: 'sted_id navn hovedtype undertype kommunekode navnestatus brugsprioritet fuzzy',
  supplerendebynavne: 'navn kommunekode postnr',
  supplerendebynavne2: 'dagi_id kommunekode navn postnr medtagnedlagte',
  vejnavne: ROAD,
  vejnavnpostnummerrelationer: 'postnr vejnavn kommunekode fuzzy',
  vejstykker: `${ROAD} id navngivenvej_id kode regex medtagnedlagte`,
};

const ONE =
  'format callback noformat ndjson srid struktur x y medtagugyldige medtagnedlagte geometri landpostnumre';

/** `path` without the prefix. */
export function parametersOf(path: string): readonly string[] {
  const [, resource = '', ...parts] = path.split('/');
  const own = LISTS[resource];
  const [part] = resource === 'bbrlight' ? parts.slice(1) : parts;
  const isList = own !== undefined && (part === undefined || part === 'autocomplete');
  return (isList ? `${EVERYWHERE} ${own}` : ONE).split(/\s+/);
}
