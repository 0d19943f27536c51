/**
 * The edge without a store, for what belongs to the edge alone: error shapes, schemas, headers,
 * limits. Typed in-memory services; whole answers are tested against a real store elsewhere.
 */
import { BARE_SERVICES } from '../support/bare-services.ts';
import type { MapTiles } from '../../src/core/map-tiles.ts';
import type { Addresses } from '../../src/registers/addresses/lookup.ts';
import type { Assessments } from '../../src/registers/assessments/lookup.ts';
import type { Cadastre } from '../../src/registers/cadastre/lookup.ts';
import type { Parcels } from '../../src/registers/cadastre/parcel-lookup.ts';
import type { Places } from '../../src/registers/places/lookup.ts';
import type { PropertyBatches } from '../../src/registers/property/batches.ts';
import type { Properties } from '../../src/registers/property/lookup.ts';
import type { Terrain } from '../../src/registers/terrain/lookup.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { buildApp } from '../../src/http/app.ts';
import type { EdgeOptions } from '../../src/http/options.ts';
import type { Services } from '../../src/http/services.ts';
import type { AreaAnswer, BuildingLinesAnswer, LineAnswer } from '../../src/answers/answer.ts';
import { FAILURES, Failure, codesOf } from '../../src/kernel/failures.ts';
import type { FailureType } from '../../src/kernel/failures.ts';
import { gzipPiece } from '../../src/kernel/gzip.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { statusOf } from '../../src/ops/freshness.ts';
import { opened } from '../support/opened.ts';
import { IDLE_KINDS, idleRegisters } from '../support/registers.ts';
import { REGISTERS, REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { Areas } from '../../src/registers/areas/lookup.ts';
import type { ReverseAreas } from '../../src/registers/areas/reverse.ts';
import { lineLabels, writtenWith } from '../../src/registers/lines/answer.ts';
import type { BuildingLines } from '../../src/registers/lines/lookup.ts';
import type { LinePages } from '../../src/registers/lines/pages.ts';
import type { LineKey, Theme } from '../../src/layers/keys.ts';
import type { Point } from '../../src/geo/point.ts';
import { operationsOf } from './documented.ts';

export const GENERATION = 7;
/** What a lookup resolves to: the value, as of that generation. */
export const atGeneration = <V>(value: V) => Promise.resolve({ generation: GENERATION, value });

export function clearLine(line: LineKey): LineAnswer {
  return {
    status: 'ok',
    line,
    within: false,
    uncertain: false,
    distanceM: null,
    count: 0,
    hit: null,
    repealed: [],
    provenance: { rung: 'store', ageS: 120 },
  };
}

export function linesAt(
  point: Point,
  lines: readonly LineKey[],
  line: (key: LineKey) => LineAnswer = clearLine,
): BuildingLinesAnswer {
  return { point, searchRadiusM: LIMITS.searchRadiusM.default, lines: lines.map(line) };
}

/** A triangle, in both frames: enough for the shape of an answer. */
const triangle = (x: number, y: number, size: number) => [
  [
    [x, y],
    [x + size, y],
    [x + size, y + size],
  ].concat([[x, y]]),
];
const TRIANGLE = {
  type: 'MultiPolygon',
  coordinates: [triangle(11.5, 56.7, 0.1)],
  epsg25832_rings: [triangle(653_000, 6_287_000, 6_000)],
};

export function area(theme: Theme, code: string, change: Partial<AreaAnswer> = {}): AreaAnswer {
  const json = JSON.stringify(TRIANGLE);
  return {
    theme,
    code,
    name: 'Opdigtet "Æbelø"',
    regionCode: '1099',
    geometry: { json: gzipPiece(json), contentHash: String(json.length) },
    provenance: { rung: 'store', ageS: 10 },
    ...change,
  };
}

export interface EdgeLookups {
  readonly buildingLines?: BuildingLines;
  readonly linePages?: LinePages;
  readonly areas?: Areas;
  readonly reverseAreas?: ReverseAreas;
  readonly addresses?: Addresses;
  readonly properties?: Properties;
  readonly propertyBatches?: PropertyBatches;
  readonly cadastre?: Cadastre;
  readonly parcels?: Parcels;
  readonly assessments?: Assessments;
  readonly places?: Places;
  readonly terrain?: Terrain;
  readonly parcelTiles?: Pick<MapTiles, 'served' | 'tile'>;
}

export const LINES: BuildingLines = {
  at: (points, lines) => atGeneration(points.map((point) => linesAt(point, lines))),
};

const AREAS: Areas = {
  find: (theme, codes) =>
    atGeneration(
      codes.map((code) =>
        /^0\d{3}$/.test(code)
          ? area(theme, code)
          : new Failure('not_found', { error: 'No such area.', errorDa: 'Intet område.' }),
      ),
    ),
};

const REVERSE_AREAS: ReverseAreas = {
  at: (points) =>
    atGeneration(
      points.map((point) => ({
        point,
        areas: [{ theme: 'kommune', name: 'Opdigtet', code: '0999' }],
        provenance: [{ rung: 'store', ageS: 60 }],
      })),
    ),
};

/** Lines and areas over lookups in memory, and the other registers over those given. */
export function edgeRegisters(lookups: EdgeLookups): Services['registers'] {
  const { buildingLines = LINES, areas = AREAS, reverseAreas = REVERSE_AREAS } = lookups;
  const { linePages, propertyBatches, parcelTiles, terrain, ...others } = lookups;
  const served = idleRegisters({
    ...Object.fromEntries(REGISTERS.map(({ name }) => [name, others])),
    property: { ...others, propertyBatches },
    lines: {
      ...writtenWith(lineLabels(REGISTERS_CATALOGUE, 'Linjernes kilder')),
      buildingLines,
      linePages,
    },
    areas: { areas, reverseAreas },
    ...(terrain && { terrain: { terrain } }),
  });
  return served.map((each) => ({
    ...each,
    ...(each.tiles &&
      parcelTiles && { tiles: each.tiles.map((own) => ({ ...own, ...parcelTiles })) }),
    ...(terrain && each.status && { status: () => terrain.status() }),
  }));
}

const LOOKUPS = [
  ...['buildingLines', 'linePages', 'areas', 'reverseAreas', 'addresses', 'properties'],
  ...['propertyBatches', 'cadastre', 'parcels', 'assessments', 'places', 'terrain', 'parcelTiles'],
];

export function memoryServices(given: Partial<Services> & EdgeLookups = {}): Services {
  const isLookup = ([name, value]: [string, unknown]) =>
    LOOKUPS.includes(name) && value !== undefined;
  const lookups: EdgeLookups = Object.fromEntries(Object.entries(given).filter(isLookup));
  const overrides: Partial<Services> = Object.fromEntries(
    Object.entries(given).filter(([name]) => !LOOKUPS.includes(name)),
  );
  return {
    ...BARE_SERVICES,
    registers: edgeRegisters(lookups),
    sourceOf: () => 'Linjernes kilder',
    jobKinds: IDLE_KINDS,
    status: () => {
      const facts = { generation: GENERATION, layers: new Map() };
      const { layers, ...status } = statusOf(facts, REGISTERS_CATALOGUE, 0);
      return Promise.resolve({ ...status, layers: layers.slice(0, LAYER_IDS.length) });
    },
    ...overrides,
  };
}

export const OPTIONS: EdgeOptions = {
  publicUrl: 'https://geo.example',
  logLevel: 'silent',
  newRequestId: () => 'fresh-id',
  onUndocumented: (found) => {
    throw new Error(`Not in the document: ${found}`);
  },
};

/** Every answer of JSON is held against the document; what is refused, by `expectError`. */
export async function memoryApp(
  overrides: Partial<Services> & EdgeLookups = {},
  options: Partial<EdgeOptions> = {},
): Promise<FastifyInstance> {
  return judged(await buildApp(memoryServices(overrides), { ...OPTIONS, ...options }));
}

/** One for the test that runs, closed with it. */
export async function testApp(...given: Parameters<typeof memoryApp>): Promise<FastifyInstance> {
  const app = await memoryApp(...given);
  onTestFinished(() => app.close());
  return app;
}

/** One for all tests of a file or a `describe`, closed after them. */
export function sharedApp(...given: Parameters<typeof memoryApp>): Promise<FastifyInstance> {
  return opened(memoryApp(...given));
}

/** Asserts the whole error object: six fields, class and status agreeing, and what rides beside it. */
export function expectError(
  response: Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>,
  type: FailureType,
): Record<string, unknown> {
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = JSON.parse(response.body) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(['error', 'type', 'code', 'message', 'request_id', 'doc_url']);
  expect(body['type'], response.body).toBe(type);
  expect(response.statusCode).toBe(FAILURES[type].status);
  for (const field of ['error', 'code', 'message', 'request_id', 'doc_url']) {
    expect(body[field], field).toEqual(expect.stringMatching(/./));
  }
  expect(codesOf(type)).toContain(body['code']);
  expect(body['request_id']).toBe(response.headers['x-request-id']);
  expect(String(body['doc_url']).endsWith(`/v1/errors/${type}`)).toBe(true);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['vary']).toBe('Accept-Language');
  expect(response.headers['content-language']).toMatch(/^(da|en)$/);
  expect(response.headers['x-content-type-options']).toBe('nosniff');
  expect(response.headers['referrer-policy']).toBe('no-referrer');
  if (FAILURES[type].status === 503) expect(response.headers['retry-after']).toMatch(/^\d+$/);
  return body;
}

