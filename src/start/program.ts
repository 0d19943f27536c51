/** The life of a program that serves, whatever it serves: its settings, its log, how it is stopped. */
import { loadConfig, misspelledSettings, secretsOf } from '../config.ts';
import type { Config } from '../config.ts';
import { LIMITS } from '../kernel/limits.ts';
import { sentenceOf } from '../kernel/log.ts';
import { createLogging } from '../kernel/logger.ts';
import type { Logging } from '../kernel/logger.ts';

export interface Program extends Logging {
  readonly config: Config;
  /** Resolves when somebody asks the program to stop. */
  readonly stopped: Promise<unknown>;
}

/**
 * Runs a program until it has stopped; its exit code. One that cannot go on says why in one line, at
 * any level, and ends at once: what it opened would keep the process going with nobody in charge.
 */
export async function runProgram(run: (program: Program) => Promise<void>): Promise<number> {
  let secrets: readonly string[] = [];
  const fail = (error: unknown, fields: object): never => {
    createLogging({ level: 'error', secrets }).log.fatal(fields, sentenceOf(error));
    process.exit(1);
  };
  // Nothing is in order after those: whoever watches over the process starts it again.
  process.on('uncaughtException', (error) => fail(error, { err: error }));
  try {
    const config = loadConfig();
    secrets = secretsOf(config);
    const logging = createLogging({ level: config.logLevel, secrets });
    const stopped = stopSignal(() => fail('Stopping took too long: ending at once.', {}));
    for (const sentence of misspelledSettings()) logging.log.warn(sentence);
    await run({ ...logging, config, stopped });
    return 0;
  } catch (error) {
    return fail(error, {});
  }
}

/** From the moment it is asked to stop, whatever hangs, still starting or already stopping, it ends. */
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
