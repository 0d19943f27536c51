/** A dispatcher in a process of its own, for tests that kill it. Its clock runs as fast as it is told. */
import { flushCompileCache } from 'node:module';
import { openStore } from '../../src/db/connect.ts';
import { composeWebhooks } from '../../src/start/webhooks.ts';
import { isLoopback } from '../../src/kernel/client-address.ts';
import type { DispatcherTimes } from '../../src/webhooks/dispatcher.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { victimSettings } from '../support/crash-kit.ts';
import { SETTINGS, logInto } from './webhook-bench.ts';

export interface DispatchSettings {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly dns: readonly string[];
  readonly ca: string;
  readonly attemptMs: number;
  readonly times: Partial<DispatcherTimes>;
  readonly clock: FastClock;
}

/** Both processes and the test tell one time. */
export interface FastClock {
  readonly realMs: number;
  readonly toldMs: number;
  readonly speed: number;
}

export function fastClock({ realMs, toldMs, speed }: FastClock): { nowMs: () => number } {
  return { nowMs: () => toldMs + (Date.now() - realMs) * speed };
}

const settings = victimSettings() as DispatchSettings | null;
if (settings !== null) {
  const { databaseUrl, dataDir, dns, ca, attemptMs, times } = settings;
  const store = await openStore({ databaseUrl, dataDir, log: { error: () => undefined } });
  const webhooks = composeWebhooks({
    config: { databaseUrl: 'postgres://unused', dataDir, ...SETTINGS },
    store,
    clock: fastClock(settings.clock),
    log: logInto([]),
    network: { resolve: createResolver(dns), permits: isLoopback, ca, attemptMs },
    times,
  });
  webhooks.start();
  // A process that is killed does not write it by itself.
  flushCompileCache();
  process.send?.('up');
}
