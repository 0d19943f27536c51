/**
 * Headings of registers, ISO 20022, spreadsheets, GIS and ERP systems in Danish, English, German
 * and Swedish.
 */
import type { ADDRESS_PARTS } from './job-types.ts';

export type AddressPart =
  | (typeof ADDRESS_PARTS)[number]
  | 'linje'
  | 'opgang'
  | 'enhed'
  | 'bygning'
  | 'sted'
  | 'kommune'
  | 'vejkode'
  | 'land'
  | 'co'
  | 'postboks'
  | 'region';

/** Folded, without signs between: `Post nr.` is `postnr`. */
const WORDS: Readonly<Record<AddressPart, string>> = {
  adresse: `adresse adressen adr adressebetegnelse betegnelse fuldadresse heleadressen postadresse ejendomsadresse
    address adress addr anschrift adresselinje addressline adressrad adresseringslinje gadeadresse vejadresse
    streetaddress fulladdress gatuadress postadress besoegsadresse bopael vejnavnoghusnr vejnavnoghusnummer
    vejoghusnr vejoghusnummer vejnavnognr vejognr gadeognr gadeoghusnr adrline`,
  vej: `vej vejnavn gade gadenavn road roadname street streetname gadevej vejgade vejadresseringsnavn gata gatunamn
    gate gatenavn vei veinavn strasse strassenname strtnm`,
  husnr: `husnr husnummer hnr husnrtekst houseno housenr housenumber hausnummer hausnr gadenr gadenummer streetno
    streetnumber gatunummer husnrfra husnummerfra husnrtil husnummertil bldgnb adressenr husno`,
  bogstav: `bogstav bogst husbogstav husbogst husnrbogstav husnummerbogstav hbogstav litra huslitra husnrlitra
    adressebogstav letter houseletter housenumberletter housenumbersuffix housenosuffix husnrsuffix husnummersuffix
    husnrtillaeg husnummertillaeg hausnummernzusatz hausnummerzusatz hausnrzusatz hauszusatz hausbuchstabe buchstabe
    bokstav husbokstav husnrbokstav`,
  etage: `etage etagebetegnelse etagenr etagenummer etagekode etagenavn etagesal saletage etg etgnr sal salnr floor
    floorno floornumber flr storey etasje vaaning vaaningsplan vaning vaningsplan stockwerk geschoss`,
  doer: `doer dor doerbetegnelse doernr doernummer doerkode side sidedoer sidedoernr doerside door doorno
    doornumber sidetvth tvth thtv tvmfth tuer tuernummer doerr`,
  linje:
    'adressetillaeg adresstillaeg adresszusatz adressuppgift addresssupplement deladresse adresseekstra',
  opgang:
    'opgang opg opgangsnr opgangnr indgang entrance staircase stairwell uppgaang uppgang aufgang stiege oppgang',
  enhed: `lejlighed lejl lejlighednr lejlighedsnr lejlighedsnummer lejlnr bolig bolignr bolignummer boligenhed enhed
    enhedsnr enhednr enhedsnummer enhedsbetegnelse unit unitno unitnr unitnumber apt aptno aptnr apartment apartmentno
    apartmentnumber app appartement apartement flat flatno suite room roomno roomnumber rum rumnr vaerelse vaerelsesnr
    vaerelsenr vaer lokale lokalenr stth lgh lghnr laegenhet lagenhet laegenhetsnummer lagenhetsnummer wohnung whg
    wohnungsnummer wohnungsnr level levelno plan niveau niv salogside salside saldoer etageogdoer etagedoer etageside`,
  bygning:
    'bygning bygningsnavn building buildingname bldgnm blok block haus gebaeude gaardnavn ejendomsnavn',
  postnr: `postnr postnummer pnr postcode postalcode postalkode postkode zip zipcode zippostalcode zipno plz
    postleitzahl postno pstcd postnrby postnrogby postnummerogby postnummerby postnrbynavn postnrpostdistrikt`,
  by: `by bynavn postdistrikt postdistriktnavn postdistriktsnavn postnrnavn postnummernavn postnavn postby poststed
    postort city cityname town townname twnnm stadt stad ort ortsname`,
  sted: `supplerendebynavn supplerendeby supplbynavn supplby suppbynavn suppby supbynavn lokalby landsby bydel kvarter
    lokalitet locality suburb stednavn placename ortsteil dstrctnm twnlctnnm dependentlocality`,
  kommune:
    'kommune kommunenavn kommunekode kommunenr kommunenummer komkode komnr municipality municipalitycode municipalityname kommun gemeinde',
  vejkode: 'vejkode vejkodenr roadcode streetcode gadekode gatukod strassenschluessel',
  land: 'land landekode landkode landenavn country countrycode countryname ctry nation',
  co: 'co conavn coadresse coname careof att attention attn',
  postboks: 'postboks postbox pobox pstbx postfach postbus',
  region:
    'region regionnavn regionsnavn regionskode regionkode county province provins landsdel bundesland fylke ctrysubdvsn',
};

