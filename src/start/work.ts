import { runProgram } from './program.ts';
import type { Program } from './program.ts';
import { composeWork } from './worker.ts';
import { systemClock } from '../kernel/clock.ts';
import { describeRunner, describeTasks } from '../http/metrics.ts';
import { openWatchPort } from './watch-port.ts';
import { tryFiles } from './preflight.ts';
import { openSources } from '../../sync/open.ts';

process.exitCode = await runProgram(work);

async function work({ config, log, greet, stopped }: Program): Promise<void> {
  tryFiles(config);
  // A free port for the sample: its usual one is the service's.
  const sources = await openSources(config, { samplePort: 0 });
  const running = await composeWork({
    config,
    clock: systemClock,
    sources,
    log,
    onExpired: () => undefined,
  });
  const unwatch = await openWatchPort(
    config,
    {
      silentS: () => running.jobs.view().silentS,
      describe: (registry) => {
        describeRunner(registry, running.jobs.view());
        describeTasks(registry, [running.workers.view().tasks]);
      },
    },
    log,
  );
  const { threads } = config;
  const started = running.started.then(() =>
    greet(
      { threads },
      { first: `Working on jobs, ${threads} thread(s). Stop with Ctrl-C.`, more: [] },
    ),
  );
  // A start that waits for its store can be stopped.
  await Promise.race([started.then(() => stopped), stopped]);
  await unwatch();
  await running.close();
  await sources.close();
}
