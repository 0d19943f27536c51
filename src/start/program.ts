import { loadConfig, misspelledSettings, secretsOf } from '../config.ts';
import type { Config } from '../config.ts';
import { LIMITS } from '../kernel/limits.ts';
import { sentenceOf } from '../kernel/log.ts';
import { startWatchdog } from '../threads/watchdog.ts';
import { createLogging } from '../kernel/logger.ts';
import type { Logging } from '../kernel/logger.ts';

export interface Program extends Logging {
  readonly config: Config;
  readonly stopped: Promise<unknown>;
}

/** Returns the exit code. A fatal error is logged in one line. */
export async function runProgram(run: (program: Program) => Promise<void>): Promise<number> {
  let secrets: readonly string[] = [];
  const fail = (error: unknown, fields: object): never => {
    createLogging({ level: 'error', secrets }).log.fatal(fields, sentenceOf(error));
    process.exit(1);
  };
  // The supervisor restarts the process.
  process.on('uncaughtException', (error) => fail(error, { err: error }));
  try {
    const config = loadConfig();
    secrets = secretsOf(config);
    const logging = createLogging({ level: config.logLevel, secrets });
    const stopped = stopSignal(() => fail('Stopping took too long: ending at once.', {}));
    for (const sentence of misspelledSettings()) logging.log.warn(sentence);
    const endWatch = startWatchdog();
    await run({ ...logging, config, stopped });
    await endWatch();
    return 0;
  } catch (error) {
    return fail(error, {});
  }
}

/** Limits the time to stop, even if something hangs. */
function stopSignal(onTooLong: () => void): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = (): void => {
    setTimeout(onTooLong, LIMITS.stopMs).unref();
    resolve(undefined);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return promise;
}
