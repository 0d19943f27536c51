/** Cases that are played after those of the layers, and counted with them: each lane has a world of its own. */
import type { AddressBench } from '../sync/addresses-bench.ts';
import type { Ended } from './cases.ts';
import {
  describeConditionCase,
  drawConditionCase,
  openConditionWorld,
  runConditionCase,
} from './condition-case.ts';
import { describeDatedCase, drawDatedCase, runDatedCase } from './dated-case.ts';
import { describeFileCase, fileCases, openFileWorld, runFileCase } from './file-case.ts';
import { describeRowCase, drawRowCase, runRowCase } from './row-case.ts';
import { openRowWorld } from './row-world.ts';
import { openDatedBench } from '../support/dated-bench.ts';
import type { Play, Tally } from './simulate.ts';

/** `lines`: what is not as it may be, a case each. */
export interface Played {
  readonly lines: readonly string[];
  readonly tally: Tally;
}

interface RowPlay extends Play {
  /** How many are drawn. */
  readonly rows: number;
}

/** What a lane plays in, over a bench of its own; the bench is closed by the caller. */
interface LaneWorld<C> {
  readonly run: (given: C) => Promise<Ended>;
  readonly close: () => Promise<void>;
}

interface Kind<C> {
  readonly cases: (play: RowPlay) => readonly C[];
  readonly rowOf: (given: C) => string;
  readonly describe: (given: C) => string;
  readonly open: (bench: AddressBench) => Promise<LaneWorld<C>>;
}

const NOTHING_TO_CLOSE = (): Promise<void> => Promise.resolve();

/** The same store for a bench that would close it. */
const lent = ({ store }: AddressBench) => ({ ...store, close: NOTHING_TO_CLOSE });

/** So many cases of a seed, from the first number of the play on. */
const drawn =
  <C>(draw: (seed: number, number: number) => C, times = 1) =>
  ({ seed, first = 1, rows }: RowPlay): readonly C[] =>
    Array.from({ length: times * rows }, (_, n) => draw(seed, first + n));

/** Each case of the files of the property registers once, at most so many as are played at all. */
const playFiles = playing({
  cases: ({ seed, count }) => fileCases(seed).slice(0, count),
  rowOf: ({ row }) => row.id,
  describe: describeFileCase,
  open: async (bench) => {
    const world = await openFileWorld(bench);
    return { run: (given) => runFileCase(world, given), close: NOTHING_TO_CLOSE };
  },
});

const playRows = playing({
  cases: drawn(drawRowCase),
  rowOf: ({ row }) => row,
  describe: describeRowCase,
  open: async (bench) => {
    const world = await openRowWorld(bench);
    return { run: (given) => runRowCase(world, given), close: () => world.close() };
  },
});

const playDated = playing({
  cases: drawn(drawDatedCase),
  rowOf: ({ row }) => row,
  describe: describeDatedCase,
  open: async (bench) => {
    const dated = await openDatedBench({ store: lent(bench) });
    await dated.syncThemes();
    await dated.keep();
    return { run: (given) => runDatedCase(dated, given), close: () => dated.close() };
  },
});

/** Conditions under the matrix's faults and those of their own; four times as many as of rows. */
const playConditions = playing({
  cases: drawn(drawConditionCase, 4),
  rowOf: ({ row }) => row,
  describe: describeConditionCase,
  open: async (bench) => {
    const world = await openConditionWorld(lent(bench));
    return { run: (given) => runConditionCase(world, given), close: () => world.bench.close() };
  },
});

/** By the name that the run reports it by. */
export const NEXT_KINDS = {
  files: playFiles,
  rows: playRows,
  dated: playDated,
  conditions: playConditions,
};

/** Plays cases of one kind in as many lanes as there are benches: a lane that is free takes the next. */
function playing<C>({ cases, rowOf, describe, open }: Kind<C>) {
  return async (
    benches: readonly AddressBench[],
    play: RowPlay,
    { lines: earlier, tally }: Played,
  ): Promise<Played> => {
    const { row, onProgress } = play;
    const worlds = await Promise.all(benches.map(open));
    const startedMs = performance.now();
    const found = { ...tally.found };
    const guards = new Map(tally.guards);
    const seen = new Map([...tally.seen].map(([key, counts]) => [key, new Map(counts)]));
    const lines = [...earlier];
    let played = 0;
    const note = (given: C, { outcome, findings, guards: refusing = [] }: Ended): void => {
      const counts = seen.get(rowOf(given)) ?? new Map<string, number>();
      seen.set(rowOf(given), counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
      for (const guard of refusing) guards.set(guard, (guards.get(guard) ?? 0) + 1);
      for (const { kind } of findings) found[kind] += 1;
      played += 1;
      onProgress?.(tally.faults + played);
      if (findings.length > 0) lines.push(linesOf(describe(given), findings));
    };
    const left = cases(play)
      .filter((given) => row === undefined || rowOf(given) === row)
      .values();
    const lanes = worlds.map(async ({ run }) => {
      for (const given of left) note(given, await run(given));
    });
    await Promise.all(lanes);
    const elapsedMs = tally.elapsedMs + performance.now() - startedMs;
    await Promise.all(worlds.map(({ close }) => close()));
    const [faults, syncs] = [tally.faults + played, tally.syncs + played];
    return { lines, tally: { ...tally, faults, syncs, found, guards, seen, elapsedMs } };
  };
}

/** Of one case; the rest are counted. */
const FINDINGS_TOLD = 3;

function linesOf(about: string, findings: Ended['findings']): string {
  const told = findings.map(({ kind, detail }) => `  ${kind}: ${detail.slice(0, 400)}`);
  return [about, ...told.slice(0, FINDINGS_TOLD)].join('\n');
}
