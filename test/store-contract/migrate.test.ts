import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { describeSchema } from '../../src/db/describe.ts';
import { migrate, migrateWhenUp } from '../../src/db/migrate.ts';
import { renderSql } from '../../src/db/render-schema.ts';
import { testFolder } from '../support/opened.ts';
import { openTestStore, sharedStore } from '../support/store.ts';
import { ROOT, readText } from '../support/repository.ts';

const APPLIED = readdirSync(join(ROOT, 'sql/migrations')).sort();
/** Numbers may be left out: what counts is the last. */
const LAST = Number(APPLIED.at(-1)?.slice(0, 4));
const next = (n: number, name: string) => `${String(LAST + n).padStart(4, '0')}_${name}`;
let directory: string;
const store = await sharedStore();
beforeEach(() => {
  directory = testFolder('migrations');
  // The store has these already: they are never run again, whatever they say.
  for (const file of APPLIED) writeFileSync(join(directory, file), 'select 1 / 0');
});

function write(name: string, text: string): void {
  writeFileSync(join(directory, `${name}.sql`), text);
}

const names = async () =>
  (await store.pool.query<{ name: string }>('select name from schema_migration order by number'))
    .rows;

describe('migrating', () => {
  test('a second time does nothing', async () => {
    expect(await migrate(store)).toEqual([]);
  });

  // The embedded store has one session: there a lock is nobody else's.
  test.skipIf(inject('storeTemplate').kind === 'embedded')(
    'waits for a list of migrations that is locked longer than a statement may take',
    async () => {
      const client = await store.pool.connect();
      await client.query('begin; lock table schema_migration in access exclusive mode');
      const hasty = await store.another({ timeouts: { statementMs: 100 } });
      const told: string[] = [];
      const tell = (_about: object, message: string): void => void told.push(message);
      const log = { info: tell, warn: tell, error: tell };
      const waiting = migrateWhenUp(hasty, { log, signal: new AbortController().signal });
      await expect.poll(() => told).toHaveLength(1);
      await client.query('commit');
      client.release();
      await waiting;
      await hasty.close();
    },
  );

  test('several programs at once applies each file exactly once', async () => {
    write(next(1, 'one'), 'create table one (id integer); insert into one values (1);');
    write(next(2, 'two'), 'create table two (id integer); insert into two values (1);');
    const others = await Promise.all([store.another(), store.another(), store.another()]);
    const applied = await Promise.all(
      [store, ...others].map((handle) => migrate(handle, directory)),
    );
    await Promise.all(others.map((other) => other.close()));
    expect(applied.flat().sort()).toEqual([next(1, 'one'), next(2, 'two')]);
    const { rows } = await store.pool.query(
      'select (select count(*) from one) as one, (select count(*) from two) as two',
    );
    expect(rows).toEqual([{ one: 1, two: 1 }]);
  });

  test('a file with a mistake leaves nothing behind, and its repair is applied', async () => {
    for (const number of [next(1, 'one'), next(2, 'two')]) write(number, '');
    write(next(3, 'three'), 'create table three (id integer); select 1 / 0;');
    await expect(migrate(store, directory)).rejects.toThrow(
      `Migration ${next(3, 'three')} failed: division`,
    );
    write(next(3, 'three'), 'create table three (id integer);');
    expect(await migrate(store, directory)).toEqual([next(3, 'three')]);
    expect((await names()).at(-1)).toEqual({ name: next(3, 'three') });
  });

  test('two files with one number are refused: the second would never be applied', async () => {
    for (const name of ['one', 'two']) write(next(9, name), '');
    await expect(migrate(store, directory)).rejects.toThrow(
      `Two migrations have the number ${LAST + 9}`,
    );
  });

  test('a database that is ahead of the program is refused', async () => {
    await expect(migrate(store)).rejects.toThrow(
      `The database has migration ${LAST + 3}, this program only ${LAST}`,
    );
    // As a program before marks leaves it.
    await store.pool.query('delete from schema_migration where number > $1', [LAST]);
    await store.pool.query('insert into schema_migration (number, name) values ($1, $2)', [
      LAST + 1,
      'unmarked',
    ]);
    await expect(migrate(store)).rejects.toThrow('start a newer program');
    await store.pool.query('delete from schema_migration where number > $1', [LAST]);
  });

  test('one that is ahead by marked migrations is accepted, back to the program they name', async () => {
    write(next(1, 'column'), '-- expand\nalter table job add column seeded text;');
    write(
      next(2, 'index'),
      '-- expand, alone\ncreate index concurrently if not exists job_seeded on job (seeded);',
    );
    write(next(3, 'gone'), `-- contract ${next(1, '').slice(0, 4)}\ndrop table self_audit_hour;`);
    expect(await migrate(store, directory)).toHaveLength(3);

    const ahead: (readonly number[])[] = [];
    const asBefore = async (name: string) => {
      rmSync(join(directory, `${name}.sql`));
      return migrate(store, directory, (numbers) => ahead.push(numbers));
    };
    expect(await asBefore(next(3, 'gone'))).toEqual([]);
    expect(await asBefore(next(2, 'index'))).toEqual([]);
    expect(ahead).toEqual([[LAST + 3], [LAST + 2, LAST + 3]]);
    await expect(asBefore(next(1, 'column'))).rejects.toThrow('start a newer program');
  });
});

test('what is generated from the schema is what `npm run gen` would write now', async () => {
  const fresh = await openTestStore();
  const schema = await describeSchema(fresh);
  await fresh.close();
  expect(renderSql(schema), 'sql/schema.sql: run `npm run gen`').toBe(readText('sql/schema.sql'));
});

test('rows of the history from before 0073 get its columns, and get them once', async () => {
  const { pool } = store;
  await pool.query(`insert into layer_history (layer, version, synced_at, published_at, row_count)
    values ('adresser', 1, now(), now(), 1)`);
  const times = `'2018-05-03T16:58:34Z'::timestamptz, '2005-01-01T12:00:00.5Z'::timestamptz`;
  const id = '00000000-0000-4000-8000-0000000000b1';
  const before = {
    Adressepunkt: `row('${id}'::uuid, 8::smallint, ST_SetSRID(ST_MakePoint(1, 2), 25832), ${times})`,
    Husnummer: `row('${id}'::uuid, 3::smallint, null, '12A', 'En "gade", 12A', null, null, '0093', 5, null, ${times})`,
    Adresse: `row('${id}'::uuid, 3::smallint, '${id}'::uuid, null, null, null, ${times})`,
  };
  for (const [entity, row] of Object.entries(before)) {
    await pool.query(
      `insert into address_history (version, entity, id, was) values (1, $1, $2, ${row}::text)`,
      [entity, id],
    );
  }
  const text = readText('sql/migrations/0074_history_rows.sql');
  await pool.query(text);
  await pool.query(text);
  const wasOf = async (entity: string, table: string) => {
    const { rows } = await pool.query<Record<string, unknown>>(
      `select (was::${table}).* from address_history where entity = $1`,
      [entity],
    );
    return rows[0];
  };
  const point = { id, status: 8, source: null, surveyed: null, accuracy: null };
  expect(await wasOf('Adressepunkt', 'address_point')).toMatchObject(point);
  const house = { house_number: '12A', designation: 'En "gade", 12A', road_point_id: null };
  expect(await wasOf('Husnummer', 'address_access')).toMatchObject(house);
  expect(await wasOf('Adresse', 'address_unit')).toMatchObject({ id, floor: null });
});
