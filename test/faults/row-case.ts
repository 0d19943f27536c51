/**
 * Rows of one table that cannot be read, in a first copy, a later total or a delta: of every question on and
 * around them the answer is the whole register's, or there is none.
 */
import { isDeepStrictEqual } from 'node:util';
import { compareTexts } from '../../src/kernel/compare.ts';
import type { UnansweredPlaces } from '../../src/geo/unanswered.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { REGISTER_IDS } from '../../src/layers/keys.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import type { RegisterTable } from '../../src/layers/register-tables.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { LiftableGuard } from '../../sync/check.ts';
import { PROTECTION_LAYERS } from '../../sample/registers/property/protection.ts';
import type { ProtectionLayer } from '../../sample/registers/property/protection.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import { SAMPLE_ENTITIES } from '../../sample/data/tables.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { isWholeOnly } from '../../sample/files/table-shelf.ts';
import { told } from '../support/run-outcome.ts';
import { forget, isCurrent } from '../support/whole-registers.ts';
import type { Ended, Finding } from './cases.ts';
import { ROW_BREAKS } from './matrix-rows.ts';
import type { RowBreak } from './matrix-rows.ts';
import { rowPanel } from './row-panel.ts';
import type { RowPanel } from './row-panel.ts';
import type { Asked, RowWorld } from './row-world.ts';

type Way = 'first' | 'total' | 'delta';

interface RowCell {
  readonly register: RegisterId;
  readonly table: RegisterTable;
  readonly row: string;
  readonly way: Way;
}

export interface RowCase extends RowCell {
  readonly number: number;
  readonly seed: number;
  /** Absent: drawn. */
  readonly chosen?: Chosen;
}

interface Chosen {
  readonly rows: readonly TableRow[];
  /** What stands in their cells. */
  readonly cells: TableRow;
  readonly asked: readonly TableRow[];
}

interface RowsEnded extends Ended {
  readonly unanswered: UnansweredPlaces | null;
  /** Of each question how it was answered: as by the whole register, or less. */
  readonly isTold: ReadonlyMap<string, boolean>;
}

/** The sample's `Bygning` is BBR's; it has none of the table of place names with that name. */
export const isOfFiles = (register: RegisterId, entity: string): entity is SampleEntity =>
  SAMPLE_ENTITIES.includes(entity) && !(register === 'stednavne' && entity === 'Bygning');

/** Every way a row may be broken, in every table, each way it may come. */
export const ROW_CELLS: readonly RowCell[] = REGISTER_IDS.flatMap((register) =>
  REGISTERS_CATALOGUE.registers[register].schema.tables.flatMap((table) =>
    Object.keys(ROW_BREAKS).flatMap((row) =>
      waysOf(register, table.entity).map((way) => ({ register, table, row, way })),
    ),
  ),
);

function waysOf(register: RegisterId, entity: string): readonly Way[] {
  if (register === 'fbb') return ['first', 'total'];
  if (!isOfFiles(register, entity)) return [];
  return isWholeOnly(entity) ? ['first', 'total'] : ['first', 'total', 'delta'];
}

/** What a number of a seed stands for: each cell once, in an order of its own, then any. */
export function drawRowCase(seed: number, number: number): RowCase {
  const random = createRandom(`row cells ${seed}`);
  const order = ROW_CELLS.map((cell) => ({ cell, at: random.next() })).sort((a, b) => a.at - b.at);
  const any = createRandom(`row cell ${seed}/${number}`).pick(ROW_CELLS);
  return { ...(order[number - 1]?.cell ?? any), number, seed };
}

export function describeRowCase({ register, table, row, way, number, seed }: RowCase): string {
  return `row case ${number} of seed ${seed}: ${row} in ${table.entity} of ${register}, ${way}`;
}

/** The sample is small: a row is a large share of it. Whose a row is, is for a person to say, in a run of its own. */
const SMALL: readonly LiftableGuard[] = LIFTABLE_GUARDS.filter((guard) => guard !== 'unplaced');

