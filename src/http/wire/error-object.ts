import { FAILURES } from '../../kernel/failures.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { Language } from './text.ts';

export interface ErrorContext {
  readonly language: Language;
  readonly requestId: string | null;
  readonly baseUrl: string;
}

export function renderError(failure: Failure, context: ErrorContext) {
  const danish = failure.errorDa ?? FAILURES[failure.type].da;
  return {
    error: failure.message,
    type: failure.type,
    code: failure.code,
    message: context.language === 'en' ? failure.message : danish,
    request_id: context.requestId,
    doc_url: `${context.baseUrl}/v1/errors/${failure.type}`,
  };
}

/** Errors are never cached. */
export function errorHeaders(failure: Failure, context: ErrorContext): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-language': context.language,
    'cache-control': 'no-store',
    vary: 'Accept-Language',
    ...(failure.retryAfterS === undefined ? {} : { 'retry-after': String(failure.retryAfterS) }),
    ...failure.headers,
  };
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const HTTP_PORT = 80;

/** The local end of a socket. */
export interface Reached {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/**
 * The configured URL, else a plain host name from Host, else the connection's address. A forged
 * Host never puts markup or a path into a body.
 */
export function baseUrlOf(
  publicUrl: string | null,
  host: string | undefined,
  { localAddress, localPort }: Reached,
): string {
  if (publicUrl !== null) return publicUrl;
  const port = localPort === undefined || localPort === HTTP_PORT ? '' : `:${localPort}`;
  if (host !== undefined && HOST.test(host)) {
    return LOOPBACK.test(host) ? `http://${host}${port}` : `http://${host}`;
  }
  return `http://${hostOf(localAddress)}${port}`;
}

function hostOf(address: string | undefined): string {
  if (address === undefined) return 'localhost';
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}
