/** Migrations from 0066 on go beside a service that runs; each rule is tried with a file that breaks it. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMark, readMigrations } from '../../src/db/migration-files.ts';
import type { Migration } from '../../src/db/migration-files.ts';
import { LAST_UNMARKED, faultsOf, statementsOf } from '../house/migration-rules.ts';

const ALL = readMigrations(join(import.meta.dirname, '../../sql/migrations'));
const NUMBERS = ALL.map(({ number }) => number);

/** Each as a file of its own, judged together. */
function judge(texts: readonly string[]): ReadonlyMap<string, string> {
  const migrations = texts.map((sql, index): Migration => ({
    number: 72,
    name: `0072_${index}`,
    sql,
    mark: readMark(72, sql),
  }));
  const faults = faultsOf(migrations, [...NUMBERS, 70]);
  return new Map(migrations.map(({ name, sql }) => [sql, faults.get(name)!.join('\n')]));
}

test('every migration since marks were made is as it should be', () => {
  const marked = ALL.filter(({ number }) => number > LAST_UNMARKED);
  const faults = [...faultsOf(marked, NUMBERS)].filter(([, sentences]) => sentences.length > 0);
  expect(faults).toEqual([]);
});

type Refused = readonly [what: string, sql: string, why?: RegExp | undefined];

/** Under the mark of one that the version before runs on. */
const EXPANDING: readonly Refused[] = [
  ['a type that is rewritten', 'alter table job alter column label type integer;', /changing-col/],
  ['a volatile default', 'alter table job add column at timestamptz default clock_timestamp();'],
  ['a random default', 'alter table job add column id2 uuid default gen_random_uuid();'],
  ['a generated column', 'alter table job add g text generated always as (label) stored;'],
  ['a column nobody fills', 'alter table job add column y text not null;', /adding-required/],
  ['not null by a scan', 'alter table job alter column label set not null;', /not-nullable/],
  ['a check by a scan', 'alter table job add constraint c check (x > 1);', /not-valid/],
  ['a foreign key by a scan', 'alter table job add foreign key (x) references account (id);'],
  ['a unique constraint by building', 'alter table job add constraint u unique (label);'],
  ['an index while writes wait', 'create index job_label on job (label);', /concurrent/],
  ['an index in a transaction', 'create index concurrently if not exists i on job (label);'],
  ['an index gone while all wait', 'drop index job_by_end;', /index-deletion/],
  ['a column that is read', 'alter table job drop column label;', /ban-drop-column/],
  ['a table that is read', 'drop table job;', /ban-drop-table/],
  ['a renamed column', 'alter table job rename column label to name;', /renaming-column/],
  ['a renamed table', 'alter table job rename to jobs;', /renaming-table/],
  ['a function that is called', 'drop function fold_usage;', /contract/],
  ['rows under locks', 'update job set label = null;', /alone/],
  ['rows by a query', 'with a as (select 1) delete from job using a;', /alone/],
  ['a table emptied', 'truncate job;', /holds/],
  ['a table locked', 'lock table job;', /holds/],
  ['a table written anew', 'alter table job set unlogged;', /holds/],
  ['what hides in a block', 'do $$ begin drop table job; end $$;', /holds/],
  ['a constraint checked with others', 'alter table job validate constraint c;', /holds/],
  ['other limits', 'set lock_timeout = 0;', /limits/],
  ['a transaction of its own', 'commit;', /limits/],
  ['what silences the judge', '-- squawk-ignore ban-drop-table\ndrop table job;', /judging/],
];
const REFUSED: readonly Refused[] = [
  ...EXPANDING.map(([what, sql, why]): Refused => [what, `-- expand\n${sql}`, why]),
  ['without a mark', 'alter table job add column note text', /first line/],
  ['with a mark in another place', '\n-- expand\nselect 1', /first line/],
  ['a contract that the version before cannot run on', '-- contract 0074\ndrop table job', /earl/],
  ['a contract of a number that never was', '-- contract 0073\ndrop table job', /earlier/],
  ['a contract of before marks', '-- contract 0064\ndrop table job', /earlier/],
  ['two statements alone', '-- expand, alone\nupdate a set b = 1; update a set c = 1', /one st/],
  ['an index that cannot be begun anew', '-- expand, alone\ncreate index concurrently i on a (b)'],
  ['a table changed alone', '-- expand, alone\nalter table job add column a text', /one st/],
];
const PASSES = [
  '-- expand\nupdate bbr_source set next_change_at = now();',
  '-- expand\nalter table job add column note text;\nalter table job add column n integer not null default 0;',
  '-- expand\ncreate table t (id text primary key); create index t_id on t (id); insert into t values (1);',
  "-- expand\nalter table job add constraint c check (label <> ';') not valid;",
  '-- expand\ncreate or replace function f() returns trigger language plpgsql as $$ begin drop table a; end $$;',
  '-- expand, alone\ncreate index concurrently if not exists job_label on job (label);',
  '-- expand, alone\ndrop index concurrently if exists job_by_end;',
  '-- expand, alone\nalter table job validate constraint c;',
  '-- expand, alone\nupdate job set label = null where label = $$;$$;',
  '-- contract 0070\nalter table job drop column label;\ndrop table layer_history;',
];

describe('a seeded migration that is refused', () => {
  const judged = judge(REFUSED.map(([, sql]) => sql));
  const cases = REFUSED.map(([what, sql, why = /./]) => ({ what, sql, why }));
  test.each(cases)('$what', ({ sql, why }) => {
    expect(judged.get(sql) ?? '').toMatch(why);
  });
});

describe('a migration that passes', () => {
  const judged = judge(PASSES);
  test.each(PASSES)('%s', (sql) => {
    expect(judged.get(sql)).toBe('');
  });
});

test('marks say whom they let run', () => {
  expect(readMark(70, '-- expand\nselect 1')).toEqual({ oldestProgram: 0, kind: 'short' });
  expect(readMark(70, '-- contract 0068, alone\n')).toEqual({ oldestProgram: 68, kind: 'alone' });
  expect(readMark(70, 'select 1')).toEqual({ oldestProgram: 70, kind: 'unbounded' });
});

test('statements are read past what is quoted', () => {
  expect(statementsOf("select ';--'; -- a; b\nselect $x$;$x$ /* ; */;")).toEqual([
    "select ''",
    "select ''",
  ]);
});
