import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesNone } from './range.ts';
import { takesGzip } from './send-json.ts';
import type { LongAnswers, OpenedAnswer } from '../../core/tasks/stream-reader.ts';
import type { StreamAsked } from '../../core/tasks/stream-task.ts';
import { refuseDisconnected } from './deadline.ts';
import type { Body } from './row-formats.ts';
import { unreachable } from './unreachable.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Cost {
  readonly units: number;
  readonly generation: number | null;
  /** D266. */
  readonly isKept: boolean;
}

/** Two thousand rows would block this thread for a tenth of a second. */
const zipped = promisify(gzip);
const FOR_MINUTES = 'private, max-age=300';
const GZIP_FROM_CHARS = 1_000;

/** 304 costs no unit. A stream has no ETag. */
export async function sendBody(
  { request, reply }: Exchange,
  { type, text }: Body,
  { units, generation, isKept }: Cost,
): Promise<FastifyReply> {
  const isGzip = takesGzip(request.headers['accept-encoding']);
  void reply.header('vary', 'Accept-Encoding, Origin');
  if (typeof text !== 'string') {
    await request.visit?.reserveAll(units);
    request.visit?.answered(units, generation);
    void reply.headers({ 'content-type': type, 'x-service-units': units });
    return sendStream({ request, reply }, text);
  }
  const isZipped = isGzip && text.length >= GZIP_FROM_CHARS;
  const digest = hash('sha256', text, 'base64url').slice(0, 27);
  const etag = `"${digest}${isZipped ? '-gz' : ''}"`;
  const isKnown = matchesNone(request.headers['if-none-match'], etag);
  const cost = isKnown ? 0 : units;
  if (isKept) void reply.header('cache-control', FOR_MINUTES);
  await request.visit?.reserveAll(cost);
  request.visit?.answered(cost, generation);
  void reply.headers({ etag, 'x-service-units': cost });
  if (isKnown) return reply.code(304).send();
  void reply.header('content-type', type);
  if (!isZipped) return reply.send(text);
  return reply.header('content-encoding', 'gzip').send(await zipped(text));
}

/**
 * Made in a thread that ends with the request; the first piece exists before anything is counted.
 */
export async function openLong<T, H>(
  { request, reply }: Exchange,
  longAnswers: LongAnswers,
  asked: Omit<StreamAsked<T, H>, 'isPacked'>,
): Promise<OpenedAnswer<H>> {
  const isPacked = takesGzip(request.headers['accept-encoding']);
  const opened = await longAnswers.open({ ...asked, isPacked }).catch(unreachable);
  const { pieces } = opened;
  const end = (): void => void pieces.destroy();
  reply.raw.once('close', end);
  pieces.once('close', () => reply.raw.off('close', end));
  if (reply.raw.destroyed) pieces.destroy();
  refuseDisconnected(reply);
  return opened;
}

/** A failure midway cuts the connection. HEAD reads none. */
export function sendLong({ request, reply }: Exchange, pieces: Readable): FastifyReply {
  if (takesGzip(request.headers['accept-encoding'])) void reply.header('content-encoding', 'gzip');
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  // An error in place of the answer is not compressed.
  pieces.once('error', () => reply.raw.headersSent || void reply.removeHeader('content-encoding'));
  return reply.send(pieces);
}

/** As `sendLong`, from texts. */
export function sendStream(exchange: Exchange, text: AsyncIterable<string>): FastifyReply {
  const { headers, method } = exchange.request;
  const stream = Readable.from(text, { objectMode: false });
  if (method === 'HEAD' || !takesGzip(headers['accept-encoding']))
    return sendLong(exchange, stream);
  const zip = createGzip();
  stream.once('error', (error) => zip.destroy(error)).pipe(zip);
  zip.once('close', () => stream.destroy());
  return sendLong(exchange, zip);
}
