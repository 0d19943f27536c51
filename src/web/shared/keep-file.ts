import { Refused } from './ask.ts';
import { t } from './language.ts';
import { SILENCE_MS, bytesOf } from './streams.ts';

/** For a browser to take the file. */
const TAKEN_MS = 60_000;

export function keepFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), TAKEN_MS);
}

export const SHOWN_BYTES = 10 * 1024 * 1024;
const FILE_BYTES = 1024 ** 3;

/** Throws where the line is silent, and Refused past `most` bytes. */
export async function blobOf(
  { body, headers }: Response,
  most = FILE_BYTES,
  onBytes?: (bytes: number) => void,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of body === null ? [] : bytesOf(body, SILENCE_MS)) {
    parts.push(piece as Uint8Array<ArrayBuffer>);
    bytes += piece.length;
    if (bytes > most) throw tooLong();
    onBytes?.(bytes);
  }
  return new Blob(parts, { type: headers.get('content-type') ?? '' });
}

function tooLong(): Refused {
  const why = t('Svaret er for langt til denne side.', 'The answer is too long for this page.');
  return new Refused(0, 'too_large', why);
}
