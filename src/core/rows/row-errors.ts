/**
 * Stored and documented files have the English (D75), pages and Danish files the Danish. Runs in
 * browsers too.
 */
import { FAILURES } from '../../kernel/failures.ts';
import type { Words } from '../../layers/words.ts';
import { ROLES } from './job-types.ts';

const SENTENCES = {
  // Before all others, whose names of values would match it.
  ofAPart: {
    en: '{what} The copy here covers {name} only, so it may exist elsewhere.',
    da: '{what} Kopien her dækker kun {name}, så det kan findes andre steder.',
  },
  noAccessAddress: {
    en: 'The register holds no access address of this id.',
    da: 'Registret har ingen adgangsadresse med dette id.',
  },
  noAccessPoint: {
    en: 'The register has no point of this access address.',
    da: 'Registret har intet punkt for denne adgangsadresse.',
  },
  columnEmpty: {
    en: 'The column {column} ({role}) is empty.',
    da: 'Kolonnen {column} ({role}) er tom.',
  },
  cellUnreadable: {
    en: 'The column {column} ({role}) holds an error, a formula or a truth value of a spreadsheet: it cannot be read.',
    da: 'Kolonnen {column} ({role}) er en fejl, en formel eller en sandhedsværdi fra et regneark: den kan ikke læses.',
  },
  noNumber: {
    en: 'The column {column} ({role}) holds no number.',
    da: 'Kolonnen {column} ({role}) er ikke et tal.',
  },
  noWhole: {
    en: 'The column {column} ({role}) holds no whole number from {min} to {max}.',
    da: 'Kolonnen {column} ({role}) er ikke et helt tal fra {min} til {max}.',
  },
  refused: {
    en: 'The column {column} ({role}) holds what cannot be asked about: {why}',
    da: 'Kolonnen {column} ({role}) er noget, der ikke kan spørges om: {why}',
  },
  noCondition: {
    en: 'No condition could be answered here.',
    da: 'Ingen af forholdene kunne besvares her.',
  },
  rounded: {
    en: 'The column {column} ({role}) holds a number that a spreadsheet has rounded (as 6,50E+05): save it with all its digits.',
    da: 'Kolonnen {column} ({role}) er et tal, som et regneark har afrundet (som 6,50E+05): gem det med alle cifre.',
  },
  halfPoint: {
    en: 'The row has one of the two coordinates only.',
    da: 'Rækken har kun den ene af de to koordinater.',
  },
  noBfeNumber: {
    en: 'A BFE number is a whole number from 1 to {max}.',
    da: 'Et BFE-nummer er et helt tal fra 1 til {max}.',
  },
  noAddressAlike: {
    en: 'No address like this one was found.',
    da: 'Der er ikke fundet nogen adresse, der ligner.',
  },
  addressEmpty: {
    en: 'The row has no address: its text is empty.',
    da: 'Rækken har ingen adresse: feltet er tomt.',
  },
  addressTooLong: {
    en: 'An address has at most {max} characters.',
    da: 'En adresse har højst {max} tegn.',
  },
  propertyEmpty: {
    en: 'The row names no property: it is empty.',
    da: 'Rækken nævner ingen ejendom: felterne er tomme.',
  },
  addressUnsure: {
    en: 'No address is surely or nearly surely this one. The nearest: {nearest}.',
    da: 'Ingen adresse er sikkert eller næsten sikkert denne. De nærmeste: {nearest}.',
  },
  columnUnread: {
    en: 'A column that is not read may decide the address: {column}. The nearest: {nearest}.',
    da: 'En kolonne, der ikke læses, kan afgøre adressen: {column}. De nærmeste: {nearest}.',
  },
  noProperty: {
    en: 'No property is known of this address.',
    da: 'Der kendes ingen ejendom på denne adresse.',
  },
  propertyUnasked: {
    en: 'No property is known of this address, and a register that may tell one cannot be asked.',
    da: 'Der kendes ingen ejendom på denne adresse, og et register, der kan kende den, kan ikke spørges.',
  },
  noLine: {
    en: 'No line could be answered at this point.',
    da: 'Ingen af linjerne kunne besvares i dette punkt.',
  },
  quotaUsed: {
    en: "The month's quota of {ceiling} units is used up. What was answered is on file; resume the job when the month has turned, or with a larger plan or cap.",
    da: 'Månedens {ceiling} enheder er brugt. Det, der er besvaret, er gemt; fortsæt jobbet, når måneden er omme, eller med et større abonnement eller loft.',
  },
  // As the store writes it.
  keyEnded: {
    en: 'The key that the job ran with no longer works. What was answered is on file; resume the job with another key of the account, which is then billed for the rest.',
    da: 'Nøglen, som jobbet kørte med, virker ikke mere. Det, der er besvaret, er gemt; fortsæt jobbet med en anden af kontoens nøgler, som så betaler for resten.',
  },
  noRoom: {
    en: 'The service has no room for more results at the moment. Nothing is lost: the job goes on by itself when there is room.',
    da: 'Tjenesten har ikke plads til flere svar lige nu. Intet er tabt: jobbet går selv videre, når der er plads.',
  },
  notLoaded: {
    en: 'The service is reading its registers into memory. The job goes on by itself when they are there.',
    da: 'Tjenesten er ved at læse sine registre ind i hukommelsen. Jobbet går selv videre, når de er der.',
  },
  addressesAwaited: {
    en: 'The addresses cannot be read into memory at the moment. The job goes on by itself when they can; after an hour it is paused, and can be resumed.',
    da: 'Adresserne kan ikke læses ind i hukommelsen lige nu. Jobbet går selv videre, når de kan; efter en time sættes det på pause og kan fortsættes.',
  },
  unworkable: {
    en: 'Rows {first} to {last} could not be worked on, though it was tried several times. What was answered before is on file.',
    da: 'Rækkerne {first} til {last} kunne ikke behandles, selv om det blev prøvet flere gange. Det, der var besvaret før, er gemt.',
  },
  untouched: {
    en: 'Nobody touched the job for {days} days, so it was cancelled. What was answered is on file for as long as the files of any job that has ended.',
    da: 'Ingen rørte jobbet i {days} dage, så det blev annulleret. Det, der er besvaret, er gemt lige så længe som filerne fra andre job, der er slut.',
  },
  notReached: {
    en: 'Not answered: the job has not come to this row.',
    da: 'Ikke besvaret: jobbet er ikke nået til denne række.',
  },
  // Of lookups.
  noneWithin: {
    en: 'No access address lies within {radius} m of the point.',
    da: 'Ingen adgangsadresse ligger inden for {radius} m af punktet.',
  },
  noneCovered: {
    en: 'The nearest access address is not known: the copy here covers {name} only.',
    da: 'Den nærmeste adgangsadresse kendes ikke: kopien her dækker kun {name}.',
  },
  outsideLand: {
    en: 'The point lies outside the land that the copy here covers: {name}.',
    da: 'Punktet ligger uden for det område, kopien her dækker: {name}.',
  },
  unreadAddress: {
    en: 'The register holds a row of this address that cannot be read.',
    da: 'Registret har en række om denne adresse, som ikke kan læses.',
  },
  themeUnanswered: {
    en: 'The DAGI theme {theme} could not be answered at this point.',
    da: 'DAGI-temaet {theme} kunne ikke besvares i dette punkt.',
  },
  areaUnread: {
    en: 'An area of the DAGI theme {theme} at this point could not be read from the register.',
    da: 'Et område i DAGI-temaet {theme} kunne ikke læses fra registret i dette punkt.',
  },
  noPropertyInForce: {
    en: 'No property in force has the BFE number {bfe}.',
    da: 'Ingen gældende ejendom har BFE-nummeret {bfe}.',
  },
  notInBbr: {
    en: 'BBR does not hold the property {bfe}, and a register that may cannot be asked: {others}.',
    da: 'BBR har ikke ejendommen {bfe}, og et register, der kan have den, kan ikke spørges: {others}.',
  },
  oneGeometry: {
    en: 'geometri or wkt: send one of them.',
    da: 'geometri eller wkt: send én af dem.',
  },
  tooManyPositions: {
    en: '{field}: {count} positions; an area may have {max}.',
    da: '{field}: {count} positioner; et område må have {max}.',
  },
  areaTooLarge: {
    en: '{field}: an area of {km2} km²; it may be {max}.',
    da: '{field}: et område på {km2} km²; det må være {max}.',
  },
  outsideDenmark: {
    en: '{field}: [{x}, {y}] is not in Denmark.',
    da: '{field}: [{x}, {y}] er ikke i Danmark.',
  },
  noSrid: {
    en: 'wkt: SRID {srid}; it may be 4326 or 25832.',
    da: 'wkt: SRID {srid}; den må være 4326 eller 25832.',
  },
  wktEmpty: { en: 'wkt: empty.', da: 'wkt: kan ikke læses (tom).' },
  wktUnreadable: { en: 'wkt: {reason}.', da: 'wkt: kan ikke læses ({reason}).' },
  noArea: {
    en: 'geometri: a Polygon or MultiPolygon, its rings closed and of at least 4 positions.',
    da: 'geometri: en Polygon eller MultiPolygon med lukkede ringe på mindst 4 positioner.',
  },
  areaInvalid: { en: 'The area is not valid: {reason}.', da: 'Området er ikke gyldigt: {reason}.' },
  noLayer: {
    en: 'lag: unknown {named}. It may be {keys}.',
    da: 'lag: ukendt {named}. Det kan være {keys}.',
  },
  noParcelNumber: {
    en: 'The number of a parcel is digits and then letters, such as 12bø: {text}',
    da: 'Et matrikelnummer er cifre og så bogstaver som 12bø: {text}',
  },
  noParcel: {
    en: 'The cadastre has no parcel {number} in district {district}.',
    da: 'Matriklen har intet jordstykke {number} i ejerlav {district}.',
  },
  parcelUnplaced: {
    en: 'The cadastre has no position of the parcel, or of one of them.',
    da: 'Matriklen har ingen placering af jordstykket eller af et af dem.',
  },
  propertyUnread: {
    en: 'The register holds rows of the property {bfe} that cannot be read.',
    da: 'Registret har rækker om ejendommen {bfe}, som ikke kan læses.',
  },
  tooManyRows: {
    en: 'These properties have more than {most} rows of one kind: ask for fewer at a time.',
    da: 'Disse ejendomme har mere end {most} rækker af én slags: spørg om færre ad gangen.',
  },
  bbrNotWhole: {
    en: 'BBR is not mirrored whole: {tables}.',
    da: 'BBR er ikke hentet helt: {tables}.',
  },
  notInCadastre: {
    en: 'The cadastre holds no property in force with the BFE number {bfe}.',
    da: 'Matriklen har ingen gældende ejendom med BFE-nummeret {bfe}.',
  },
  cadastreUnread: {
    en: 'The cadastre holds rows of the property {bfe} that cannot be read.',
    da: 'Matriklen har rækker om ejendommen {bfe}, som ikke kan læses.',
  },
  tooManyParcels: {
    en: 'This property has more than {parcels} parcels, or {mib} MiB of their geometry: too much for one answer.',
    da: 'Denne ejendom har mere end {parcels} jordstykker eller {mib} MiB geometri: for meget til ét svar.',
  },
} as const satisfies Record<string, Words>;

