/**
 * What published clients of DAWA ask, by path and parameters as their sources write them, with values of
 * the sample in place of theirs: facts, no code.
 */

export interface DawaRequest {
  readonly client: string;
  readonly path: string;
  readonly status?: number;
  /** Members that the client reads of the answer, or of the first of a list; none: it reads no member. */
  readonly reads?: readonly string[];
}

const PLACE = 'x=650040.5&y=6314025.25&srid=25832';
const UNIT = '00000000-0000-4000-8000-0000000000c1';
const HOUSE = '00000000-0000-4000-8000-0000000000b1';
const ROAD = 'vejnavn=Ny%20Pr%C3%B8vegade&husnr=12A';
const WRITTEN = 'Ny+Pr%C3%B8vegade+12A%2C+2.+tv%2C+0093+Midtpr%C3%B8ve';
const MINI = ['id', 'vejnavn', 'husnr', 'postnr', 'postnrnavn', 'x', 'y', 'betegnelse'];
const SUGGESTED = ['type', 'tekst', 'forslagstekst', 'caretpos', 'data'];
const WASHED = ['kategori', 'resultater'];
/** As many as one question of `os2mo-dar-client` has. */
const MANY = [UNIT, ...Array.from({ length: 149 }, (_, i) => UNIT.replace(/^0{8}/, pad(i + 1)))];

function pad(n: number): string {
  return String(n).padStart(8, '0');
}

const component = (q: string, more = '') =>
  `/autocomplete?q=${q}&type=adresse&caretpos=2&supplerendebynavn=true&stormodtagerpostnumre=true&multilinje=true&fuzzy=${more}`;

const JAVASCRIPT: readonly Omit<DawaRequest, 'client'>[] = [
  { path: component('op'), reads: SUGGESTED },
  { path: component('Opdigtergade%20', '&startfra=adgangsadresse'), reads: SUGGESTED },
  { path: component('x', `&adgangsadresseid=${HOUSE}`), reads: SUGGESTED },
  { path: `/autocomplete?id=${UNIT}&type=adresse`, reads: SUGGESTED },
  { path: '/autocomplete?caretpos=2&fuzzy=&q=op&startfra=adresse&type=adresse', reads: SUGGESTED },
];

const PYTHON: readonly DawaRequest[] = [
  {
    client: 'pydawa',
    path: `/adresser?${ROAD.replace('%20', '+')}&postnr=0093&struktur=mini&format=json&srid=25832`,
    reads: MINI,
  },
  {
    client: 'pydawa',
    path: `/adresser?q=${WRITTEN}&struktur=mini&format=json&srid=25832`,
    reads: MINI,
  },
  {
    client: 'pydawa',
    path: `/adresser/${UNIT}?struktur=mini&srid=25832&format=geojson`,
    reads: ['geometry', 'properties'],
  },
  { client: 'pydawa', path: `/datavask/adresser?betegnelse=${WRITTEN}`, reads: WASHED },
  { client: 'os2mo-dar-client', path: '/autocomplete' },
  {
    client: 'os2mo-dar-client',
    path: `/adresser/${UNIT}?struktur=mini&noformat=1`,
    reads: MINI,
  },
  {
    client: 'os2mo-dar-client',
    path: `/adresser?id=${MANY.join('%7C')}&struktur=mini&noformat=1`,
    reads: MINI,
  },
  {
    client: 'os2mo-dar-client',
    path: `/historik/adresser?id=${UNIT}&struktur=mini&noformat=1`,
    status: 404,
  },
  {
    client: 'os2mo',
    path: '/adgangsadresser/autocomplete?per_side=5&noformat=1&kommunekode=0093&q=ny',
    reads: ['tekst', 'adgangsadresse'],
  },
  {
    client: 'os2mo',
    path: `/datavask/adresser?struktur=mini&betegnelse=${WRITTEN}`,
    reads: WASHED,
  },
  {
    client: 'dawa-api-client',
    path: `/adgangsadresser?struktur=flad&${ROAD}&postnr=0093`,
    reads: ['id', 'kvh', 'etrs89koordinat_øst', 'wgs84koordinat_bredde', 'ddkn_km1'],
  },
  {
    client: 'dawa-sdk',
    path: '/replikering/udtraek?entitet=adresse',
    reads: ['id', 'status', 'adgangsadresseid'],
  },
  { client: 'dawa-facade', path: '/replikering/vejstykker/haendelser' },
];

