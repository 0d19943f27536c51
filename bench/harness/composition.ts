/** What the service and the worker under test are composed of: nothing of the network, quiet logs. */
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';

/** The environment's settings: where the data is, and what differs from the benchmarks' own. */
export type Settings = Readonly<Record<string, string>>;

export function compositionOf(settings: Settings) {
  const config = loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    PLANS_FILE: join(import.meta.dirname, '../plans.json'),
    ...settings,
  });
  const terrain = { folder: config.dhmDir, wcs: null };
  return {
    config,
    clock: systemClock,
    sources: { catalogue: REGISTERS_CATALOGUE, keys: {}, terrain },
    log: createLogging({ level: 'error', stream: process.stderr }).log,
    onExpired: () => undefined,
  };
}
