/** Limited in time, silence and bytes; redirects are not followed: the key is in the URL. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { LIMITS } from '../kernel/limits.ts';
import { utf8Body } from './charset.ts';
import type { Answered } from './charset.ts';
import { ask, wholeBody } from './exchange.ts';
import type { AskOptions } from './exchange.ts';

export type StreamOptions = Omit<AskOptions, 'silenceMs'>;

/** MD5 as 32 hex digits. */
export interface Written {
  readonly bytes: number;
  readonly md5: string;
}

/** Throws UpstreamFailure. */
export async function getText(url: URL, options: StreamOptions): Promise<string> {
  return await get(url, options, async (answered) =>
    new TextDecoder().decode(await gathered(utf8Body(answered))),
  );
}

/** Throws UpstreamFailure. */
export async function getBytes(url: URL, options: StreamOptions): Promise<Buffer> {
  return await get(url, options, ({ body }) => gathered(body));
}

async function gathered(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Appends the body. Throws UpstreamFailure, and disk errors. */
export async function getInto(
  url: URL,
  file: FileHandle,
  options: StreamOptions,
): Promise<Written> {
  return await get(url, options, async ({ body }) => {
    const md5 = createHash('md5');
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      md5.update(chunk);
      await file.writeFile(chunk);
    }
    return { bytes, md5: md5.digest('hex') };
  });
}

async function get<T>(
  url: URL,
  options: StreamOptions,
  read: (answered: Answered) => Promise<T>,
): Promise<T> {
  const silenceMs = Math.min(options.timeoutMs, LIMITS.downloadSilenceMs);
  return await ask(
    url,
    { ...options, silenceMs },
    async ({ headers, body }) =>
      await read({ headers, body: wholeBody({ headers, body }, options.maxBytes) }),
  );
}
