import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { describeRefusal, tellingRefusal } from '../wire/validation-text.ts';
import type { Part, SchemaRefusal } from '../wire/validation-text.ts';

type Known = readonly [type: 'invalid_request' | 'unsupported_media_type', en: string, da: string];

const FRAMEWORK: Readonly<Record<string, Known>> = {
  FST_ERR_BAD_URL: [
    'invalid_request',
    'The path is not valid: it has a malformed percent-encoding.',
    'Stien er ugyldig: en procentkode er forkert.',
  ],
  FST_ERR_MAX_PARAM_LENGTH: [
    'invalid_request',
    `A path parameter may have at most ${LIMITS.pathParameterChars} characters.`,
    `En stiparameter må højst have ${LIMITS.pathParameterChars} tegn.`,
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The Content-Type must be application/json.',
    'Content-Type skal være application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_request',
    'The body does not have the length its Content-Length header says.',
    'Indholdets længde passer ikke med Content-Length.',
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
  if (known !== undefined) {
    const [type, en, da] = known;
    return new Failure(type, { error: en, errorDa: da, cause: thrown });
  }
  const type = REMAINING[Number(statusCode)] ?? 'internal_error';
  return new Failure(type, { cause: thrown });
}

function bodyTooLarge(bodyLimit: number, cause: unknown): Failure {
  return new Failure('payload_too_large', {
    error: `The body may have at most ${bodyLimit} bytes here.`,
    errorDa: `Indholdet må her højst fylde ${bodyLimit} byte.`,
    cause,
  });
}
