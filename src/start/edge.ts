/** The settings of the edge. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { EdgeOptions } from '../http/options.ts';
import { inventedData, placeWithAddress } from './example-place.ts';
import type { ThreadRole } from './thread-role.ts';

export function edgeOptions(config: Config, logger: Logger, { balance }: ThreadRole): EdgeOptions {
  const {
    publicUrl,
    logLevel,
    operatorToken,
    metricsToken,
    trustedProxies,
    fastPath,
    backgroundMap,
  } = config;
  const { unitPriceDkk, tracing } = config;
  const newRequestId = randomUUID;
  return {
    publicUrl,
    logger,
    logLevel,
    operatorToken,
    metricsToken,
    trustedProxies,
    fastPath,
    backgroundMap,
    unitPriceDkk,
    tracing,
    balance,
    newRequestId,
    examplePlace: placeWithAddress(config.sources),
    inventedData: inventedData(config.sources),
  };
}
