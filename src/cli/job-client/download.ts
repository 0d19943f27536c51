/** A download resumes under its temporary name, also in a later run. */
import { createWriteStream } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { causeOf } from './service.ts';
import type { Service } from './service.ts';
import { counted } from './screen.ts';
import type { Screen } from './screen.ts';

/** Interruptions without progress before it gives up. */
const CUTS = 10;

export async function download(
  service: Service,
  { path, to, screen }: { readonly path: string; readonly to: string; readonly screen: Screen },
): Promise<void> {
  const part = `${to}.part`;
  for (let cuts = 0; cuts < CUTS; cuts++) {
    const before = await sizeOf(part);
    try {
      await fetchRest(service, { path, part, before, screen });
      await rename(part, to);
      await rm(tagOf(part), { force: true });
      return;
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
      screen.say(`The download was cut (${causeOf(error)}); it goes on.`);
      if ((await sizeOf(part)) > before) cuts = 0;
    }
  }
  throw new Error(`The download of ${to} was cut ${CUTS} times; the same command goes on with it.`);
}

interface Fetching {
  readonly path: string;
  readonly part: string;
  readonly before: number;
  readonly screen: Screen;
}

async function fetchRest(service: Service, fetching: Fetching): Promise<void> {
  const { path, part, before, screen } = fetching;
  const tag = before > 0 ? await readFile(tagOf(part), 'utf8').catch(() => '') : '';
  const resumes = tag !== '';
  const headers = resumes ? { range: `bytes=${before}-`, 'if-range': tag } : {};
  const response = await service.call(path, { headers });
  // The file is complete.
  if (response.status === 416 && response.headers.get('content-range') === `bytes */${before}`) {
    return;
  }
  if (response.status === 416 || response.body === null) {
    await rm(part, { force: true });
    throw new Cut('another file');
  }
  await writeFile(tagOf(part), response.headers.get('etag') ?? '');
  let bytes = response.status === 206 ? before : 0;
  const withProgress = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      bytes += piece.length;
      screen.progress(`fetching ${counted(bytes / 1024)} KiB`);
      yield piece;
    }
  };
  const flags = response.status === 206 ? 'a' : 'w';
  try {
    await pipeline(
      Readable.fromWeb(response.body),
      withProgress,
      createWriteStream(part, { flags }),
    );
  } catch (error) {
    throw new Cut(causeOf(error));
  }
}

class Cut extends Error {}

const tagOf = (part: string): string => `${part}.etag`;

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
