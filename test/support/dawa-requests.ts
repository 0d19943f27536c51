/**
 * What published clients of DAWA ask, by path and parameters as their sources write them, with values of
 * the sample in place of theirs: facts, no code.
 */

/** `reads`: members that the client reads of the answer, or of the first of a list; none: it reads no member. */
type Row = readonly [path: string, reads?: string, status?: number];

const PLACE = 'x=650040.5&y=6314025.25&srid=25832';
const UNIT = '00000000-0000-4000-8000-0000000000c1';
const HOUSE = '00000000-0000-4000-8000-0000000000b1';
const ROAD = 'vejnavn=Ny%20Pr%C3%B8vegade&husnr=12A';
const WRITTEN = 'Ny+Pr%C3%B8vegade+12A%2C+2.+tv%2C+0093+Midtpr%C3%B8ve';
const MINI = 'id vejnavn husnr postnr postnrnavn x y betegnelse';
const SUGGESTED = 'type tekst forslagstekst caretpos data';
const WASHED = 'kategori resultater';
/** As many as one question of `os2mo-dar-client` has. */
const MANY = Array.from({ length: 150 }, (_, i) =>
  UNIT.replace(/^0{8}/, String(i).padStart(8, '0')),
);

const component = (q: string, more = '') =>
  `/autocomplete?q=${q}&type=adresse&caretpos=2&supplerendebynavn=true&stormodtagerpostnumre=true&multilinje=true&fuzzy=${more}`;

const JAVASCRIPT = [
  component('op'),
  component('Opdigtergade%20', '&startfra=adgangsadresse'),
  component('x', `&adgangsadresseid=${HOUSE}`),
  `/autocomplete?id=${UNIT}&type=adresse`,
  '/autocomplete?caretpos=2&fuzzy=&q=op&startfra=adresse&type=adresse',
];