const PHP: readonly DawaRequest[] = [
  { client: 'nicoeg/dawa', path: '/postnumre?q=Midt', reads: ['nr', 'navn', 'kommuner'] },
  { client: 'nicoeg/dawa', path: '/postnumre/0093', reads: ['nr', 'navn', 'kommuner'] },
  { client: 'nicoeg/dawa', path: '/postnumre?navn=Midtpr%C3%B8ve', reads: ['nr', 'navn'] },
  { client: 'nicoeg/dawa', path: '/postnumre?kommunekode=0093%7C0092', reads: ['nr', 'navn'] },
  { client: 'nicoeg/dawa', path: '/postnumre?cirkel=11.46%2C56.94%2C500', reads: ['nr'] },
  {
    client: 'nicoeg/dawa',
    path: '/adresser?cirkel=11.46659207%2C56.94548559%2C50',
    reads: ['id', 'adressebetegnelse', 'adgangsadresse'],
  },
  { client: 'nicoeg/dawa', path: '/kommuner?q=midt&side=1&per_side=25', reads: ['kode', 'navn'] },
  {
    client: 'nicoeg/dawa',
    path: '/vejnavne?navn=Ny%20Pr%C3%B8vegade',
    reads: ['navn', 'kommuner'],
  },
  { client: 'nicoeg/dawa', path: '/landsdele?q=fyn', reads: ['nuts3'] },
  { client: 'election', path: '/storkredse/1', reads: ['nummer', 'navn', 'valglandsdel'] },
  { client: 'address_dawa', path: '/autocomplete?q=ny&type=adresse', reads: SUGGESTED },
  { client: 'address_dawa', path: `/adresser?id=${UNIT}`, reads: ['id', 'adgangsadresse'] },
  { client: 'geocoder_dawa', path: `/adgangsadresser?id=${HOUSE}`, reads: ['id', 'adgangspunkt'] },
];

const DOTNET: readonly DawaRequest[] = [
  { client: 'Fluxi.DAWA', path: `/adresser/${UNIT}`, reads: ['id', 'kvhx', 'adgangsadresse'] },
  { client: 'Fluxi.DAWA', path: `/adresser?${ROAD}&postnr=0093`, reads: ['id', 'adgangsadresse'] },
  { client: 'Fluxi.DAWA', path: '/vejstykker?kommunekode=0093&kode=0012', reads: ['kode', 'navn'] },
  { client: 'Fluxi.DAWA', path: `/datavask/adresser?betegnelse=${WRITTEN}`, reads: WASHED },
  {
    client: 'DawaService',
    path: `/adgangsadresser/reverse?${PLACE}&struktur=mini`,
    reads: MINI,
  },
  {
    client: 'DawaService',
    path: `/jordstykker?${PLACE}`,
    reads: ['matrikelnr', 'ejerlav', 'href'],
  },
  { client: 'DawaAddress', path: '/replikering/senestetransaktion', reads: ['txid'] },
];

/** `dawaR` asks postcodes with `landpostnumre`, which is about their areas alone. */
const R: readonly DawaRequest[] = [
  { client: 'dawaR', path: '/postnumre?landpostnumre=', reads: ['nr', 'navn'] },
  { client: 'dawaR', path: '/kommuner?format=geojson', reads: ['type', 'features'] },
  { client: 'dawaR', path: `/regioner/reverse?${PLACE}`, reads: ['kode', 'navn'] },
  { client: 'dawaR', path: '/regioner/autocomplete?q=pr%C3%B8ve', reads: ['tekst', 'region'] },
  { client: 'dawaR', path: '/supplerendebynavne2?cache=no-cache', reads: ['dagi_id', 'navn'] },
  {
    client: 'dawaR',
    path: '/menighedsraadsafstemningsomraader?struktur=flad',
    reads: ['dagi_id', 'navn', 'kommunekode'],
  },
  { client: 'dawaR', path: '/afstemningsomraader', reads: ['nummer', 'navn', 'kommune'] },
  {
    client: 'DanmarksAdresser',
    path: `/afstemningsomraader/reverse?${PLACE}`,
    reads: ['href', 'nummer', 'opstillingskreds'],
  },
  {
    client: 'DanmarksAdresser',
    path: '/afstemningsomraader?autocomplete&q=midt',
    reads: ['nummer', 'betegnelse'],
  },
  {
    client: 'rent model',
    path: `/bbrlight/enheder?adresseid=${UNIT}`,
    reads: ['Enhed_id', 'ENH_ANVEND_KODE', 'VAERELSE_ANT', 'bygning'],
  },
  {
    client: 'Laravel',
    path: `/bbrlight/bygninger?adgangsadresseid=${HOUSE}`,
    reads: ['Bygning_id', 'OPFOERELSE_AAR', 'BYG_ARL_SAML'],
  },
  { client: 'mikkelkrogsholm/dawa', path: `/adgangsadresser?${ROAD}&struktur=mini`, reads: MINI },
  {
    client: 'mikkelkrogsholm/dawa',
    path: `/adgangsadresser?${ROAD}&format=geojson&struktur=mini`,
    reads: ['type', 'features'],
  },
  {
    client: 'mikkelkrogsholm/dawa',
    path: '/adgangsadresser?q=ny%20pr*&postnr=93',
    reads: ['id', 'vejstykke'],
  },
  {
    client: 'mikkelkrogsholm/dawa',
    path: '/adgangsadresser?polygon=%5B%5B%5B11.46%2C56.94%5D%2C%5B11.47%2C56.94%5D%2C%5B11.47%2C56.95%5D%2C%5B11.46%2C56.94%5D%5D%5D',
    reads: ['id', 'vejstykke'],
  },
  {
    client: 'mikkelkrogsholm/dawa',
    path: '/adgangsadresser?kvh=00930012_12A',
    reads: ['id', 'kvh'],
  },
  {
    client: 'mikkelkrogsholm/dawa',
    path: '/adresser?postnr=93&format=geojson&srid=25832&per_side=50',
    reads: ['type', 'crs', 'features'],
  },
  {
    client: 'mikkelkrogsholm/dawa',
    path: `/datavask/adgangsadresser?betegnelse=${WRITTEN}`,
    reads: WASHED,
  },
];

