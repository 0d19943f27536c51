/** Names field and limit, never the value: a query may hold a key, a body anything. */
import { LIMITS } from '../../kernel/limits.ts';
import type { Text } from './text.ts';

export interface SchemaRefusal {
  readonly instancePath: string;
  readonly keyword: string;
  readonly schemaPath?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
    readonly anyOf?: readonly { readonly required?: readonly string[] }[];
    readonly examples?: readonly unknown[];
  };
  readonly data?: unknown;
}

export type Part = 'body' | 'params' | 'querystring' | 'headers';

/**
 * The first; of unmet alternatives the closest; for parts of two, that both are required. null:
 * none.
 */
export function tellingRefusal(refusals: readonly SchemaRefusal[]): SchemaRefusal | null {
  const [first = null] = refusals;
  const last = refusals.at(-1);
  const alternatives = last?.keyword === 'anyOf' ? (last.parentSchema?.anyOf ?? []) : [];
  if (first === null || last === undefined || alternatives.length === 0) return first;
  const sent = (last.data ?? {}) as Readonly<Record<string, unknown>>;
  const met = alternatives.map(
    ({ required = [] }) => required.filter((name) => Object.hasOwn(sent, name)).length,
  );
  if (met.filter((count) => count > 0).length > 1) return last;
  const metBy = ({ schemaPath = '' }: SchemaRefusal): number =>
    met[Number(/\/anyOf\/(\d+)\//.exec(schemaPath)?.[1])] ?? 0;
  return refusals.reduce((best, next) => (metBy(next) > metBy(best) ? next : best), first);
}

export function describeRefusal(refusal: SchemaRefusal, part: Part): Text {
  const field = fieldName(refusal.instancePath);
  const place = placeOf(field, part);
  switch (refusal.keyword) {
    case 'required':
      return missing(join(field, String(refusal.params['missingProperty'])), part);
    case 'additionalProperties':
      return unknown(refusal, field, part);
    case 'type':
      return wrongType(refusal, place);
    case 'anyOf':
      return bothAlternatives(refusal, field);
    default:
      return overLimit(refusal, place);
  }
}

function bothAlternatives(refusal: SchemaRefusal, field: string): Text {
  const sent = (refusal.data ?? {}) as Readonly<Record<string, unknown>>;
  const alternatives = (refusal.parentSchema?.anyOf ?? []).map(({ required = [] }) => required);
  const which = alternatives
    .flatMap((names) => names.filter((name) => Object.hasOwn(sent, name)).slice(0, 1))
    .map((name) => join(field, name))
    .join(', ');
  const say = (and: string, or: string): string =>
    alternatives.map((names) => `${names.slice(0, -1).join(', ')} ${and} ${names.at(-1)}`).join(or);
  return {
    en: `Send either ${say('and', ', or ')}; not both (${which}).`,
    da: `Send enten ${say('og', ' eller ')}; ikke begge dele (${which}).`,
  };
}

/** `/punkter/3/lon` becomes `punkter[3].lon`; the root is ''. */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : join(path, step)), '');
}

function join(path: string, step: string): string {
  return path === '' ? step : `${path}.${step}`;
}

function placeOf(field: string, part: Part): Text {
  if (part === 'body') {
    return field === '' ? { en: 'The body', da: 'Indholdet' } : { en: field, da: field };
  }
  return part === 'params'
    ? { en: `The path parameter ${field}`, da: `Stiparameteren ${field}` }
    : { en: `The parameter ${field}`, da: `Parameteren ${field}` };
}

function missing(field: string, part: Part): Text {
  return part === 'body'
    ? { en: `The property ${field} is missing.`, da: `Egenskaben ${field} mangler.` }
    : { en: `The parameter ${field} is missing.`, da: `Parameteren ${field} mangler.` };
}

