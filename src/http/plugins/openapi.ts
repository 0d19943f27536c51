/** Generated from the route schemas (D17). */
import swagger from '@fastify/swagger';
import type { TSchema } from 'typebox';
import type { FastifyInstance } from 'fastify';
import type { EdgeOptions } from '../options.ts';
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import { constantJson, sendConstant } from '../wire/send-json.ts';
import type { Constant } from '../wire/send-json.ts';
import { STATED, query } from '../../core/question/schemas.ts';
import { allowsNull } from './body.ts';
import type { BodySchema } from './body.ts';
import { addExamples } from './examples.ts';
import type { Example } from '../../core/document.ts';

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: svc_live_…, svc_test_…; never billed with svc_test_.',
  },
  queryToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The same key for callers that cannot send a header; the header wins.',
  },
  publicKey: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description:
      'A public key, svc_pub_live_… or svc_pub_test_…, from a web page of one of its origins; as ' +
      'Authorization: Bearer too.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: "The operator's token (OPERATOR_TOKEN).",
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'svc_session',
    description: 'The session of a signed-in person; writes also send X-CSRF-Token.',
  },
} as const;

const TAGS = [
  { name: 'jobs', description: 'Lists of rows, answered in the background' },
  { name: 'aendringer', description: 'What has changed in the registers, as numbered events' },
  { name: 'kort', description: 'Vector tiles and files of layers, for maps and GIS programs' },
  { name: 'status', description: 'How fresh the mirrored layers are' },
  { name: 'me', description: "One's own account, keys and sign-in" },
  { name: 'errors', description: 'Failure classes' },
  { name: 'drift', description: 'Health, freshness and operations' },
] as const;

export interface Published {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly schemas: readonly TSchema[];
  readonly examples: Readonly<Record<string, Example>>;
  readonly webhooks: Readonly<Record<string, object>>;
  readonly danish: Readonly<Record<string, string>>;
}

export async function installOpenApi(
  app: FastifyInstance,
  { tags, schemas, examples, danish, webhooks }: Published,
  options: EdgeOptions,
): Promise<void> {
  for (const schema of schemas) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Geoopslag',
        version: SERVICE_VERSION,
        description:
          'Property and geodata lookups over national Danish registers. An independent ' +
          'compatibility layer, not an official service of the register owners. No text may hold ' +
          'U+0000 or half of a surrogate pair.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: options.publicUrl ?? '/' }],
      tags: [...tags, ...TAGS],
      components: {
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    transform: ({ schema, url, route }) => {
      const isOpen = schema.security === undefined && route.config?.access === undefined;
      return { schema: isOpen ? { ...schema, security: [] } : schema, url };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      addExamples(document.openapiObject, examples);
      publishStated(document.openapiObject);
      nameAnswers(document.openapiObject);
      freeBodies(document.openapiObject);
      const published = { ...document.openapiObject, webhooks: structuredClone(webhooks) };
      addDanish(published, danish);
      return published;
    },
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        typeof schema['$id'] === 'string' ? schema['$id'] : `def-${index}`,
    },
  });
  publishDocument(app);
}

function publishDocument(app: FastifyInstance): void {
  const route = {
    schema: { hide: true, querystring: query({}) },
    config: { isReadableByPages: true },
  };
  let document: Constant | null = null;
  app.get('/openapi.json', route, (request, reply) => {
    // Only once all routes are registered.
    document ??= constantJson(app.swagger());
    void reply.header('cache-control', 'no-cache');
    void sendConstant(request, reply, document);
  });
}

interface RequestBody {
  required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: BodySchema }>>;
}

interface Operation {
  readonly requestBody?: RequestBody;
  readonly responses?: Readonly<Record<string, { description?: string } | undefined>>;
}

interface Paths {
  readonly paths?: Readonly<Record<string, unknown>>;
}

function operationsOf({ paths = {} }: Paths): Operation[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods as Readonly<Record<string, Operation>>),
  );
}

/** The framework marks every body as required, even one that may be null. */
function freeBodies(document: Paths): void {
  for (const { requestBody } of operationsOf(document)) {
    const bodies = Object.values(requestBody?.content ?? {});
    const isOptional = bodies.some(({ schema }) => allowsNull(schema));
    if (requestBody !== undefined && isOptional) requestBody.required = false;
  }
}

function publishStated(document: unknown): void {
  if (typeof document !== 'object' || document === null) return;
  for (const value of Object.values(document)) publishStated(value);
  if (!(STATED in document)) return;
  Object.assign(document, document[STATED]);
  Reflect.deleteProperty(document, STATED);
}

function nameAnswers(document: Paths): void {
  for (const answer of operationsOf(document).flatMap(({ responses = {} }) =>
    Object.values(responses),
  )) {
    if (answer?.description === 'Default Response') answer.description = 'The answer.';
  }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const DATA = new Set(['example', 'examples', 'enum', 'const', 'default']);

export function addDanish(document: unknown, danish: Readonly<Record<string, string>>): void {
  if (Array.isArray(document)) {
    for (const each of document) addDanish(each, danish);
    return;
  }
  if (!isObject(document)) return;
  for (const [key, value] of Object.entries(document)) {
    if (DATA.has(key)) continue;
    if (key === 'description' && typeof value === 'string') {
      document[key] = inBoth([value], danish);
    } else {
      if (METHODS.includes(key) && isObject(value)) describeOperation(value, danish);
      addDanish(value, danish);
    }
  }
}

function describeOperation(
  operation: Record<string, unknown>,
  danish: Readonly<Record<string, string>>,
): void {
  const { summary, description } = operation;
  if (typeof summary !== 'string') return;
  const texts = typeof description === 'string' ? [summary, description] : [summary];
  operation['description'] = inBoth(texts, danish);
}

function inBoth(texts: readonly string[], danish: Readonly<Record<string, string>>): string {
  const translated = texts.map((text) => danish[text]);
  const english = sentences(texts);
  return translated.includes(undefined)
    ? english
    : `${english}\n\n${sentences(translated as string[])}`;
}

function sentences(texts: readonly string[]): string {
  return texts.map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`)).join(' ');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