export async function runRowCase(world: RowWorld, given: RowCase): Promise<RowsEnded> {
  const draw = createRandom(`rows ${given.seed}/${given.number}`);
  const { register, way, chosen } = given;
  const picked = chosen === undefined ? drawRows(world, given, draw) : brokenAs(chosen);
  const isTold = new Map<string, boolean>();
  if (picked.size === 0) return { outcome: 'no such row', findings: [], unanswered: null, isTold };
  spoil(world.bench, given, picked);
  const asked = chosen?.asked ?? [...picked.keys()].slice(0, MOST_ASKED);
  const paths = panelOf(world).around(asked, draw);
  if (way === 'first') await forget(world.bench, register);
  const first = await world.sync(register, SMALL);
  const isOpen = told(first) === 'refused: unplaced';
  const outcome = isOpen ? await world.sync(register, LIFTABLE_GUARDS) : first;
  const unanswered = await unansweredOf(world, register);
  const said = await askAll(world, paths);
  const left = await mend(world, given);
  const truth = await askAll(world, paths);
  for (const [n, { path, body, status }] of said.entries()) {
    const isWhole = isDeepStrictEqual(inOrder(body), inOrder(truth[n]?.body));
    isTold.set(path, status === 200 && isWhole && isTold.get(path) !== false);
  }
  const findings = said.flatMap((answer, n) =>
    judge(register, { answer, truth: truth[n], isOpen }),
  );
  const guards = first.state === 'refused' ? first.refusals.map(({ guard }) => guard) : [];
  const isMute = said.every(({ status }) => status >= 500);
  return {
    ...{ guards, unanswered, isTold },
    outcome: isMute ? `${told(outcome)}, nothing answered` : told(outcome),
    findings: [...findings, ...left],
  };
}

const brokenAs = ({ rows, cells }: Chosen) =>
  new Map(rows.map((row) => [row, { ...row, ...cells }]));

async function unansweredOf(
  { bench }: RowWorld,
  register: RegisterId,
): Promise<UnansweredPlaces | null> {
  const [unanswered] = await bench.column(
    `select unanswered from layer_state where layer = '${register}'`,
  );
  return unanswered as UnansweredPlaces | null;
}

/** Broken rows that are asked of; more of them are broken. */
const MOST_ASKED = 6;
const panels = new WeakMap<RowWorld, RowPanel>();

function panelOf(world: RowWorld): RowPanel {
  const panel = panels.get(world) ?? rowPanel(world.bench.shelf);
  panels.set(world, panel);
  return panel;
}

function drawRows(
  { bench }: RowWorld,
  { table, row, way }: RowCase,
  draw: Random,
): ReadonlyMap<TableRow, TableRow> {
  const { entity } = table;
  const { cells, values, isAll = false } = ROW_BREAKS[row] as RowBreak;
  const candidates = rowsOf(bench, entity).filter(
    (each) => cells(table, each).length > 0 && (way !== 'delta' || isCurrent(each)),
  );
  if (candidates.length === 0) return new Map();
  const count = Math.ceil(
    draw.pick([0, 0, 0, 2, 5, 0.01 * candidates.length, 0.02 * candidates.length]),
  );
  const picked = new Map<TableRow, TableRow>();
  while (picked.size < Math.max(1, Math.min(count, candidates.length))) {
    const each = draw.pick(candidates);
    const names = cells(table, each);
    const struck = isAll ? names : [draw.pick(names)];
    picked.set(each, {
      ...each,
      ...Object.fromEntries(
        struck.map((name) => [
          name,
          draw.pick(values ?? candidates.map((other) => other[name] ?? null)),
        ]),
      ),
    });
  }
  return picked;
}

const isOfProtection = (entity: string): entity is ProtectionLayer =>
  PROTECTION_LAYERS.some((each) => each === entity);

export function rowsOf(
  { shelf, upstream }: RowWorld['bench'],
  entity: string,
): readonly TableRow[] {
  return isOfProtection(entity)
    ? (upstream.protection.features(entity) as unknown as readonly TableRow[])
    : shelf.rows(entity);
}

let days = 0;

function spoil(
  { shelf, upstream }: RowWorld['bench'],
  { table: { entity }, row: kind, way }: RowCase,
  picked: ReadonlyMap<TableRow, TableRow>,
): void {
  const { isTwin = false } = ROW_BREAKS[kind] as RowBreak;
  const asItIs = (row: TableRow) => (isTwin ? [row] : []);
  const broken = (row: TableRow) => {
    const other = picked.get(row);
    return other === undefined ? [row] : [...asItIs(row), other];
  };
  if (isOfProtection(entity)) {
    upstream.protection.spoil({
      features: (layer, features) =>
        layer === entity ? (features as unknown as readonly TableRow[]).flatMap(broken) : features,
    });
    return;
  }
  if (way !== 'delta') {
    shelf.renew(entity);
    shelf.spoil({ rows: (of, rows) => (of === entity ? rows.flatMap(broken) : rows) });
    return;
  }
  // The same rows are registered anew, and come broken.
  days += 1;
  const at = new Date(Date.UTC(2026, 10, 2) + days * 1000).toISOString();
  const rows = [...picked.keys()];
  shelf.change(entity, { at, close: rows, open: rows });
  const struck = new Map(
    [...picked].map(([row, cells]) => [
      row['id_lokalId'],
      Object.fromEntries(Object.entries(cells).filter(([name, value]) => value !== row[name])),
    ]),
  );
  shelf.spoil({
    rows: (of, all) =>
      of === entity
        ? all.flatMap((row) =>
            row['registreringFra'] === at && row['registreringTil'] === null
              ? [...asItIs(row), { ...row, ...struck.get(row['id_lokalId'] ?? '') }]
              : [row],
          )
        : all,
  });
}

