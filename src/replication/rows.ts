import type { Entity, KeyColumn } from './entity.ts';
import { RowsAt, withTables } from './rows-at.ts';
import type { Versions } from './rows-at.ts';

export class EntityAt {
  readonly entity: Entity;
  readonly #at: RowsAt;

  constructor(entity: Entity, versions: Versions, tag?: string) {
    this.entity = entity;
    this.#at = new RowsAt(versions, tag);
  }

  /** The start of the statement: call it last. */
  get tables(): readonly string[] {
    return this.#at.tables;
  }

  /** `key` and `data` of rows with the keys `k.key`. */
  byKeys(keys: string): string {
    const { driver, order, isAlive, columns } = this.entity;
    const values = this.#lookup((n, type) => `k.key[${n + 1}]::${type}`);
    const [first = ''] = Object.values(values);
    const rows =
      order === null
        ? this.#at.byId(driver, first)
        : `(select d.* from ${this.#at.by(driver, values)} d
          where ${isAlive} order by ${order} limit 1)`;
    const made = columns.flatMap((each, n) =>
      each.column === null ? [` and ${sqlOf(each)} = k.key[${n + 1}]::${each.type}`] : [],
    );
    return `select k.key, ${this.#data()} from ${keys} k cross join lateral ${rows} d
      ${this.entity.joins(this.#at)} where ${isAlive}${made.join('')}`;
  }

  /** Only of drivers that are part of the entity. */
  byIds(ids: string): string {
    const { driver, isAlive } = this.entity;
    return `select c.id::text as id, ${this.#data()} from ${ids} c
      cross join lateral ${this.#at.byId(driver, 'c.id')} d
      ${this.entity.joins(this.#at)} where ${isAlive} and ${this.#isChosen()}`;
  }

  /** Of rows `c.id`, and of those chosen in their place. */
  keysOf(ids: string): string {
    const { driver, order, isAlive, columns } = this.entity;
    const own = this.#lookup((n) => `o.${columns[n]?.column ?? ''}`);
    const others = order === null ? '' : `o cross join lateral ${this.#at.by(driver, own)} `;
    const isMade = columns.some(({ column }) => column === null);
    const [rows, joins] = isMade ? [others, this.entity.joins(this.#at)] : ['', ''];
    return `select ${this.#key()} as key from ${ids} c
      cross join lateral ${this.#at.byId(driver, 'c.id')} ${rows}d ${joins} where ${isAlive}`;
  }

  /** By id; some rows have no `data`. */
  page(after: string | null): string {
    const { driver, page } = this.entity;
    const ids = this.#at.idsAfter(driver, after, page);
    const rows = this.byIds('c');
    return `${withTables(this.#at.tables, true)} c as materialized (${ids})
      select c.id::text as id, r.data from c left join (${rows}) r on r.id = c.id::text order by c.id, r.data`;
  }

  /** By values of the driver's columns `given`; requires a table `k`. */
  ofColumns(given: readonly number[]): string {
    const values = this.#lookup((n, type) => `(select k.key[${n + 1}]::${type} from k)`);
    const same = Object.entries(values).flatMap(([column, value]) => {
      const n = this.entity.columns.findIndex((each) => each.column === column);
      return given.includes(n) ? [`l.${column} = ${value}`] : [];
    });
    const ids = this.#at.ids(this.entity.driver, same.join(' and '));
    const rows = this.byIds('c');
    const tables = this.#at.tables.map((each) => `${each}, `).join('');
    return `${tables}c as materialized (${ids}) select r.data from (${rows}) r order by r.id, r.data`;
  }

  #key(): string {
    return `array[${this.entity.columns.map((each) => `${sqlOf(each)}::text`).join(', ')}]`;
  }

  /** Values of the driver's own key columns. */
  #lookup(valueOf: (n: number, type: string) => string): Readonly<Record<string, string>> {
    const own = this.entity.columns.flatMap(({ column, type }, n) =>
      column === null ? [] : [[column, valueOf(n, type)] as const],
    );
    return Object.fromEntries(own);
  }

  #data(): string {
    const values = this.entity.attributes.map(({ name, sql }) => `${sql} as "${name}"`);
    return `(select row_to_json(x)::text from (select ${values.join(', ')}) x) as data`;
  }

  #isChosen(): string {
    const { driver, columns, order, isAlive } = this.entity;
    if (order === null) return 'true';
    const own = this.#lookup((n) => `d.${columns[n]?.column ?? ''}`);
    const others = this.#at.by(driver, own);
    return `d.id = (select d.id from ${others} d where ${isAlive} order by ${order} limit 1)`;
  }
}

const sqlOf = ({ column, sql = '' }: KeyColumn): string => (column === null ? sql : `d.${column}`);
