/**
 * Log lines have no query (it may carry `token`), headers or bodies; keys in paths and errors are
 * masked.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { HTTP_LIMITS } from '../limits.ts';
import { redactCompanies, redactKeys } from '../../kernel/log.ts';
import { createLogging } from '../../kernel/logger.ts';
import type { EdgeOptions } from '../options.ts';

export function edgeLogger({ logger, logLevel, logStream }: EdgeOptions): FastifyBaseLogger {
  const { log } =
    logger === undefined
      ? createLogging({ level: logLevel, ...(logStream && { stream: logStream }) })
      : { log: logger };
  const req = ({ method, url }: Pick<AnsweredLine, 'method' | 'url'>) => ({
    method,
    path: loggedPath(url),
  });
  return log.child({}, { serializers: { req } });
}

export interface AnsweredLine {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly ms: number;
}

type LevelOptions = Pick<EdgeOptions, 'logLevel'>;

/** Avoids composing lines that are not logged. */
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

export function logAnswered(log: FastifyBaseLogger, line: AnsweredLine): void {
  const { method, url, status, ms } = line;
  log.info({ method, path: loggedPath(url), status, ms: Math.round(ms * 10) / 10 }, 'answered');
}

/** A key may be in the place of a name. */
export function loggedPath(url: string): string {
  return redactCompanies(
    redactKeys(url.slice(0, HTTP_LIMITS.loggedPathChars).split(/[?#]/, 1)[0] ?? ''),
  );
}
