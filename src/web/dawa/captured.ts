/**
 * The shapes of answers that DAWA gave: members in its order. `#` is a number, `!` yes or no, `*` a list
 * of numbers, `{…}` an object, `[…]` a list of objects, anything else a text.
 */

const REF = '{href kode navn}';
const REFS = '[href kode navn]';
const POSTS = 'postnumre[href nr navn]';
const HEAD = 'ændret geo_version# geo_ændret bbox* visueltcenter*';
const AREA = `${HEAD} dagi_id kode navn`;
const DATES = 'oprettet ændret ikrafttrædelse nedlagt';

const STATE = 'id status# darstatus#';
const NAMED = 'vejkode vejnavn adresseringsvejnavn husnr';
const PLACE = 'postnr postnrnavn stormodtagerpostnr stormodtagerpostnrnavn kommunekode';
const HOUSE_DATA = `${STATE} ${NAMED} supplerendebynavn ${PLACE} x# y# href`;
const UNIT_DATA = `${STATE} ${NAMED} etage dør supplerendebynavn ${PLACE} adgangsadresseid x# y# href`;

const HOUSE = `href id adressebetegnelse kvh status# darstatus# vejstykke{href navn adresseringsnavn kode} husnr
  navngivenvej{href id} supplerendebynavn supplerendebynavn2 postnummer{href nr navn} stormodtagerpostnummer
  kommune${REF} ejerlav{kode# navn} esrejendomsnr matrikelnr historik{${DATES}}
  adgangspunkt{id koordinater* højde# nøjagtighed kilde# tekniskstandard tekstretning# ændret}
  vejpunkt{id kilde nøjagtighed tekniskstandard koordinater* ændret} DDKN{m100 km1 km10} sogn${REF} region${REF}
  landsdel{href nuts3 navn} retskreds${REF} politikreds${REF} opstillingskreds${REF}
  afstemningsområde{href nummer navn} storkreds{href nummer navn} valglandsdel{href bogstav navn} zone
  jordstykke{href ejerlav{kode# navn href} matrikelnr esrejendomsnr} bebyggelser[id kode# type navn href] brofast!`;
const UNIT = `id kvhx status# darstatus# href historik{${DATES}} etage dør adressebetegnelse adgangsadresse{${HOUSE}}`;

const POSTCODE = `href nr navn stormodtageradresser bbox* visueltcenter* kommuner${REFS} ændret geo_ændret geo_version# dagi_id`;
const POSTCODE_DATA = 'nr navn stormodtager! visueltcenter_x# visueltcenter_y# href';
const MUNICIPALITY = `${HEAD} href dagi_id kode navn udenforkommuneinddeling! regionskode region${REF}`;
const CONSTITUENCY = `${HEAD} href dagi_id nummer kode navn valgkredsnummer kredskommune${REF} region${REF}
  storkreds{href nummer navn} valglandsdel{href bogstav navn} kommuner${REFS}`;
const TOWN = `${HEAD} href dagi_id navn darstatus# kommune${REF} ${POSTS}`;
const ROAD = `id darstatus# href kode navn adresseringsnavn navngivenvej{href id darstatus#} kommune${REF} ${POSTS}
  historik{oprettet ændret nedlagt} bbox* visueltcenter*`;
const WHOLE_ROAD = `id href darstatus navn adresseringsnavn administrerendekommune${REF} retskrivningskontrol
  udtaltvejnavn visueltcenter* bbox* historik{${DATES}} vejstykker[href kommunekode kode id darstatus#] ${POSTS}
  beliggenhed{oprindelse{kilde tekniskstandard registrering nøjagtighedsklasse} vejtilslutningspunkter geometritype}`;
const PARCEL_DATA = `matrikelnr bbox* visueltcenter* href ejerlav{kode# navn href} kommune${REF} esrejendomsnr
  udvidet_esrejendomsnr sfeejendomsnr bfenummer#`;
const PARCEL = `${PARCEL_DATA} ændret geo_version# geo_ændret fælleslod! moderjordstykke registreretareal#
  arealberegningsmetode vejareal# vejarealberegningsmetode vandarealberegningsmetode featureid region${REF}
  sogn${REF} retskreds${REF}`;
const PLACE_NAME = `navn navnestatus brugsprioritet href sted{id hovedtype undertype primærtnavn primærnavnestatus
  ændret geo_ændret geo_version# href egenskaber visueltcenter* bbox* kommuner${REFS} sekundærenavne[navn navnestatus]}`;

interface Captured {
  readonly one: string;
  readonly mini?: string;
  readonly suggested?: string;
}