const PART_OF: ReadonlyMap<string, AddressPart> = new Map(
  (Object.keys(WORDS) as AddressPart[]).flatMap((part) =>
    WORDS[part].split(/\s+/).map((word) => [word, part] as const),
  ),
);

/** Mean an address only where they are the whole heading: `Kontaktside`, `Pris pr. enhed`. */
const ALONE = new Set(
  `side bolig enhed unit flat room suite rum level haus hus land nation co att betegnelse by ort stad sal dor adr
   letter bogstav litra suffix block blok bygning building region province county kvarter app vaer gate vei tuer plan niveau`.split(
    /\s+/,
  ),
);
/** Whose a part is: `Kunde by`, `ShipToCity`. */
const OWNERS =
  /^(?:leverings?|delivery|ship(?:ping)?|shipto|bill(?:ing)?|billto|faktura|invoice|kundes?|customer|post|postal|firma|company|ejendoms?|property|ejers?|owner|bopael|privat|home|work|arbejds?|kontakt|contact|debitor|kreditor|adr|adresse|address|bbr|dar|cvr|hoved|virksomheds?|husets|site|fra|til|from|to)$/;
const ENDS =
  /^(.+?)s?(postnr|postnummer|postkode|postcode|zipcode|adresse|address|vejnavn|gadenavn|husnr|husnummer|husbogstav|bynavn|postdistrikt|kommune|kommunekode)$/;
const NOT_ADDRESSES =
  /^(?:e|mail|email|epost|ip|web|www|url|mac|hjemmeside|net|internet|udendoers?|indendoers?|in|out)$/;
const SUPPLEMENT =
  /^(?:suppl|ekstra|extra|addit|anden|andet|second|tillaeg|uddyb|detalj|resten|yderligere)/;
/** The address itself, with no owner. */
const NOBODY = /^(?:adr|adresse|address|post|postal|husets|site|ejendoms?|property|bbr|dar)*$/;
const UNIT = /etage|floor|lejlighed|boligenhed|app?art|tvth|stth|^doer|^door|sidedoer/;

/** A column with one holds no part of an address; also as the beginning or end of a word. */
const OTHER = new RegExp(
  `^(?:id|key|guid|uuid|x|y|lon|lng|lat|longitude|latitude|oest|nord|easting|northing|aar|year|m2|kvm|kr|dkk|tlf|cvr|cpr|bfe|ean|sag|koen|sex|art|mk|tid|time|alder|age|svar|status|zone|race|made|sku|hold|sidetal|etager|floors|storeys|doors|doere|lejligheder|boliger|units|rooms|vaerelser|enheder)$|` +
    `^(?:.*id|.*navn|.*type|.*dato|.*date|.*aar|.*areal|.*area|.*pris|.*price)$|` +
    `^(?:antal|areal|salg|sags|type|pris|energi|koordinat|coord|bygge|opfoer|matrik|ejerlav|kategori|categor|klass|class|grupp|group|rating|score|gender|priorit|maerk|label|name|fornavn|efternavn|kunde|customer|ordre|order|vare|konto|telefon|phone|mobil|mail|email|beloeb|amount|count|sum|rente|raekke|row|loebe|lbnr|index|created|modified|oprettet|rettet|vurder|anvend|afdeling|stilling|titel|title|formaal|risiko|karakter|grade|rank|team|status)`,
);

