/** Answers with what they cost, told before the first byte; long ones are made while they are sent. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answered } from '../access.ts';
import { matchesNone } from './range.ts';
import { takesGzip } from './send-json.ts';
import type { Body } from './row-formats.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Cost {
  readonly units: number;
  readonly generation: number | null;
}

/** A list of two thousand rows would stop this thread for a tenth of a second. */
const zipped = promisify(gzip);
const CACHING = 'private, max-age=300';
const GZIP_FROM_CHARS = 1_000;

/** What the caller has is 304 without a unit. A stream has no ETag. */
export async function sendBody(
  { request, reply }: Exchange,
  { type, text }: Body,
  { units, generation }: Cost,
): Promise<FastifyReply> {
  const isGzip = takesGzip(request.headers['accept-encoding']);
  void reply.headers({ 'cache-control': CACHING, vary: 'Accept-Encoding, Origin' });
  if (typeof text !== 'string') {
    await request.visit?.reserveAll(units);
    answered(request, units, generation);
    void reply.headers({ 'content-type': type, 'x-service-units': units });
    return sendStream({ request, reply }, text);
  }
  const isZipped = isGzip && text.length >= GZIP_FROM_CHARS;
  const digest = hash('sha256', text, 'base64url').slice(0, 27);
  const etag = `"${digest}${isZipped ? '-gz' : ''}"`;
  const isKnown = matchesNone(request.headers['if-none-match'], etag);
  const cost = isKnown ? 0 : units;
  await request.visit?.reserveAll(cost);
  answered(request, cost, generation);
  void reply.headers({ etag, 'x-service-units': cost });
  if (isKnown) return reply.code(304).send();
  void reply.header('content-type', type);
  if (!isZipped) return reply.send(text);
  return reply.header('content-encoding', 'gzip').send(await zipped(text));
}

/** Made while it is sent; a failure in its middle cuts the connection. A HEAD makes none of it. */
export function sendStream(
  { request, reply }: Exchange,
  text: AsyncIterable<string>,
): FastifyReply {
  const isGzip = takesGzip(request.headers['accept-encoding']);
  if (isGzip) void reply.header('content-encoding', 'gzip');
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const stream = Readable.from(text, { objectMode: false });
  if (!isGzip) return reply.send(stream);
  const zip = createGzip();
  const fail = (error: Error) => {
    // An error instead of the answer is not packed.
    if (!reply.raw.headersSent) void reply.removeHeader('content-encoding');
    zip.destroy(error);
  };
  stream.once('error', fail).pipe(zip);
  zip.once('close', () => stream.destroy());
  return reply.send(zip);
}
