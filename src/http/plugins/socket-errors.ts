/** A failure before there is a request still gets the six fields, after pending answers. */
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { HTTP_LIMITS } from '../limits.ts';
import type { EdgeOptions } from '../options.ts';
import { connectionOf } from '../server/connection.ts';
import { receive } from '../server/edge-server.ts';
import type { ManyConnections } from '../server/open-connections.ts';
import { baseUrlOf, errorHeaders, renderError } from '../wire/error-object.ts';
import type { ErrorContext, Reached } from '../wire/error-object.ts';
import { preferredLanguage } from '../wire/accept.ts';
import { requestIdOf, standardHeaders } from './every-request.ts';

export interface SocketError extends Error {
  readonly code?: string;
}

/** Data after a request with `Connection: close`. */
const AFTER_THE_LAST = 'HPE_CLOSED_CONNECTION';

/** Answers on the bare socket and closes it. */
export function clientErrorHandler(
  options: EdgeOptions,
): (error: SocketError, socket: Duplex) => void {
  return (error, socket) => {
    const connection = connectionOf(socket);
    if (error.code === 'ECONNRESET' || connection === undefined) socket.destroy();
    else if (error.code === AFTER_THE_LAST) connection.finish();
    else
      connection.fail(
        renderFailure(socketFailure(error.code), contextWithout(options, reachedOf(socket))),
      );
  };
}

export function tooManyConnections(
  options: EdgeOptions,
  socket: Duplex,
  which: ManyConnections,
): string {
  const { address, total } = options.connections ?? HTTP_LIMITS.connections;
  const texts: Texts =
    which === 'in all'
      ? {
          error: `At most ${total} connections are kept, and all are at work.`,
          errorDa: `Der holdes højst ${total} forbindelser, og alle er i arbejde.`,
        }
      : {
          error: `At most ${address} connections of one address are kept.`,
          errorDa: `Der holdes højst ${address} forbindelser til én adresse.`,
        };
  return renderFailure(
    new Failure('overloaded', texts),
    contextWithout(options, reachedOf(socket)),
  );
}

function contextWithout(options: EdgeOptions, reached: Reached): ErrorContext {
  return {
    language: 'da',
    requestId: options.newRequestId(),
    baseUrl: baseUrlOf(options.publicUrl, undefined, reached),
  };
}

/** Node answers these two cases without a body. */
export function installSocketErrors(server: Server, options: EdgeOptions): void {
  const contextOf = (request: IncomingMessage): ErrorContext => ({
    language: preferredLanguage(request.headers['accept-language']),
    requestId: requestIdOf(options)(request),
    baseUrl: baseUrlOf(options.publicUrl, request.headers.host, request.socket),
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
    // An unhandled error would end the process.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => socket.destroy());
    connectionOf(socket)?.fail(renderFailure(failure, contextOf(request)));
  });
}

function reachedOf(socket: Duplex): Reached {
  return socket instanceof Socket ? socket : {};
}

interface Texts {
  readonly error: string;
  readonly errorDa: string;
}

const NOT_HTTP: Texts = {
  error: 'The request is not valid HTTP.',
  errorDa: 'Forespørgslen er ikke gyldig HTTP.',
};

const FOUND: Readonly<Record<string, Texts>> = {
  HPE_HEADER_OVERFLOW: {
    error: `The address and headers together may have at most ${LIMITS.headerBytes} bytes.`,
    errorDa: `Adresse og headere må tilsammen højst fylde ${LIMITS.headerBytes} byte.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    error: `The request was not received within ${HTTP_LIMITS.requestReceiveMs / 1000} seconds.`,
    errorDa: `Forespørgslen blev ikke modtaget inden ${HTTP_LIMITS.requestReceiveMs / 1000} sekunder.`,
  },
  HPE_INVALID_URL: {
    error:
      'The address does not begin with /, or has a character that must be percent-encoded as UTF-8: ' +
      'æ is %C3%A6, ø is %C3%B8, å is %C3%A5.',
    errorDa:
      'Adressen begynder ikke med /, eller den har et tegn, der skal procentkodes som UTF-8: ' +
      'æ er %C3%A6, ø er %C3%B8, å er %C3%A5.',
  },
  // The parser expects HTTP/1.1 after the first space of a URL.
  HPE_INVALID_CONSTANT: {
    error:
      'The request is not valid HTTP. A space in the address must be percent-encoded: it is %20.',
    errorDa:
      'Forespørgslen er ikke gyldig HTTP. Et mellemrum i adressen skal procentkodes: det er %20.',
  },
};

function socketFailure(code = ''): Failure {
  return new Failure('invalid_request', FOUND[code] ?? NOT_HTTP);
}

function headersOf(failure: Failure, context: ErrorContext): Record<string, string> {
  return { ...standardHeaders(context.requestId ?? ''), ...errorHeaders(failure, context) };
}

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
