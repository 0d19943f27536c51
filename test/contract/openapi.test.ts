/** The published document: whole, consistent, and a true judge of answers. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { FAILURES } from '../../src/kernel/failures.ts';
import { danish } from '../../src/http/v1/published.ts';
import { REGISTERS } from '../../src/registers.ts';
import { operationsOf } from '../edge/documented.ts';
import { expectDocumented, sharedApp, readSpec } from '../edge/edge.ts';
import type { Json } from './schemas.ts';
import type { PublishedDocument } from '../edge/edge.ts';

/**
 * Of our own, named by no document: a process tells when it has started, operators see the past, a bad
 * version is taken back, people sign in and manage keys, the front page asks with one of the open trial,
 * map programs read a style.
 */
const BEYOND: readonly string[] = [
  ...['/startupz', '/v1/demo/noegle', '/v1/drift/dage', '/v1/drift/lag/{lag}/forskel'],
  ...['/v1/drift/lag/{lag}/fortryd', '/v1/drift/lag/{lag}/historik', '/v1/kort/style.json'],
  ...['/v1/me/keys/{id}/rotate', '/v1/me/usage/lines'],
];

const app = await sharedApp();
const document = app.swagger() as unknown as PublishedDocument;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ ...document, $id: 'document' });

/** `/jobs/:id/{start,pause}` says two paths at once. */
function allWays(text: string): string {
  return text.replaceAll(/(\S+)\{(\w+(?:,\w+)+)\}/g, (_, before: string, names: string) =>
    names
      .split(',')
      .map((name) => `${before}${name}`)
      .join(' '),
  );
}

/** Nulls that another register than the one asked may leave, by what tells them from measured ones. */
const TOLD_BY = {
  'X-Service-Partial': `Adresse.bfe_nummer AdresseOpslag.bfe_nummer AdresseOpslag.omraader
    AktuelAdresse.bfe_nummer NaermesteAdresse.bfe_nummer JordstykkeOpslag.kommune.navn
    Postnummer.kommuner[].navn PostnummerOpslag.kommuner[].navn Sted.kommuner StedNaer.kommuner
    StedOpslag.kommuner`,
  'meta.kilde': 'Ejendom.dagi.* MatrikelEjendom.dagi.* Jordstykke.*',
  'status, geometri_status or _error': `Linje.* Forhold.* ForholdPaaAreal.* DagiOmraade.geometri
    Enhed.adresse.*`,
  // Of these a null is never a no (the document, D89, D117).
  itself: `Bygning.fredning Bygning.etager Ejendom.vurdering Ejendom.tekniske_anlaeg
    Virksomhed.personlig Virksomhed.reklamebeskyttet`,
};
const LOOKUP = /^\/v1\/(?!me|drift|jobs|status|aendringer|udtraek|kort|errors|session)/;

/** Each by the schema that names it, else by the last part of the path. */
function nullsIn(node: Json, path: string, found: Set<string>): Set<string> {
  const name = node.$ref?.split('/').at(-1);
  if (name !== undefined) {
    if (!found.has(name)) nullsIn(schemaOf(name), name, found.add(name));
    return found;
  }
  const { anyOf = [], items, properties = {}, additionalProperties: more } = node;
  if (anyOf.some(({ type }) => type === 'null')) found.add(path);
  for (const each of anyOf) nullsIn(each, path, found);
  if (items !== undefined) nullsIn(items, `${path}[]`, found);
  if (typeof more === 'object') nullsIn(more as Json, path, found);
  for (const [key, each] of Object.entries(properties)) nullsIn(each, `${path}.${key}`, found);
  return found;
}

const schemaOf = (name: string) => (document.components.schemas as Record<string, Json>)[name]!;

test('each null that another register may leave is in the document (D282)', () => {
  const lookups = operationsOf(document).filter(({ path }) => LOOKUP.test(path));
  const found = new Set<string>();
  for (const { path, responses } of lookups) {
    const { content = {} } = responses[200] ?? {};
    const at = path.split('/').at(-1) ?? '';
    for (const { schema } of Object.values(content)) nullsIn(schema as Json, at, found);
  }
  const told = Object.values(TOLD_BY).join(' ').split(/\s+/);
  const fits = (path: string) => (each: string) =>
    each.endsWith('*') ? path.startsWith(each.slice(0, -1)) : each === path;
  expect(told.filter((each) => ![...found].some((path) => fits(path)(each)))).toEqual([]);
});

