/** The cases of the files of the property registers, one after the other, counted as those of the layers. */
import type { AddressBench } from '../sync/addresses-bench.ts';
import { describeFileCase, fileCases, openFileWorld, runFileCase } from './file-case.ts';
import type { Play, Tally } from './simulate.ts';

/** What is not as it may be, a case each; `tally`: the one given, with these cases. */
export interface PlayedFiles {
  readonly lines: readonly string[];
  readonly tally: Tally;
}

/** Each case of the seed once, at most so many as are played at all. */
export async function playFiles(
  bench: AddressBench,
  { seed, count, row }: Play,
  tally: Tally,
): Promise<PlayedFiles> {
  const cases = fileCases(seed)
    .filter((given) => row === undefined || given.row.id === row)
    .slice(0, count);
  const startedMs = performance.now();
  const world = await openFileWorld(bench);
  const found = { ...tally.found };
  const guards = new Map(tally.guards);
  const lines: string[] = [];
  for (const given of cases) {
    const { findings, guards: refusing = [] } = await runFileCase(world, given);
    for (const guard of refusing) guards.set(guard, (guards.get(guard) ?? 0) + 1);
    for (const { kind } of findings) found[kind] += 1;
    if (findings.length === 0) continue;
    const each = findings.map(({ kind, detail }) => `  ${kind}: ${detail.slice(0, 400)}`);
    lines.push([describeFileCase(given), ...each].join('\n'));
  }
  const faults = tally.faults + cases.length;
  const syncs = tally.syncs + cases.length;
  const elapsedMs = tally.elapsedMs + performance.now() - startedMs;
  return { lines, tally: { ...tally, faults, syncs, found, guards, elapsedMs } };
}
