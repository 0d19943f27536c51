/** An upstream's text becomes UTF-8 before anything reads it (D272). */
import type { Dispatcher } from 'undici';
import { UpstreamFailure } from './failure.ts';

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const HEAD_BYTES = 200;
const NOTHING = Buffer.alloc(0);
const DECLARATION = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/;

/** By byte order mark, else header, else XML declaration (RFC 7303). */
export function charsetOf(bytes: Uint8Array, contentType = ''): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES));
  const [first, second] = head;
  if (head.subarray(0, 3).equals(MARK)) return 'utf-8';
  // No text begins with a NUL, so one there is half of a character.
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  const stated = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const labels = [stated, DECLARATION.exec(head.toString('latin1'))?.[1]];
  // Read as ASCII so far, it is no UTF-16, whatever it says.
  return labels.map(knownCharset).find((name) => name?.startsWith('utf-16') === false) ?? 'utf-8';
}

function knownCharset(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

export interface Answered {
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The body as it arrives, with a mark before it where its declaration says another charset than UTF-8, so that
 * a reader of the bytes alone decides alike. Throws UpstreamFailure where it is not in its charset.
 */
export async function* utf8Body({ body, headers }: Answered): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | null | undefined;
  for await (const chunk of withWholeHead(body)) {
    if (decoder === undefined) {
      const charset = charsetOf(chunk, String(headers['content-type'] ?? ''));
      decoder = charset === 'utf-8' ? null : new TextDecoder(charset, { fatal: true });
      if (decoder !== null || charsetOf(chunk) !== 'utf-8') yield MARK;
    }
    yield decoder === null ? chunk : recoded(decoder, chunk, true);
  }
  if (decoder) yield recoded(decoder, NOTHING, false);
}

async function* withWholeHead(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = NOTHING;
  for await (const chunk of body) {
    if (head === null) yield chunk;
    else if (head.length + chunk.length < HEAD_BYTES) head = Buffer.concat([head, chunk]);
    else {
      yield head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      head = null;
    }
  }
  if (head !== null) yield head;
}

function recoded(
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array,
  stream: boolean,
): Uint8Array {
  try {
    return Buffer.from(decoder.decode(chunk, { stream }));
  } catch {
    throw new UpstreamFailure('unreadable', `an answer that is not ${decoder.encoding}`);
  }
}
