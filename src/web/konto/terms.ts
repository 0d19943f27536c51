import type { Both } from '../shared/both.ts';
import type { Role } from './types.ts';

export const OPERATIONS: Readonly<Record<string, Both>> = {
  adresser: { da: 'Søgning efter adresser', en: 'Search for addresses' },
  adresseAutocomplete: { da: 'Forslag til adresser', en: 'Suggestions of addresses' },
  adresse: { da: 'Opslag af en adresse', en: 'Lookup of an address' },
  adresseReverse: { da: 'Nærmeste adresse', en: 'Nearest address' },
  adresseReverseBatch: {
    da: 'Nærmeste adresse, flere punkter',
    en: 'Nearest address, many points',
  },
  datavask: { da: 'Adressevask', en: 'Address cleansing' },
  postnumre: { da: 'Liste over postnumre', en: 'List of postcodes' },
  postnummer: { da: 'Opslag af et postnummer', en: 'Lookup of a postcode' },
  byggelinjer: { da: 'Byggelinjer', en: 'Building lines' },
  byggelinjerBatch: { da: 'Byggelinjer, flere punkter', en: 'Building lines, many points' },
  skovbyggelinje: { da: 'Skovbyggelinje', en: 'Forest building line' },
  dagiOmraade: { da: 'Områder (DAGI)', en: 'Areas (DAGI)' },
  dagiBatch: { da: 'Områder (DAGI), flere ad gangen', en: 'Areas (DAGI), many at a time' },
  dagiReverse: { da: 'Områder om et punkt', en: 'Areas around a point' },
  dagiReverseBatch: { da: 'Områder om flere punkter', en: 'Areas around many points' },
  dhmKote: { da: 'Terrænhøjde', en: 'Terrain height' },
  dhmKoteBatch: { da: 'Terrænhøjde, flere punkter', en: 'Terrain height, many points' },
  bbrEjendom: { da: 'Ejendom (BBR)', en: 'Property (BBR)' },
  bbrEjendomBatch: {
    da: 'Ejendomme (BBR), flere ad gangen',
    en: 'Properties (BBR), many at a time',
  },
  matrikelEjendom: { da: 'Ejendommens jordstykker', en: 'Parcels of a property' },
  jordstykker: { da: 'Søgning efter jordstykker', en: 'Search for parcels' },
  jordstykke: { da: 'Opslag af et jordstykke', en: 'Lookup of a parcel' },
  forhold: { da: 'Forhold i et punkt', en: 'Conditions at a point' },
  forholdBatch: { da: 'Forhold i flere punkter', en: 'Conditions at many points' },
  forholdJordstykke: { da: 'Forhold på et jordstykke', en: 'Conditions of a parcel' },
  forholdEjendom: { da: 'Forhold på en ejendom', en: 'Conditions of a property' },
  forholdOmraade: { da: 'Forhold i et tegnet område', en: 'Conditions in a drawn area' },
  vurdering: { da: 'Ejendomsvurdering', en: 'Property assessment' },
  virksomhed: { da: 'Virksomhed (CVR)', en: 'Company (CVR)' },
  stednavne: { da: 'Søgning efter stednavne', en: 'Search for place names' },
  sted: { da: 'Opslag af et stednavn', en: 'Lookup of a place name' },
  stednavneReverse: { da: 'Stednavne om et punkt', en: 'Place names around a point' },
  'jobs:datavask': { da: 'Job: adressevask', en: 'Job: address cleansing' },
  'jobs:reverse': { da: 'Job: nærmeste adresse', en: 'Job: nearest address' },
  'jobs:bbr': { da: 'Job: ejendom og bygninger', en: 'Job: property and buildings' },
  'jobs:dagi': { da: 'Job: områder', en: 'Job: areas' },
  'jobs:miljoe': { da: 'Job: byggelinjer og forhold', en: 'Job: lines and conditions' },
  demoEjendom: { da: 'Prøveopslag', en: 'Trial lookup' },
};

export const DELIVERY_ERRORS: Readonly<Record<string, Both>> = {
  timeout: { da: 'svarede ikke i tide', en: 'no answer in time' },
  'connection refused': { da: 'forbindelsen blev afvist', en: 'the connection was refused' },
  'connection lost': { da: 'forbindelsen blev afbrudt', en: 'the connection was lost' },
  'host unreachable': { da: 'værten kan ikke nås', en: 'the host cannot be reached' },
  'network unreachable': { da: 'nettet kan ikke nås', en: 'the network cannot be reached' },
  'answer too large': { da: 'svaret er for stort', en: 'the answer is too large' },
  'not an HTTP answer': { da: 'svaret er ikke HTTP', en: 'the answer is not HTTP' },
  'TLS failed': {
    da: 'certifikatet eller TLS blev ikke godkendt',
    en: 'the certificate or TLS was refused',
  },
  'address not allowed': { da: 'adressen er ikke offentlig', en: 'the address is not public' },
  'name not resolved': { da: 'navnet kunne ikke slås op', en: 'the name could not be looked up' },
  interrupted: { da: 'afbrudt undervejs', en: 'broken off' },
  'address busy': {
    da: 'for mange til samme adresse på én gang',
    en: 'too many to one address at once',
  },
  'secret unread': {
    da: 'hemmeligheden kunne ikke læses her',
    en: 'the secret could not be read here',
  },
  backlog: { da: 'for mange ventede', en: 'too many were waiting' },
};

export const ROLES: Readonly<Record<Role, Both>> = {
  reads: { da: 'Læser', en: 'Reads' },
  uses: { da: 'Bruger', en: 'Uses' },
  pays: { da: 'Betaler', en: 'Pays' },
  administers: { da: 'Administrerer', en: 'Administers' },
};
