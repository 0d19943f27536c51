import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import type { LayerId } from '../../../layers/keys.ts';
import { notThere } from '../../../memory/tiles.ts';
import type { ServedCopy } from '../../../core/map-tiles.ts';
import type { OpenStreams } from '../../wire/open-streams.ts';
import { holderOfVisit } from '../../access.ts';
import { isSameFile, matchesNone, rangeOf } from '../../wire/range.ts';
import type { ByteRange } from '../../wire/range.ts';
import { FILE_TYPE } from './schema.ts';

export interface LayerFile {
  readonly layer: LayerId;
  readonly path: string;
  readonly served: ServedCopy;
  readonly open: OpenStreams;
}

/** The whole file, a range (206), or 304; throws 416. */
export async function sendLayerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { layer, path, served, open: streams }: LayerFile,
): Promise<FastifyReply> {
  // Kept open: the next version may replace the file.
  const file = await open(path).catch(() => {
    throw notThere(layer);
  });
  try {
    const { size } = await file.stat();
    const etag = `"${served.contentHash}-${size.toString(16)}"`;
    void reply.headers({
      etag,
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="${layer}-v${served.version}.fgb"`,
    });
    const { headers } = request;
    if (matchesNone(headers['if-none-match'], etag)) {
      await file.close();
      return await reply.code(304).send();
    }
    const isThis = isSameFile(headers['if-range'] as string | undefined, etag);
    const range = isThis ? rangeOf(headers.range, size) : null;
    if (range === 'unsatisfiable') throw unsatisfiable(size);
    streams.enter(holderOfVisit(request), reply);
    return await send(request, reply, { file, size, range });
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Sending {
  readonly file: FileHandle;
  readonly size: number;
  readonly range: ByteRange | null;
}

async function send(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { file, size, range }: Sending,
): Promise<FastifyReply> {
  const { from, until } = range ?? { from: 0, until: size };
  if (range !== null) {
    void reply.code(206).header('content-range', `bytes ${from}-${until - 1}/${size}`);
  }
  void reply.headers({ 'content-type': FILE_TYPE, 'content-length': until - from });
  if (method !== 'HEAD' && until > from) {
    return reply.send(file.createReadStream({ start: from, end: until - 1 }));
  }
  await file.close();
  // A stream: the framework would use a text's length for the file's.
  return reply.send(Readable.from([], { objectMode: false }));
}

/** The resuming client has the whole file (D66). */
function unsatisfiable(size: number): Failure {
  return new Failure('invalid_request', {
    error: `The Range begins behind the end of the file, which has ${size} bytes.`,
    errorDa: `Range begynder efter filens slutning; den har ${size} byte.`,
    status: 416,
    headers: { 'content-range': `bytes */${size}` },
  });
}
