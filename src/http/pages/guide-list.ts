/** The guides of `docs` that are pages, by their Danish names, with Danish words that people look for them by. */

export interface GuideName {
  readonly name: string;
  readonly da: string;
  readonly words: string;
}

export const GUIDE_LIST: readonly GuideName[] = [
  guide('addresses', 'Adresser', 'adressevask søgning postnummer vej husnummer forslag'),
  guide(
    'properties',
    'Ejendomme',
    'bbr bygning ejendom bfe vurdering jordstykke matrikel fredning',
  ),
  guide('companies', 'Virksomheder', 'cvr virksomhed firma reklamebeskyttet'),
  guide('place-names', 'Stednavne', 'stednavn sted navn'),
  guide('heights', 'Højder', 'højde terræn kote dhm højdemodel'),
  guide('an-answer', 'Et helt svar', 'svar felter eksempel byggelinjer afstand kilde'),
  guide('dawa', 'Fra DAWA', 'dawa dataforsyningen autocomplete datavask skift'),
  guide('jobs', 'Job: filer med rækker', 'fil regneark excel csv rækker masse kolonner'),
  guide('webhooks', 'Webhooks', 'besked hændelse signatur hemmelighed modtager'),
  guide(
    'keys',
    'Nøgler, abonnement og regning',
    'konto nøgle regning pris forbrug enheder roller log ind',
  ),
  guide('gis', 'Lag i kort og GIS', 'kort lag fliser qgis wms geojson'),
  guide('settings', 'Kommandoer og indstillinger', 'indstilling opsætning kommando drift'),
  guide('sources-file', 'Kildefilen', 'kilde register opsætning'),
  guide('operations', 'Drift', 'drift database installation opgradering backup'),
  guide('operations-connections', 'Forbindelser', 'forbindelser proxy replika tls database'),
  guide('operations-limits', 'Grænser og andele', 'grænse afvist for mange kald klient'),
  guide(
    'operations-log',
    'Log, sundhed og alarmer',
    'log fejl alarm overvågning metrics prometheus',
  ),
];

function guide(name: string, da: string, words: string): GuideName {
  return { name, da, words };
}
