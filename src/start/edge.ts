import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { EdgeOptions } from '../http/options.ts';
import { inventedData, placeWithAddress } from './example-place.ts';
import type { ThreadRole } from './thread-role.ts';

export function edgeOptions(config: Config, logger: Logger, { balance }: ThreadRole): EdgeOptions {
  return {
    publicUrl: config.publicUrl,
    logger,
    logLevel: config.logLevel,
    operatorToken: config.operatorToken,
    operatorTokens: config.operatorTokens,
    metricsToken: config.metricsToken,
    trustedProxies: config.trustedProxies,
    fastPath: config.fastPath,
    backgroundMap: config.backgroundMap,
    unitPriceDkk: config.unitPriceDkk,
    hasDesign: config.designPage,
    tracing: config.tracing,
    balance,
    newRequestId: randomUUID,
    examplePlace: config.examplePlace ?? placeWithAddress(config.sources),
    inventedData: inventedData(config.sources),
  };
}
