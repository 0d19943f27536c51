/** BBR and the cadastre at the sample's download service: what changes there, and what the mirror makes of it. */
import { storeLookups } from '../support/lookups.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import { cadastreText } from '../../src/registers/cadastre/answer.ts';
import { recordText } from '../../src/registers/property/record/batch.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type { Random } from '../../sample/data/random.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { TableShelf } from '../../sample/files/table-shelf.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import type { FileKind, SpoiledFile } from './matrix-files.ts';

export const FILE_REGISTERS = ['bbr', 'matrikel'] as const;
export type FileRegister = (typeof FILE_REGISTERS)[number];

/** A table whose files are spoiled, and the column of it that changes at the source. */
export interface SourceTable extends Pick<SpoiledFile, 'entity' | 'needed' | 'numbers'> {
  readonly table: string;
  readonly field: string;
  readonly column: string;
}

export const SOURCE_TABLES: Readonly<
  Record<FileRegister, readonly [SourceTable, ...SourceTable[]]>
> = {
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

export interface SourceChange {
  readonly table: SourceTable;
  /** A total is made anew of what changed; else its deltas tell. */
  readonly kind: FileKind;
  readonly draw: Random;
  /** Of changes that follow one another: what is registered later counts. */
  readonly number: number;
  readonly days?: number;
  /** A further delta repeats each. */
  readonly isToldAgain?: boolean;
}

/** What the rows that changed say now, by id. */
export type Changed = ReadonlyMap<string, string>;

const ROWS_A_DAY = 2;

/** Some rows end and others begin, a day after the other. */
export function changeSource(shelf: TableShelf, change: SourceChange): Changed {
  const { table, kind, draw, number, days = 1, isToldAgain = false } = change;
  const { entity, field } = table;
  const changed = new Map<string, string>();
  for (let day = 0; day < days; day += 1) {
    const close = currentRows(shelf.rows(entity), field, draw);
    const at = new Date(Date.UTC(2026, 10, 2) + (number * 10 + day) * 60_000).toISOString();
    const open = close.map((each, n) => {
      const value = String(100 + ((number * 10 + day + n) % 800));
      changed.set(each['id_lokalId'] ?? '', value);
      return { ...each, [field]: value, virkningFra: at };
    });
    shelf.change(entity, { at, close, open });
    if (isToldAgain) shelf.change(entity, { at, open });
  }
  if (kind === 'total') shelf.renew(entity);
  return changed;
}

/** Rows of today that have the field, each the only one of its id. */
function currentRows(all: readonly TableRow[], field: string, draw: Random): readonly TableRow[] {
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
  const from = draw.integer(0, alone.length - ROWS_A_DAY - 1);
  return alone.slice(from, from + ROWS_A_DAY);
}

/** Rows that do not say what was told of them last, for a person. */
export async function untold(
  { store }: Pick<AddressBench, 'store'>,
  { entity, table, column }: SourceTable,
  changed: Changed,
): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string; value: string }>(
    `select id::text, ${column}::text as value from ${table} where id::text = any($1)`,
    [[...changed.keys()]],
  );
  const stored = new Map(rows.map(({ id, value }) => [id, value]));
  return [...changed].flatMap(([id, value]) =>
    stored.get(id) === value
      ? []
      : [`${entity} ${id} is ${stored.get(id)}, and was told to be ${value}`],
  );
}

export interface RegisterState {
  /** Every row, those of the past too. */
  readonly content: string;
  /** Version, generation, when it was proved, and what it was read from. */
  readonly standing: string;
  /** Some properties, as a question to the store would have them. */
  readonly answers: string;
}

export async function stateOf(bench: AddressBench, register: FileRegister): Promise<RegisterState> {
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
  const { catalogue, clock } = deps;
  const { properties, cadastre } = storeLookups(store, { catalogue, clock });
  const { bfe, flatBfe, foreignBfe } = KNOWN_PROPERTY;
  const { value } = await properties.find([bfe, flatBfe, foreignBfe], null);
  const records = value.map((each) => (each instanceof Failure ? each.message : recordText(each)));
  return [...records, cadastreText(await cadastre.find(bfe))].join('\n');
}

export async function tableLeftovers(bench: Pick<AddressBench, 'column'>): Promise<number> {
  const [count] = await bench.column(`
    select (select count(*) from pg_class where relname ~ '_run_' and relkind = 'r')
      + (select count(*) from sync_run where state = 'running')`);
  return Number(count);
}