const SHAPES: Readonly<Record<string, Captured>> = {
  adresser: {
    ...{ one: UNIT, mini: `${UNIT_DATA} betegnelse`, suggested: `tekst adresse{${UNIT_DATA}}` },
  },
  adgangsadresser: { one: HOUSE, suggested: `tekst adgangsadresse{${HOUSE_DATA}}` },
  postnumre: { one: POSTCODE, suggested: `tekst postnummer{${POSTCODE_DATA}}` },
  kommuner: { one: MUNICIPALITY, suggested: `tekst kommune{${MUNICIPALITY}}` },
  regioner: { one: `${AREA} nuts2 href`, suggested: `tekst region{${AREA} nuts2 href}` },
  sogne: { one: `${AREA} href`, suggested: `tekst sogn{${AREA} href}` },
  retskredse: { one: `${AREA} href`, suggested: `tekst retskreds{${AREA} href}` },
  politikredse: { one: `${AREA} href`, suggested: `tekst politikreds{${AREA} href}` },
  opstillingskredse: { one: CONSTITUENCY, suggested: `tekst opstillingskreds{${CONSTITUENCY}}` },
  supplerendebynavne2: { one: TOWN, suggested: `tekst supplerendebynavn{${TOWN}}` },
  vejnavne: { one: `href navn ${POSTS} kommuner${REFS}`, suggested: 'tekst vejnavn{navn href}' },
  vejstykker: { one: ROAD, suggested: 'tekst vejstykke{href kommunekode kode navn}' },
  navngivneveje: { one: WHOLE_ROAD },
  ejerlav: {
    ...{ one: 'href kode# navn bbox* visueltcenter*', suggested: 'tekst ejerlav{href kode# navn}' },
  },
  jordstykker: { one: PARCEL, suggested: `tekst jordstykke{${PARCEL_DATA}}` },
  stednavne2: { one: PLACE_NAME, suggested: PLACE_NAME },
};

const CAPTURED = new Map(Object.entries(SHAPES));

/** null: none was captured. */
function shapeOf(path: string, answer: unknown): string | null {
  const { pathname, searchParams } = new URL(path, 'https://dawa');
  const [resource = '', next] = pathname.split('/').filter((part) => part !== '');
  if ((searchParams.get('format') ?? 'json') !== 'json') return null;
  if (resource === 'autocomplete') return suggestionShape(answer);
  const captured = CAPTURED.get(resource);
  if (captured === undefined) return null;
  if (next === 'autocomplete') return captured.suggested ?? null;
  const structure = searchParams.get('struktur') ?? 'nestet';
  if (structure === 'nestet') return captured.one;
  return structure === 'mini' ? (captured.mini ?? null) : null;
}

function suggestionShape(answer: unknown): string {
  const { type } = (Array.isArray(answer) ? (answer[0] ?? {}) : {}) as { readonly type?: string };
  const said = 'type tekst forslagstekst caretpos#';
  if (type === undefined || type === 'vejnavn') return `${said} data{navn href}`;
  return `data{${type === 'adresse' ? UNIT_DATA : HOUSE_DATA}} stormodtagerpostnr! ${said}`;
}

export interface Beside {
  /** `adgangsadresse.kommune.navn` */
  readonly member: string;
  readonly was: 'text' | 'number' | 'boolean' | 'numbers';
  /** undefined: the answer has no such member. */
  readonly value: unknown;
}

/** What is here of every member that DAWA had, in its order; of a list the first. */
export function besideCaptured(path: string, answer: unknown): readonly Beside[] {
  const shape = shapeOf(path, answer);
  const first = Array.isArray(answer) ? (answer as readonly unknown[])[0] : answer;
  if (shape === null || first === undefined) return [];
  return membersOf(shape).map(([member, was]) => ({ member, was, value: valueAt(first, member) }));
}

const TYPES: ReadonlyMap<string, Beside['was']> = new Map([
  ['#', 'number'],
  ['!', 'boolean'],
  ['*', 'numbers'],
]);

function membersOf(shape: string): readonly (readonly [member: string, was: Beside['was']])[] {
  const found: [string, Beside['was']][] = [];
  const within: string[] = [];
  for (const [, name = '', mark = ''] of shape.matchAll(/([^\s{}[\]#!*]*)([#!*{}[\]]?)/g)) {
    if (mark === '{' || mark === '[') within.push(name);
    else if (name !== '') {
      found.push([[...within, name].join('.'), TYPES.get(mark) ?? 'text']);
    }
    if (mark === '}' || mark === ']') within.pop();
  }
  return found;
}

/** null where a member before it is. */
function valueAt(answer: unknown, member: string): unknown {
  let value = answer;
  for (const name of member.split('.')) {
    if (Array.isArray(value)) value = (value as readonly unknown[])[0] ?? null;
    if (typeof value !== 'object' || value === null) return value === null ? null : undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
