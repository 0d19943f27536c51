/** A process that compares lists, for tests that kill it: it says when it reads keys and when it has written a find. */
import { openStore } from '../../src/db/connect.ts';
import { Comparer } from '../../src/watch/comparer.ts';
import { createWorkers } from '../../workers/pool.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { victimSettings } from '../support/crash-kit.ts';
import { logInto } from '../webhooks/webhook-bench.ts';
import { SCHEMAS } from './watch-bench.ts';

export interface CompareSettings {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

const settings = victimSettings() as CompareSettings | null;
if (settings !== null) {
  const store = await openStore({ ...settings, log: { error: () => undefined } });
  const workers = createWorkers({ threads: 1 });
  const comparer = new Comparer({
    ...{ store, clock: systemClock, log: logInto([]), schemas: SCHEMAS },
    onDue: () => process.send?.('sent'),
    workers: {
      run: async (of, task) => {
        process.send?.('comparing');
        return await workers.run(of, task);
      },
    },
    times: { pollMs: 20, leaseMs: 300 },
  });
  comparer.start();
  // Where nothing waits any more, it is killed all the same.
  setInterval(() => process.send?.('idle'), 1_500);
}
