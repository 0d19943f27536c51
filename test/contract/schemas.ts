/** Looks into the schemas of the routes: resolved references, kinds, nullability, names. */
import { ADDRESS_SCHEMAS } from '../../src/registers/addresses/questions.ts';
import { NATUR_SCHEMAS } from '../../src/registers/lines/questions.ts';
import { PROPERTY_SCHEMAS } from '../../src/registers/property/schema.ts';
import { DAGI_SCHEMAS } from '../../src/registers/areas/questions.ts';
import { SHARED_SCHEMAS } from '../../src/core/question/schemas.ts';
import type { Kind } from './tables.ts';

export interface Json {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Json[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly [keyword: string]: unknown;
}

const NAMED = new Map(
  [
    ...SHARED_SCHEMAS,
    ...NATUR_SCHEMAS,
    ...DAGI_SCHEMAS,
    ...ADDRESS_SCHEMAS,
    ...PROPERTY_SCHEMAS,
  ].map((schema) => [(schema as unknown as Json).$id, schema as unknown as Json]),
);

/** The schema itself, references followed and `or null` taken off. */
export function resolved(schema: unknown): Json {
  const json = schema as Json;
  if (json.$ref !== undefined) {
    const named = NAMED.get(json.$ref.replace(/#$/, ''));
    if (named === undefined) throw new Error(`No schema is named ${json.$ref}.`);
    return resolved(named);
  }
  const [value] = (json.anyOf ?? []).filter((option) => option.type !== 'null');
  return value === undefined ? json : resolved(value);
}

export function isNullable(schema: unknown): boolean {
  return ((schema as Json).anyOf ?? []).some((option) => option.type === 'null');
}

export function kindOfSchema(schema: unknown): Kind {
  const json = resolved(schema);
  if (json.$id === 'Kodefelt') return 'code';
  if (json.type === 'integer' || json.type === 'number') return 'number';
  return json.type as Kind;
}

/** Property names of an object, or of the objects in a list. */
export function namesOf(schema: unknown): string[] {
  const json = resolved(schema);
  if (json.type === 'array') return namesOf(json.items);
  return Object.keys(json.properties ?? json['patternProperties'] ?? {});
}

export function propertyOf(schema: unknown, name: string): Json {
  const property = resolved(schema).properties?.[name];
  if (property === undefined) throw new Error(`The schema has no property ${name}.`);
  return property;
}

export function requiredOf(schema: unknown): string[] {
  return [...(resolved(schema).required ?? [])];
}
