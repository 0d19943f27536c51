/** The service's error classes (D66). Only the HTTP edge renders a `Failure`. */
import { LIMITS } from './limits.ts';

export interface FailureClass {
  readonly status: number;
  readonly retryable: boolean;
  /** Default of its failures; absent: never sent (D275). */
  readonly retryAfterS?: number;
  /** Where none applies, the class's name is sent. */
  readonly codes: readonly string[];
  readonly da: string;
  readonly en: string;
}

export const FAILURES = {
  invalid_request: {
    status: 400,
    retryable: false,
    codes: ['job_column_unknown', 'job_role_missing', 'job_empty', 'watch_object'],
    da: 'Forespørgslen er ugyldig: et felt mangler, har forkert form eller overskrider en grænse.',
    en: 'The request is invalid: a field is missing, has the wrong form or exceeds a limit.',
  },
  unauthorized: {
    status: 401,
    retryable: false,
    codes: [
      'api_key_missing',
      'api_key_invalid',
      'operator_token_missing',
      'operator_token_invalid',
      'session_missing',
      'session_ended',
      'link_invalid',
      'link_other_browser',
    ],
    da: 'API-nøglen mangler eller er ugyldig.',
    en: 'The API key is missing or invalid.',
  },
  plan_required: {
    status: 402,
    retryable: false,
    codes: [],
    da: 'Abonnementet dækker ikke denne operation.',
    en: 'The plan does not cover this operation.',
  },
  forbidden: {
    status: 403,
    retryable: false,
    codes: ['key_scope_missing', 'role_missing'],
    da: 'Nøglen må ikke bruges her.',
    en: 'The key may not be used here.',
  },
  origin_not_allowed: {
    status: 403,
    retryable: false,
    codes: [],
    da: 'Den offentlige nøgle må ikke bruges fra dette websted.',
    en: 'The public key may not be used from this website.',
  },
  public_key_scope: {
    status: 403,
    retryable: false,
    codes: [],
    da: 'En offentlig nøgle virker ikke på denne operation.',
    en: 'A public key does not work on this operation.',
  },
  not_found: {
    status: 404,
    retryable: false,
    codes: ['outside_coverage', 'changes_gone'],
    da: 'Der findes intet på denne adresse eller med denne kode.',
    en: 'Nothing exists at this address or under this code.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    codes: [],
    da: 'Metoden er ikke tilladt på denne adresse.',
    en: 'The method is not allowed at this address.',
  },
  conflict: {
    status: 409,
    retryable: false,
    codes: [
      'idempotency_key_reused',
      'changes_ahead',
      'job_state',
      'job_open_limit',
      'job_backlog_full',
      'job_storage_full',
      'webhook_limit',
      'watch_limit',
      'watch_without_webhook',
    ],
    da: 'Handlingen passer ikke til den nuværende tilstand.',
    en: 'The action does not fit the current state.',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    codes: [],
    da: 'Indholdet er for stort.',
    en: 'The payload is too large.',
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    codes: [],
    da: 'Indholdstypen understøttes ikke.',
    en: 'The media type is not supported.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    retryAfterS: LIMITS.retryAfterS.busy,
    codes: [],
    da: 'For mange forespørgsler lige nu. Prøv igen efter Retry-After.',
    en: 'Too many requests right now. Try again after Retry-After.',
  },
  quota_exceeded: {
    status: 429,
    retryable: true,
    retryAfterS: LIMITS.retryAfterS.notConfigured,
    codes: [],
    da: 'Månedens kvote er brugt.',
    en: 'The monthly quota is used up.',
  },
  internal_error: {
    status: 500,
    retryable: true,
    codes: [],
    da: 'Der skete en intern fejl.',
    en: 'An internal error occurred.',
  },
  upstream_error: {
    status: 502,
    retryable: true,
    retryAfterS: LIMITS.retryAfterS.unavailable,
    codes: [],
    da: 'Registret kunne ikke læses.',
    en: 'The register could not be read.',
  },
  upstream_unavailable: {
    status: 503,
    retryable: true,
    retryAfterS: LIMITS.retryAfterS.unavailable,
    codes: ['webhook_key_missing', 'outside_coverage'],
    da: 'Registret er ikke tilgængeligt eller ikke sat op.',
    en: 'The register is unavailable or not configured.',
  },
  overloaded: {
    status: 503,
    retryable: true,
    retryAfterS: LIMITS.retryAfterS.busy,
    codes: [
      'job_disk_full',
      'starting',
      'nothing_mirrored',
      'keys_unknown',
      'store_unreachable',
      'migration_failed',
    ],
    da: 'Tjenesten er overbelastet. Prøv igen efter Retry-After.',
    en: 'The service is overloaded. Try again after Retry-After.',
  },
} as const satisfies Record<string, FailureClass>;

export type FailureType = keyof typeof FAILURES;

export type CodeOf<T extends FailureType> = (typeof FAILURES)[T]['codes'][number];

type Waiting = {
  [T in FailureType]: 'retryAfterS' extends keyof (typeof FAILURES)[T] ? T : never;
}[FailureType];

export function codesOf(type: FailureType): string[] {
  return [type, ...FAILURES[type].codes];
}

/** Public, so without secrets. */
export interface FailureOptions<T extends FailureType = never> {
  readonly error?: string;
  /** Danish; default: the class text. */
  readonly errorDa?: string;
  /** Default: the type. */
  readonly code?: CodeOf<T>;
  /** Only where clients act on it: 416 (D66), 410 (D227), 412 (D279). */
  readonly status?: 416 | 410 | 412;
  readonly retryAfterS?: T extends Waiting ? number : never;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

type FailureArguments = {
  [T in FailureType]: [type: T, options?: FailureOptions<T>];
}[FailureType];

export class Failure extends Error {
  readonly type: FailureType;
  readonly code: string;
  readonly status: number;
  readonly errorDa: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(...[type, options = {}]: FailureArguments) {
    super(options.error ?? FAILURES[type].en, { cause: options.cause });
    this.name = 'Failure';
    this.type = type;
    this.code = options.code ?? type;
    const of: FailureClass = FAILURES[type];
    this.status = options.status ?? of.status;
    this.errorDa = options.errorDa;
    this.retryAfterS = options.retryAfterS ?? of.retryAfterS;
    this.headers = options.headers ?? {};
  }
}

export function invalidRequest(error: string, errorDa: string): Failure {
  return new Failure('invalid_request', { error, errorDa });
}

export function upstreamUnavailable(error: string, errorDa: string, cause?: unknown): Failure {
  return new Failure('upstream_unavailable', { error, errorDa, cause });
}

/** For what an operator has not set up. */
export function notSetUp(error: string, errorDa: string): Failure {
  const { notConfigured: retryAfterS } = LIMITS.retryAfterS;
  return new Failure('upstream_unavailable', { error, errorDa, retryAfterS });
}

/** 503 for what only the store knows; not logged, as db/store-watch.ts logs the outage. */
export function storeUnreachable(
  cause?: unknown,
  retryAfterS: number = LIMITS.retryAfterS.closing,
): Failure {
  return new Failure('overloaded', {
    code: 'store_unreachable',
    error: 'The store cannot be reached right now. Try again after Retry-After.',
    errorDa: 'Lageret kan ikke nås lige nu. Prøv igen efter Retry-After.',
    retryAfterS,
    cause,
  });
}

export function isStoreUnreachable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'store_unreachable';
}
