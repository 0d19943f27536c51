/**
 * `node deploy/image/health-cli.ts <address> [seconds]`: exits with 0 once the address answers 200, with 1
 * when it has not within the seconds (without them it asks once). For health checks where no curl is.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { wholeWithin } from '../../src/kernel/number-texts.ts';

const ONCE_MS = 4_000;
const EVERY_MS = 500;

async function isGood(address: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(address, { signal: AbortSignal.timeout(ONCE_MS) });
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

async function becomesGood(address: string, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (;;) {
    if (await isGood(address)) return true;
    if (performance.now() + EVERY_MS > end) return false;
    await wait(EVERY_MS);
  }
}

const [address, given = '0'] = process.argv.slice(2);
const seconds = wholeWithin(given, { min: 0, max: 3600 });
if (address === undefined || !URL.canParse(address) || seconds === null) {
  console.error('node deploy/image/health-cli.ts <address> [seconds]');
  process.exitCode = 2;
} else if (!(await becomesGood(address, seconds * 1000))) {
  console.error(`${address} does not answer 200.`);
  process.exitCode = 1;
}