/** Names all; Ajv stops at the first (D18). */
function unknown(refusal: SchemaRefusal, field: string, part: Part): Text {
  const known = refusal.parentSchema?.properties ?? {};
  const data = (refusal.data ?? {}) as Readonly<Record<string, unknown>>;
  const names = Object.keys(data)
    .filter((name) => !Object.hasOwn(known, name))
    .slice(0, LIMITS.unknownNamesListed)
    .map((name) => join(field, name.slice(0, LIMITS.pointIdChars.max)))
    .join(', ');
  const allowed = Object.keys(known).join(', ');
  const kind = part === 'body' ? 'property' : 'parameter';
  const kindDa = part === 'body' ? 'egenskab' : 'parameter';
  return {
    en: `Unknown ${kind}: ${names}. Known here: ${allowed || 'none'}.`,
    da: `Ukendt ${kindDa}: ${names}. Kendt her: ${allowed || 'ingen'}.`,
  };
}

const TYPE_NAMES: Readonly<Record<string, Text>> = {
  number: { en: 'a number', da: 'et tal' },
  integer: { en: 'a whole number', da: 'et heltal' },
  digits: {
    en: 'a whole number in plain digits, without zeros before it',
    da: 'et heltal skrevet med cifre alene, uden nuller foran',
  },
  string: { en: 'a text', da: 'en tekst' },
  boolean: { en: 'true or false', da: 'true eller false' },
  object: { en: 'a JSON object', da: 'et JSON-objekt' },
  array: { en: 'a list', da: 'en liste' },
  null: { en: 'null', da: 'null' },
};

function wrongType(refusal: SchemaRefusal, place: Text): Text {
  if (Array.isArray(refusal.data)) {
    const repeated = refusal.params['type'] !== 'array' && place.en.startsWith('The parameter');
    // One value of a repeatable parameter is wrong.
    if (repeated && refusal.schemaPath?.includes('/anyOf/') === true) {
      return { en: `${place.en} has the wrong form.`, da: `${place.da} har forkert form.` };
    }
    if (repeated) {
      return {
        en: `${place.en} is given more than once.`,
        da: `${place.da} er angivet mere end én gang.`,
      };
    }
  }
  const wanted = TYPE_NAMES[wantedType(refusal, place)];
  return {
    en: `${place.en} must be ${wanted?.en ?? 'of another type'}.`,
    da: `${place.da} skal være ${wanted?.da ?? 'af en anden type'}.`,
  };
}

/** In a URL a whole number has one form (kernel/number-texts.ts). */
function wantedType({ params, data }: SchemaRefusal, place: Text): string {
  const type = String(params['type']);
  const isOfAddress = type === 'integer' && typeof data === 'string' && /parameter/.test(place.en);
  return isOfAddress ? 'digits' : type;
}

function overLimit(refusal: SchemaRefusal, place: Text): Text {
  const limit = String(refusal.params['limit']);
  const say = (en: string, da: string): Text => ({
    en: `${place.en} ${en}.`,
    da: `${place.da} ${da}.`,
  });
  switch (refusal.keyword) {
    case 'minItems':
      return say(`must have at least ${limit} item(s)`, `skal have mindst ${limit} element(er)`);
    case 'maxItems':
      return say(`may have at most ${limit} items`, `må højst have ${limit} elementer`);
    case 'uniqueItems':
      return say('must have each item once', 'skal have hvert element én gang');
    case 'minLength':
      return say(`must have at least ${limit} character(s)`, `skal have mindst ${limit} tegn`);
    case 'maxLength':
      return say(`may have at most ${limit} characters`, `må højst have ${limit} tegn`);
    case 'minimum':
      return say(`must be at least ${limit}`, `skal være mindst ${limit}`);
    case 'maximum':
      return say(`must be at most ${limit}`, `må højst være ${limit}`);
    case 'enum': {
      const allowed = refusal.params['allowedValues'] as readonly unknown[];
      // Numbers may also be allowed as texts.
      const values = [...new Set(allowed.map(String))].join(', ');
      return say(`must be one of ${values}`, `skal være en af ${values}`);
    }
    default: {
      const forms = (refusal.parentSchema?.examples ?? []).map(String);
      const like = (word: string, or: string): string =>
        forms.length === 0 ? '' : `: ${word} ${forms.join(or)}`;
      return say(
        `has the wrong form${like('write it as', ' or ')}`,
        `har forkert form${like('skriv som', ' eller ')}`,
      );
    }
  }
}
