/**
 * One sync of BBR or the cadastre under one fault of its files: old or new, whole and true, with the
 * same answers about properties where it is old, and once the fault is gone what the register says.
 */
import { REGISTERS_CATALOGUE } from '../../src/layers/catalogue.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import { cadastreText } from '../../src/answers/property/cadastre.ts';
import { recordText } from '../../src/answers/property/batch.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { composePropertyLookups } from '../../src/start/property-lookups.ts';
import { KNOWN_PROPERTY } from '../../sample/data/buildings.ts';
import type { Random } from '../../sample/data/random.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import type { Ended, Finding } from './cases.ts';
import { FILE_ROWS } from './matrix-files.ts';
import type { FileKind, FileRow, SpoiledFile } from './matrix-files.ts';
import { SECRET } from './world.ts';

export const FILE_REGISTERS = ['bbr', 'matrikel'] as const;
export type FileRegister = (typeof FILE_REGISTERS)[number];

/** A table whose files are spoiled, and the column of it that changes at the source. */
interface Table extends Pick<SpoiledFile, 'entity' | 'needed' | 'numbers'> {
  readonly table: string;
  readonly field: string;
  readonly column: string;
}

const TABLES: Readonly<Record<FileRegister, readonly [Table, ...Table[]]>> = {
  bbr: [
    {
      ...{ entity: 'Bygning', table: 'bbr_building', needed: 'byg021BygningensAnvendelse' },
      ...{ field: 'byg041BebyggetAreal', column: 'footprint_area', numbers: 'byg041BebyggetAreal' },
    },
    {
      ...{ entity: 'Enhed', table: 'bbr_unit', needed: 'status' },
      field: 'enh026EnhedensSamledeAreal',
      ...{ column: 'total_area', numbers: 'enh026EnhedensSamledeAreal' },
    },
  ],
  matrikel: [
    {
      ...{ entity: 'Jordstykke', table: 'cadastre_parcel', needed: 'matrikelnummer' },
      ...{ field: 'registreretAreal', column: 'area', numbers: 'registreretAreal' },
    },
    {
      ...{ entity: 'Ejerlejlighed', table: 'cadastre_flat', needed: 'BFEnummer' },
      ...{ field: 'ejerlejlighedsnummer', column: 'number', numbers: 'BFEnummer' },
    },
  ],
};

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

/** Runs the case, and leaves the mirror as the source is. */
export async function runFileCase(world: FileWorld, given: FileCase): Promise<Ended> {
  const { bench, said } = world;
  const { row, register } = given;
  const draw = createRandom(`files ${given.seed}/${given.number}`);
  const table = draw.pick(TABLES[register]);
  said.length = 0;
  const changed = changeSource(bench, { given, table, draw });
  const before = await stateOf(world, register);
  bench.shelf.spoil(row.faults?.({ ...table, kind: given.kind, draw }) ?? {});
  bench.upstream.faults.set((row.rules ?? []).map((rule) => ({ ...rule })));
  const outcome = await sync(world, register);
  bench.upstream.faults.clear();
  bench.shelf.spoil();
  const after = await stateOf(world, register);
  const findings = [
    ...judgeOutcome(given, outcome),
    ...judgeState(given, { outcome, before, after }),
    ...(await leftovers(world)),
    ...leaks(world, outcome),
    ...(await judgeMended(world, given, { table, changed })),
  ];
  const guards = outcome.state === 'refused' ? outcome.refusals.map(({ guard }) => guard) : [];
  return { outcome: outcome.state, guards, findings };
}

type Changed = ReadonlyMap<string, string>;

/** Some rows end and others begin, a day after the other; of a total it is then made anew. */
function changeSource(
  { shelf }: AddressBench,
  {
    given: { row, kind, number },
    table,
    draw,
  }: { readonly given: FileCase; readonly table: Table; readonly draw: Random },
): Changed {
  const { entity, field } = table;
  const changed = new Map<string, string>();
  const { days = 1, rows = 2 } = row;
  for (let day = 0; day < days; day += 1) {
    const close = currentRows(shelf.rows(entity), field, { draw, rows });
    // One day a case: what is registered later counts.
    const at = new Date(Date.UTC(2026, 10, 2) + (number * 10 + day) * 60_000).toISOString();
    const open = close.map((each, n) => {
      const value = String(100 + ((number * 10 + day + n) % 800));
      changed.set(each['id_lokalId'] ?? '', value);
      return { ...each, [field]: value, virkningFra: at };
    });
    shelf.change(entity, { at, close, open });
    if (row.isToldAgain === true) shelf.change(entity, { at, open });
  }
  if (kind === 'total') shelf.renew(entity);
  return changed;
}

