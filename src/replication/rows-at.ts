/**
 * The row after a transaction: the one that the key's next publication replaced, else the one in
 * service. Later publications do not change it (D225, D230).
 */
import type { MirrorId } from '../layers/keys.ts';

export interface Mirrored {
  readonly mirror: MirrorId;
  /** Name in the change log. */
  readonly entity: string;
  readonly table: string;
  readonly history: string;
  readonly id: 'uuid' | 'bigint' | 'text';
}

/** By mirror; absent: not mirrored yet. */
export type Versions = ReadonlyMap<MirrorId, number>;

/** The log's code of an unreadable row (D143), which has not ended. */
const UNREAD = 4;

const FEATURE = `key as id, attributes->>'code' as code, attributes->>'name' as name, geom`;
const isArea = ({ table }: Mirrored): boolean => table === 'area';

/** `tag` separates the names of two in one statement. */
export class RowsAt {
  readonly #versions: Versions;
  readonly #tag: string;
  readonly #later = new Map<string, string>();

  constructor(versions: Versions, tag = 'at') {
    this.#versions = versions;
    this.#tag = tag;
  }

  /** The start of the statement: call it last. */
  get tables(): readonly string[] {
    return [...this.#later].map(([name, text]) => `${name} as materialized (${text})`);
  }

  /** An item of `from`. `id` names no table `e`, `h`, `l`, `q`, `s` or `u`. */
  byId(of: Mirrored, id: string): string {
    const version = this.#versions.get(of.mirror);
    if (version === undefined) {
      return `(select ${isArea(of) ? FEATURE : 'l.*'} from ${of.table} l where false)`;
    }
    const kept = isArea(of) ? 'h.attributes, h.geom' : 'h.was';
    const [live, had] = isArea(of) ? ['key', 'attributes'] : ['id', 'was'];
    const own = isArea(of) ? `l.theme = '${of.mirror}' and ` : '';
    const from = `change_event e left join ${of.history} h on ${isKept(of, 'e.key')}
      where ${isOf(of)} and e.key = (${id})::text`;
    // An unreadable row that stays in service leaves no row in the history.
    const rows = `(select 1) z
      left join lateral (
        select h.version, ${kept} from ${from} and e.version > ${version} and h.version is not null
        order by e.version limit 1) s on true
      left join ${of.table} l on ${own}l.${live} = ${id} and s.version is null
      left join lateral (
        select ${kept} from (
          select e.operation, ${kept} from ${from} and e.version <= ${version}
            and l.${live} is null and s.${had} is null
          order by e.version desc limit 1) h
        where h.operation = ${UNREAD}) u on true`;
    if (isArea(of)) {
      return `(select ${id} as id, q.a->>'code' as code, q.a->>'name' as name, q.geom from (
        select coalesce(l.attributes, s.attributes, u.attributes) as a,
          coalesce(l.geom, s.geom, u.geom) as geom from ${rows}) q where q.a is not null)`;
    }
    const row = `case when l.id is not null then l else coalesce(s.was, u.was)::${of.table} end`;
    return `(select (q.r).* from (select ${row} as r from ${rows} offset 0) q where (q.r).id is not null)`;
  }

  /** An item of `from`. */
  by(of: Mirrored, values: Readonly<Record<string, string>>): string {
    if (!this.#versions.has(of.mirror)) return this.byId(of, 'null');
    const same = (alias: string) =>
      Object.entries(values)
        .map(([column, value]) => `${alias}${column} = ${value}`)
        .join(' and ');
    const ids = this.ids(of, same('l.'));
    return `(select w.* from (${ids}) i cross join lateral ${this.byId(of, 'i.id')} w where ${same('w.')})`;
  }

  /** Includes rows replaced since by later transactions. */
  ids(of: Mirrored, where: string, column = 'id'): string {
    const since = `select l.${column} from ${this.#laterOf(of)} l where ${where}`;
    return `select l.${column} from ${this.#liveOf(of)} l where ${where} union ${since}`;
  }

  /** null: from the first. */
  idsAfter(of: Mirrored, after: string | null, limit: number): string {
    const next = (from: string) => `(select l.id from ${from} l
      where ${after === null ? 'true' : `l.id > '${after}'::${of.id}`} order by l.id limit ${limit})`;
    // The history has a row for each change of a key.
    const later = `(select distinct id from ${this.#laterOf(of)})`;
    return `select id from (${next(this.#liveOf(of))} union ${next(later)}) i order by id limit ${limit}`;
  }

  #liveOf(of: Mirrored): string {
    return isArea(of) ? `(select ${FEATURE} from area where theme = '${of.mirror}')` : of.table;
  }

  #laterOf(of: Mirrored): string {
    const name = `later_${of.table}_${this.#tag}`;
    const version = this.#versions.get(of.mirror);
    const was = isArea(of)
      ? `(select ${FEATURE} from (select h.*) f)`
      : `(select (h.was::${of.table}).*)`;
    this.#later.set(
      name,
      `select w.* from change_event e join ${of.history} h on ${isKept(of, 'e.key')} cross join lateral ${was} w
      where ${isOf(of)} and ${hadRow(of)} and ${version === undefined ? 'true' : `(e.version > ${version} or e.operation = ${UNREAD})`}`,
    );
    return name;
  }
}

export function isOf({ mirror, entity }: Mirrored): string {
  return `e.layer = '${mirror}' and e.entity = '${entity}'`;
}

/** For a row `h` of the history and an event `e`. */
export function isKept(of: Mirrored, key: string): string {
  const same = `h.layer = '${of.mirror}' and h.version = e.version`;
  return isArea(of)
    ? `${same} and h.key = ${key}`
    : `${same} and h.entity = '${of.entity}' and h.id = ${key}`;
}

function hadRow(of: Mirrored): string {
  return isArea(of) ? 'h.attributes is not null' : 'h.was is not null';
}

/** `more`: further tables follow. */
export function withTables(tables: readonly string[], more = false): string {
  const ends = more ? ',' : '';
  if (tables.length === 0) return more ? 'with' : '';
  return `with ${tables.join(', ')}${ends}`;
}
