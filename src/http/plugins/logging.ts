/**
 * One line a request, and never a secret: paths are logged without their query (it may carry
 * `token`), headers and bodies not at all, and paths and error texts have keys blotted out.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { HTTP_LIMITS } from '../limits.ts';
import { redactCompanies, redactKeys } from '../../kernel/log.ts';
import { createLogging } from '../../kernel/logger.ts';
import type { EdgeOptions } from '../options.ts';

/** The service's own logger, or one of the edge's where it stands alone. */
export function edgeLogger({ logger, logLevel, logStream }: EdgeOptions): FastifyBaseLogger {
  const { log } =
    logger === undefined
      ? createLogging({ level: logLevel, ...(logStream && { stream: logStream }) })
      : { log: logger };
  const req = ({ method, url }: Pick<AnsweredLine, 'method' | 'url'>) => ({
    method,
    path: pathOf(url),
  });
  return log.child({}, { serializers: { req } });
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
  return redactCompanies(
    redactKeys(url.slice(0, HTTP_LIMITS.loggedPathChars).split(/[?#]/, 1)[0] ?? ''),
  );
}
