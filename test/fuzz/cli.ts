/**
 * `npm run fuzz -- --count N --seed S [--only K] [--url http://… --live KEY --test KEY]`: requests made
 * from the published document, valid, nearly valid and hostile, against a service of its own or one
 * that runs. The last line is the result; the exit code is 0 when nothing was found.
 */
import { parseArgs } from 'node:util';
import { findPostgres } from '../support/postgres-binaries.ts';
import { cloneStore, makeTemplate } from '../support/store-templates.ts';
import { wholeFrom } from '../support/run-settings.ts';
import { describeFinding, fuzz } from './fuzz.ts';
import { openTarget } from './target.ts';
import type { Target } from './target.ts';

const SHOWN = 20;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    only: { type: 'string' },
    url: { type: 'string' },
    live: { type: 'string', default: '' },
    test: { type: 'string', default: '' },
  },
});

async function ownTarget(): Promise<Target> {
  const { template, stop } = await makeTemplate(findPostgres() === null ? 'embedded' : 'postgres');
  const own = await cloneStore(template, { purpose: 'sync' });
  const target = await openTarget(own, { isMirrored: false });
  return {
    ...target,
    close: async () => {
      await target.close();
      await stop();
    },
  };
}

const { url, seed, only, live, test } = values;
const target: Target =
  url === undefined
    ? await ownTarget()
    : { base: url.replace(/\/$/, ''), keys: { live, test }, close: () => Promise.resolve() };
const from = wholeFrom('--only', only ?? '0');
const to = only === undefined ? wholeFrom('--count', values.count) : from + 1;
console.log(`seed ${seed}, ${to - from} requests`);
const result = await fuzz({
  ...target,
  seed,
  from,
  to,
  onProgress: (sent) => {
    if (sent % 5_000 === 0) console.log(`${sent} sent`);
  },
});
await target.close();
for (const finding of result.findings.slice(0, SHOWN)) console.log(describeFinding(finding, seed));
const statuses = [...result.statuses].sort(([a], [b]) => a - b);
console.log(statuses.map(([status, count]) => `${status}: ${count}`).join(', '));
console.log(`${result.requests} requests, ${result.findings.length} findings`);
process.exitCode = result.findings.length === 0 ? 0 : 1;
