/** Limited in time, silence and bytes; redirects are not followed: the key is in the URL. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { LIMITS } from '../kernel/limits.ts';
import { ask, contentLength, tooLarge, truncated } from './exchange.ts';
import type { AskOptions } from './exchange.ts';

export type StreamOptions = Omit<AskOptions, 'silenceMs'>;

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
  const silenceMs = Math.min(options.timeoutMs, LIMITS.downloadSilenceMs);
  return await ask(url, { ...options, silenceMs }, async ({ headers, body }) => {
    const announced = contentLength(headers['content-length']);
    let received = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      received += chunk.length;
      if (received > options.maxBytes) throw tooLarge(options.maxBytes);
      await take(chunk);
    }
    if (announced !== null && announced !== received) {
      throw truncated(`${received} bytes received of ${announced} announced`);
    }
    return received;
  });
}
