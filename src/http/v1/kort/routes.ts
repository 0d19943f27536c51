/** Tiles of layers, what describes them, and layers as files: for maps and GIS programs (D139). */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Area } from '../../../account/permissions.ts';
import { constantJson, sendConstant, takesGzip } from '../../../answers/json-pieces.ts';
import type { TilePlace } from '../../../geo/web-mercator.ts';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { LAYER_IDS, isAreaId, isLineKey } from '../../../layers/keys.ts';
import type { LayerId } from '../../../layers/keys.ts';
import type { LayerStanding, Tile, Tiles } from '../../../lookups/tiles.ts';
import { mapOf } from '../../access.ts';
import type { EdgeOptions } from '../../options.ts';
import type { Services } from '../../services.ts';
import { baseUrlOf } from '../../wire/error-object.ts';
import { OpenStreams } from '../../wire/open-streams.ts';
import { tellProvenance } from '../../wire/provenance.ts';
import { matchesNone } from '../../wire/range.ts';
import { styleOf, tileJson } from './documents.ts';
import { sendLayerFile } from './layer-file.ts';
import { TILE_TYPE, layerFileRoute, styleRoute, tileJsonRoute, tileRoute } from './schema.ts';

/** The part of the service a layer belongs to, before its name was checked. */
function areasAsked({ params }: FastifyRequest): readonly Area[] {
  const { lag: layer } = params as { readonly lag?: string };
  return layer === undefined ? ANY : areasOf(layer);
}

function areasOf(layer: string): readonly Area[] {
  if (isLineKey(layer)) return ['natur'];
  return isAreaId(layer) ? ['dagi'] : ANY;
}

const ANY: readonly Area[] = ['natur', 'dagi'];
const MAP = mapOf(areasAsked);

export function kortRoutes(
  app: FastifyInstance,
  services: Services,
  { publicUrl }: Pick<EdgeOptions, 'publicUrl'>,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const open = new OpenStreams(LIMITS.kort.filesAtATime, { en: 'files', da: 'filer' });
  const baseOf = ({ headers, raw }: FastifyRequest): string =>
    baseUrlOf(publicUrl, headers.host, raw.socket);

  routes.get('/v1/kort/:lag/:z/:x/:y.mvt', { schema: tileRoute, config: MAP }, (request, reply) => {
    const { lag: layer, ...place } = request.params;
    refuseOutside(place);
    return sendTile(request, reply, { tiles: configured(services), layer, place });
  });

  routes.get(
    '/v1/kort/:lag.json',
    { schema: tileJsonRoute, config: MAP },
    async (request, reply) => {
      const { lag: layer } = request.params;
      const tiles = configured(services);
      const standing = tiles.standing(layer);
      const survey = await tiles.survey(layer);
      const { lines, areas } = services.sourceNames;
      const described = {
        ...{ layer, survey, catalogue: services.catalogue, version: standing.version },
        base: baseOf(request),
        attribution: isLineKey(layer) ? lines : areas,
      };
      tellStanding(reply, standing);
      return sendConstant(request, reply, constantJson(tileJson(described)));
    },
  );

  routes.get('/v1/kort/style.json', { schema: styleRoute, config: MAP }, (request, reply) => {
    const areas = request.visit?.principal.areas;
    const seen = LAYER_IDS.filter((layer) =>
      areasOf(layer).some((area) => areas?.has(area) ?? true),
    );
    const style = styleOf(seen, services.catalogue, baseOf(request));
    void reply.header('cache-control', 'private, no-cache');
    void sendConstant(request, reply, constantJson(style));
  });

  routes.get(
    '/v1/kort/:lag.fgb',
    { schema: layerFileRoute, config: MAP },
    async (request, reply) => {
      const { lag: layer } = request.params;
      const tiles = configured(services);
      const standing = tiles.standing(layer);
      const path = tiles.file(layer);
      tellStanding(reply, standing);
      return await sendLayerFile(request, reply, { layer, path, standing, open });
    },
  );
}

interface TileAsked {
  readonly tiles: Tiles;
  readonly layer: LayerId;
  readonly place: TilePlace;
}

async function sendTile(
  request: FastifyRequest,
  reply: FastifyReply,
  { tiles, layer, place }: TileAsked,
): Promise<FastifyReply> {
  const standing = tiles.standing(layer);
  const { z, x, y } = place;
  const etag = `W/"${standing.generation}-${standing.contentHash}-${z}-${x}-${y}"`;
  const headers = { etag, vary: 'Accept-Encoding' };
  if (matchesNone(request.headers['if-none-match'], etag)) {
    tellStanding(reply, standing);
    return reply.code(304).headers(headers).send();
  }
  const tile = await tiles.tile(layer, place);
  tellStanding(reply, standing);
  void reply.headers({ ...headers, 'content-type': TILE_TYPE });
  return await sendCompressed(request, reply, tile);
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
  // Whole, off this thread: few ask so, and a stream would count as broken where they hang up.
  return reply.send(await unpack(compressed));
}

function tellStanding(reply: FastifyReply, { generation, provenance }: LayerStanding): void {
  tellProvenance(reply, { generation, provenance: [provenance] });
}

/** How many columns and rows there are depends on the zoom. */
function refuseOutside({ z, x, y }: TilePlace): void {
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

function configured({ tiles }: Services): Tiles {
  if (tiles !== undefined) return tiles;
  throw new Failure('upstream_unavailable', {
    error: 'Tiles and files of layers are not set up in this environment.',
    errorDa: 'Fliser og filer af lag er ikke sat op i dette miljø.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}
