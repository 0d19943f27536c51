/**
 * One sync of BBR or the cadastre under one fault of its files: old or new, whole and true, with the
 * same answers about properties where it is old, and once the fault is gone what the register says.
 */
import { createRandom } from '../../sample/data/random.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import type { Ended, Finding } from './cases.ts';
import {
  FILE_REGISTERS,
  SOURCE_TABLES,
  changeSource,
  stateOf,
  tableLeftovers,
  untold,
} from './file-source.ts';
import type { Changed, FileRegister, RegisterState, SourceTable } from './file-source.ts';
import { FILE_ROWS } from './matrix-files.ts';
import type { FileKind, FileRow } from './matrix-files.ts';
import { SECRET, leaks } from './world.ts';

export interface FileCase {
  readonly row: FileRow;
  readonly register: FileRegister;
  readonly kind: FileKind;
  readonly number: number;
  readonly seed: number;
}

/** Every row on both registers and on each kind of file it is about. */
export function fileCases(seed: number): readonly FileCase[] {
  const cells = FILE_ROWS.flatMap((row) =>
    FILE_REGISTERS.flatMap((register) => row.on.map((kind) => ({ row, register, kind }))),
  );
  return cells.map((cell, n) => ({ ...cell, number: n + 1, seed }));
}

/** Of the cases of each row one, the registers and the kinds of files in turn. */
export function fewFileCases(seed: number): readonly FileCase[] {
  const byRow = [...Map.groupBy(fileCases(seed), ({ row }) => row).values()];
  return byRow.flatMap((cases, n) => cases[(3 * n) % cases.length] ?? []);
}

export function describeFileCase({ row, register, kind, number, seed }: FileCase): string {
  return `file case ${number} of seed ${seed}: ${row.id} on a ${kind} of ${register}`;
}

/** A bench that holds both registers as the sample has them, and notes all that is said. */
export interface FileWorld {
  readonly bench: AddressBench;
  readonly said: string[];
}

/** Mirrors both registers. The bench is the caller's, to close too. */
export async function openFileWorld(bench: AddressBench): Promise<FileWorld> {
  const said: string[] = [];
  const say = (detail: object, message: string) =>
    said.push(`${JSON.stringify(detail)} ${message}`);
  const { deps } = bench;
  const world: FileWorld = {
    said,
    bench: {
      ...bench,
      deps: {
        ...deps,
        keys: { ...deps.keys, 'datafordeler-files': SECRET },
        log: { info: say, warn: say, error: say },
      },
    },
  };
  for (const register of FILE_REGISTERS) {
    const outcome = await sync(world, register);
    if (outcome.state !== 'published') throw new Error(`${register}: ${JSON.stringify(outcome)}`);
  }
  return world;
}

const sync = ({ bench }: FileWorld, register: FileRegister) =>
  syncLayer(bench.deps, register, { trigger: 'command' });

export async function runFileCase(world: FileWorld, given: FileCase): Promise<Ended> {
  const { bench, said } = world;
  const { row, register } = given;
  const draw = createRandom(`files ${given.seed}/${given.number}`);
  const table = draw.pick(SOURCE_TABLES[register]);
  const { days, isToldAgain } = row;
  said.length = 0;
  const changed = changeSource(bench.shelf, {
    ...{ table, draw, kind: given.kind, number: given.number },
    ...(days !== undefined && { days }),
    ...(isToldAgain !== undefined && { isToldAgain }),
  });
  const before = await stateOf(bench, register);
  bench.shelf.spoil(row.faults?.({ ...table, kind: given.kind, draw }) ?? {});
  bench.upstream.faults.set((row.rules ?? []).map((rule) => ({ ...rule })));
  const outcome = await sync(world, register);
  bench.upstream.faults.clear();
  bench.shelf.spoil();
  const after = await stateOf(bench, register);
  const findings = [
    ...judgeOutcome(given, outcome),
    ...judgeState(given, { outcome, before, after }),
    ...(await leftovers(world)),
    ...leaks([...world.said, JSON.stringify(outcome)]),
    ...(await judgeMended(world, given, { table, changed })),
  ];
  const guards = outcome.state === 'refused' ? outcome.refusals.map(({ guard }) => guard) : [];
  return { outcome: outcome.state, guards, findings };
}

function judgeOutcome({ row }: FileCase, outcome: RunOutcome): readonly Finding[] {
  const { state } = outcome;
  const claimed = state === 'published' || state === 'unchanged' ? 'true' : state;
  if (claimed !== row.sync) return [{ kind: 'off-table', detail: told(outcome) }];
  if (outcome.state !== 'refused' || row.guards === undefined) return [];
  const { refusals } = outcome;
  const isNamed = refusals.some(({ guard }) => row.guards?.some((each) => each === guard));
  return isNamed ? [] : [{ kind: 'off-table', detail: told(outcome) }];
}

function judgeState(
  { row }: FileCase,
  of: {
    readonly outcome: RunOutcome;
    readonly before: RegisterState;
    readonly after: RegisterState;
  },
): readonly Finding[] {
  const { outcome, before, after } = of;
  const isSame = after.content === before.content && after.answers === before.answers;
  const detail = `${told(outcome)}, and the copy ${isSame ? 'did not change' : 'changed'}`;
  if (row.sync === 'true' && row.isMissed !== true) {
    return isSame ? [{ kind: 'partial', detail }] : [];
  }
  if (!isSame) return [{ kind: 'partial', detail }];
  const isProved = row.sync === 'true';
  if (!isProved && after.standing !== before.standing) return [{ kind: 'partial', detail }];
  return [];
}

/** Without the fault the change comes, every row of it, and a whole total then finds nothing to mend. */
async function judgeMended(
  world: FileWorld,
  { register }: FileCase,
  { table, changed }: { readonly table: SourceTable; readonly changed: Changed },
): Promise<readonly Finding[]> {
  const { shelf } = world.bench;
  const mended = await sync(world, register);
  // Of what was refused for a delta that never came, a newer total tells.
  shelf.renew(table.entity);
  const proved = await sync(world, register);
  const findings: Finding[] = [];
  for (const [outcome, allowed] of [
    [mended, ['published', 'unchanged']],
    [proved, ['unchanged']],
  ] as const) {
    if (allowed.some((state) => state === outcome.state)) continue;
    findings.push({ kind: 'partial', detail: `without the fault: ${told(outcome)}` });
  }
  const missed = await untold(world.bench, table, changed);
  return [...findings, ...missed.map((detail) => ({ kind: 'false', detail }) as const)];
}

async function leftovers({ bench }: FileWorld): Promise<readonly Finding[]> {
  const count = await tableLeftovers(bench);
  return count === 0 ? [] : [{ kind: 'partial', detail: `${count} tables or runs left behind` }];
}
