/** `npm run dispatch`: a process that only sends webhooks. */
import { openStore } from '../db/connect.ts';
import { migrateWhenUp } from '../db/migrate.ts';
import { probedClock } from '../db/store-clock.ts';
import { systemClock } from '../kernel/clock.ts';
import { troubleLog } from '../kernel/log.ts';
import { describeDispatcher } from '../http/metrics.ts';
import { openWatchPort } from './watch-port.ts';
import { tryFiles } from './preflight.ts';
import { runProgram } from './program.ts';
import type { Program } from './program.ts';
import { createWorkers } from '../../workers/pool.ts';
import { composeWatch } from './watch.ts';
import { composeWebhooks } from './webhooks.ts';

process.exitCode = await runProgram(dispatch);

async function dispatch({ config, log, greet, stopped }: Program): Promise<void> {
  tryFiles(config);
  if (config.databaseUrl !== null && config.webhookKey === null) {
    throw new Error(
      'WEBHOOK_KEY: nothing can be signed without the key that secrets are sealed with.',
    );
  }
  const store = await openStore({ ...config, purpose: 'lookups', log: troubleLog(log, 'store') });
  const clock = probedClock(store, systemClock);
  const stop = new AbortController();
  // This program always sends.
  const webhooks = composeWebhooks({
    ...{ store, clock, log },
    config: { ...config, webhooks: true },
  });
  const workers = createWorkers({ threads: 1, log: troubleLog(log, 'threads') });
  const watch = composeWatch({
    ...{ store, workers, clock, log, compares: true },
    onDue: () => webhooks.dispatcher?.nudge(),
  });
  const started = migrateWhenUp(store, { log, signal: stop.signal }).then(async () => {
    await store.probe().catch(() => undefined);
    webhooks.start();
    watch.start();
    const trial = config.webhookLoopback ? ' TRIAL: to this machine itself, too.' : '';
    greet({}, { first: `Sending webhooks.${trial} Stop with Ctrl-C.`, more: [] });
  });
  const view = () => webhooks.dispatcher?.view();
  const unwatch = await openWatchPort(
    config,
    {
      silentS: () => view()?.silentS ?? null,
      describe: (registry) => {
        const dispatcher = view();
        if (dispatcher !== undefined) describeDispatcher(registry, dispatcher);
      },
    },
    log,
  );
  // A start that waits for its store can be stopped.
  await Promise.race([started.then(() => stopped), stopped]);
  await unwatch();
  stop.abort();
  await started.catch(() => undefined);
  await watch.stop();
  await webhooks.stop();
  await workers.close();
  await store.close();
}
