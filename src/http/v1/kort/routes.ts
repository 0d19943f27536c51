/** Tiles, their documents and layer files (D139). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Area } from '../../../account/permissions.ts';
import { constantJson, sendConstant } from '../../wire/send-json.ts';
import type { TilePlace } from '../../../geo/web-mercator.ts';
import { notSetUp } from '../../../kernel/failures.ts';
import type { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import {
  HOUSE_TILES,
  LAYER_IDS,
  NAME_TILES,
  OWN_TILES,
  PARCEL_TILES,
  isAreaId,
  isLineKey,
  isOwnTiles,
} from '../../../layers/keys.ts';
import type { LayerId, OwnTiles } from '../../../layers/keys.ts';
import type { ConditionId } from '../../../layers/conditions/condition.ts';
import { CONDITION_IDS, isConditionId } from '../../../layers/conditions/index.ts';
import type { MapTiles } from '../../../core/map-tiles.ts';
import type { Tiles } from '../../../memory/tiles.ts';
import { holderOfVisit } from '../../access.ts';
import type { Services, RouteGroup } from '../../services.ts';
import { baseUrlOf } from '../../wire/error-object.ts';
import { openStreams } from '../../wire/open-streams.ts';
import { ownTileJson, styleOf, tileJson } from './documents.ts';
import { sendLayerFile } from './layer-file.ts';
import { layerFileRoute, styleRoute, tileJsonRoute, tileRoute } from './schema.ts';
import { refuseOutside, sendTile, tellServedCopy } from './tile.ts';
import type { TileRequest } from './tile.ts';

function areasOfRequest({ params }: FastifyRequest): readonly Area[] {
  const { lag: layer } = params as { readonly lag?: string };
  return layer === undefined ? ANY : areasOf(layer);
}

function areasOf(layer: string): readonly Area[] {
  if (isConditionId(layer)) return ['miljoe'];
  if (isLineKey(layer)) return ['natur'];
  if (isOwnTiles(layer)) return [OF_TILES[layer]];
  return isAreaId(layer) ? ['dagi'] : ANY;
}

const OF_TILES: Readonly<Record<OwnTiles, Area>> = {
  [PARCEL_TILES]: 'bbr',
  [HOUSE_TILES]: 'adresser',
  [NAME_TILES]: 'stednavne',
};

const ANY: readonly Area[] = ['natur', 'dagi', ...Object.values(OF_TILES), 'miljoe'];
const MAP = { access: { area: 'natur', anyOf: areasOfRequest, isMap: true } } as const;

export const kortRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const baseOf = ({ headers, raw }: FastifyRequest): string =>
    baseUrlOf(publicUrl, headers.host, raw.socket);

  routes.get(
    '/v1/kort/:lag/:z/:x/:y.mvt',
    { schema: tileRoute, config: MAP },
    async (request, reply) => {
      const { lag: layer, ...place } = request.params;
      refuseOutside(place);
      const holder = holderOfVisit(request);
      const tile = await tileRequest(services, { layer, place, holder });
      return await sendTile(request, reply, tile);
    },
  );

  routes.get(
    '/v1/kort/:lag.json',
    { schema: tileJsonRoute, config: MAP },
    async (request, reply) => {
      const { lag: layer } = request.params;
      if (isCut(layer)) {
        const own = ownTilesOf(services, layer);
        const served = await own.served();
        tellServedCopy(reply, served);
        const described = { base: baseOf(request), version: served.version };
        return sendConstant(request, reply, constantJson(ownTileJson(own, described)));
      }
      const tiles = configured(services.tiles);
      const served = tiles.served(layer);
      const survey = await tiles.survey(layer);
      const described = {
        ...{ layer, survey, catalogue: services.catalogue, version: served.version },
        base: baseOf(request),
        attribution: services.sourceOf(layer),
      };
      tellServedCopy(reply, served);
      return sendConstant(request, reply, constantJson(tileJson(described)));
    },
  );

  routes.get('/v1/kort/style.json', { schema: styleRoute, config: MAP }, (request, reply) => {
    const areas = request.visit?.principal.areas;
    const seen = [...LAYER_IDS, ...OWN_TILES, ...CONDITION_IDS].filter((layer) =>
      areasOf(layer).some((area) => areas?.has(area) ?? true),
    );
    const style = styleOf(seen, services.catalogue, baseOf(request));
    void reply.header('cache-control', 'private, no-cache');
    void sendConstant(request, reply, constantJson(style));
  });

  fileRoute(app, services);
};

function fileRoute(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const words = { en: 'files', da: 'filer' };
  const open = openStreams(services.limiters, 'layer files', LIMITS.kort.filesAtATime, words);
  routes.get(
    '/v1/kort/:lag.fgb',
    { schema: layerFileRoute, config: MAP },
    async (request, reply) => {
      const { lag: layer } = request.params;
      const tiles = configured(services.tiles);
      const served = tiles.served(layer);
      const path = tiles.file(layer);
      tellServedCopy(reply, served);
      return await sendLayerFile(request, reply, { layer, path, served, open });
    },
  );
}

interface TileQuestion {
  readonly layer: LayerId | OwnTiles;
  readonly place: TilePlace;
  readonly holder: string;
}

async function tileRequest(
  services: Services,
  { layer, place, holder }: TileQuestion,
): Promise<TileRequest> {
  if (isCut(layer)) {
    const own = ownTilesOf(services, layer);
    const served = await own.served();
    return { served, place, cut: () => own.tile(place, served, holder) };
  }
  const tiles = configured(services.tiles);
  const served = tiles.served(layer);
  const cut = async () => ({ tile: await tiles.tile(layer, place), served });
  return { served, place, cut };
}

function configured(tiles: Tiles | null): Tiles {
  if (tiles !== null) return tiles;
  throw notConfigured();
}

/** Whether its tiles are made from the store. */
function isCut(layer: LayerId | OwnTiles): layer is OwnTiles | ConditionId {
  return isOwnTiles(layer) || isConditionId(layer);
}

function ownTilesOf({ registers }: Services, layer: string): MapTiles {
  const own = registers.flatMap(({ tiles = [] }) => tiles).find((each) => each.layer === layer);
  if (own === undefined) throw notConfigured();
  return own;
}

function notConfigured(): Failure {
  return notSetUp(
    'Tiles and files of layers are not set up in this environment.',
    'Fliser og filer af lag er ikke sat op i dette miljø.',
  );
}
