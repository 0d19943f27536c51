/**
 * The port of a process without an edge, for its supervisor; `/metrics` needs METRICS_TOKEN or the
 * operator's. Off without WATCH_PORT.
 */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Registry } from '@prometheus-io/client';
import type { Config } from '../config.ts';
import { holdsToken, tokenDigests } from '../http/v1/drift/gate.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { describeProcess } from '../ops/process-metrics.ts';
import { listenError } from './preflight.ts';

export interface WatchedWork {
  /** Since its loop last turned; null: not started. */
  readonly silentS: () => number | null;
  readonly describe: (registry: Registry) => void;
}

type Settings = Pick<
  Config,
  'host' | 'watchPort' | 'dataDir' | 'operatorToken' | 'operatorTokens' | 'metricsToken'
>;

/** Throws a sentence when it cannot listen. */
export async function openWatchPort(
  settings: Settings,
  work: WatchedWork,
  log: Log,
): Promise<() => Promise<void>> {
  const { host, watchPort: port, dataDir, operatorToken, operatorTokens, metricsToken } = settings;
  if (port === null) return () => Promise.resolve();
  const personal = operatorTokens.map(({ token }) => token);
  const tokens = tokenDigests([operatorToken, metricsToken, ...personal]);
  const metrics = async (): Promise<string> => {
    const registry = new Registry();
    await describeProcess(registry, dataDir);
    work.describe(registry);
    return await registry.metrics();
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0];
    const silentS = work.silentS();
    if (path === '/healthz') say(response, (silentS ?? 0) <= LIMITS.watch.silentS, { silentS });
    else if (path === '/readyz') {
      say(response, silentS !== null && silentS <= LIMITS.watch.silentS, { silentS });
    } else if (path !== '/metrics' || tokens.length === 0) answer(response, 404, 'Not found.');
    else if (!holdsToken(request.headers.authorization, tokens)) {
      answer(response, 401, 'The token is missing or wrong.');
    } else {
      metrics().then(
        (text) => answer(response, 200, text),
        () => answer(response, 503, 'Not now.'),
      );
    }
  });
  server.maxConnections = LIMITS.watch.connections;
  server.requestTimeout = LIMITS.watch.requestMs;
  server.listen({ host, port });
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, { host, port }, 'WATCH_PORT');
  });
  server.on('error', (error) => log.error({ err: error }, 'the watch port failed'));
  return async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
}

function say(response: ServerResponse, isGood: boolean, told: object): void {
  response.setHeader('content-type', 'application/json');
  const status = isGood ? 'ok' : 'unavailable';
  answer(response, isGood ? 200 : 503, JSON.stringify({ status, ...told }));
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.setHeader('cache-control', 'no-store');
  if (status === 503) response.setHeader('retry-after', LIMITS.retryAfterS.busy);
  response.writeHead(status).end(text);
}
