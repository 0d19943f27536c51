import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { EdgeOptions } from '../http/options.ts';
import { inventedData, placeWithAddress } from './example-place.ts';
import type { ThreadRole } from './thread-role.ts';

export function edgeOptions(config: Config, logger: Logger, { balance }: ThreadRole): EdgeOptions {
  const { publicUrl, logLevel, operatorToken, operatorTokens, metricsToken } = config;
  const { trustedProxies, fastPath, backgroundMap, unitPriceDkk, tracing } = config;
  return {
    ...{ publicUrl, logger, logLevel, operatorToken, operatorTokens, metricsToken, balance },
    ...{ trustedProxies, fastPath, backgroundMap, unitPriceDkk, tracing },
    hasDesign: config.designPage,
    newRequestId: randomUUID,
    examplePlace: config.examplePlace ?? placeWithAddress(config.sources),
    inventedData: inventedData(config.sources),
  };
}
