/** `npm run sync`: mirrors the layers named and exits with 0 when all of them are up to date. */
import { loadConfig } from '../src/config.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { USAGE, parseCommand } from './command.ts';
import type { Command } from './command.ts';
import type { Log } from './deps.ts';
import { openSync } from './open.ts';
import { syncLayer } from './run.ts';
import { displayOn, isGood } from './terminal.ts';

const EXIT = { good: 0, bad: 1, misunderstood: 2 } as const;

/** Failures are shown with their outcome; what else is logged would only break the live line. */
const log: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (detail, message) => {
    if (!('layer' in detail)) console.error(message);
  },
};

const parsed = parseCommand(process.argv.slice(2));
if (parsed.kind === 'run') process.exitCode = await main(parsed.command).catch(explain);
else if (parsed.kind === 'help') console.log(USAGE);
else {
  console.error(`${parsed.message}\n\n${USAGE}`);
  process.exitCode = EXIT.misunderstood;
}

async function main(command: Command): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort(new Error(`Stopped by ${signal}.`));
    });
  }
  const sync = await openSync(loadConfig(), { clock: systemClock, log });
  const display = displayOn(process.stdout);
  let good = true;
  try {
    for (const layer of command.layers) {
      if (stop.signal.aborted) return EXIT.bad;
      const outcome = await syncLayer(sync.deps, layer, {
        trigger: 'command',
        liftedGuards: command.lift,
        dryRun: command.dryRun,
        signal: stop.signal,
        onProgress: (progress) => {
          if (!command.json) display.progress(progress);
        },
      });
      if (command.json) console.log(JSON.stringify(outcome));
      else display.ended(outcome);
      good &&= isGood(outcome);
    }
  } finally {
    await sync.close();
  }
  return good ? EXIT.good : EXIT.bad;
}

/** A wrong setting or a store that cannot be opened: one sentence, no stack. */
function explain(error: unknown): number {
  console.error(error instanceof Error ? error.message : String(error));
  return EXIT.bad;
}
