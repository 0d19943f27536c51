/** Limited in time, silence and bytes; redirects are not followed: the key is in the URL. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { LIMITS } from '../kernel/limits.ts';
import { contentLength, failureOf, redirectFailure, statusFailure, text } from './exchange.ts';
import type { ExchangeOptions } from './exchange.ts';
import { UpstreamFailure } from './failure.ts';

export interface StreamOptions extends ExchangeOptions {
  /** The headers may contain a secret, and no failure does. */
  readonly post?: { readonly body: string; readonly headers: Readonly<Record<string, string>> };
}

const HEADERS = {
  'accept-encoding': 'identity',
  accept: '*/*',
  'user-agent': 'geoopslag/0.1 (mirror)',
};

/** MD5 as 32 hex digits. */
export interface Written {
  readonly bytes: number;
  readonly md5: string;
}

/** Throws UpstreamFailure. */
export async function getText(url: URL, options: StreamOptions): Promise<string> {
  return (await getBytes(url, options)).toString('utf8');
}

/** Throws UpstreamFailure. */
export async function getBytes(url: URL, options: StreamOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await get(url, options, (chunk) => {
    chunks.push(chunk);
    return Promise.resolve();
  });
  return Buffer.concat(chunks);
}

/** Appends the body. Throws UpstreamFailure, and disk errors. */
export async function getInto(
  url: URL,
  file: FileHandle,
  options: StreamOptions,
): Promise<Written> {
  const md5 = createHash('md5');
  const bytes = await get(url, options, async (chunk) => {
    md5.update(chunk);
    await file.writeFile(chunk);
  });
  return { bytes, md5: md5.digest('hex') };
}

type Take = (chunk: Uint8Array) => Promise<void>;

/** Returns the bytes received. */
async function get(url: URL, options: StreamOptions, take: Take): Promise<number> {
  const { timeoutMs, dispatcher, signal: given, post } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = given ? AbortSignal.any([given, deadline]) : deadline;
  const silenceMs = Math.min(timeoutMs, LIMITS.downloadSilenceMs);
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
      return await read(response, { ...options, url }, take);
    } finally {
      response.body.on('error', () => undefined).destroy();
    }
  } catch (error) {
    throw failureOf(error, { deadline, options: { timeoutMs, signal: given }, answered });
  }
}

async function read(
  response: Dispatcher.ResponseData,
  options: StreamOptions & { readonly url: URL },
  take: Take,
): Promise<number> {
  const { statusCode, headers, body } = response;
  const { url, clock, post } = options;
  if (statusCode >= 300 && statusCode < 400) throw redirectFailure(response, url);
  if (statusCode !== 200) {
    // A posted question concerns one company, and an answer may quote it.
    throw await statusFailure(response, { url, clock, isPersonal: post !== undefined });
  }
  const announced = contentLength(headers['content-length']);
  const encoding = text(headers['content-encoding']) ?? 'identity';
  if (encoding !== 'identity') {
    throw new UpstreamFailure('not_wfs', `answered in an encoding not asked for: ${encoding}`);
  }
  let received = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    received += chunk.length;
    if (received > options.maxBytes) {
      throw new UpstreamFailure('too_large', `an answer of more than ${options.maxBytes} bytes`);
    }
    await take(chunk);
  }
  if (announced !== null && announced !== received) {
    throw new UpstreamFailure('truncated', `${received} bytes received of ${announced} announced`);
  }
  return received;
}
