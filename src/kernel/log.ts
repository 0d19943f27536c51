/** Redacts keys, tokens and passwords from every line. */

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Secret parameters, also percent-encoded. */
const PARAMETER = /(\b|%3F|%26)(token|api_?key|password)(=|%3D)[^&\s"'#<>\\]*/gi;

/** The key's kind stays readable. */
const KEY = /(svc_(?:pub_)?(?:live|test)_)[0-9A-Za-z]+/g;

const WEBHOOK_SECRET = /(whsec_)[A-Za-z0-9+/=]+/g;

/** `postgres://user:password@host`. */
const USER_INFO = /([a-z][a-z0-9+.-]*:\/\/[^\s:/?#@"'\\]*:)[^\s/?#@"'\\]+@/gi;

export function redact(text: string): string {
  return redactKeys(text.replace(PARAMETER, '$1$2$3[redacted]')).replace(
    USER_INFO,
    '$1[redacted]@',
  );
}

export function redactKeys(text: string): string {
  return text.replace(KEY, '$1[redacted]').replace(WEBHOOK_SECRET, '$1[redacted]');
}

/** Each letter plain or percent-encoded. */
const COMPANY_PATH = /(?:c|%43|%63)(?:v|%56|%76)(?:r|%52|%72)/i;
const COMPANY_NUMBER = /(?<!\d)(?:\d|%3\d){8}(?!\d)/g;
/** Digits in these paths are numbers of properties. */
const PROPERTY_PATH = /^\/v1\/(?:bbr|matrikel|vurdering)\//;

/**
 * Removes a company's number, which may be a person's (D117): what follows the route's name, and
 * every other eight digits.
 */
export function redactCompanies(path: string): string {
  const [name] = COMPANY_PATH.exec(path) ?? [];
  if (name !== undefined) return `${path.slice(0, path.indexOf(name))}cvr/[redacted]`;
  return PROPERTY_PATH.test(path) ? path : path.replaceAll(COMPANY_NUMBER, '[redacted]');
}

export function without(missing: readonly string[]): string {
  return missing.length === 0 ? '' : `, without ${missing.join(', ')}`;
}

const CAUSE_DEPTH = 4;

export interface DescribedError {
  [key: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: redact(String(error)), stack: '' };
  }
  return {
    type: error.name,
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...(error.cause === undefined || depth >= CAUSE_DEPTH
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  };
}

/** A server that is down fails at every address it has. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(sentenceOf).join('\n');
  return error instanceof Error ? error.message : String(error);
}

export interface TroubleLog {
  readonly error: (message: string) => void;
  /** Called when the trouble is over. */
  readonly warn: (message: string) => void;
}

export function troubleLog(log: Log, component: string): TroubleLog {
  return {
    error: (message) => log.error({ component }, message),
    warn: (message) => log.warn({ component }, message),
  };
}