/** Programs give them to columns without a heading, or they fit any data. */
const BLANK =
  /^(?:|unnamed|kolonne|kol|column|col|felt|field|feld|spalte|kolumn|var|v|f|c|x|a|b|data|info|ekstra|extra|tekst|text|vaerdi|value|kode|code|nr|no|nummer|number|del|part|tillaeg|suffix|andet|other|diverse|misc)\d*$/;

export interface Heading {
  /** `blank`: it says nothing; `other`: no part of an address; `word`: any other word. */
  readonly part: AddressPart | 'blank' | 'other' | 'word';
  readonly owner: string;
}

interface Part {
  readonly part: AddressPart;
  readonly owner: string;
}

export function headingWords(column: string): string {
  return foldedHeading(column).replace(/[^a-z0-9]/g, '');
}

export function readHeading(column: string): Heading {
  const words =
    foldedHeading(column.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).match(/[a-z]+|\d+/g) ?? [];
  const number = words.length > 1 && /^\d+$/.test(words.at(-1) ?? '') ? Number(words.pop()) : 1;
  const { part, owner } = partOf(words) ?? { part: kindOf(words), owner: '' };
  // The second line of an address may hold its floor, its town or a name.
  const isAddress = part === 'adresse' || part === 'vej';
  const isSecond = isAddress && SUPPLEMENT.test(owner);
  const isLine = isSecond || (isAddress && number > 1 && number < 10);
  return { part: isLine ? 'linje' : part, owner: isSecond ? '' : owner };
}

function partOf(words: readonly string[]): Part | null {
  const joined = words.join('');
  const whole = PART_OF.get(joined);
  if (whole !== undefined) return { part: whole, owner: '' };
  if (words.some((word) => NOT_ADDRESSES.test(word))) return null;
  const ofEnd = words.flatMap((_word, from) => endOf(words, from) ?? []).at(0);
  if (ofEnd !== undefined) return ofEnd;
  const [, owner = '', end = ''] = ENDS.exec(joined) ?? [];
  const part = PART_OF.get(end);
  if (part !== undefined && !NOT_ADDRESSES.test(owner)) return { part, owner: ownerOf(owner) };
  const isUnit =
    [joined, ...words].some((word) => UNIT.test(word)) && !words.some((word) => OTHER.test(word));
  return isUnit ? { part: 'enhed', owner: '' } : null;
}

function endOf(words: readonly string[], from: number): Part | null {
  const end = words.slice(from).join('');
  const part = PART_OF.get(end);
  const owners = words.slice(0, from);
  if (part === undefined || from === 0) return null;
  const isOwned = owners.every((word) => OWNERS.test(word));
  if (!isOwned && (end.length < 4 || ALONE.has(end))) return null;
  const owner = owners.join('');
  const isBoth = part === 'doer' && /etage|etg|sal|floor/.test(owner);
  return { part: isBoth ? 'enhed' : part, owner: isBoth ? '' : ownerOf(owner) };
}

function ownerOf(words: string): string {
  return NOBODY.test(words) ? '' : words;
}

function kindOf(words: readonly string[]): 'blank' | 'other' | 'word' {
  if (BLANK.test(words.join(''))) return 'blank';
  return words.some((word) => OTHER.test(word)) ? 'other' : 'word';
}

export function foldedHeading(name: string): string {
  return name
    .toLowerCase()
    .replace(/[æä]/g, 'ae')
    .replace(/[øö]/g, 'oe')
    .replaceAll('å', 'aa')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}
