/**
 * One line a request, and never a secret: paths are logged without their query (it may carry
 * `token`), headers and bodies not at all, and paths and error texts have keys blotted out.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify';
import { LIMITS } from '../../kernel/limits.ts';
import type { EdgeOptions } from '../options.ts';

const SECRET = /(\b|%3F|%26)(token|api_?key|password)(=|%3D)[^&\s"'#<>]*/gi;

/** An API key wherever it stands; its kind may be told. */
const KEY = /(svc_(?:pub_)?(?:live|test)_)[0-9A-Za-z]+/g;

/** Blots out API keys, and the values of keys in addresses, inside a text. */
export function redact(text: string): string {
  return text.replace(SECRET, '$1$2$3[redacted]').replace(KEY, '$1[redacted]');
}

export function loggerOptions(options: EdgeOptions): FastifyServerOptions['logger'] {
  return {
    level: options.logLevel,
    ...(options.logStream === undefined ? {} : { stream: options.logStream }),
    serializers: {
      req: (request) => ({ method: request.method, path: pathOf(request.url) }),
      err: (error) => describe(error, 0),
    },
  };
}

/** What the line of an answered request says. */
export interface AnsweredLine {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly ms: number;
}

type LevelOptions = Pick<EdgeOptions, 'logLevel'>;

/** Not a call for a line that nobody would read: every request would pay for it. */
export function isLogged({ logLevel }: LevelOptions): boolean {
  return logLevel === 'info' || logLevel === 'debug';
}

export function installRequestLog(app: FastifyInstance, options: LevelOptions): void {
  if (!isLogged(options)) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, url, log } = request;
    const line = { requestId: id, method, url, status: reply.statusCode, ms: reply.elapsedTime };
    logAnswered(log, line);
    done();
  });
}

/** To a logger that tells the request's id by itself. */
export function logAnswered(log: FastifyBaseLogger, line: AnsweredLine): void {
  const { method, url, status, ms } = line;
  log.info({ method, path: pathOf(url), status, ms: Math.round(ms * 10) / 10 }, 'answered');
}

/** A key may have been put where a name belongs. */
function pathOf(url: string): string {
  const path = url.slice(0, LIMITS.loggedPathChars).split(/[?#]/, 1)[0] ?? '';
  return path.replace(KEY, '$1[redacted]');
}

/** Causes are followed this far. */
const CAUSE_DEPTH = 4;

interface Described {
  [key: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

function describe(error: unknown, depth: number): Described {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: redact(String(error)), stack: '' };
  }
  return {
    type: error.name,
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...(error.cause === undefined || depth >= CAUSE_DEPTH
      ? {}
      : { cause: describe(error.cause, depth + 1) }),
  };
}
