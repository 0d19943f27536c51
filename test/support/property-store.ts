/** Rows of BBR and the cadastre put into a store by hand, as a sync leaves them. */
import { BBR_ENTITIES } from '../../sample/registers/property/buildings.ts';
import { ASSESSMENT_SCHEMA } from '../../src/registers/assessments/tables.ts';
import { PROTECTION_SCHEMA } from '../../src/registers/property/protection/tables.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { TestStore } from './store.ts';

type Value = string | number | null;

/** Ids that can be read in a failed test: `id(7)` ends in 7. */
export function id(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

const LONG_AGO = '2001-01-01T00:00:00Z';

/** A row in force since 2001 unless it says otherwise; with `valid_to` it goes to the rows of the past. */
export async function put(
  { pool }: Pick<TestStore, 'pool'>,
  table: string,
  given: Readonly<Record<string, Value>>,
): Promise<void> {
  const row: Record<string, Value> = { registered_from: LONG_AGO, valid_from: LONG_AGO, ...given };
  const names = Object.keys(row);
  const places = names.map((name, i) =>
    name === 'geom' ? `ST_GeomFromText($${i + 1}, 25832)` : `$${i + 1}`,
  );
  const into = 'valid_to' in row ? `${table}_former` : table;
  await pool.query(
    `insert into ${into} (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
}

const TABLES = {
  bbr: BBR_ENTITIES,
  matrikel: ['Ejerlav', 'SamletFastEjendom', 'Jordstykke'],
  adresser: ['Ejendomsbeliggenhed'],
  vurdering: ASSESSMENT_SCHEMA.tables.map(({ entity }) => entity),
  fbb: PROTECTION_SCHEMA.tables.map(({ entity }) => entity),
} as const;

/** An assessment of a number as a sync leaves it: the newest of its years first. */
export async function putAssessments(
  store: Pick<TestStore, 'pool'>,
  bfe: number,
  values: readonly (readonly [year: number, value: number])[],
): Promise<void> {
  const cells = values.map(([year, value]) => [
    ...[year, year, value, value / 10, null, null, 900, '01', '1', `${year}-10-01`],
    ...[7, '0101', '1'],
  ]);
  await put(store, 'assessment', { bfe, assessments: JSON.stringify(cells), unresolved: 0 });
}

/** Ways a table of a store breaks: it is gone, or a column of it is. */
const BREAKS = {
  table: (table: string) => [
    `alter table ${table} rename to broken`,
    `alter table broken rename to ${table}`,
  ],
  column: (table: string) => [
    `alter table ${table} rename column valid_from to broken`,
    `alter table ${table} rename column broken to valid_from`,
  ],
} as const;
export type Break = keyof typeof BREAKS;

export async function withBroken<T>(
  { pool }: Pick<TestStore, 'pool'>,
  table: string,
  ask: () => Promise<T>,
  way: Break = 'table',
): Promise<T> {
  const [spoil = '', mend = ''] = BREAKS[way](table);
  await pool.query(spoil);
  try {
    return await ask();
  } finally {
    await pool.query(mend);
  }
}

export async function publish(
  { pool }: Pick<TestStore, 'pool'>,
  layer: keyof typeof TABLES,
  {
    syncedAtMs,
    firstMs = syncedAtMs,
    tables = TABLES[layer],
  }: {
    readonly syncedAtMs: number;
    readonly firstMs?: number;
    readonly tables?: readonly string[];
  },
): Promise<void> {
  const [synced, first] = [syncedAtMs, firstMs].map((ms) => new Date(ms).toISOString());
  await pool.query(
    `with stepped as (update store_state set generation = generation + 1 returning generation)
     insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2,
       first_published_at)
     select $1, 1, generation, $2, $2, 1, 0, $3 from stepped
     on conflict (layer) do update set synced_at = excluded.synced_at,
       first_published_at = excluded.first_published_at, version = layer_state.version + 1`,
    [layer, synced, first],
  );
  const { sources } = REGISTERS_CATALOGUE.registers[layer].schema.beside;
  await pool.query(`delete from ${sources}`);
  await pool.query(
    `insert into ${sources} (entity, version, total_generation, total_md5, generation, columns)
     select unnest($1::text[]), '1', 1, '', 1, '[]'`,
    [tables],
  );
}
