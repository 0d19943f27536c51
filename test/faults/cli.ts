/**
 * `npm run faults -- --count N --seed S [--rows N] [--first F] [--only K] [--row ID] [--store postgres|embedded]`:
 * the fault matrix, then the files of the property registers, then rows of all registers and of files with dates
 * that cannot be read, and conditions (four times N): N of each, by default a fortieth of the count. The last line is
 * the result; the exit code is 0 when nothing was found.
 */
import { parseArgs } from 'node:util';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { cloneStore, makeTemplate } from '../support/store-templates.ts';
import { NEXT_KINDS } from './play-next.ts';
import { wholeFrom } from '../support/run-settings.ts';
import type { Played } from './play-next.ts';
import { isClean, outcomes, pace, refusals, report, simulate, summary } from './simulate.ts';
import { openWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    only: { type: 'string' },
    row: { type: 'string' },
    rows: { type: 'string' },
    first: { type: 'string', default: '1' },
    store: { type: 'string', default: findPostgres() === null ? 'embedded' : 'postgres' },
    lanes: { type: 'string', default: '8' },
    table: { type: 'boolean', default: false },
    threads: { type: 'string', default: '2' },
  },
});
const onProgress = (played: number): void => {
  if (played % 5_000 === 0) console.log(`${played} played`);
};
const play = {
  count: wholeFrom('--count', values.count),
  seed: wholeFrom('--seed', values.seed),
  first: wholeFrom('--first', values.first),
  rows: wholeFrom('--rows', values.rows ?? String(Math.ceil(Number(values.count) / 40))),
  onProgress,
  ...(values.only !== undefined && { only: wholeFrom('--only', values.only) }),
  ...(values.row !== undefined && { row: values.row }),
};
const { template, stop } = await makeTemplate(
  values.store === 'postgres' ? 'postgres' : 'embedded',
);
/** Syncs at a time: an embedded store takes a processor of its own. */
const syncLanes = template.kind === 'postgres' ? 2 : 1;
const world = await openWorld(template, {
  ...{ liveLanes: wholeFrom('--lanes', values.lanes), syncLanes },
  threads: wholeFrom('--threads', values.threads),
});
console.log(`seed ${play.seed}, ${play.count} faults on ${template.kind}`);
const layers = await simulate(world, play);
await world.close();
let played: Played = { tally: layers, lines: [] };
console.log(`layers: ${pace(layers)}`);
// A single case that is played again is one of the layers.
const kinds = values.only === undefined ? Object.entries(NEXT_KINDS) : [];
for (const [name, playKind] of kinds) {
  const { faults, elapsedMs } = played.tally;
  const benches: AddressBench[] = [];
  for (let n = 0; n < syncLanes; n += 1) {
    benches.push(await openAddressBench(await cloneStore(template, { purpose: 'sync' })));
  }
  played = await playKind(benches, play, played);
  for (const bench of benches) await bench.close();
  const seconds = (played.tally.elapsedMs - elapsedMs) / 1000;
  console.log(`${name}: ${played.tally.faults - faults} in ${seconds.toFixed(1)} s`);
}
await stop();
const { tally, lines } = played;
if (values.table) for (const line of outcomes(tally)) console.log(line);
for (const line of report(tally, play)) console.log(line);
for (const line of lines) console.log(line);
console.log(refusals(tally));
console.log(pace(tally));
console.log(summary(tally));
process.exit(isClean(tally) ? 0 : 1);