describe('the published document', () => {
  test('has the paths that the specification and the decisions write, and no others', () => {
    const served = Object.keys(document.paths);
    const toCome = /\/v1\/(aendringer|udtraek|dage|me\/overvaagning)/;
    const named = allWays(readSpec('decisions.md') + readSpec('interface.md'))
      .matchAll(/`(?:(?:GET|POST|PATCH|DELETE) )?(\/v1\/[\w/:.{}-]*\w}?)[`?]/g)
      .map(([, path = '']) => path.replaceAll(/\/:(\w+)/g, '/{$1}'))
      .filter((path) => !toCome.test(path));
    const missing = [...new Set(named)].filter((path) => !served.some((each) => each === path));
    expect(missing).toEqual([]);
    const decided = allWays(readSpec('decisions.md')).replaceAll(/\{(\w+)\}/g, ':$1');
    const written = readSpec('interface.md') + decided;
    for (const path of Object.keys(document.paths).filter((path) => !BEYOND.includes(path))) {
      const asWritten = path.replaceAll(/\{(\w+)\}/g, ':$1');
      expect(written, path).toContain(asWritten);
    }
  });

  test('has values of one type in each enum, which generators of clients name', () => {
    JSON.stringify(document.paths, (_name, value: { enum?: unknown[]; type?: string } | null) => {
      const types = new Set(value?.enum?.map((each) => typeof each));
      if (types.size > 0) expect([types.size, typeof value?.type]).toEqual([1, 'string']);
      return value;
    });
  });

  test('gives each operation a name of its own and the error object for every failure', () => {
    const names = new Set<string>();
    // Classes by another number: 416 (D66), 410 (D227), 412 (D279).
    const ofClasses: number[] = Object.values(FAILURES).map(({ status }) => status);
    const statuses = [...ofClasses, 416, 410, 412];
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods ?? {}).filter((operation) => operation !== undefined),
    );
    for (const { operationId = '', responses } of operations) {
      expect(operationId).toMatch(/^[a-zA-Z]+$/);
      expect(names.has(operationId)).toBe(false);
      names.add(operationId);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '500']));
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
      for (const [status, response] of Object.entries(responses)) {
        if (['200', '201', '202', '204', '206', '304'].includes(status)) continue;
        expect(statuses).toContain(Number(status));
        expect(response?.content?.['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/Error',
        });
      }
    }
  });

  test('knows the token on every operation (D18)', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods ?? {})) {
        const names = (operation?.parameters ?? []).map(({ name }) => name);
        // On keyed operations it is said as a way to send the key.
        const isKey = JSON.stringify(operation?.security ?? []).includes('queryToken');
        if (!isKey) expect(names, path).toContain('token');
        for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(names).toContain(name);
      }
    }
  });

  test('has only schemas that JSON Schema 2020-12 takes, and no reference that leads nowhere', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(ajv.validateSchema(schema), name).toBe(true);
      expect(ajv.getSchema(`document#/components/schemas/${name}`), name).toBeDefined();
    }
    const text = JSON.stringify(document);
    for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      expect(document.components.schemas).toHaveProperty(name);
    }
    const local = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
    for (const target of local) expect(target).toMatch(/^#\/components\/schemas\/\w+$/);
  });

  test('has patterns that readers in other languages take', () => {
    const patterns = JSON.stringify(document).match(/"pattern":"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(patterns.length).toBeGreaterThan(20);
    expect(
      patterns.filter((pattern) => /\\[pP]\{|\\ud[89a-f]|\(\?<|\[\^?[^\]\\]*\[/.test(pattern)),
    ).toEqual([]);
  });

  test('notices a field too many, a field too few and a wrong type', async () => {
    const response = await app.inject('/v1/natur/byggelinjer?lon=12.1&lat=55.6');
    const operation = ['get', '/v1/natur/byggelinjer'] as const;
    const answer = response.json<Record<string, unknown>>();
    const changed = (change: Record<string, unknown>) => ({
      statusCode: 200,
      body: JSON.stringify({ ...answer, ...change }),
    });
    expectDocumented(app, changed({}), operation);
    for (const change of [
      { more: 1 },
      { meta: undefined },
      { antal_i_kraft: '1' },
      { antal_i_kraft: null },
      { linjer: { ...(answer['linjer'] as object), soe: undefined } },
    ]) {
      expect(() => expectDocumented(app, changed(change), operation)).toThrow();
    }
  });
});

describe('for whoever tries it', () => {
  /** Every own word of the document by where it stands; data of callers and answers left out. */
  function descriptions(value: unknown, path = ''): [path: string, text: string][] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
      if (['example', 'examples', 'enum', 'default'].includes(key)) return [];
      const here = `${path}/${key}`;
      if (key === 'description' && typeof inner === 'string') return [[here, inner]];
      return descriptions(inner, here);
    });
  }

  test('every parameter has a description and an example that its schema takes', () => {
    for (const { operationId, parameters = [] } of operationsOf(document)) {
      for (const { name, description, example, schema } of parameters) {
        const said = `${operationId}: ${name}`;
        expect(description, said).toMatch(/./);
        const examples = example === undefined ? (schema?.examples ?? []) : [example];
        expect(examples.length, said).toBeGreaterThan(0);
        for (const each of examples) expect(ajv.validate(schema ?? {}, each), said).toBe(true);
      }
    }
  });

  test('every operation shows an answer, and a body where it takes one, that its schema takes', () => {
    for (const { operationId, responses, requestBody, answers } of operationsOf(document)) {
      const hasContent = ([status, { content }]: [string, { content?: object }]) =>
        Number(status) < 300 && content !== undefined;
      if (Object.entries(responses).some(hasContent)) {
        expect(Object.keys(answers).length, operationId).toBeGreaterThan(0);
      }
      const shown = [requestBody ?? {}, ...Object.values(responses)].flatMap(({ content = {} }) =>
        Object.entries(content),
      );
      for (const [type, { example, examples, schema }] of shown) {
        const value = example ?? Object.values(examples ?? {})[0]?.value;
        if (type !== 'application/json' || value === undefined) continue;
        const refers = JSON.stringify(schema).replaceAll('"#/', '"document#/');
        const isValid = ajv.validate(JSON.parse(refers) as object, value);
        expect(isValid, `${operationId}: ${JSON.stringify(ajv.errors)}`).toBe(true);
      }
      const body = requestBody?.content['application/json'];
      if (body !== undefined) expect(body, operationId).toHaveProperty('example');
    }
  });

  test('every description is one text, English first, then Danish', () => {
    const english = descriptions(document).map(([path, text]) => {
      const [first = '', danishText, ...more] = text.split('\n\n');
      expect(more, path).toEqual([]);
      return { path, first, isBoth: danishText !== undefined };
    });
    const lacking = new Set(english.filter(({ isBoth }) => !isBoth).map(({ first }) => first));
    expect([...lacking], 'without Danish in src/http/v1/danish.json').toEqual([]);
    const everything = english.map(({ first }) => first).join('\n');
    const unused = Object.keys(danish(REGISTERS)).filter((text) => !everything.includes(text));
    expect(unused, 'Danish of what is nowhere said').toEqual([]);
  });

  test('no text cites a number of a decision: its readers have no list of them', () => {
    const cited = descriptions(document).filter(([, text]) => /\bD\d+/.test(text));
    const summaries = operationsOf(document).filter(({ summary }) => /\bD\d+/.test(summary));
    expect([...cited, ...summaries]).toEqual([]);
  });

  test('who may ask is said of every operation; those of everybody need nobody', () => {
    const open = operationsOf(document).filter(({ security }) => security.length === 0);
    for (const { operationId, security } of operationsOf(document)) {
      expect(security, operationId).toBeDefined();
    }
    expect(open.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/healthz', '/v1/status', '/v1/errors', '/v1/demo/ejendom']),
    );
    expect(open.map(({ tags }) => tags[0])).not.toContain('natur');
  });
});

