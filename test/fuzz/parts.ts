/**
 * Every parameter and every member of a body, one at a time: the rest of its request is the document's own
 * example, so that what is refused is this part.
 */
import { operationsOf, requestOf } from '../edge/documented.ts';
import type { DocumentedOperation } from '../edge/documented.ts';
import type { Published, Schema } from './document.ts';
import { resolve } from './document.ts';

export interface PartRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null: none is sent. */
  readonly body: unknown;
}

export interface Part {
  readonly operation: DocumentedOperation;
  /** `createJob body.rows.0`. */
  readonly name: string;
  readonly isText: boolean;
  readonly schema: Schema;
  readonly example: unknown;
  /** Its request, each way that it may be asked: some parts exclude others. */
  with(value: unknown): readonly PartRequest[];
}

export function partsOf(document: Published): Part[] {
  return operationsOf(document).flatMap((operation) => [
    ...parametersOf(operation),
    ...membersOf(operation, document),
  ]);
}

type Sent = Readonly<Record<string, unknown>>;

const DEGREES = { lon: 11.45, lat: 56.945 };
const METRES = { x: 646_000, y: 6_314_000, srid: 25_832 };
const POINT = { ...DEGREES, ...METRES };

/** Of parcels, whose parameters are of three ways to ask. */
const WAYS_OF_PARCELS: readonly Sent[] = [
  { ejerlav_kode: 12_851, matrikelnummer: '12bø' },
  { q: 'strand' },
  METRES,
];

function parametersOf(operation: DocumentedOperation): Part[] {
  const { parameters = [], operationId } = operation;
  const ways = waysOf(operation);
  return parameters.flatMap(({ name, schema = {}, example = schema.examples?.[0] }) => {
    if (name === 'token') return [];
    const request = (value: unknown) =>
      ways.map((sent) => requestWith(operation, { ...sent, [name]: value }));
    const of = { operation, name: `${operationId} ${name}`, isText: true, example };
    return [{ ...of, schema: schema as Schema, with: request }];
  });
}

/** With the parameters that the example has, and with the others. */
function waysOf({ parameters = [], operationId }: DocumentedOperation): Sent[] {
  const sent = parameters.map(({ name, in: place, example, schema }) => ({
    ...{ name, isShown: example !== undefined },
    ...{ isOfPath: place === 'path', value: example ?? schema?.examples?.[0] },
  }));
  const these = (chosen: typeof sent) =>
    Object.fromEntries(chosen.map(({ name, value }) => [name, value]));
  const others = sent.filter(
    ({ isShown, isOfPath, name }) => isOfPath || (!isShown && name !== 'token'),
  );
  const parcels = operationId === 'jordstykker' ? WAYS_OF_PARCELS : [];
  return [these(sent.filter(({ isShown }) => isShown)), these(others), ...parcels];
}

function requestWith(operation: DocumentedOperation, sent: Sent): PartRequest {
  const { method, parameters = [] } = operation;
  let url = operation.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { name, in: place } of parameters) {
    // A lone surrogate cannot be encoded, and a header has no control characters.
    for (const value of textsOf(sent[name])) {
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
      if (place === 'query') query.append(name, value);
      if (place === 'header') headers[name] = value.replaceAll(/[^\x20-\x7e]/g, '?');
    }
  }
  const { body = null } = requestOf(operation);
  return { method, url: query.size === 0 ? url : `${url}?${query.toString()}`, headers, body };
}

function textsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? (value.flat(Infinity) as unknown[]) : [value ?? []].flat();
  return values.map((each) => String(each as string | number).toWellFormed());
}

function membersOf(operation: DocumentedOperation, document: Published): Part[] {
  const { body } = requestOf(operation);
  const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
  if (schema === undefined || body === undefined) return [];
  const [way = {}] = waysOf(operation);
  const asked = requestWith(operation, way);
  return inside({ schema, path: [], example: body }, document).map((member) => ({
    ...{ operation, schema: member.schema, example: member.example, isText: false },
    name: [operation.operationId, ['body', ...member.path].join('.')].join(' '),
    with: (value) =>
      [body, ...[METRES, DEGREES].map((point) => replaced(body, ['punkter', '0'], point))].map(
        (way) => ({ ...asked, body: replaced(way, member.path, value) }),
      ),
  }));
}

interface Member {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly example: unknown;
}

/** The members of objects, also those that the example leaves out, and the first item of each list. */
function inside({ path, schema: given, example }: Member, document: Published): Member[] {
  const schema = resolve(given, document);
  if (typeof example !== 'object' || example === null) return [{ path, schema, example }];
  const into = (name: string, inner: Schema): Member[] => {
    const shown = (example as Sent)[name] ?? (POINT as Sent)[name];
    return inside({ path: [...path, name], schema: inner, example: shown }, document);
  };
  const options = (schema.anyOf ?? []).flatMap((option) =>
    inside({ path, schema: option, example }, document).slice(1),
  );
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    into(name, inner),
  );
  const items = schema.items === undefined ? [] : into('0', schema.items);
  return [{ path, schema, example }, ...options, ...members, ...items];
}

function replaced(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(body)) {
    const items = body as readonly unknown[];
    return items.map((item, n) => (String(n) === name ? replaced(item, rest, value) : item));
  }
  const holder = (body ?? {}) as Sent;
  // Only points have two ways.
  if (name === 'punkter' && holder[name] === undefined) return body;
  return { ...holder, [name]: replaced(holder[name], rest, value) };
}