/** Rows of today that have the field. */
function currentRows(
  all: readonly TableRow[],
  field: string,
  { draw, rows }: { readonly draw: Random; readonly rows: number },
): readonly TableRow[] {
  const past = '2026-11-22T00:00:00Z';
  const current = all.filter(
    (row) =>
      row['registreringTil'] === null &&
      row['virkningTil'] === null &&
      (row['virkningFra'] ?? '') < past &&
      /^\d+$/.test(row[field] ?? ''),
  );
  const ids = Map.groupBy(current, (row) => row['id_lokalId']);
  const alone = current.filter((row) => ids.get(row['id_lokalId'])?.length === 1);
  const from = draw.integer(0, alone.length - rows - 1);
  return alone.slice(from, from + rows);
}

interface State {
  /** Every row, with what it was read from. */
  readonly content: string;
  /** Version, generation, and when it was proved. */
  readonly standing: string;
  /** Records of some properties, as a question would have them. */
  readonly answers: string;
}

async function stateOf({ bench }: FileWorld, register: FileRegister): Promise<State> {
  const { schema } = REGISTERS_CATALOGUE.registers[register];
  const sums = storeTables(schema).map(
    (table) => `(select md5(string_agg(t::text, '|' order by t::text)) from ${table} t)`,
  );
  const [content] = await bench.column(`select concat_ws(' ', ${sums.join(', ')})`);
  const [standing] = await bench.column(
    `select concat(l::text, (select string_agg(s::text, '|' order by s::text)
       from ${schema.beside.sources} s)) from layer_state l where layer = '${register}'`,
  );
  const answers = await answersOf(bench);
  return { content: String(content), standing: String(standing), answers };
}

/** Without how old they are: that moves on. */
async function answersOf({ store, deps }: AddressBench): Promise<string> {
  const { properties, cadastre } = composePropertyLookups({
    ...{ catalogue: deps.catalogue, clock: deps.clock, store, isInvented: true },
    ...{ addressMemory: null, memory: null, onExpired: () => undefined },
  });
  const { bfe, flatBfe, foreignBfe } = KNOWN_PROPERTY;
  const { value } = await properties.find([bfe, flatBfe, foreignBfe], null);
  const records = value.map((each) => (each instanceof Failure ? each.message : recordText(each)));
  return [...records, cadastreText(await cadastre.find(bfe))].join('\n');
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
  of: { readonly outcome: RunOutcome; readonly before: State; readonly after: State },
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
  { table, changed }: { readonly table: Table; readonly changed: Changed },
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
  const ids = [...changed.keys()].map((id) => `'${id}'`).join();
  const { rows } = await world.bench.store.pool.query<{ id: string; value: string }>(
    `select id::text, ${table.column}::text as value from ${table.table} where id in (${ids})`,
  );
  const stored = new Map(rows.map(({ id, value }) => [id, value]));
  for (const [id, value] of changed) {
    if (stored.get(id) === value) continue;
    const detail = `${table.entity} ${id} is ${stored.get(id)}, and was told to be ${value}`;
    findings.push({ kind: 'false', detail });
  }
  return findings;
}

async function leftovers({ bench }: FileWorld): Promise<readonly Finding[]> {
  const [count] = await bench.column(`
    select (select count(*) from pg_class where relname ~ '_run_' and relkind = 'r')
      + (select count(*) from sync_run where state = 'running')`);
  if (Number(count) === 0) return [];
  return [{ kind: 'partial', detail: `${String(count)} tables or runs left behind` }];
}

function leaks({ said }: FileWorld, outcome: RunOutcome): readonly Finding[] {
  const leaked = [...said, JSON.stringify(outcome)].find((text) => text.includes(SECRET));
  return leaked === undefined ? [] : [{ kind: 'leak', detail: leaked.slice(0, 300) }];
}

function told(outcome: RunOutcome): string {
  if (outcome.state === 'failed') return `failed in ${outcome.phase}: ${outcome.reason}`;
  if (outcome.state !== 'refused') return outcome.state;
  return `refused: ${outcome.refusals.map(({ guard, message }) => `${guard} (${message})`).join(', ')}`;
}
