/** What a migration's first line promises: docs/adr/0009-expand-and-contract.md. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly mark: MigrationMark;
}

export interface MigrationMark {
  /** Programs with this last migration, or a later one, run on the new schema. */
  readonly oldestProgram: number;
  /**
   * `short`: a transaction of statements within `DB_LIMITS.migrationHoldMs`. `alone`: one statement
   * outside a transaction, of any duration. `unbounded`: without a mark.
   */
  readonly kind: 'short' | 'alone' | 'unbounded';
}

const MARK = /^-- (?:expand|contract (?<oldest>\d{4}))(?<alone>, alone)?\n/;

/** Without a mark no earlier program may run on it. */
export function readMark(number: number, sql: string): MigrationMark {
  const found = MARK.exec(sql)?.groups;
  if (found === undefined) return { oldestProgram: number, kind: 'unbounded' };
  return {
    oldestProgram: Number(found['oldest'] ?? 0),
    kind: found['alone'] === undefined ? 'short' : 'alone',
  };
}

/** Throws when two files have one number: the second would never be applied. */
export function readMigrations(directory: string): Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const number = Number(file.slice(0, 4));
      const sql = readFileSync(join(directory, file), 'utf8');
      return { number, name: file.slice(0, -'.sql'.length), sql, mark: readMark(number, sql) };
    });
  for (const [index, { number, name }] of migrations.entries()) {
    if (migrations[index - 1]?.number === number) {
      throw new Error(`Two migrations have the number ${number}: rename ${name}.`);
    }
  }
  return migrations;
}