/** By plain URL in public programs: the path, and what they read of the answer. */
const SITES: readonly (readonly [path: string, ...reads: readonly string[]])[] = [
  ['/adgangsadresser/autocomplete?postnr=0093&vejnavn=Ny%20Pr%C3%B8vegade&q=8', 'tekst'],
  ['/adgangsadresser?q=0093&per_side=2', 'adressebetegnelse'],
  ['/adresser/autocomplete?q=Midtpr%C3%B8ve', 'tekst', 'adresse'],
  ['/autocomplete?q=0093', ...SUGGESTED],
  ['/adgangsadresser?vejnavn=Ny%20Pr%C3%B8vegade&postnr=0093&struktur=mini', ...MINI],
  ['/adresser?strukur=mini&postnr=0093&q=Ny%20Pr%C3%B8vegade%208', 'adgangsadresse'],
  ['/adresser?q=Ny-Pr%C3%B8vegade%208', 'adgangsadresse'],
  ['/adresser?ejerlavkode=9900093&matrikelnr=1a&format=json&struktur=mini&per_side=200'],
  ['/adresser?cirkel=11.46659207,56.94548559,10', 'adgangsadresse'],
  ['/adresser?kommunekode=0093&husnr=8&struktur=mini&side=1&per_side=1', ...MINI],
  ['/autocomplete?caretpos=28&fuzzy=&q=Ny+Pr%C3%B8vegade+8,+0093&startfra=adresse', ...SUGGESTED],
  [`/bbrlight/enheder?adresseid=${UNIT}&struktur=mini`, 'Enhed_id'],
  [`/jordstykker?cache=no-cache&${PLACE}`, 'matrikelnr', 'ejerlav'],
  [`/jordstykker/reverse?${PLACE}`, 'matrikelnr', 'ejerlav'],
  [`/kommuner?${PLACE}&format=geojson`, 'features'],
  ['/kommuner?format=geojson&udenforkommuneinddeling=false', 'features'],
  [`/sogne?${PLACE}&format=geojson`, 'features'],
  ['/Sogne/?format=geojson', 'features'],
  [`/sogne/reverse/?${PLACE}`, 'navn'],
  [`/opstillingskredse/reverse?${PLACE}`, 'nummer', 'navn'],
  ['/opstillingskredse/', 'nummer', 'navn'],
  ['/Regioner', 'kode', 'navn'],
  ['/postnumre?landpostnumre&struktur=mini', 'nr', 'navn'],
  ['/postnumre?kommunekode=93&format=geojson&landpostnumre', 'features'],
  [`/stednavne?${PLACE}`],
  ['/navngivneveje?postnr=0093', 'id', 'navn', 'vejstykker'],
  ['//vejstykker?kommunekode=93', 'kode', 'navn', 'kommune'],
  ['/BBRLight/Opgange?adgangsadresseid=00000000-0000-4000-8000-0000000000b1'],
];

export const DAWA_REQUESTS: readonly DawaRequest[] = [
  ...JAVASCRIPT.map((each) => ({ client: 'dawa-autocomplete2', ...each })),
  ...[...PYTHON, ...PHP, ...DOTNET, ...R],
  ...SITES.map(([path, ...reads]) => ({ client: 'call site', path, reads })),
];
