/**
 * Bodies are JSON in UTF-8, read strictly; every other type or encoding is 415. Each route that takes
 * one says how long it may be (LIMITS.bodyBytes), and one that takes none reads next to nothing.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { parseJsonBody } from '../wire/json-body.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/** Install before the routes. */
export function installBody(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.bodyLimit !== undefined) return;
    const takesNone = (route.schema?.body ?? null) === null;
    if (!takesNone) throw new Error(`${route.url} takes a body and names no limit for it.`);
    route.bodyLimit = LIMITS.bodyBytes.none;
  });
  // Node gives a request without a body no stream that ends (`optimizeEmptyRequests`), whatever type it names.
  app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    const isAwaited = raw.readableEnded && raw.headers['content-type'] !== undefined;
    done(null, isAwaited ? Readable.from([]) : payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseEncodings(request.headers['content-type'] ?? '', request.headers['content-encoding']);
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function refuseEncodings(type: string, encoding: string | undefined): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Failure('unsupported_media_type', {
      error: 'A Content-Encoding of the body is not supported; send plain JSON.',
      errorDa: 'Content-Encoding på indholdet understøttes ikke; send almindelig JSON.',
    });
  }
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Failure('unsupported_media_type', {
      error: 'The charset of the body must be utf-8.',
      errorDa: 'Indholdets tegnsæt skal være utf-8.',
    });
  }
}