export type RowError = keyof typeof SENTENCES;

type Values = Readonly<Record<string, string | number>>;

export function rowError(name: RowError, values: Values = {}): { error: string; errorDa: string } {
  const { en, da } = SENTENCES[name];
  return { error: filled(en, values), errorDa: filled(da, values) };
}

function filled(template: string, values: Values): string {
  return template.replace(NAME, (_all, name: string) => String(values[name] ?? ''));
}

const NAME = /\{(\w+)\}/g;

const OF_COORDINATES: readonly Words[] = [
  {
    en: 'The point ({x}, {y}) lies outside Denmark ({a} E by {b} N and {c} E by {d} N).',
    da: 'Punktet ({x}, {y}) ligger uden for Danmark ({a} Ø, {b} N og {c} Ø, {d} N).',
  },
  {
    en: 'The point ({x}, {y}) lies outside Denmark ({a} E by {b} N and {c} E by {d} N). {first} and {second} look swapped.',
    da: 'Punktet ({x}, {y}) ligger uden for Danmark ({a} Ø, {b} N og {c} Ø, {d} N). {first} og {second} ser ud til at være byttet om.',
  },
];

/** Until November 2026; files have them (D74). */
const OF_OLD: readonly Words[] = [
  {
    en: 'The line sources are not configured in this environment.',
    da: 'Kilderne til linjerne er ikke sat op her.',
  },
  {
    en: 'Addresses are not configured in this environment.',
    da: 'Adresser er ikke sat op her.',
  },
  {
    en: 'Upstream not configured: the property register (BBR) is not mirrored here yet.',
    da: 'Ejendomsregistret (BBR) er her ikke endnu: det er ikke hentet.',
  },
];

