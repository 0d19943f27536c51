/** Cases that are played one after the other behind those of the layers, and counted with them. */
import type { AddressBench } from '../sync/addresses-bench.ts';
import type { Ended } from './cases.ts';
import {
  describeConditionCase,
  drawConditionCase,
  openConditionWorld,
  runConditionCase,
} from './condition-case.ts';
import type { ConditionCase } from './condition-case.ts';
import { describeDatedCase, drawDatedCase, runDatedCase } from './dated-case.ts';
import type { DatedCase } from './dated-case.ts';
import { describeFileCase, fileCases, openFileWorld, runFileCase } from './file-case.ts';
import { describeRowCase, drawRowCase, runRowCase } from './row-case.ts';
import type { RowCase } from './row-case.ts';
import { openRowWorld } from './row-world.ts';
import { openDatedBench } from '../support/dated-bench.ts';
import type { Play, Tally } from './simulate.ts';

/** `lines`: what is not as it may be, a case each. */
export interface Played {
  readonly lines: readonly string[];
  readonly tally: Tally;
}

interface NextCase {
  readonly row: string;
  readonly about: string;
  run(): Promise<Ended>;
}

/** Each case of the files of the property registers once, at most so many as are played at all. */
export async function playFiles(bench: AddressBench, play: Play, before: Played): Promise<Played> {
  const world = await openFileWorld(bench);
  const cases = fileCases(play.seed).map((given) => ({
    ...{ row: given.row.id, about: describeFileCase(given) },
    run: () => runFileCase(world, given),
  }));
  return await playAll(cases.slice(0, play.count), play, before);
}

interface RowPlay extends Play {
  /** How many. */
  readonly rows: number;
}

interface Drawn<C> {
  readonly draw: (seed: number, number: number) => C;
  readonly describe: (given: C) => string;
  readonly run: (given: C) => Promise<Ended>;
}

/** So many drawn cases, from the first number of the play on. */
async function playDrawn<C extends { readonly row: string }>(
  { draw, describe, run }: Drawn<C>,
  play: RowPlay,
  before: Played,
): Promise<Played> {
  const { seed, first = 1, rows } = play;
  const cases = Array.from({ length: rows }, (_, n) => draw(seed, first + n)).map((given) => ({
    ...{ row: given.row, about: describe(given) },
    run: () => run(given),
  }));
  return await playAll(cases, play, before);
}

/** Cases of rows that cannot be read. */
export async function playRows(
  bench: AddressBench,
  play: RowPlay,
  before: Played,
): Promise<Played> {
  const world = await openRowWorld(bench);
  const of: Drawn<RowCase> = {
    ...{ draw: drawRowCase, describe: describeRowCase },
    run: (given) => runRowCase(world, given),
  };
  const played = await playDrawn(of, play, before);
  await world.close();
  return played;
}

/** Cases of files that tell of a date. */
export async function playDated(
  { store }: Pick<AddressBench, 'store'>,
  play: RowPlay,
  before: Played,
): Promise<Played> {
  const dated = await openDatedBench({ store: { ...store, close: () => Promise.resolve() } });
  await dated.syncThemes();
  await dated.keep();
  const of: Drawn<DatedCase> = {
    ...{ draw: drawDatedCase, describe: describeDatedCase },
    run: (given) => runDatedCase(dated, given),
  };
  const played = await playDrawn(of, play, before);
  await dated.close();
  return played;
}

/** Conditions under the matrix's faults and those of their own; four times as many as of rows. */
export async function playConditions(
  { store }: Pick<AddressBench, 'store'>,
  play: RowPlay,
  before: Played,
): Promise<Played> {
  const world = await openConditionWorld({ ...store, close: () => Promise.resolve() });
  const of: Drawn<ConditionCase> = {
    ...{ draw: drawConditionCase, describe: describeConditionCase },
    run: (given) => runConditionCase(world, given),
  };
  const played = await playDrawn(of, { ...play, rows: 4 * play.rows }, before);
  await world.bench.close();
  return played;
}

async function playAll(
  cases: readonly NextCase[],
  { row, onProgress }: Play,
  { lines: earlier, tally }: Played,
): Promise<Played> {
  const played = cases.filter((each) => row === undefined || each.row === row);
  const startedMs = performance.now();
  const found = { ...tally.found };
  const guards = new Map(tally.guards);
  const seen = new Map([...tally.seen].map(([key, counts]) => [key, new Map(counts)]));
  const lines = [...earlier];
  for (const [n, each] of played.entries()) {
    const { outcome, findings, guards: refusing = [] } = await each.run();
    const counts = seen.get(each.row) ?? new Map<string, number>();
    seen.set(each.row, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    for (const guard of refusing) guards.set(guard, (guards.get(guard) ?? 0) + 1);
    for (const { kind } of findings) found[kind] += 1;
    onProgress?.(tally.faults + n + 1);
    if (findings.length === 0) continue;
    const told = findings.map(({ kind, detail }) => `  ${kind}: ${detail.slice(0, 400)}`);
    lines.push([each.about, ...told.slice(0, FINDINGS_TOLD)].join('\n'));
  }
  const faults = tally.faults + played.length;
  const syncs = tally.syncs + played.length;
  const elapsedMs = tally.elapsedMs + performance.now() - startedMs;
  return { lines, tally: { ...tally, faults, syncs, found, guards, seen, elapsedMs } };
}

/** Of one case; the rest are counted. */
const FINDINGS_TOLD = 3;
