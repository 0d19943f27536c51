/**
 * What every part is given to say something with: fields for programs, a message for people. And the
 * one home of what no line may hold: keys, tokens and passwords, wherever they stand.
 */

/** The part of a pino logger that is used here. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The values of parameters that carry a secret, in an address; percent-encoded ones too. */
const PARAMETER = /(\b|%3F|%26)(token|api_?key|password)(=|%3D)[^&\s"'#<>\\]*/gi;

/** An API key wherever it stands; its kind may be told. */
const KEY = /(svc_(?:pub_)?(?:live|test)_)[0-9A-Za-z]+/g;

/** The secret of a webhook endpoint; whose it is stands elsewhere. */
const WEBHOOK_SECRET = /(whsec_)[A-Za-z0-9+/=]+/g;

/** The password of an address: `postgres://user:password@host`. */
const USER_INFO = /([a-z][a-z0-9+.-]*:\/\/[^\s:/?#@"'\\]*:)[^\s/?#@"'\\]+@/gi;

/** Blots out API keys, passwords, and the values of keys in addresses, inside a text. */
export function redact(text: string): string {
  return redactKeys(text.replace(PARAMETER, '$1$2$3[redacted]')).replace(
    USER_INFO,
    '$1[redacted]@',
  );
}

/** Only the API keys and webhook secrets of this service's customers. */
export function redactKeys(text: string): string {
  return text.replace(KEY, '$1[redacted]').replace(WEBHOOK_SECRET, '$1[redacted]');
}

/** As a letter or a digit may be written in a path: itself, or by its number. */
const COMPANY_PATH = /(?:c|%43|%63)(?:v|%56|%76)(?:r|%52|%72)/i;
const COMPANY_NUMBER = /(?<!\d)(?:\d|%3\d){8}(?!\d)/g;
/** Their numbers are those of properties. */
const PROPERTY_PATH = /^\/v1\/(?:bbr|matrikel|vurdering)\//;

/**
 * A path without the number of a company, which may be a person's (D117): what follows the name of their
 * routes, however it is written, and where no such name stands before it a number of as many digits.
 */
export function redactCompanies(path: string): string {
  const [name] = COMPANY_PATH.exec(path) ?? [];
  if (name !== undefined) return `${path.slice(0, path.indexOf(name))}cvr/[redacted]`;
  return PROPERTY_PATH.test(path) ? path : path.replaceAll(COMPANY_NUMBER, '[redacted]');
}

/** Causes are followed this far. */
const CAUSE_DEPTH = 4;

export interface DescribedError {
  [key: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

/** Anything thrown as fields of a log line, its causes with it. */
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

/** In words. A server that is not there fails at every address it has. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(sentenceOf).join('\n');
  return error instanceof Error ? error.message : String(error);
}

export interface TroubleLog {
  readonly error: (message: string) => void;
}

/** For a part that has only sentences to say, every one of them trouble; `component` says whose. */
export function troubleLog(log: Log, component: string): TroubleLog {
  return { error: (message) => log.error({ component }, message) };
}
