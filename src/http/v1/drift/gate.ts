/** Admits operators' sessions, and tokens in the Authorization header only. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayAct } from '../../../account/roles.ts';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { NamedToken } from '../../options.ts';
import type { Services } from '../../services.ts';
import type { Doer } from '../../../ops/operator-service.ts';
import { senderOfRequest, bearerOf } from '../../access.ts';
import { unauthorized } from '../../wire/key-refusals.ts';
import { sessionTokenOf } from '../session/cookie.ts';
import { noRole } from '../me/caller.ts';
import { accountsOf, notSignedIn, signedInOf } from '../session/gate.ts';

export type Gate = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void;

export interface OperatorSessions {
  readonly services: Pick<Services, 'accounts'>;
  readonly tokens?: readonly NamedToken[];
  /** null: taken from each request. */
  readonly publicUrl: string | null;
}

/** An `onRequest` hook, before anything is read. */
export function operatorGate(tokens: readonly (string | null)[], sessions: OperatorSessions): Gate {
  const personal = sessions.tokens ?? [];
  const expected = tokenDigests([...tokens, ...personal.map(({ token }) => token)]);
  const named = personal.map(({ name, token }) => [name, tokenDigests([token])] as const);
  return (request, _reply, done) => {
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined || sessionTokenOf(cookie) === null) {
      const [name] = named.find(([, own]) => holdsToken(authorization, own)) ?? [];
      if (name !== undefined) signedInAs.set(request, name);
      done(refusal(request, expected));
      return;
    }
    refusalOfSession(request, sessions).then(done, done);
  };
}

export function tokenDigests(tokens: readonly (string | null)[]): readonly Buffer[] {
  return tokens.flatMap((token) => (token === null ? [] : [digest(token)]));
}

export function holdsToken(header: string | undefined, expected: readonly Buffer[]): boolean {
  // Of equal length, so that the comparison does not reveal the token's.
  const found = digest(bearerOf(header ?? '') ?? '');
  return expected.some((one) => timingSafeEqual(found, one));
}

const signedInAs = new WeakMap<FastifyRequest, string>();

/** The person of the session or personal token, else as the caller says (D159). */
export function doerOf(request: FastifyRequest, given: string | undefined): Doer {
  const who = signedInAs.get(request) ?? given ?? SHARED;
  return { who, from: senderOfRequest(request), requestId: request.id };
}

const SHARED = 'OPERATOR_TOKEN';

async function refusalOfSession(
  request: FastifyRequest,
  { services, publicUrl }: OperatorSessions,
): Promise<Failure | undefined> {
  const signedIn = await signedInOf(request, accountsOf(services), publicUrl);
  if (signedIn === null) return notSignedIn(true);
  const { account, person } = signedIn.session;
  const { isOperator, name } = account;
  if (isOperator) {
    if (!mayAct(person.roles, 'administers')) return noRole('administers');
    signedInAs.set(request, name);
    return undefined;
  }
  return new Failure('forbidden', {
    error: 'The account does not operate the service.',
    errorDa: 'Kontoen driver ikke tjenesten.',
  });
}

function refusal(request: FastifyRequest, expected: readonly Buffer[]): Failure | undefined {
  if (expected.length === 0) {
    return new Failure('forbidden', {
      error:
        'The operator routes are off: start the service with OPERATOR_TOKEN set ' +
        `(at least ${LIMITS.operatorTokenChars} characters), or sign in as an operator.`,
      errorDa:
        'Driftsadgangen er slået fra: start tjenesten med OPERATOR_TOKEN sat ' +
        `(mindst ${LIMITS.operatorTokenChars} tegn), eller log ind som operatør.`,
    });
  }
  const { authorization } = request.headers;
  if (bearerOf(authorization ?? '') === null) {
    const text = {
      error:
        "The operator's token is missing: send it as Authorization: Bearer <token>, " +
        'never in the address.',
      errorDa:
        'Driftsnøglen mangler: send den som Authorization: Bearer <nøgle>, aldrig i adressen.',
    };
    return unauthorized('operator_token_missing', text, 'drift');
  }
  if (holdsToken(authorization, expected)) return undefined;
  const text = { error: "The operator's token is not right.", errorDa: 'Driftsnøglen er forkert.' };
  return unauthorized('operator_token_invalid', text, 'drift');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
