/**
 * Who may operate: until there are accounts, whoever holds the operator's token. Without one in the
 * configuration the operator's routes are off. The token is taken from the Authorization header
 * alone, never from an address, which ends up in logs and histories.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

export type Gate = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void;

/** A hook for `onRequest`: before anything of the request is read. */
export function operatorGate(token: string | null): Gate {
  const expected = token === null ? null : digest(token);
  return (request, _reply, done) => {
    done(refusal(request, expected));
  };
}

function refusal(request: FastifyRequest, expected: Buffer | null): Failure | undefined {
  if (expected === null) {
    return new Failure('forbidden', {
      error:
        'The operator routes are off: start the service with OPERATOR_TOKEN set ' +
        `(at least ${LIMITS.operatorTokenChars} characters).`,
      errorDa:
        'Driftsadgangen er slået fra: start tjenesten med OPERATOR_TOKEN sat ' +
        `(mindst ${LIMITS.operatorTokenChars} tegn).`,
    });
  }
  const given = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (given === undefined) {
    return unauthorized('operator_token_missing', {
      error:
        "The operator's token is missing: send it as Authorization: Bearer <token>, " +
        'never in the address.',
      errorDa:
        'Driftsnøglen mangler: send den som Authorization: Bearer <nøgle>, aldrig i adressen.',
    });
  }
  // Digests are of one length, so the comparison tells nothing, not even how long the token is.
  if (timingSafeEqual(digest(given), expected)) return undefined;
  return unauthorized('operator_token_invalid', {
    error: "The operator's token is not right.",
    errorDa: 'Driftsnøglen er forkert.',
  });
}

function unauthorized(code: string, text: { readonly error: string; readonly errorDa: string }) {
  const headers = { 'www-authenticate': 'Bearer realm="drift"' };
  return new Failure('unauthorized', { ...text, code, headers });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
