import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { ATTRIBUTE_NAMES } from '../layers/attribute-names.ts';
import { isConditionId } from '../layers/conditions/index.ts';
import { isLineKey, isRegisterId } from '../layers/keys.ts';
import type { LayerId, MirrorId, RegisterId } from '../layers/keys.ts';
import { keptTables } from '../layers/register-tables.ts';
import type { RegisterSchema, RegisterTable } from '../layers/register-tables.ts';
import { columnNames } from './names.ts';
import { CHANGE_LIMITS } from './limits.ts';
import { isKeyOf, keyOf, keyText, keyValues, readKey } from './keys.ts';

type Part = RawBuilder<unknown>;

/** In a `with`: times are in UTC where `zone` is selected. */
export const UTC = sql`utc as materialized (select set_config('TimeZone', 'UTC', true) as zone)`;

/** `h` is a row of the history, `t` one in service; rows are JSON. */
export interface EntityRows {
  readonly register: MirrorId;
  readonly entity: string;
  /** The history table and its condition. */
  readonly history: Part;
  readonly isOfHistory: Part;
  readonly historyKey: Part;
  /** A new key is kept without a row. */
  readonly isRow: Part;
  readonly was: Part;
  readonly live: Part;
  readonly isOfLive: Part;
  readonly liveKey: Part;
  readonly now: Part;
  readonly isLive: (key: Part) => Part;
  readonly order: Part;
  readonly place: (key: Part) => Part;
  readonly columns: readonly string[];
  /** Parses a key of the history; null: not a key of this entity. */
  readonly readKey: (text: string) => string | null;
}

export function isStepOf(
  { isOfHistory, historyKey }: Pick<EntityRows, 'isOfHistory' | 'historyKey'>,
  event: string,
): Part {
  return sql`${isOfHistory} and h.version = ${sql.ref(`${event}.version`)}
    and ${historyKey} = ${sql.ref(`${event}.key`)}`;
}

export type Schemas = ReadonlyMap<RegisterId, RegisterSchema>;

/** `store`: columns of the store. `told`: names that callers see. */
export type Naming = 'store' | 'told';

/** Empty: a register of tables without a schema. */
export function entitiesOf(
  register: MirrorId,
  schemas: Schemas,
  naming: Naming = 'store',
): readonly EntityRows[] {
  if (!isRegisterId(register)) return [featureRows(register, naming)];
  const schema = schemas.get(register);
  if (schema === undefined) return [];
  return keptTables(schema).map((table) => tableRows(register, schema, { table, naming }));
}

function tableRows(
  register: MirrorId,
  { beside }: RegisterSchema,
  { table, naming }: { readonly table: RegisterTable; readonly naming: Naming },
): EntityRows {
  const { entity } = table;
  const name = sql.table(table.table);
  const columns = columnNames(table).map(([own, told]) => [sql.id(own), sql.id(told)] as const);
  const told = sql`(select row_to_json(r) from (
    select ${sql.join(columns.map(([own, as]) => sql`(w.x).${own} as ${as}`))}) r)`;
  return {
    ...{ register, entity },
    history: sql`${sql.table(beside.history)} h`,
    isOfHistory: sql`h.layer = ${register} and h.entity = ${entity}`,
    historyKey: sql`h.id`,
    isRow: sql`h.was is not null`,
    was:
      naming === 'store'
        ? sql`row_to_json(h.was::${name})`
        : sql`(select ${told} from (select h.was::${name} as x offset 0) w)`,
    live: sql`${name} t`,
    isOfLive: sql`true`,
    liveKey: keyText(table, 't'),
    now: naming === 'store' ? sql`row_to_json(t)` : sql`(select ${told} from (select t as x) w)`,
    isLive: (key) => isKeyOf(table, 't', key),
    order: keyOf(table, 't'),
    place: (key) => keyValues(table, key),
    columns: columnNames(table).map(([own, as]) => (naming === 'store' ? own : as)),
    readKey: (text) => readKey(table, text),
  };
}

const FEATURE_COLUMNS: Readonly<Record<Naming, readonly string[]>> = {
  store: ['key', 'object_id', 'standing', 'adopted', 'attributes', 'geom'],
  told: ['noegle', 'objekt_id', 'i_kraft', 'vedtaget', 'egenskaber', 'geometri'],
};

/** Exact metres, so that copies are equal. */
const DIGITS = 15;

function featureRows(register: LayerId, naming: Naming): EntityRows {
  const { table, of, isArea } = featureTable(register);
  const row = (alias: string, isOwnId: boolean): Part => {
    const at = (name: string) => sql.ref(`${alias}.${name}`);
    const [id, standing, adopted] = isOwnId
      ? [at('object_id'), at('standing'), at('adopted')]
      : [at('key'), sql`'in_force'`, sql`true`];
    const geometry = sql`ST_AsGeoJSON(${at('geom')}, ${sql.lit(DIGITS)})::json`;
    if (naming === 'store') {
      return sql`json_build_object('key', ${at('key')}, 'object_id', ${id}, 'standing', ${standing},
        'adopted', ${adopted}, 'attributes', ${at('attributes')}, 'geom', ${geometry})`;
    }
    return sql`json_build_object('noegle', ${at('key')}, 'objekt_id', ${id},
      'i_kraft', ${standing} = 'in_force', 'vedtaget', ${adopted}, 'egenskaber', (
        select json_object_agg(coalesce(${JSON.stringify(ATTRIBUTE_NAMES)}::jsonb ->> a.key, a.key), a.value)
        from jsonb_each(${at('attributes')}) a),
      'geometri', ${geometry})`;
  };
  return {
    ...{ register, entity: register },
    history: sql`feature_history h`,
    isOfHistory: sql`h.layer = ${register}`,
    historyKey: sql`h.key`,
    isRow: sql`h.geom is not null`,
    was: row('h', true),
    live: sql`${sql.table(table)} t`,
    isOfLive: sql`${sql.ref(`t.${of}`)} = ${register}`,
    liveKey: sql`t.key`,
    now: row('t', !isArea),
    isLive: (key) => sql`t.key = ${key}`,
    order: sql`t.key`,
    place: (key) => sql`${key}::text`,
    columns: FEATURE_COLUMNS[naming],
    readKey: (text) => text,
  };
}

function featureTable(register: LayerId) {
  if (isConditionId(register)) return { table: 'condition_feature', of: 'layer', isArea: false };
  return isLineKey(register)
    ? { table: 'line_feature', of: 'layer', isArea: false }
    : { table: 'area', of: 'theme', isArea: true };
}

/** Pages follow the size of rows: a municipality is as large as thousands of addresses. */
export function nextSize(
  size: number,
  { chars, most }: { readonly chars: number; readonly most: number },
): number {
  const wanted = Math.floor((size * CHANGE_LIMITS.pageChars) / Math.max(chars, 1));
  return Math.max(1, Math.min(most, 4 * size, wanted));
}
