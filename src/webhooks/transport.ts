/**
 * Requests go to the checked address only, without redirects or proxy variables. Only the status is
 * kept.
 */
import { remember } from '../kernel/remember.ts';
import type { LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Pool, ProxyAgent, buildConnector, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { cacheOfRecent } from '../kernel/cache.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import type { Target } from './address-guard.ts';
import { withoutInterim } from './interim.ts';

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Answered =
  | { readonly kind: 'answered'; readonly statusCode: number }
  | { readonly kind: 'failed'; readonly statusCode: number | null; readonly error: string };

export interface TransportOptions {
  /** Additional certificate authorities: tests and benchmarks. */
  readonly ca?: string;
  /** A proxy, which then checks addresses (D108); null: none. */
  readonly proxy: string | null;
}

export type Transport = ReturnType<typeof createTransport>;

export function createTransport({ ca, proxy }: TransportOptions) {
  const { receivers, inFlight, receiverIdleMs, responseHeadBytes, attemptMs } = WEBHOOK_LIMITS;
  // Creating one takes time, and memory that V8 does not see.
  const tls = { secureContext: createSecureContext(ca === undefined ? {} : { ca }) };
  const common = {
    connections: inFlight.address,
    pipelining: 1,
    keepAliveTimeout: receiverIdleMs,
    keepAliveMaxTimeout: receiverIdleMs,
    maxHeaderSize: responseHeadBytes,
    // The signal is the only deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const pools = cacheOfRecent<Pool>(receivers, (pool) => {
    pool.close().catch(() => undefined);
  });
  const through =
    proxy === null
      ? null
      : new ProxyAgent({ ...common, uri: proxy, proxyTunnel: true, requestTls: tls });
  const poolOf = ({ url, address }: Target): Dispatcher => {
    if (through !== null) return through;
    const key = `${address} ${url.origin}`;
    return remember(pools, key, () => {
      const how = { ...tls, lookup: only(address), timeout: attemptMs, autoSelectFamily: false };
      return new Pool(url.origin, { ...common, connect: plainly(buildConnector(how)) });
    });
  };
  return {
    /** Never throws; the signal ends it. */
    post: async (
      target: Target,
      { headers, body }: Sent,
      signal: AbortSignal,
    ): Promise<Answered> => {
      let statusCode: number | null = null;
      try {
        const { origin, pathname, search } = target.url;
        const response = await poolOf(target).request({
          ...{ origin, path: pathname + search, method: 'POST', headers, body, signal },
        });
        ({ statusCode } = response);
        await throwAway(response.body);
        return { kind: 'answered', statusCode };
      } catch (error) {
        // undici counts the length again and rejects a blank after a number.
        const isWhole = error instanceof errors.ResponseContentLengthMismatchError;
        if (statusCode !== null && isWhole) return { kind: 'answered', statusCode };
        return { kind: 'failed', statusCode, error: wordsOf(error, signal) };
      }
    },
    close: async () => {
      const all = [...pools.entries()].map(([, pool]) => pool);
      await Promise.all(
        [...all, ...(through === null ? [] : [through])].map((each) => each.destroy()),
      );
    },
  };
}

function plainly(connector: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connector(options, (...[error, socket]) => {
      if (error === null) callback(null, withoutInterim(socket));
      else callback(error, null);
    });
  };
}

function only(address: string): LookupFunction {
  const family = address.includes(':') ? 6 : 4;
  return (_name, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

/** A longer body is cut off with its connection. */
async function throwAway(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    // Leaving the loop destroys the body.
    if (bytes > WEBHOOK_LIMITS.responseBodyBytes) return;
  }
}

/** Other errors are a lost connection. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'answer too large',
  HPE_HEADER_OVERFLOW: 'answer too large',
};

function wordsOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return signal.reason === STOPPED ? 'interrupted' : 'timeout';
  const { code = '' } = error as { readonly code?: string };
  const known = WORDS[code];
  if (known !== undefined) return known;
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_'))
    return 'not an HTTP answer';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return 'TLS failed';
  return 'connection lost';
}

export const STOPPED = 'stopped';