describe('the invented property record', () => {
  test('has every key of the contract, however deep', async () => {
    const record = (await app.inject('/v1/demo/ejendom')).json<unknown>();
    const seen = new Set<string>();
    walk(record, 'Ejendom', seen);
    const missing = keysOfSchema('Ejendom').filter((key) => !seen.has(key));
    expect(missing).toEqual([]);
  });

  /** Collects `Schema.path` of every key that has a value or a null somewhere. */
  function walk(value: unknown, path: string, seen: Set<string>): void {
    if (Array.isArray(value)) {
      for (const item of value) walk(item, path, seen);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        seen.add(`${path}.${key}`);
        walk(inner, `${path}.${key}`, seen);
      }
    }
  }

  interface Node {
    readonly $ref?: string;
    readonly anyOf?: readonly Node[];
    readonly items?: Node;
    readonly properties?: Readonly<Record<string, Node>>;
  }

  function keysOfSchema(name: string): string[] {
    const walkNode = (node: Node, path: string): string[] => {
      if (node.$ref !== undefined) {
        const target = node.$ref.split('/').at(-1) ?? '';
        return walkNode(document.components.schemas[target] as Node, path);
      }
      return [
        ...(node.anyOf ?? []).flatMap((option) => walkNode(option, path)),
        ...(node.items === undefined ? [] : walkNode(node.items, path)),
        ...Object.entries(node.properties ?? {}).flatMap(([key, inner]) => [
          `${path}.${key}`,
          ...walkNode(inner, `${path}.${key}`),
        ]),
      ];
    };
    return walkNode(document.components.schemas[name] as Node, name);
  }
});
