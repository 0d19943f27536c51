/** A client with gzip gets pieces joined; others a stream unpacked off this thread. */
import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { weakTag } from '../../answers/json-pieces.ts';
import type { JsonPart } from '../../answers/json-pieces.ts';
import { JSON_TYPE } from '../../answers/json-writer.ts';
import { bodyBuffers } from '../../kernel/buffer-pool.ts';
import { gzipOf, gzipPiece } from '../../kernel/gzip.ts';
import { weightOf } from './accept.ts';
import { matchesNone } from './range.ts';

export function sendBytes(reply: FastifyReply, body: Buffer): FastifyReply {
  // Sent or aborted: the system no longer needs the buffer.
  reply.raw.once('close', () => bodyBuffers.release(body));
  // The framework would serialise bytes in shared memory.
  return reply.header('content-type', JSON_TYPE).serializer(asItIs).send(body);
}

/** Node writes head and text at once, without a copy. */
export function sendText(reply: FastifyReply, body: string): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(body);
}

/** Typed for texts; bytes work too. */
const asItIs = ((body: Buffer) => body) as unknown as (body: unknown) => string;

/** With an ETag for GET only. */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, tag }: { readonly parts: readonly JsonPart[]; readonly tag?: string },
): FastifyReply {
  void reply.header('vary', 'Accept-Encoding');
  if (tag !== undefined) {
    void reply.header('etag', tag);
    if (matchesNone(request.headers['if-none-match'], tag)) return reply.code(304).send();
  }
  const pieces = mergeTexts(parts).map((part) =>
    typeof part === 'string' ? gzipPiece(part) : part,
  );
  const chunks = gzipOf(pieces);
  void reply.header('content-type', JSON_TYPE);
  if (!takesGzip(request.headers['accept-encoding'])) {
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    const source = Readable.from(chunks, { objectMode: false });
    const text = createGunzip();
    source.pipe(text);
    return reply.header('content-length', bytes).send(text);
  }
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  return reply
    .headers({ 'content-encoding': 'gzip', 'content-length': bytes })
    .send(Readable.from(chunks, { objectMode: false }));
}

/** For constants, encoded once. */
export function sendConstant(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, plain, gzipped, tag }: Constant,
): FastifyReply {
  void reply.headers({ vary: 'Accept-Encoding', etag: tag });
  if (matchesNone(request.headers['if-none-match'], tag)) return reply.code(304).send();
  void reply.header('content-type', type);
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}

export interface Constant {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly tag: string;
}

export function constantJson(value: unknown): Constant {
  const text = JSON.stringify(value);
  const plain = Buffer.from(text);
  return {
    type: JSON_TYPE,
    plain,
    gzipped: gzipSync(plain),
    tag: weakTag([text]),
  };
}

function mergeTexts(parts: readonly JsonPart[]): JsonPart[] {
  const merged: JsonPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') {
      merged[merged.length - 1] = last + part;
    } else {
      merged.push(part);
    }
  }
  return merged;
}

/** Absent: identity. */
export function takesGzip(header: string | undefined): boolean {
  return weightOf(header, 'gzip', 'x-gzip', '*') > 0;
}
