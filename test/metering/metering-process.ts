/**
 * A process that counts, for tests that kill it. The parent asks over IPC; what it gets back is what
 * a client would have received.
 */
import { flushCompileCache } from 'node:module';
import { openStore } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { composeMetering } from '../../src/start/metering.ts';
import type { Plans } from '../../src/account/plans.ts';
import type { Principal } from '../../src/account/principal.ts';
import { victimSettings } from '../support/crash-kit.ts';

export interface ProcessSettings {
  readonly databaseUrl: string | null;
  readonly storeDir: string;
  readonly dataDir: string;
  readonly plans: Plans;
}

export interface ProcessRequest {
  readonly requestId: string;
  readonly principal: Omit<Principal, 'areas'>;
  readonly units: number;
  /** Units answered: fewer than asked, or none where the work failed. */
  readonly answered: number;
}

/** `refused`: the failure's type; null: answered. */
export interface ProcessAnswer {
  readonly requestId: string;
  readonly refused: string | null;
}

const settings = victimSettings() as ProcessSettings;
const store = await openStore({
  databaseUrl: settings.databaseUrl,
  dataDir: settings.storeDir,
  log: { error: () => undefined },
});
const metering = composeMetering({
  store,
  dataDir: settings.dataDir,
  clock: systemClock,
  plans: settings.plans,
  log: { error: () => undefined },
});
const { meter } = metering;
await metering.start();
// A process that is killed does not write it by itself.
flushCompileCache();

const underWay = new Set<Promise<void>>();
process.on('message', (message: ProcessRequest | 'stop') => {
  if (message === 'stop') void end();
  else {
    const work = serve(message).finally(() => underWay.delete(work));
    underWay.add(work);
  }
});
process.send?.('up');

async function serve({ requestId, principal, units, answered }: ProcessRequest): Promise<void> {
  const who: Principal = { ...principal, areas: new Set() };
  let refused: string | null = null;
  try {
    meter.admit(who, '192.0.2.1');
    await meter.reserve(who, units);
    // The work itself: others get their turn meanwhile.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    meter.settle(who, units, { operation: 'lines', requestId, generation: 3, units: answered });
  } catch (error) {
    refused = error instanceof Failure ? error.type : String(error);
  }
  process.send?.({ requestId, refused } satisfies ProcessAnswer);
}

async function end(): Promise<void> {
  await Promise.all(underWay);
  await metering.stop();
  await store.close();
  process.disconnect();
}