/** Without the fault every row is there again, and nothing is left unanswered. */
async function mend(world: RowWorld, { register, table }: RowCase): Promise<readonly Finding[]> {
  const { shelf, upstream } = world.bench;
  shelf.spoil();
  upstream.protection.spoil();
  if (isOfFiles(register, table.entity)) shelf.renew(table.entity);
  const outcome = await world.sync(register, LIFTABLE_GUARDS);
  const unanswered = await unansweredOf(world, register);
  const isMended = ['published', 'unchanged'].includes(outcome.state) && unanswered === null;
  const detail = `without the fault: ${told(outcome)}, unanswered ${JSON.stringify(unanswered)}`;
  return isMended ? [] : [{ kind: 'partial', detail }];
}

interface Said extends Asked {
  readonly path: string;
  readonly by: 'memory' | 'store';
}

async function askAll({ ask }: RowWorld, paths: readonly string[]): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (const path of paths) {
    for (const by of ['memory', 'store'] as const)
      said.push({ path, by, ...(await ask[by](path)) });
  }
  return said;
}

/** What a record says null of where a register that it is joined with does not answer. */
const JOINED: Readonly<Partial<Record<RegisterId, string>>> = {
  vurdering: 'vurdering',
  fbb: 'fredning',
};

interface Judged {
  readonly answer: Said;
  readonly truth: Said | undefined;
  /** A person has released rows that nobody can tell the place of: what is known is told, and nothing is unknown. */
  readonly isOpen: boolean;
}

function judge(register: RegisterId, { answer, truth, isOpen }: Judged): readonly Finding[] {
  const { path, by, status, body } = answer;
  if (status === 502 || status === 503 || truth === undefined) return [];
  const isSame =
    status === truth.status &&
    isDeepStrictEqual(inOrder(body), inOrder(asFarAsTold(truth.body, body, JOINED[register])));
  if (isSame) return [];
  const what = `${path} by ${by}: ${status}, the source's own is ${truth.status}: ${differenceOf(body, truth.body)}`;
  if (status === 404) return [{ kind: 'empty', detail: what }];
  if (isOpen && status === 200) return [];
  if (status !== 200 || truth.status >= 500) return [{ kind: 'off-table', detail: what }];
  const isShort = JSON.stringify(body).length < JSON.stringify(truth.body).length;
  return [{ kind: isShort ? 'partial' : 'false', detail: what }];
}

/**
 * The truth, with null in the fields of that name and nothing in the parts that the answer says it cannot tell. Lists
 * of things with ids are in their order: what is not told is sorted last.
 */
function asFarAsTold(truth: unknown, said: unknown, name: string | undefined): unknown {
  if (Array.isArray(truth) && Array.isArray(said)) {
    const [one, other] = [byId(truth), byId(said)];
    return one.map((each, n) => asFarAsTold(each, other[n], name));
  }
  if (!isRecord(truth) || !isRecord(said)) return truth;
  if ('_error' in said) return said;
  return Object.fromEntries(
    Object.entries(truth).map(([key, value]) => [
      key,
      key === name && said[key] === null ? null : asFarAsTold(value, said[key], name),
    ]),
  );
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return byId(value).map(inOrder);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inOrder(each)]));
}

function byId(list: readonly unknown[]): readonly unknown[] {
  const idOf = (each: unknown) => (isRecord(each) ? JSON.stringify(each['id'] ?? null) : '');
  return list.toSorted((a, b) => compareTexts(idOf(a), idOf(b)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function differenceOf(said: unknown, truth: unknown): string {
  const [one, other] = [JSON.stringify(said), JSON.stringify(truth)];
  const at = Math.max(0, Array.from(one).findIndex((letter, n) => letter !== other[n]) - 40);
  return `${one.slice(at, at + 140)} for ${other.slice(at, at + 140)}`;
}
