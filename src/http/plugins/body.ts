/**
 * Bodies are strict JSON in UTF-8, else 415. A route without a maximum (LIMITS.bodyBytes) accepts
 * only `{}` or nothing.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Charset } from '../../core/rows/job-types.ts';
import { Failure, invalidRequest } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { parseJsonBody } from '../wire/json-body.ts';

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

const BODYLESS = new Set(['GET', 'HEAD']);

export function installBody(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().some((method) => !BODYLESS.has(method))) {
      route.preParsing = [readyBody, ...[route.preParsing ?? []].flat()];
    }
    if (route.bodyLimit !== undefined) return;
    if (!takesNone(route.schema))
      throw new Error(`${route.url} takes a body and names no limit for it.`);
    route.bodyLimit = LIMITS.bodyBytes.none;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, readJson(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('*', async ({ routeOptions }: FastifyRequest, payload: Readable) => {
    if (!mayBeEmpty(routeOptions.schema) || !(await isEmpty(payload))) throw otherType();
  });
}

const readyBody: preParsingHookHandler = ({ raw, routeOptions }, _reply, payload, done) => {
  const type = raw.headers['content-type'];
  // Fastify would refuse an invalid type where a body is optional.
  if (type !== undefined && !MEDIA_TYPE.test(type) && mayBeEmpty(routeOptions.schema))
    delete raw.headers['content-type'];
  // With `optimizeEmptyRequests` the stream of a request without a body never ends.
  done(null, type !== undefined && raw.readableEnded ? Readable.from([]) : payload);
};

/** Drains a body unread. */
async function isEmpty(payload: Readable): Promise<boolean> {
  for await (const piece of payload.iterator({ destroyOnReturn: false })) {
    if ((piece as Buffer).length === 0) continue;
    payload.resume();
    return false;
  }
  return true;
}

/** Absent: the route takes no body. */
interface RouteSchema {
  readonly body?: unknown;
}

function takesNone(schema: RouteSchema | undefined): boolean {
  return (schema?.body ?? null) === null;
}

function mayBeEmpty(schema: RouteSchema | undefined): boolean {
  return takesNone(schema) || allowsNull(schema?.body as BodySchema | undefined);
}

export interface BodySchema {
  readonly anyOf?: readonly { readonly type?: string }[];
}

export function allowsNull(body: BodySchema | undefined): boolean {
  return body?.anyOf?.some(({ type }) => type === 'null') === true;
}

function readJson({ headers, routeOptions: { schema } }: FastifyRequest, body: Buffer): unknown {
  if (body.length === 0 && mayBeEmpty(schema)) return undefined;
  charsetOf(headers, ['utf-8']);
  const value = parseJsonBody(body);
  if (takesNone(schema) && !isEmptyObject(value)) throw noBodyTaken();
  return value;
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && !Array.isArray(value) && Object.keys(value ?? {}).length === 0
  );
}

function noBodyTaken(): Failure {
  return invalidRequest(
    'This operation takes no body; send none.',
    'Denne operation tager intet indhold; send intet.',
  );
}

function otherType(): Failure {
  return new Failure('unsupported_media_type', {
    error: 'The Content-Type must be application/json.',
    errorDa: 'Content-Type skal være application/json.',
  });
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;
const SAME: ReadonlyMap<string, Charset> = new Map([
  ['utf8', 'utf-8'],
  ['cp1252', 'windows-1252'],
  ['x-mac-roman', 'macintosh'],
  ['latin-1', 'iso-8859-1'],
  ['latin1', 'iso-8859-1'],
  ['utf-16le', 'utf-16'],
  ['utf-16be', 'utf-16'],
]);

/** null: none is named. Throws `unsupported_media_type`. */
export function charsetOf(
  headers: FastifyRequest['headers'],
  allowed: readonly Charset[],
): Charset | null {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new Failure('unsupported_media_type', {
      error: 'A Content-Encoding of the body is not supported; send it plain.',
      errorDa: 'Content-Encoding på indholdet understøttes ikke; send det ukomprimeret.',
    });
  }
  const named = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (named === undefined) return null;
  const charset = allowed.find((name) => name === (SAME.get(named) ?? named));
  if (charset !== undefined) return charset;
  throw new Failure('unsupported_media_type', {
    error: `The charset of the body must be ${allowed.join(', ')}.`,
    errorDa: `Indholdets tegnsæt skal være ${allowed.join(', ')}.`,
  });
}
