/** Plays seeded cases, several at a time, and counts what is found. */
import type { Case, Draw, Ended, Finding } from './cases.ts';
import { describeCase, drawCase } from './cases.ts';
import { runLiveCase } from './live-case.ts';
import { runSyncCase } from './sync-case.ts';
import type { World } from './world.ts';

export interface Verdict {
  readonly given: Case;
  readonly findings: readonly Finding[];
}

export interface Tally {
  faults: number;
  readonly syncs: number;
  readonly found: Readonly<Record<Finding['kind'], number>>;
  readonly failures: readonly Verdict[];
  /** Lookups that spent all of their time: no fault of theirs, as long as they are few. */
  readonly late: number;
  /** How often each row ended how, by `row rung`. */
  readonly seen: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly guards: ReadonlyMap<string, number>;
  readonly elapsedMs: number;
}

export interface Play extends Draw {
  readonly count: number;
  /** The first number played; 1 where nothing else is said. */
  readonly first?: number;
  readonly only?: number;
  readonly row?: string;
  readonly wants?: (given: Case) => boolean;
  readonly onProgress?: (played: number) => void;
}

/** Failures shown of one row of the matrix and in all; the rest are counted. */
const KEPT_PER_ROW = 2;
const KEPT = 40;

export async function simulate(world: World, play: Play): Promise<Tally> {
  const found = { false: 0, empty: 0, partial: 0, leak: 0, 'off-table': 0 };
  const failures: Verdict[] = [];
  const startedMs = performance.now();
  let faults = 0;
  let syncs = 0;
  let late = 0;
  const seen = new Map<string, Map<string, number>>();
  const guards = new Map<string, number>();
  const note = (given: Case, ended: Ended): void => {
    const { outcome, findings, guards: refusing = [] } = ended;
    for (const guard of refusing) guards.set(guard, (guards.get(guard) ?? 0) + 1);
    const key = `${given.row.id} ${given.rung}`;
    const outcomes = seen.get(key) ?? new Map<string, number>();
    seen.set(key, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
    faults += 1;
    if (given.rung === 'sync') syncs += 1;
    if (ended.late === true) late += 1;
    for (const { kind } of findings) found[kind] += 1;
    if (findings.length > 0) keep(failures, { given, findings });
    play.onProgress?.(faults);
  };
  const deck = new Deck(play);
  const live = () => deck.next(['line', 'area']);
  const sync = () => deck.next(['sync']);
  const lanes = [
    ...world.liveLanes.map(async (lane) => {
      for (let next = live(); next; next = live()) note(next, await runLiveCase(world, lane, next));
    }),
    ...world.syncLanes.map(async (lane) => {
      for (let next = sync(); next; next = sync()) note(next, await runSyncCase(world, lane, next));
    }),
  ];
  await Promise.all(lanes);
  const elapsedMs = performance.now() - startedMs;
  return { faults, syncs, found, failures, late, seen, guards, elapsedMs };
}

function keep(failures: Verdict[], verdict: Verdict): void {
  const { row, rung } = verdict.given;
  const same = failures.filter(({ given }) => given.row === row && given.rung === rung);
  if (failures.length < KEPT && same.length < KEPT_PER_ROW) failures.push(verdict);
}

/** The cases of a play, dealt to whoever is free: each number once, whatever its kind. */
class Deck {
  readonly #play: Play;
  readonly #numbers: readonly number[];
  readonly #at = new Map<string, number>();

  constructor(play: Play) {
    this.#play = play;
    const { first = 1, count, only } = play;
    this.#numbers =
      only === undefined ? Array.from({ length: count }, (_, n) => first + n) : [only];
  }

  #wants(given: Case): boolean {
    const { row, wants } = this.#play;
    return (row === undefined || row === given.row.id) && (wants?.(given) ?? true);
  }

  /** The next of a kind; null: none is left. */
  next<R extends Case['rung']>(rungs: readonly R[]): Extract<Case, { rung: R }> | null {
    const isMeant = (given: Case): given is Extract<Case, { rung: R }> =>
      rungs.some((rung) => rung === given.rung) && this.#wants(given);
    const kind = rungs.join();
    for (let at = this.#at.get(kind) ?? 0; at < this.#numbers.length; at += 1) {
      const given = drawCase(this.#play, this.#numbers[at]!);
      this.#at.set(kind, at + 1);
      if (isMeant(given)) return given;
    }
    return null;
  }
}

/** One in a hundred, and of a short play a few: more of them say nothing of the rows any more. */
function mostLate(faults: number): number {
  return Math.max(10, faults / 100);
}

/** Whether every case ended as the matrix promises, and enough of them in time to tell. */
export function isClean({ faults, found, late }: Tally): boolean {
  return Object.values(found).every((n) => n === 0) && late <= mostLate(faults);
}

/** What was found, for a person; each line plays again with the seed and its number. */
export function report({ failures, found, faults, late }: Tally, { seed }: Draw): string[] {
  return [
    ...failures.map(
      ({ given, findings }) =>
        `${describeCase(given)}\n  again: npm run faults -- --seed ${seed} --only ${given.number}\n` +
        findings.map(({ kind, detail }) => `  ${kind}: ${detail.slice(0, 400)}`).join('\n'),
    ),
    ...(found.leak > 0 ? [`${found.leak} leaks of a key`] : []),
    ...(found['off-table'] > 0
      ? [`${found['off-table']} outcomes the matrix does not promise`]
      : []),
    ...(late > mostLate(faults)
      ? [`${late} lookups spent all of their time: too busy a machine, or a wait that must not be`]
      : []),
  ];
}

export function outcomes({ seen }: Tally): string[] {
  return [...seen]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, counts]) => {
      const each = [...counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`);
      return `${key}: ${each.join(', ')}`;
    });
}

export function refusals({ guards }: Tally): string {
  const each = [...guards].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`);
  return `refused by: ${each.join(', ')}`;
}

export function pace({ faults, syncs, late, elapsedMs }: Tally): string {
  const seconds = elapsedMs / 1000;
  return (
    `${syncs} syncs and ${faults - syncs} live lookups in ${seconds.toFixed(1)} s, ` +
    `${Math.round(faults / seconds)} a second` +
    (late === 0 ? '' : `; ${late} out of time`)
  );
}

export function summary({ faults, found }: Tally): string {
  return `${faults} faults, ${found.false} false, ${found.empty} empty, ${found.partial} partial`;
}