type Say = (en: string, da: string) => { readonly error: string; readonly errorDa: string };

export const OF_COPIES = {
  notHere: (en, da) => ({
    error: `Upstream not configured: no copy of ${en} is here yet.`,
    errorDa: `Her er endnu ingen kopi af ${da}.`,
  }),
  tooOld: (en, da) => ({
    error: `The copy of ${en} is older than it may be.`,
    errorDa: `Kopien af ${da} er ældre, end den må være.`,
  }),
  unreadable: (en, da) => ({
    error: `The copy of ${en} cannot be read now.`,
    errorDa: `Kopien af ${da} kan ikke læses nu.`,
  }),
} satisfies Record<string, Say>;

const ASKED_COPIES = [
  ['BBR', 'BBR'],
  ['the addresses', 'adresserne'],
  ['the cadastre', 'matriklen'],
] as const;

function saidOfCopies(): readonly Words[] {
  const says = ASKED_COPIES.flatMap(([en, da]) =>
    Object.values(OF_COPIES).map((say) => say(en, da)),
  );
  return says.map(({ error: en, errorDa: da }) => ({ en, da }));
}

const ROLE = new RegExp(String.raw` \((?:${ROLES.join('|')})\)(?= (?:er |is |holds ))`);

export function withoutRole(error: string): string {
  return error.replace(ROLE, '');
}

export function rowErrorInDanish(error: string): string {
  patterns ??= [
    ...[...Object.values(SENTENCES), ...OF_COORDINATES, ...OF_OLD, ...Object.values(FAILURES)],
    ...saidOfCopies(),
  ].map(patternOf);
  for (const { pattern, da } of patterns) {
    const found = pattern.exec(error);
    if (found === null) continue;
    const values = found.groups ?? {};
    // Those are sentences themselves.
    const { what = '', why = '' } = values;
    const said = { what: what && rowErrorInDanish(what), why: why && rowErrorInDanish(why) };
    return filled(da, { ...values, ...said });
  }
  return error;
}

interface Pattern {
  readonly pattern: RegExp;
  readonly da: string;
}

let patterns: readonly Pattern[] | undefined;

/** A name matches any text, because columns can have any name. */
function patternOf({ en, da }: Words): Pattern {
  const literal = en.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return { pattern: new RegExp(`^${literal.replace(NAME, '(?<$1>.+)')}$`, 's'), da };
}