/** `dawaR` asks postcodes with `landpostnumre`, which is about their areas alone. */
const CLIENTS: Readonly<Record<string, readonly Row[]>> = {
  'dawa-autocomplete2': JAVASCRIPT.map((path): Row => [path, SUGGESTED]),
  pydawa: [
    [
      `/adresser?${ROAD.replace('%20', '+')}&postnr=0093&struktur=mini&format=json&srid=25832`,
      MINI,
    ],
    [`/adresser?q=${WRITTEN}&struktur=mini&format=json&srid=25832`, MINI],
    [`/adresser/${UNIT}?struktur=mini&srid=25832&format=geojson`, 'geometry properties'],
    [`/datavask/adresser?betegnelse=${WRITTEN}`, WASHED],
  ],
  'os2mo-dar-client': [
    ['/autocomplete'],
    [`/adresser/${UNIT}?struktur=mini&noformat=1`, MINI],
    [`/adresser?id=${MANY.join('%7C')}&struktur=mini&noformat=1`, MINI],
    [`/historik/adresser?id=${UNIT}&struktur=mini&noformat=1`, '', 404],
  ],
  os2mo: [
    [
      '/adgangsadresser/autocomplete?per_side=5&noformat=1&kommunekode=0093&q=ny',
      'tekst adgangsadresse',
    ],
    [`/datavask/adresser?struktur=mini&betegnelse=${WRITTEN}`, WASHED],
  ],
  'dawa-api-client': [
    [
      `/adgangsadresser?struktur=flad&${ROAD}&postnr=0093`,
      'id kvh etrs89koordinat_øst wgs84koordinat_bredde ddkn_km1',
    ],
  ],
  'dawa-sdk': [['/replikering/udtraek?entitet=adresse', 'id status adgangsadresseid']],
  'dawa-facade': [['/replikering/vejstykker/haendelser']],
  'nicoeg/dawa': [
    ['/postnumre?q=Midt', 'nr navn kommuner'],
    ['/postnumre/0093', 'nr navn kommuner'],
    ['/postnumre?navn=Midtpr%C3%B8ve', 'nr navn'],
    ['/postnumre?kommunekode=0093%7C0092', 'nr navn'],
    ['/postnumre?cirkel=11.46%2C56.94%2C500', 'nr'],
    ['/adresser?cirkel=11.46659207%2C56.94548559%2C50', 'id adressebetegnelse adgangsadresse'],
    ['/kommuner?q=midt&side=1&per_side=25', 'kode navn'],
    ['/vejnavne?navn=Ny%20Pr%C3%B8vegade', 'navn kommuner'],
    ['/landsdele?q=fyn', 'nuts3'],
  ],
  election: [['/storkredse/1', 'nummer navn valglandsdel']],
  address_dawa: [
    ['/autocomplete?q=ny&type=adresse', SUGGESTED],
    [`/adresser?id=${UNIT}`, 'id adgangsadresse'],
  ],
  geocoder_dawa: [[`/adgangsadresser?id=${HOUSE}`, 'id adgangspunkt']],
  'Fluxi.DAWA': [
    [`/adresser/${UNIT}`, 'id kvhx adgangsadresse'],
    [`/adresser?${ROAD}&postnr=0093`, 'id adgangsadresse'],
    ['/vejstykker?kommunekode=0093&kode=0012', 'kode navn'],
    [`/datavask/adresser?betegnelse=${WRITTEN}`, WASHED],
  ],
  DawaService: [
    [`/adgangsadresser/reverse?${PLACE}&struktur=mini`, MINI],
    [`/jordstykker?${PLACE}`, 'matrikelnr ejerlav href'],
  ],
  DawaAddress: [['/replikering/senestetransaktion', 'txid']],
  dawaR: [
    ['/postnumre?landpostnumre=', 'nr navn'],
    ['/kommuner?format=geojson', 'type features'],
    [`/regioner/reverse?${PLACE}`, 'kode navn'],
    ['/regioner/autocomplete?q=pr%C3%B8ve', 'tekst region'],
    ['/supplerendebynavne2?cache=no-cache', 'dagi_id navn'],
    ['/menighedsraadsafstemningsomraader?struktur=flad', 'dagi_id navn kommunekode'],
    ['/afstemningsomraader', 'nummer navn kommune'],
  ],
  DanmarksAdresser: [
    [`/afstemningsomraader/reverse?${PLACE}`, 'href nummer opstillingskreds'],
    ['/afstemningsomraader?autocomplete&q=midt', 'nummer betegnelse'],
  ],
  'rent model': [
    [`/bbrlight/enheder?adresseid=${UNIT}`, 'Enhed_id ENH_ANVEND_KODE VAERELSE_ANT bygning'],
  ],
  Laravel: [
    [`/bbrlight/bygninger?adgangsadresseid=${HOUSE}`, 'Bygning_id OPFOERELSE_AAR BYG_ARL_SAML'],
  ],
  'mikkelkrogsholm/dawa': [
    [`/adgangsadresser?${ROAD}&struktur=mini`, MINI],
    [`/adgangsadresser?${ROAD}&format=geojson&struktur=mini`, 'type features'],
    ['/adgangsadresser?q=ny%20pr*&postnr=93', 'id vejstykke'],
    [
      '/adgangsadresser?polygon=%5B%5B%5B11.46%2C56.94%5D%2C%5B11.47%2C56.94%5D%2C%5B11.47%2C56.95%5D%2C%5B11.46%2C56.94%5D%5D%5D',
      'id vejstykke',
    ],
    ['/adgangsadresser?kvh=00930012_12A', 'id kvh'],
    ['/adresser?postnr=93&format=geojson&srid=25832&per_side=50', 'type crs features'],
    [`/datavask/adgangsadresser?betegnelse=${WRITTEN}`, WASHED],
  ],
  // By plain URL in public programs.
  'call site': [
    ['/adgangsadresser/autocomplete?postnr=0093&vejnavn=Ny%20Pr%C3%B8vegade&q=8', 'tekst'],
    ['/adgangsadresser?q=0093&per_side=2', 'adressebetegnelse'],
    ['/adresser/autocomplete?q=Midtpr%C3%B8ve', 'tekst adresse'],
    ['/autocomplete?q=0093', SUGGESTED],
    ['/adgangsadresser?vejnavn=Ny%20Pr%C3%B8vegade&postnr=0093&struktur=mini', MINI],
    ['/adresser?strukur=mini&postnr=0093&q=Ny%20Pr%C3%B8vegade%208', 'adgangsadresse'],
    ['/adresser?q=Ny-Pr%C3%B8vegade%208', 'adgangsadresse'],
    ['/adresser?ejerlavkode=9900093&matrikelnr=1a&format=json&struktur=mini&per_side=200'],
    ['/adresser?cirkel=11.46659207,56.94548559,10', 'adgangsadresse'],
    ['/adresser?kommunekode=0093&husnr=8&struktur=mini&side=1&per_side=1', MINI],
    ['/autocomplete?caretpos=28&fuzzy=&q=Ny+Pr%C3%B8vegade+8,+0093&startfra=adresse', SUGGESTED],
    [`/bbrlight/enheder?adresseid=${UNIT}&struktur=mini`, 'Enhed_id'],
    [`/jordstykker?cache=no-cache&${PLACE}`, 'matrikelnr ejerlav'],
    [`/jordstykker/reverse?${PLACE}`, 'matrikelnr ejerlav'],
    [`/kommuner?${PLACE}&format=geojson`, 'features'],
    ['/kommuner?format=geojson&udenforkommuneinddeling=false', 'features'],
    [`/sogne?${PLACE}&format=geojson`, 'features'],
    ['/Sogne/?format=geojson', 'features'],
    [`/sogne/reverse/?${PLACE}`, 'navn'],
    [`/opstillingskredse/reverse?${PLACE}`, 'nummer navn'],
    ['/opstillingskredse/', 'nummer navn'],
    ['/Regioner', 'kode navn'],
    ['/postnumre?landpostnumre&struktur=mini', 'nr navn'],
    ['/postnumre?kommunekode=93&format=geojson&landpostnumre', 'features'],
    [`/stednavne?${PLACE}`],
    ['/navngivneveje?postnr=0093', 'id navn vejstykker'],
    ['//vejstykker?kommunekode=93', 'kode navn kommune'],
    ['/BBRLight/Opgange?adgangsadresseid=00000000-0000-4000-8000-0000000000b1'],
  ],
};

export const DAWA_REQUESTS = Object.entries(CLIENTS).flatMap(([client, rows]) =>
  rows.map(([path, reads = '', status = 200]) => ({
    ...{ client, path, status, reads: reads.split(' ').filter(Boolean) },
  })),
);
