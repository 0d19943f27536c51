/**
 * Limited in time and bytes, without redirects, inspected as it arrives. Fails as UpstreamFailure.
 */
import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { joined } from '../bytes/join.ts';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import { utf8Body } from './charset.ts';
import type { Answered } from './charset.ts';
import { errorCode, errorWords, redirectTarget } from './error-words.ts';
import { UpstreamFailure } from './failure.ts';
import type { FeaturesEnvelope } from './envelope.ts';
import { createInspector, inspect } from './inspect.ts';
import { retryAfterOf } from './backoff.ts';

export interface ExchangeOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

/** A whole feature collection. The bytes own their buffer and may be transferred. */
export interface WfsAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly envelope: FeaturesEnvelope;
}

export interface AskOptions extends ExchangeOptions {
  /** Longest wait for headers and between two parts of the body. */
  readonly silenceMs: number;
  /** The headers may contain a secret, and no failure does. */
  readonly post?: { readonly body: string; readonly headers: Readonly<Record<string, string>> };
}

const HEADERS = {
  // Compressed bytes could not be compared with Content-Length; clients of the portal were seen to
  // need this.
  'accept-encoding': 'identity',
  accept: '*/*',
  'user-agent': 'geoopslag/0.1 (mirror)',
};

/** Close it when done. */
export function upstreamAgent(options: Agent.Options = {}): Agent {
  return new Agent({
    connections: LIMITS.originInFlight,
    pipelining: 1,
    maxHeaderSize: LIMITS.headerBytes,
    ...options,
  });
}

/**
 * One request whose answer, a 200, `read` takes. Throws UpstreamFailure, and what `read` throws.
 */
export async function ask<T>(
  url: URL,
  options: AskOptions,
  read: (response: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const { timeoutMs, silenceMs, dispatcher, signal: given, post } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = given ? AbortSignal.any([given, deadline]) : deadline;
  let answered = false;
  try {
    const response = await request(url, {
      method: post === undefined ? 'GET' : 'POST',
      headers: { ...HEADERS, ...post?.headers },
      ...(post && { body: post.body }),
      signal,
      dispatcher,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
    answered = true;
    try {
      await refuse(response, { ...options, url });
      return await read(response);
    } finally {
      response.body.on('error', ignore).destroy();
    }
  } catch (error) {
    throw failureOf(error, { deadline, options, answered });
  }
}

async function refuse(
  response: Dispatcher.ResponseData,
  { url, clock, post }: AskOptions & { readonly url: URL },
): Promise<void> {
  const { statusCode, headers } = response;
  if (statusCode >= 300 && statusCode < 400) throw redirectFailure(response, url);
  if (statusCode !== 200) {
    // A posted question concerns one company, and an answer may quote it.
    throw await statusFailure(response, { url, clock, isPersonal: post !== undefined });
  }
  const encoding = text(headers['content-encoding']) ?? 'identity';
  if (encoding !== 'identity') {
    throw new UpstreamFailure('not_wfs', `answered in an encoding not asked for: ${encoding}`);
  }
}

export async function exchange(url: URL, options: ExchangeOptions): Promise<WfsAnswer> {
  const { maxBytes, timeoutMs: silenceMs } = options;
  return await ask(url, { ...options, silenceMs }, (response) =>
    readCollection(response, { maxBytes, url }),
  );
}

async function readCollection(
  answered: Answered,
  { maxBytes, url }: Pick<ExchangeOptions, 'maxBytes'> & { readonly url: URL },
): Promise<WfsAnswer> {
  const inspector = createInspector();
  const chunks: Uint8Array[] = [];
  for await (const chunk of utf8Body({
    headers: answered.headers,
    body: wholeBody(answered, maxBytes),
  })) {
    chunks.push(chunk);
    inspector.push(chunk);
    if (inspector.settled() !== null) break;
  }
  const envelope = inspector.end();
  const bytes = joined(chunks);
  switch (envelope.kind) {
    case 'features':
      break;
    case 'exception': {
      const words = errorWords(bytes, url);
      const message = `answered 200 with an exception report: ${words}`;
      throw new UpstreamFailure('exception_report', message, {
        status: 200,
        exceptionText: envelope.text,
      });
    }
    case 'html':
      throw new UpstreamFailure('not_wfs', 'answered 200 with an HTML page', { status: 200 });
    case 'other':
      throw new UpstreamFailure('not_wfs', `answered 200 with ${envelope.what}`, { status: 200 });
    case 'unsafe':
      throw new UpstreamFailure('unreadable', `answered 200 with ${envelope.what}`, {
        status: 200,
      });
    case 'truncated':
      throw truncated(`the ${envelope.format} document is cut off after ${bytes.length} bytes`);
  }
  return { bytes, envelope };
}

/** A redirect is never followed: the failure names the target for a person. */
function redirectFailure(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  asked: URL,
): UpstreamFailure {
  const target = redirectTarget(text(headers['location']), asked);
  return new UpstreamFailure('redirect', `answered ${statusCode}, a redirect${target}`, {
    status: statusCode,
  });
}

/**
 * With the source's code and text, redacted; `isPersonal`: only the code, because the text may
 * quote a person's data.
 */
async function statusFailure(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  {
    clock,
    url,
    isPersonal,
  }: Pick<AskOptions, 'clock'> & { readonly url: URL; readonly isPersonal: boolean },
): Promise<UpstreamFailure> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of utf8Body({ headers, body })) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= LIMITS.upstreamErrorBytes) break;
  }
  const bytes = joined(chunks);
  const envelope = inspect(bytes);
  const words = isPersonal ? errorCode(bytes) : errorWords(bytes, url);
  return new UpstreamFailure('status', `answered ${statusCode}${words && `: ${words}`}`, {
    status: statusCode,
    exceptionText: envelope.kind === 'exception' ? envelope.text : null,
    retryAfterS: retryAfterOf(text(headers['retry-after']), clock.nowMs()),
  });
}

interface FailureContext {
  readonly deadline: AbortSignal;
  readonly options: Pick<ExchangeOptions, 'signal' | 'timeoutMs'>;
  readonly answered: boolean;
}

function failureOf(error: unknown, { deadline, options, answered }: FailureContext): Error {
  if (error instanceof UpstreamFailure) return error;
  if (options.signal?.aborted) return new UpstreamFailure('aborted', 'the request was given up');
  const code = codeOf(error);
  if (deadline.aborted || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return new UpstreamFailure('timeout', `no whole answer within ${options.timeoutMs} ms`);
  }
  if (!(error instanceof Error)) return new Error(String(error));
  if (code === '') return error;
  if (code === 'UND_ERR_INVALID_ARG') return error;
  return answered
    ? truncated(`the connection broke in the middle of the answer (${code})`)
    : new UpstreamFailure('connection', `no connection (${code})`);
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}

/** Throws UpstreamFailure past so many bytes, and where fewer came than were announced. */
export async function* wholeBody(
  { headers, body }: Answered,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const length = text(headers['content-length']) ?? '';
  const announced = /^\d+$/.test(length) ? Number(length) : null;
  if (announced !== null && announced > maxBytes) throw tooLarge(maxBytes);
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
  if (announced !== null && announced !== received) {
    throw truncated(`${received} bytes received of ${announced} announced`);
  }
}

function tooLarge(maxBytes: number): UpstreamFailure {
  return new UpstreamFailure('too_large', `an answer of more than ${maxBytes} bytes`);
}

function truncated(message: string): UpstreamFailure {
  return new UpstreamFailure('truncated', message);
}

function text(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function ignore(): void {
  // The body is discarded; its error is already reported.
}
