/** Publications of a mirror without its upstream: the rows are changed by statements, all else as a sync does it. */
import { sql } from 'kysely';
import type { Store } from '../../src/db/connect.ts';
import type { RegisterId, MirrorId } from '../../src/layers/keys.ts';
import { isRegisterId } from '../../src/layers/keys.ts';
import { keptTables } from '../../src/layers/register-tables.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { logChanges } from '../../sync/changes.ts';
import { openStep } from '../../sync/history.ts';
import { advance, queueUp } from '../../sync/version.ts';

type Trx = Store['db'];

export async function publish(
  { db }: Pick<Store, 'db'>,
  layer: MirrorId,
  statements: readonly string[],
  nowMs = Date.now(),
): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await queueUp(trx);
    const step = await openStep(trx, layer);
    const tables = tablesOf(layer);
    for (const { table, rows } of tables) {
      await sql`create temp table ${sql.table(`before_${table}`)} on commit drop as ${sql.raw(rows)}`.execute(
        trx,
      );
    }
    for (const statement of statements) await sql.raw(statement).execute(trx);
    for (const each of tables) if (step !== null) await keep(trx, layer, { ...each, step });
    const counted = sql`select 0 as row_count, 0 as area_m2`;
    const standing = { nowMs, syncedAtMs: nowMs, heldBy: null, sourceRows: null, counted };
    const publication = await advance(trx, layer, standing);
    const register = isRegisterId(layer) && { register: registerOf(layer) };
    await logChanges(trx, { publication, step, nowMs, ...register });
    return publication.generation;
  });
}

const registerOf = (id: RegisterId) => REGISTERS_CATALOGUE.registers[id];

interface Kept {
  readonly table: string;
  readonly entity: string;
  readonly rows: string;
  readonly history: string;
}

function tablesOf(layer: MirrorId): readonly Kept[] {
  if (!isRegisterId(layer)) {
    const rows = `select key as id, a as row from area a where theme = '${layer}'`;
    return [{ table: 'area', entity: layer, rows, history: 'feature_history' }];
  }
  const { schema } = registerOf(layer);
  return keptTables(schema).map(({ table, entity, key }) => {
    if (key.length > 1) throw new Error(`${table} has no single key.`);
    const rows = `select ${key[0]}::text as id, t as row from ${table} t`;
    return { table, entity, rows, history: schema.beside.history };
  });
}

async function keep(
  trx: Trx,
  layer: MirrorId,
  { table, entity, rows, history, step }: Kept & { readonly step: number },
): Promise<void> {
  const changed = sql`
    from ${sql.table(`before_${table}`)} b full join (${sql.raw(rows)}) n on n.id = b.id
    where b.row::text is distinct from n.row::text`;
  await (
    history === 'feature_history'
      ? sql`
      insert into feature_history (layer, version, key, object_id, standing, adopted, content_hash, attributes, geom)
      select ${layer}, ${step}::bigint, coalesce(b.id, n.id), (b.row).key,
        case when b.id is not null then 'in_force' end, case when b.id is not null then true end,
        (b.row).content_hash, (b.row).attributes, (b.row).geom ${changed}`
      : sql`
      insert into ${sql.table(history)} (version, entity, id, was)
      select ${step}::bigint, ${entity}, coalesce(b.id, n.id), b.row::text ${changed}`
  ).execute(trx);
}
