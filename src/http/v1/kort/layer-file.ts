import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LayerId } from '../../../layers/keys.ts';
import { notThere } from '../../../memory/tiles.ts';
import type { ServedCopy } from '../../../core/map-tiles.ts';
import type { OpenStreams } from '../../wire/open-streams.ts';
import { holderOfVisit } from '../../access.ts';
import { sendFile } from '../../wire/range.ts';
import { FILE_TYPE } from './schema.ts';

export interface LayerFile {
  readonly layer: LayerId;
  readonly path: string;
  readonly served: ServedCopy;
  readonly open: OpenStreams;
}

export async function sendLayerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { layer, path, served, open: streams }: LayerFile,
): Promise<FastifyReply> {
  // Kept open: the next version may replace the file.
  const file = await open(path).catch(() => {
    throw notThere(layer);
  });
  const state = { isRead: false };
  try {
    const { size: bytes } = await file.stat();
    const etag = `"${served.contentHash}-${bytes.toString(16)}"`;
    const read = (start: number, until: number) => {
      state.isRead = true;
      return file.createReadStream({ start, end: until - 1 });
    };
    const name = `${layer}-v${served.version}.fgb`;
    void reply.header('content-disposition', `attachment; filename="${name}"`);
    return await sendFile({ request, reply }, { etag, bytes, read }, () => {
      streams.enter(holderOfVisit(request), reply);
      void reply.header('content-type', FILE_TYPE);
    });
  } finally {
    if (!state.isRead) await file.close();
  }
}
