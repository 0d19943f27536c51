/**
 * What fails before there is a request: header overflow, nonsense instead of HTTP, a client too slow,
 * CONNECT, an expectation nobody can meet. The caller still gets the six fields.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { EdgeOptions } from '../options.ts';
import { baseUrlOf, errorHeaders, renderError } from '../wire/error-object.ts';
import type { ErrorContext } from '../wire/error-object.ts';
import { preferredLanguage } from '../wire/language.ts';
import { requestIdOf, standardHeaders } from './standard-headers.ts';

export interface SocketError extends Error {
  readonly code?: string;
}

/** Answers on the bare socket and closes it; nothing of the broken request is believed. */
export function clientErrorHandler(
  options: EdgeOptions,
): (error: SocketError, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    writeFailure(socket, socketFailure(error.code), {
      language: 'da',
      requestId: options.newRequestId(),
      baseUrl: baseUrlOf(options.publicUrl, undefined),
    });
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
    response.writeHead(failure.status, {
      ...headersOf(failure, context),
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const failure = new Failure('method_not_allowed', {
      error: 'This service is not a proxy: CONNECT is not allowed.',
      errorDa: 'Denne tjeneste er ikke en proxy: CONNECT er ikke tilladt.',
      headers: { allow: 'GET, HEAD, OPTIONS, POST' },
    });
    writeFailure(socket, failure, contextOf(request));
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

function writeFailure(socket: Duplex, failure: Failure, context: ErrorContext): void {
  const body = JSON.stringify(renderError(failure, context));
  const reason = failure.status === 405 ? 'Method Not Allowed' : 'Bad Request';
  const lines = Object.entries(headersOf(failure, context)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.on('error', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${reason}`,
      ...lines,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
