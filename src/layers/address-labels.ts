/**
 * `word part origin`, folded. `form` words need no sign after them. ISO-20022 are the elements of
 * PostalAddress24.
 */

export type AddressPart =
  | ('adresse' | 'vej' | 'husnr' | 'etage' | 'doer' | 'postnr' | 'by')
  | ('bydel' | 'region' | 'land');

const LABELS = `
  adresse            adresse  spoken
  adressen           adresse  spoken
  adr                adresse  cut
  adressebetegnelse  adresse  register
  betegnelse         adresse  register
  adgangsadresse     adresse  register
  fuldadresse        adresse  spoken
  heleadressen       adresse  spoken
  postadresse        adresse  spoken
  ejendomsadresse    adresse  spoken
  leveringsadresse   adresse  spoken
  fakturaadresse     adresse  spoken
  privatadresse      adresse  spoken
  firmaadresse       adresse  spoken
  gadeadresse        adresse  spoken
  vejadresse         adresse  spoken
  adresselinje       adresse  spoken
  bopael             adresse  spoken
  address            adresse  English
  fulladdress        adresse  English
  addressline        adresse  English
  streetaddress      adresse  English
  q                  adresse  query
  vej                vej      spoken
  vejen              vej      spoken
  gade               vej      spoken
  gadevej            vej      spoken
  vejgade            vej      spoken
  vejnavn            vej      form
  gadenavn           vej      form
  vejnavnognr        vej      spoken
  vejognr            vej      spoken
  vejoghusnr         vej      spoken
  gadeognr           vej      spoken
  vejnavnoghusnr     vej      spoken
  vejnavnoghusnummer vej      spoken
  road               vej      English
  roadname           vej      English
  street             vej      English
  streetname         vej      English
  husnr              husnr    form
  husnummer          husnr    form
  hnr                husnr    cut
  nr                 husnr    cut
  nummer             husnr    spoken
  no                 husnr    English
  number             husnr    English
  houseno            husnr    English
  housenumber        husnr    English
  streetnumber       husnr    English
  etage              etage    register
  etagebetegnelse    etage    register
  etagenr            etage    spoken
  etg                etage    cut
  sal                etage    spoken
  floor              etage    English
  doer               doer     register
  dor                doer     without ø
  doerbetegnelse     doer     register
  doernr             doer     spoken
  side               doer     spoken
  sidedoer           doer     spoken
  door               doer     English
  postnr             postnr   form
  postnummer         postnr   form
  pnr                postnr   cut
  postnrby           postnr   spoken
  postnrogby         postnr   spoken
  postnummerogby     postnr   spoken
  postnummerby       postnr   spoken
  postcode           postnr   English
  postalcode         postnr   English
  zip                postnr   English
  zipcode            postnr   English
  by                 by       spoken
  bynavn             by       form
  postnrnavn         by       form
  postdistrikt       by       form
  postby             by       spoken
  city               by       English
  town               by       English
  townname           by       English
  supplerendebynavn  bydel    register
  region             region   spoken
  land               land     spoken
  country            land     English
  countrycode        land     English
  buildingnumber     husnr    English
  pstladr            adresse  ISO-20022
  adrline            adresse  ISO-20022
  strtnm             vej      ISO-20022
  bldgnb             husnr    ISO-20022
  flr                etage    ISO-20022
  room               doer     ISO-20022
  pstcd              postnr   ISO-20022
  twnnm              by       ISO-20022
  twnlctnnm          bydel    ISO-20022
  dstrctnm           bydel    ISO-20022
  ctrysubdvsn        region   ISO-20022
  ctry               land     ISO-20022
`;

const lines = LABELS.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/) as [string, AddressPart, string]);

export const PART_OF: ReadonlyMap<string, AddressPart> = new Map(
  lines.map(([word, part]) => [word, part]),
);

export const FORM_WORDS: readonly string[] = lines.flatMap(([word, , origin]) =>
  origin === 'form' ? [word] : [],
);
