export interface GuideName {
  readonly name: string;
  readonly da: string;
  readonly words: string;
  /** Danish guides are for customers, in `docs/da`. */
  readonly language: 'da' | 'en';
}

const DANISH = [
  guide('kom-i-gang', 'Kom i gang', 'start begynd første nøgle eksempel'),
  guide('noegler', 'Nøgler', 'konto nøgle rettighed offentlig roller log ind kollega'),
  guide('adresser', 'Adresser', 'adressevask datavask søgning postnummer vej husnummer forslag'),
  guide('byggelinjer', 'Byggelinjer og beskyttet natur', 'linje afstand skov strand sø natur'),
  guide('forhold', 'Forhold: planer, jord, vand', 'zone lokalplan forurening kloak varme miljø'),
  guide('ejendomme', 'Ejendomme', 'bbr bygning ejendom bfe vurdering jordstykke matrikel'),
  guide(
    'andre-opslag',
    'Områder, stednavne, højder, virksomheder',
    'kommune sogn stednavn kote terræn dhm cvr firma',
  ),
  guide('et-svar', 'Sådan læses et svar', 'svar felter koordinater kilde alder generation null'),
  guide('job', 'Job: et regneark besvaret', 'fil regneark excel csv rækker masse kolonner'),
  guide('webhook', 'Webhooks', 'besked hændelse signatur hemmelighed modtager'),
  guide('fra-dawa', 'Fra DAWA', 'dawa dataforsyningen autocomplete datavask skift'),
  guide('kort-og-gis', 'Kort og GIS', 'kort lag fliser qgis geojson flatgeobuf'),
  guide('fejl-og-graenser', 'Fejl og grænser', 'fejl grænse afvist for mange kald status'),
  guide('priser', 'Pris og forbrug', 'regning pris forbrug enheder abonnement alarm'),
];

const ENGLISH = [
  guide('addresses', 'Adresser', 'adressevask søgning'),
  guide('properties', 'Ejendomme', 'bbr ejendom vurdering fredning'),
  guide('conditions', 'Forhold', 'planer zone jord'),
  guide('companies', 'Virksomheder', 'cvr virksomhed firma reklamebeskyttet'),
  guide('place-names', 'Stednavne', 'stednavn sted navn'),
  guide('heights', 'Højder', 'højde terræn kote dhm højdemodel'),
  guide('an-answer', 'Et helt svar', 'svar felter eksempel byggelinjer afstand kilde'),
  guide('dawa', 'DAWA', 'dawa dataforsyningen'),
  guide('jobs', 'Job', 'fil rækker'),
  guide('webhooks', 'Webhooks', 'signatur modtager'),
  guide('keys', 'Nøgler, abonnement og regning', 'konto nøgle regning roller'),
  guide('gis', 'Lag i kort og GIS', 'kort lag fliser qgis wms geojson'),
  guide('settings', 'Kommandoer og indstillinger', 'indstilling opsætning kommando drift'),
  guide('sources-file', 'Kildefilen', 'kilde register opsætning'),
  guide('operations', 'Drift', 'drift database installation opgradering backup'),
  guide('operations-connections', 'Forbindelser', 'forbindelser proxy replika tls database'),
  guide('operations-limits', 'Grænser og andele', 'grænse afvist for mange kald klient'),
  guide('operations-log', 'Log, sundhed og alarmer', 'log alarm overvågning metrics prometheus'),
];

export const GUIDE_LIST: readonly GuideName[] = [
  ...DANISH.map((each) => ({ ...each, language: 'da' as const })),
  ...ENGLISH.map((each) => ({ ...each, language: 'en' as const })),
];

function guide(name: string, da: string, words: string): Omit<GuideName, 'language'> {
  return { name, da, words };
}
