import { Failure } from '../../kernel/failures.ts';
import type { FailureType } from '../../kernel/failures.ts';
import type { Language } from '../wire/text.ts';

/** What to use instead of what is not offered. */
const WENT: Readonly<Record<string, string>> = {
  replikering:
    'Of replication, senestetransaktion, senestesekvensnummer, transaktioner, udtraek, haendelser and datamodel are here, and the older paths of what datamodel lists.',
  historik:
    'The versions of addresses are not mirrored here: an id that is unknown answers [], POST /v1/jobs and GET /v1/datavask know former names.',
  matrikeljordstykker: 'Parcels are at /jordstykker of this door.',
  bbr: 'Buildings are at GET /v1/bbr/ejendom/{bfe} here.',
  bbrlight:
    'Of BBR, enheder, bygninger and opgange are here; all else is at GET /v1/bbr/ejendom/{bfe}.',
  ejerlejligheder: 'Owner-occupied flats are at GET /v1/bbr/ejendom/{bfe} here.',
  ois: 'Units, buildings and entrances are at /bbrlight of this door, properties at GET /v1/bbr/ejendom/{bfe}.',
  hoejder: 'Heights are at GET /v1/dhm/kote here.',
  bygninger:
    'The outlines of GeoDanmark are not mirrored here: /bbrlight/bygninger of this door has the points of BBR.',
  supplerendebynavne2:
    'The areas of supplementary town names are not mirrored here: /adgangsadresser/reverse of this door has the name of the nearest address.',
  vejstykker:
    'The lines of roads are not mirrored here: /adgangsadresser/reverse of this door has the road of the nearest address.',
  navngivneveje: 'The lines of roads are not mirrored here, nor what lies beside them.',
};

function successorOf(path: string): string {
  const [name = ''] = path.split('/').filter((part) => part !== '');
  return WENT[name.toLowerCase()] ?? 'Nothing exists at this path; docs/dawa.md lists what does.';
}

const TITLES: Readonly<Record<FailureType, readonly [type: string, title: string]>> = {
  invalid_request: ['QueryParameterFormatError', 'One or more query parameters was ill-formed.'],
  not_found: ['ResourceNotFoundError', 'The resource was not found'],
  unauthorized: ['UnauthorizedError', 'A key is missing or not valid.'],
  plan_required: ['PaymentRequiredError', 'The plan does not cover this.'],
  forbidden: ['ForbiddenError', 'The key does not cover this.'],
  origin_not_allowed: ['ForbiddenError', 'The key is not for this origin.'],
  public_key_scope: ['ForbiddenError', 'A public key does not work here.'],
  method_not_allowed: ['MethodNotAllowedError', 'The method is not allowed here.'],
  conflict: ['ConflictError', 'The state does not allow this.'],
  payload_too_large: ['PayloadTooLargeError', 'The request is too large.'],
  unsupported_media_type: ['UnsupportedMediaTypeError', 'The media type is not supported.'],
  rate_limited: [
    'TooManyRequestsError',
    'Too many requests was made by this client. Try again later.',
  ],
  quota_exceeded: ['TooManyRequestsError', 'The quota of the month is used up.'],
  internal_error: ['InternalServerError', 'Something unexpected happened inside the server.'],
  upstream_error: ['BadGatewayError', 'The register could not be read.'],
  upstream_unavailable: ['ServiceUnavailableError', 'The register does not answer now.'],
  overloaded: ['ServiceUnavailableError', 'The service is overloaded.'],
};

type Details = readonly (readonly [name: string, reason: string])[];

class ParameterFailure extends Failure {
  readonly details: Details | string;
  readonly isOfPath: boolean;

  constructor(type: 'invalid_request' | 'not_found', details: Details | string) {
    const error =
      typeof details === 'string'
        ? details
        : details.map(([name, reason]) => `${name}: ${reason}`).join('; ');
    super(type, { error, errorDa: error });
    this.details = details;
    this.isOfPath = type === 'not_found';
  }
}

export function badParameter(name: string, reason: string): Failure {
  return badParameters([[name, reason]]);
}

/** A string applies to no single parameter. */
export function badParameters(details: Details | string): Failure {
  return new ParameterFailure('invalid_request', details);
}

export function badPath(name: string, reason: string): Failure {
  return new ParameterFailure('not_found', [[name, reason]]);
}

class NotOffered extends Failure {}

export function notOffered(resource: string): Failure {
  const error = successorOf(resource);
  return new NotOffered('not_found', { error, errorDa: error });
}

interface Answering {
  readonly path: string;
  readonly language: Language;
  readonly requestId: string;
  readonly isUnknownPath: boolean;
}

export function dawaErrorOf(
  failure: Failure,
  { path, language, requestId, isUnknownPath }: Answering,
) {
  const [type, title] = TITLES[failure.type];
  if (failure instanceof ParameterFailure) {
    const { details, isOfPath } = failure;
    if (!isOfPath) return { type, title, details };
    return { type: 'ResourcePathFormatError', title: 'The URI path was ill-formed.', details };
  }
  const { code, message: error, errorDa } = failure;
  const message = language === 'en' ? error : (errorDa ?? error);
  const told = { code, message, request_id: requestId };
  if (isUnknownPath && failure.type === 'not_found') {
    return { type, title, details: { ...told, message: successorOf(path) } };
  }
  if (failure instanceof NotOffered) return { type, title, details: told };
  // DAWA gave an unknown id no details.
  return { type, title, details: code === 'not_found' ? {} : told };
}
