/** `npm run work`: one more process that works on jobs, beside any number of others and of fronts. */
import { composeWork } from './compose-work.ts';
import { loadConfig, misspelledSettings } from './config.ts';
import { systemClock } from './kernel/clock.ts';
import { tryFiles } from './preflight.ts';
import { openSources } from '../sync/open.ts';

process.exitCode = await work().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

/** Runs until it is told to stop; the exit code. */
async function work(): Promise<number> {
  const config = loadConfig();
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
  process.once('SIGTERM', () => resolve(undefined));
  process.once('SIGINT', () => resolve(undefined));
  const say = (message: string): void => {
    if (config.logLevel !== 'silent') console.error(message);
  };
  misspelledSettings().forEach(say);
  tryFiles(config);
  // A free port for the sample: its usual one is the service's.
  const sources = await openSources(config, { samplePort: 0 });
  const running = await composeWork({
    config,
    clock: systemClock,
    sources,
    log: say,
    onExpired: () => undefined,
  });
  running.started.then(
    () => console.log(`Working on jobs, ${config.threads} thread(s). Stop with Ctrl-C.`),
    (error: unknown) => {
      say(String(error));
      resolve(undefined);
    },
  );
  await stopped;
  await running.close();
  await sources.close();
  return 0;
}
