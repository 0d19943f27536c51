import { Failure } from '../../kernel/failures.ts';
import type { FailureOptions, FailureType } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { describeRefusal, tellingRefusal } from '../wire/validation-text.ts';
import type { Part, SchemaRefusal } from '../wire/validation-text.ts';

const FRAMEWORK: Readonly<Record<string, readonly [FailureType, FailureOptions]>> = {
  FST_ERR_BAD_URL: [
    'invalid_request',
    {
      error: 'The path is not valid: it has a malformed percent-encoding.',
      errorDa: 'Stien er ugyldig: en procentkode er forkert.',
    },
  ],
  FST_ERR_MAX_PARAM_LENGTH: [
    'invalid_request',
    {
      error: `A path parameter may have at most ${LIMITS.pathParameterChars} characters.`,
      errorDa: `En stiparameter må højst have ${LIMITS.pathParameterChars} tegn.`,
    },
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    {
      error: 'The Content-Type must be application/json.',
      errorDa: 'Content-Type skal være application/json.',
    },
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_request',
    {
      error: 'The body does not have the length its Content-Length header says.',
      errorDa: 'Indholdets længde passer ikke med Content-Length.',
    },
  ],
};

const REMAINING: Readonly<Record<number, 'invalid_request' | 'not_found'>> = {
  // Aborted or truncated bodies.
  400: 'invalid_request',
  404: 'not_found',
};

interface FrameworkError {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly validation?: readonly SchemaRefusal[];
  readonly validationContext?: Part;
}

/** Keeps the thrown value as `cause`. `bodyLimit`: bytes. */
export function failureOf(thrown: unknown, bodyLimit: number): Failure {
  if (thrown instanceof Failure) return thrown;
  const error = (typeof thrown === 'object' ? thrown : null) ?? {};
  const { code, statusCode, validation, validationContext } = error as FrameworkError;
  const refused = tellingRefusal(validation ?? []);
  if (refused !== null) {
    const text = describeRefusal(refused, validationContext ?? 'body');
    return new Failure('invalid_request', { error: text.en, errorDa: text.da, cause: thrown });
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyLimit, thrown);
  const known = typeof code === 'string' ? FRAMEWORK[code] : undefined;
  if (known !== undefined) return new Failure(known[0], { ...known[1], cause: thrown });
  const type = REMAINING[Number(statusCode)];
  if (type !== undefined) return new Failure(type, { cause: thrown });
  return new Failure('internal_error', { cause: thrown });
}

function bodyTooLarge(bodyLimit: number, cause: unknown): Failure {
  return new Failure('payload_too_large', {
    error: `The body may have at most ${bodyLimit} bytes here.`,
    errorDa: `Indholdet må her højst fylde ${bodyLimit} byte.`,
    cause,
  });
}
