/** `node sample/cli.ts [port]`: the sample upstream by itself, until it is told to stop. */
import { startSampleUpstream } from './server.ts';
import { SWITCHES_PATH } from './switches.ts';

const DEFAULT_PORT = 8090;

const given = process.argv[2] ?? String(DEFAULT_PORT);
const port = /^\d{1,5}$/.test(given) ? Number(given) : NaN;
if (!(port <= 65_535)) {
  console.error(`The port must be a whole number of at most 65535, not ${given}`);
  process.exitCode = 2;
} else {
  const upstream = await startSampleUpstream({ port });
  console.log(`Sample upstream at ${upstream.url}; its switches: ${upstream.url}${SWITCHES_PATH}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void upstream.close());
  }
}
