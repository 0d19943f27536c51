/** 304 for a known ETag; compressed when accepted. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from '../../wire/send-json.ts';
import type { TilePlace } from '../../../geo/web-mercator.ts';
import { Failure } from '../../../kernel/failures.ts';
import type { Tile } from '../../../snapshot/tiles/tile-task.ts';
import type { ServedCopy } from '../../../core/map-tiles.ts';
import { provenanceHeaders } from '../../../answers/provenance.ts';
import { matchesNone } from '../../wire/range.ts';
import { TILE_TYPE } from './schema.ts';

export interface TileRequest {
  readonly served: ServedCopy;
  readonly place: TilePlace;
  readonly cut: () => Promise<{ readonly tile: Tile; readonly served: ServedCopy }>;
}

export async function sendTile(
  request: FastifyRequest,
  reply: FastifyReply,
  { served, place, cut }: TileRequest,
): Promise<FastifyReply> {
  const etag = etagOf(served, place);
  if (matchesNone(request.headers['if-none-match'], etag)) {
    tellServedCopy(reply, served);
    return reply.code(304).headers({ etag, vary: 'Accept-Encoding' }).send();
  }
  const { tile, served: of } = await cut();
  tellServedCopy(reply, of);
  const headers = { etag: etagOf(of, place), vary: 'Accept-Encoding' };
  void reply.headers({ ...headers, 'content-type': TILE_TYPE });
  return await sendCompressed(request, reply, tile);
}

function etagOf({ generation, contentHash }: ServedCopy, { z, x, y }: TilePlace): string {
  return `W/"${generation}-${contentHash}-${z}-${x}-${y}"`;
}

const unpack = promisify(gunzip);

async function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { gzipped, bytes }: Tile,
): Promise<FastifyReply> {
  const compressed = Buffer.from(gzipped.buffer, gzipped.byteOffset, gzipped.byteLength);
  if (bytes === 0) return reply.send(compressed);
  if (takesGzip(headers['accept-encoding'])) {
    return reply.header('content-encoding', 'gzip').send(compressed);
  }
  // Unpacked whole: a stream would count as broken when a client hangs up.
  return reply.send(await unpack(compressed));
}

export function tellServedCopy(reply: FastifyReply, { generation, provenance }: ServedCopy): void {
  void reply.headers(provenanceHeaders({ generation, provenance: [provenance] }));
}

/** Columns and rows depend on the zoom. */
export function refuseOutside({ z, x, y }: TilePlace): void {
  const most = 2 ** z - 1;
  for (const [name, value] of [
    ['x', x],
    ['y', y],
  ] as const) {
    if (value <= most) continue;
    throw new Failure('invalid_request', {
      error: `${name} must be at most ${most} at zoom ${z}.`,
      errorDa: `${name} må højst være ${most} på zoom ${z}.`,
    });
  }
}
