/**
 * What fails before there is a request: header overflow, nonsense instead of HTTP, a client too slow,
 * CONNECT, an expectation nobody can meet. The caller still gets the six fields, behind the answers it
 * is owed.
 */
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { EdgeOptions } from '../options.ts';
import { connectionOf, receive } from '../server/edge-server.ts';
import { baseUrlOf, errorHeaders, renderError } from '../wire/error-object.ts';
import type { ErrorContext } from '../wire/error-object.ts';
import { preferredLanguage } from '../wire/language.ts';
import { requestIdOf, standardHeaders } from './standard-headers.ts';

export interface SocketError extends Error {
  readonly code?: string;
}

/** Something came after a request that said it was the last. */
const AFTER_THE_LAST = 'HPE_CLOSED_CONNECTION';

/** Answers on the bare socket and closes it; nothing of the broken request is believed. */
export function clientErrorHandler(
  options: EdgeOptions,
): (error: SocketError, socket: Duplex) => void {
  return (error, socket) => {
    const connection = connectionOf(socket);
    if (error.code === 'ECONNRESET' || connection === undefined) socket.destroy();
    else if (error.code === AFTER_THE_LAST) connection.finish();
    else connection.fail(renderFailure(socketFailure(error.code), contextWithout(options)));
  };
}

/** What a client with too many connections is told on the next. */
export function tooManyConnections(options: EdgeOptions): string {
  return renderFailure(
    new Failure('overloaded', {
      error: `At most ${LIMITS.connections.address} connections of one address are kept.`,
      errorDa: `Der holdes højst ${LIMITS.connections.address} forbindelser til én adresse.`,
      retryAfterS: LIMITS.retryAfterS.busy,
    }),
    contextWithout(options),
  );
}

/** Of a request that could not be read. */
function contextWithout(options: EdgeOptions): ErrorContext {
  return {
    language: 'da',
    requestId: options.newRequestId(),
    baseUrl: baseUrlOf(options.publicUrl, undefined),
  };
}

/** The two things Node's server would answer by itself without a body. */
export function installSocketErrors(server: Server, options: EdgeOptions): void {
  const contextOf = (request: IncomingMessage): ErrorContext => ({
    language: preferredLanguage(request.headers['accept-language']),
    requestId: requestIdOf(options)(request),
    baseUrl: baseUrlOf(options.publicUrl, request.headers.host),
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const context = contextOf(request);
    const failure = new Failure('invalid_request', {
      error: 'The Expect header may only be 100-continue.',
      errorDa: 'Headeren Expect må kun være 100-continue.',
    });
    const body = JSON.stringify(renderError(failure, context));
    receive({ request, response }, () => {
      response.writeHead(failure.status, {
        ...headersOf(failure, context),
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const failure = new Failure('method_not_allowed', {
      error: 'This service is not a proxy: CONNECT is not allowed.',
      errorDa: 'Denne tjeneste er ikke en proxy: CONNECT er ikke tilladt.',
      headers: { allow: 'GET, HEAD, OPTIONS, POST' },
    });
    connectionOf(socket)?.fail(renderFailure(failure, contextOf(request)));
  });
}

function socketFailure(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Failure('invalid_request', {
      error: `The address and headers together may have at most ${LIMITS.headerBytes} bytes.`,
      errorDa: `Adresse og headere må tilsammen højst fylde ${LIMITS.headerBytes} byte.`,
    });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Failure('invalid_request', {
      error: `The request was not received within ${LIMITS.requestReceiveMs / 1000} seconds.`,
      errorDa: `Forespørgslen blev ikke modtaget inden ${LIMITS.requestReceiveMs / 1000} sekunder.`,
    });
  }
  return new Failure('invalid_request', {
    error: 'The request is not valid HTTP.',
    errorDa: 'Forespørgslen er ikke gyldig HTTP.',
  });
}

function headersOf(failure: Failure, context: ErrorContext): Record<string, string> {
  return { ...standardHeaders(context.requestId ?? ''), ...errorHeaders(failure, context) };
}

/** Head and body of an answer that is the last on its connection. */
function renderFailure(failure: Failure, context: ErrorContext): string {
  const body = JSON.stringify(renderError(failure, context));
  const headers = Object.entries(headersOf(failure, context));
  return [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
