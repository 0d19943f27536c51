import type { CodeOf, FailureType } from '../../kernel/failures.ts';
import type { Words } from '../../layers/words.ts';
import type { Language } from './language.ts';

type Code = FailureType | CodeOf<FailureType>;

/** Where the service's own sentence is for programs. */
const SENTENCES: Readonly<Partial<Record<Code, Words>>> = {
  invalid_request: {
    da: 'Noget af det, der er skrevet eller valgt, kan ikke bruges. Ret det, og prøv igen.',
    en: 'Something you typed or chose cannot be used. Correct it and try again.',
  },
  job_column_unknown: {
    da: 'En kolonne, der er valgt, findes ikke i filen. Vælg kolonnerne igen.',
    en: 'A chosen column is not in the file. Choose the columns again.',
  },
  job_role_missing: {
    da: 'Vælg den kolonne, der har adressen, stedet eller BFE-nummeret.',
    en: 'Choose the column that holds the address, the place or the BFE number.',
  },
  job_empty: { da: 'Filen har ingen rækker.', en: 'The file has no rows.' },
  watch_object: {
    da: 'Et af objekterne kan ikke læses, eller der er for mange. Ret dem, og prøv igen.',
    en: 'One of the objects cannot be read, or there are too many. Correct them and try again.',
  },
  unauthorized: {
    da: 'Du er ikke logget ind. Log ind, og prøv igen.',
    en: 'You are not signed in. Sign in and try again.',
  },
  forbidden: {
    da: 'Det har du ikke adgang til. Genindlæs siden, hvis du mener, at du skulle have det.',
    en: 'You do not have access to this. Reload the page if you think you should.',
  },
  not_found: {
    da: 'Det findes ikke, eller ikke mere.',
    en: 'It does not exist, or no longer does.',
  },
  conflict: {
    da: 'Det kan ikke lade sig gøre, som det står lige nu. Genindlæs siden, og se efter.',
    en: 'That is not possible as things stand. Reload the page and have a look.',
  },
  job_state: {
    da: 'Jobbet er nået til noget andet. Genindlæs siden, og se hvor det er.',
    en: 'The job has moved on. Reload the page to see where it is.',
  },
  idempotency_key_reused: {
    da: 'Filen er en anden end den, der blev begyndt med.',
    en: 'This is not the file you began with.',
  },
  payload_too_large: { da: 'Filen er for stor.', en: 'The file is too large.' },
  unsupported_media_type: {
    da: 'Filer af den slags kan ikke læses.',
    en: 'Files of this kind cannot be read.',
  },
  quota_exceeded: {
    da: 'Månedens enheder er brugt.',
    en: 'The units of this month are used up.',
  },
  upstream_unavailable: {
    da: 'Registret kan ikke svare lige nu. Prøv igen senere.',
    en: 'The register cannot answer right now. Try again later.',
  },
  webhook_key_missing: {
    da: 'Webhooks er ikke slået til her. Det gør den, der driver tjenesten.',
    en: 'Webhooks are not turned on here. Whoever runs the service can do that.',
  },
  overloaded: {
    da: 'Tjenesten kan ikke gøre det lige nu. Prøv igen om lidt.',
    en: 'The service cannot do that right now. Try again shortly.',
  },
};

const OTHERWISE: Words = {
  da: 'Det lykkedes ikke. Prøv igen om lidt.',
  en: 'That did not work. Try again shortly.',
};

const FIELDS: Readonly<Record<string, Words>> = {
  name: { da: 'Navnet', en: 'The name' },
  label: { da: 'Jobbets navn', en: 'The name of the job' },
  email: { da: 'E-mailadressen', en: 'The e-mail address' },
  url: { da: 'Adressen', en: 'The address' },
  events: { da: 'Listen over hændelser', en: 'The list of events' },
  description: { da: 'Beskrivelsen', en: 'The description' },
  permission: { da: 'Rettigheden', en: 'The permission' },
  origins: { da: 'Listen over websteder', en: 'The list of websites' },
  cap: { da: 'Loftet', en: 'The cap' },
  bemaerkning: { da: 'Bemærkningen', en: 'The remark' },
  af: { da: 'Dit navn', en: 'Your name' },
  navn: { da: 'Navnet', en: 'The name' },
  objekter: { da: 'Listen over objekter', en: 'The list of objects' },
  q: { da: 'Det, du søger,', en: 'What you search for' },
};

const SUBJECT = /^(?:(?:Egenskaben|The property|Parameteren|The parameter) )?([a-z]+)(?=:? )/;
const PLACE = /^(origins|objekter)\[(\d+)\]/;
const PLACES: Readonly<Record<string, Words>> = {
  origins: { da: 'Websted', en: 'Website' },
  objekter: { da: 'Objekt', en: 'Object' },
};
const LATER = /(Prøv igen|Try again) (?:efter|after) Retry-After/;

export function plainSentence(message: string, code: string, language: Language, type = '') {
  const later = language === 'da' ? 'om lidt' : 'shortly';
  const text = message
    .replace(LATER, (_all, again: string) => `${again} ${later}`)
    .replace(
      PLACE,
      (_all, of: string, at: string) => `${PLACES[of]?.[language] ?? ''} ${Number(at) + 1}`,
    )
    .replace(SUBJECT, (all, name: string) => own(FIELDS, name)?.[language] ?? all);
  const words = own(SENTENCES, code) ?? own(SENTENCES, type) ?? OTHERWISE;
  return isPlain(text) ? text : words[language];
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What a reader wrote is theirs, and names are names. */
const THEIRS = /"[^"]*"|GeoJSON|GeoPackage|FlatGeobuf|PostGIS|[GM]iB|svc_\w+/g;
const OF_PROGRAMS = [
  /^[^\p{Lu}\d]/u,
  /[\p{Ll}\d]\p{Lu}|\p{L}_\p{L}/u,
  /\/v1\/|\w\[|\]|[<>{}=]|\bcolumns\./,
  /\b(?:GET|POST|PATCH|PUT|DELETE|OPTIONS|JSON|null|true|false)\b/,
  /\b(?:Retry|Content|Accept|Idempotency|X|If)-\p{Lu}|\b(?:Range|Host|Authorization|Bearer)\b/u,
  /\bE[A-Z]{4,}\b/,
  /^(?:Egenskaben|The property|Parameteren|The parameter|Stiparameteren|The path parameter|Ukendt|Unknown) [a-z]\w*/,
];

/** Whether it names nothing that only a program knows. */
export function isPlain(sentence: string): boolean {
  const text = sentence.replaceAll(THEIRS, '');
  return sentence !== '' && !OF_PROGRAMS.some((pattern) => pattern.test(text));
}