/** By the text of the document: most apps of a run publish the same. */
const judges = new Map<string, Ajv2020>();
const judgesOfDocuments = new WeakMap<object, Ajv2020>();

function judgeOf(document: object): Ajv2020 {
  const text = JSON.stringify(document);
  const judge = judges.get(text) ?? new Ajv2020({ strict: false, allErrors: true });
  if (!judges.has(text)) {
    formats.default(judge);
    judge.addSchema({ ...document, $id: 'document' });
  }
  judges.set(text, judge);
  judgesOfDocuments.set(document, judge);
  return judge;
}

export function expectDocumented(
  app: FastifyInstance,
  response: Pick<LightMyRequestResponse, 'statusCode' | 'body'>,
  operation: readonly [method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string],
): void {
  const document = app.swagger() as unknown as PublishedDocument;
  const judge = judgesOfDocuments.get(document) ?? judgeOf(document);
  const [method, path] = operation;
  const said = `${method} ${path} ${response.statusCode}`;
  const at = ['paths', path, method, 'responses', String(response.statusCode)];
  const schema = [...at, 'content', 'application/json', 'schema'].map((part) =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const validate = judge.getSchema(`document#/${schema.join('/')}`);
  expect(validate, `${said} is documented`).toBeDefined();
  void validate?.(JSON.parse(response.body));
  expect(validate?.errors ?? [], said).toEqual([]);
}

let publisher: FastifyInstance | null = null;
let operationAt: (method: string, path: string) => string | undefined = () => undefined;

function publish(app: FastifyInstance): FastifyInstance {
  const operations = operationsOf(app.swagger())
    .map(({ method, path }) => {
      const parts = path.replaceAll('.', '\\.').split(/\{\w+\}/);
      return { method, path, pattern: new RegExp(`^${parts.join('[^/]+')}$`), count: parts.length };
    })
    // An address without parameters before one that fits it too.
    .toSorted((a, b) => a.count - b.count);
  operationAt = (asked, path) =>
    operations.find(({ method, pattern }) => method === asked && pattern.test(path))?.path;
  return app;
}

function judged(app: FastifyInstance): FastifyInstance {
  const ask = app.inject.bind(app);
  const inject = async (asked: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const response = await ask(asked);
    const { method = 'GET', url } = typeof asked === 'string' ? { url: asked } : asked;
    const { 'content-type': type, 'content-encoding': packed } = response.headers;
    const isJson = String(type).startsWith('application/json') && packed === undefined;
    if (response.statusCode > 299 || !isJson || method === 'HEAD') return response;
    publisher ??= publish(app);
    const { pathname } = new URL(
      typeof url === 'string' ? url : (url?.pathname ?? '/'),
      'https://geo.example',
    );
    const verb = method.toLowerCase() as Parameters<typeof expectDocumented>[2][0];
    const path = operationAt(verb, pathname);
    if (path !== undefined) expectDocumented(publisher, response, [verb, path]);
    return response;
  };
  return Object.assign(app, { inject });
}

export interface PublishedOperation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly security?: readonly object[];
  readonly responses: Readonly<
    Record<string, { content?: Record<string, { schema: object } | undefined> } | undefined>
  >;
}

export interface PublishedDocument {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, PublishedOperation | undefined>> | undefined>
  >;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export function readSpec(name: 'interface.md' | 'decisions.md'): string {
  return readFileSync(join(import.meta.dirname, '../contract', name), 'utf8');
}
