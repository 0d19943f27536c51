/** Limited in time, silence and bytes; redirects are not followed: the key is in the URL. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { LIMITS } from '../kernel/limits.ts';
import { utf8Body } from './charset.ts';
import type { Answered } from './charset.ts';
import { ask, contentLength, counted, truncated } from './exchange.ts';
import type { AskOptions } from './exchange.ts';

export type StreamOptions = Omit<AskOptions, 'silenceMs'>;

/** MD5 as 32 hex digits. */
export interface Written {
  readonly bytes: number;
  readonly md5: string;
}

/** Throws UpstreamFailure. */
export async function getText(url: URL, options: StreamOptions): Promise<string> {
  const chunks: Uint8Array[] = [];
  await get(url, options, async (body) => {
    for await (const chunk of utf8Body(body)) chunks.push(chunk);
  });
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Throws UpstreamFailure. */
export async function getBytes(url: URL, options: StreamOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await get(url, options, async ({ body }) => {
    for await (const chunk of body) chunks.push(chunk);
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
  const bytes = await get(url, options, async ({ body }) => {
    for await (const chunk of body) {
      md5.update(chunk);
      await file.writeFile(chunk);
    }
  });
  return { bytes, md5: md5.digest('hex') };
}

/** `read` must take the whole body. Returns the bytes received. */
async function get(
  url: URL,
  options: StreamOptions,
  read: (answered: Answered) => Promise<void>,
): Promise<number> {
  const silenceMs = Math.min(options.timeoutMs, LIMITS.downloadSilenceMs);
  return await ask(url, { ...options, silenceMs }, async ({ headers, body }) => {
    const received = { bytes: 0 };
    await read({ headers, body: counted(body, options.maxBytes, received) });
    const announced = contentLength(headers['content-length']);
    if (announced !== null && announced !== received.bytes) {
      throw truncated(`${received.bytes} bytes received of ${announced} announced`);
    }
    return received.bytes;
  });
}
