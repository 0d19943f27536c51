/**
 * What a migration may hold, so that a service goes on while it is applied and the version before runs on
 * what it makes (docs/adr/0009-expand-and-contract.md). Locks, rewrites and what goes away are judged by
 * squawk; what that does not know stands here.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Migration, MigrationMark } from '../../src/db/migration-files.ts';

/** The last that was made before marks. */
export const LAST_UNMARKED = 65;

const SQUAWK = join(import.meta.dirname, '../../node_modules/squawk-cli/js/bin/squawk');
/** The migrator sets both. */
const BY_MIGRATOR = ['require-lock-timeout', 'require-statement-timeout'];
/** Of style, or told by `ALONE`. */
const STYLE = [
  ...['prefer-robust-stmts', 'prefer-bigint-over-int', 'prefer-bigint-over-smallint'],
  ...['prefer-identity', 'prefer-text-field', 'prefer-timestamptz'],
];
/** What a contract is there for. */
const GOES_AWAY = [
  ...['ban-drop-column', 'ban-drop-table', 'ban-drop-not-null'],
  ...['renaming-column', 'renaming-table'],
];

const ENDS_TRANSACTION = /^(?:begin|commit|rollback|savepoint|set|reset)\b/;
const NEEDS_ALONE = /^(?:with|merge|(?:update|delete from|insert into) (?<table>[\w.]+))\b/;
/** A row a file that was read. */
const FEW_ROWS = /^[a-z]+_source$/;
const HOLDS_LONG =
  /^(?:truncate|lock|vacuum|cluster|refresh|reindex|do|copy)\b|^alter table .*\b(?:set (?:un)?logged|set tablespace|set access method|validate constraint)\b/;
const TAKES_AWAY =
  /^drop (?!index\b)|^alter (?!table\b).*\brename\b|^alter table .*\brename constraint\b/;
const ALONE = [
  /^create (?:unique )?index concurrently if not exists \w+/,
  /^drop index concurrently if exists /,
  /^alter table \S+ validate constraint \w+$/,
  NEEDS_ALONE,
];

/** Sentences by name; none for one that is as it should be. */
export function faultsOf(
  migrations: readonly Migration[],
  earlier: readonly number[],
): ReadonlyMap<string, readonly string[]> {
  const found = squawk(migrations);
  return new Map(
    migrations.map((migration) => [
      migration.name,
      [
        ...faultsOfMark(migration, earlier),
        ...faultsOfStatements(migration.mark, statementsOf(migration.sql)),
        ...(found.get(migration.name) ?? []),
      ],
    ]),
  );
}

function faultsOfMark({ number, sql, mark }: Migration, earlier: readonly number[]): string[] {
  if (mark.kind === 'unbounded') {
    return [
      'Its first line is none of `-- expand`, `-- contract NNNN`, each with `, alone` or not.',
    ];
  }
  const { oldestProgram: oldest } = mark;
  const faults = sql.includes('squawk-ignore') ? ['It keeps squawk from judging it.'] : [];
  if (oldest === 0) return faults;
  if (oldest >= number || oldest < LAST_UNMARKED || !earlier.includes(oldest)) {
    faults.push(`contract ${oldest}: the version before has to run on it, so name an earlier one.`);
  }
  return faults;
}

function faultsOfStatements(mark: MigrationMark, statements: readonly string[]): string[] {
  if (mark.kind === 'alone') {
    const isOne = statements.length === 1 && ALONE.some((form) => form.test(statements[0]!));
    return isOne ? [] : ['alone: it is not one statement that may be, and be done again.'];
  }
  const made = new Set(
    statements.flatMap((text) => /^create table (?:if not exists )?([\w.]+)/.exec(text)?.[1] ?? []),
  );
  return statements.flatMap((text) => {
    const start = `\`${text.slice(0, 60)}\``;
    if (ENDS_TRANSACTION.test(text)) return [`${start} changes the migrator's own limits.`];
    if (/\bconcurrently\b/.test(text))
      return [`${start} cannot be in a transaction: put it alone.`];
    if (HOLDS_LONG.test(text)) return [`${start} holds a table for as long as it takes.`];
    if (mark.oldestProgram === 0 && TAKES_AWAY.test(text)) {
      return [`${start} takes away what the version before has: that is a contract.`];
    }
    const writes = NEEDS_ALONE.exec(text);
    const table = writes?.groups?.['table'] ?? '';
    return writes !== null && !made.has(table) && !FEW_ROWS.test(table)
      ? [`${start} changes rows under locks: put it alone.`]
      : [];
  });
}

/** In lower case on one line each, without comments and without what is quoted. */
export function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((text) => text !== '');
}

interface Finding {
  readonly file: string;
  readonly rule_name: string;
  readonly message: string;
  readonly line: number;
}

/** A tenth of a second a start: once for all that are judged by the same rules. */
function squawk(migrations: readonly Migration[]): ReadonlyMap<string, readonly string[]> {
  const by = Map.groupBy(migrations, ({ mark }) => `${mark.kind} ${mark.oldestProgram > 0}`);
  const found = [...by.values()].flatMap((group) => squawkAlike(group[0]!.mark, group));
  return new Map(
    Object.entries(Object.groupBy(found, ({ file }) => basename(file, '.sql'))).map(
      ([name, findings = []]) => [
        name,
        findings.map(
          ({ line, rule_name, message }) => `line ${line + 1}: ${rule_name}: ${message}`,
        ),
      ],
    ),
  );
}

function squawkAlike(mark: MigrationMark, migrations: readonly Migration[]): Finding[] {
  const left = [...BY_MIGRATOR, ...STYLE, ...(mark.oldestProgram === 0 ? [] : GOES_AWAY)];
  const args = ['--reporter=json', '--pg-version=15.0', `--exclude=${left.join(',')}`];
  const within = mark.kind === 'alone' ? '--no-assume-in-transaction' : '--assume-in-transaction';
  const directory = mkdtempSync(join(tmpdir(), 'geoopslag-squawk-'));
  try {
    for (const { name, sql } of migrations) writeFileSync(join(directory, `${name}.sql`), sql);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [SQUAWK, ...args, within, join(directory, '*.sql')],
      { encoding: 'utf8' },
    );
    if (stdout === '') throw new Error(`squawk: ${stderr}`);
    return JSON.parse(stdout) as Finding[];
  } finally {
    rmSync(directory, { recursive: true });
  }
}
