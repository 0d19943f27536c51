/** `npm run config`; with `--ask` it also tries the registers' keys. */
import { parseArgs } from 'node:util';
import { loadConfig, misspelledSettings } from '../config.ts';
import { shownSettings } from './config-shown.ts';
import { systemClock } from '../kernel/clock.ts';
import { sourcesOf } from '../registers.ts';
import { sentenceOf } from '../kernel/log.ts';
import { runChecks } from './config-checks.ts';
import { keyChecks } from './key-checks.ts';

process.exitCode = await main().catch((error: unknown) => {
  console.error(sentenceOf(error));
  return 1;
});

async function main(): Promise<number> {
  const { ask } = parseArgs({ options: { ask: { type: 'boolean', default: false } } }).values;
  const settings = shownSettings();
  printRows(settings.map(({ name, value, origin }) => [name, value, origin]));
  for (const sentence of misspelledSettings()) console.log(sentence);
  console.log('');
  const config = loadConfig();
  sourcesOf(config.sourcesFile);
  const asked = ask ? await keyChecks(config, systemClock) : [];
  const checks = [...(await runChecks(config, systemClock)), ...asked];
  printRows(checks.map(({ name, isGood, says }) => [isGood ? 'ok' : 'FAILED', name, says]));
  return checks.every(({ isGood }) => isGood) ? 0 : 1;
}

/** Pads all columns but the last. */
function printRows(rows: readonly (readonly string[])[]): void {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)),
    [],
  );
  for (const row of rows) {
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}
