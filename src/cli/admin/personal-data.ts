/** A customer's data: all of it as NDJSON, and its erasure (D201). */
import { existsSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Account, Accounts } from '../../account/accounts.ts';
import { TRIAL_ACCOUNT } from '../../account/ids.ts';
import type { Store } from '../../db/connect.ts';
import { decodeRows } from '../../jobs/chunk-rows.ts';
import { readSection } from '../../jobs/files/chunk-output.ts';
import { Failure } from '../../kernel/failures.ts';
import { journalDirectory, journalFiles } from '../../metering/journal.ts';
import { ndjson } from './done.ts';
import type { Done } from './done.ts';
import { HOLDINGS } from './holdings.ts';
import type { Holding } from './holdings.ts';

type Stored = Pick<Store, 'db'>;

/** Rows of a statement: a table is held for a moment only. */
const STEP_ROWS = 2_000;

export function exportAccount(store: Stored, { id }: Account): Done {
  return { value: null, lines: [], stream: ndjson(rowsOf(store, id)) };
}

async function* rowsOf(store: Stored, accountId: string): AsyncGenerator<object, void> {
  for (const { table, of, hidden = [] } of HOLDINGS) {
    let after: string | null = null;
    for (;;) {
      const { rows } = await sql<{ place: string; row: object }>`
        select ctid::text as place, to_jsonb(t) - ${[...hidden]}::text[] as row
        from ${sql.table(table)} t
        where ${of(accountId)} and (${after}::tid is null or ctid > ${after}::tid)
        order by ctid limit ${table === 'job_chunk' ? 1 : STEP_ROWS}`.execute(store.db);
      for (const { row } of rows) yield { table, row };
      const [last] = rows.slice(-1);
      if (last === undefined) break;
      if (table === 'job_chunk') yield await bytesOfChunk(store, last.place);
      after = last.place;
    }
  }
}

/** What a chunk was sent, and what was answered. */
async function bytesOfChunk({ db }: Stored, place: string): Promise<object> {
  const { rows } = await sql<{
    job_id: string;
    chunk: number;
    input: Buffer;
    output: Buffer | null;
    errors: Buffer | null;
  }>`select job_id, chunk, input, output, errors from job_chunk where ctid = ${place}::tid`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) return { table: 'job_chunk', row: null };
  const { job_id, chunk, input, output, errors } = found;
  const [answered, refused] = await Promise.all([output, errors].map(csvOf));
  return { table: 'job_chunk', row: { job_id, chunk, sent: decodeRows(input), answered, refused } };
}

async function csvOf(parts: Buffer | null): Promise<string | null> {
  return parts === null ? null : (await readSection(parts, 'csv')).toString();
}

export interface Erasing {
  readonly store: Stored;
  readonly accounts: Accounts;
  readonly dataDir: string;
}

/** May be repeated: what a first attempt left goes then. Throws a Failure for the open trial's account. */
export async function eraseAccount(
  { store, accounts, dataDir }: Erasing,
  account: Account,
): Promise<Done> {
  if (account.id === TRIAL_ACCOUNT) {
    throw new Failure('conflict', { error: 'The account of the open trial is no customer.' });
  }
  // Its keys and sessions end first, so that nothing is added meanwhile.
  if (account.closedAtMs === null) await accounts.close(account.id);
  const done: { table: string; erased: number; left: number; stays: string | null }[] = [];
  for (const holding of HOLDINGS) {
    const erased = await eraseRows(store, holding, account.id);
    const left = await countRows(store, holding, account.id);
    done.push({ table: holding.table, erased, left, stays: holding.stays ?? null });
  }
  // Written anew by a front that runs.
  rmSync(join(dataDir, 'last-known'), { recursive: true, force: true });
  const journals = await journalsWith(dataDir, account.id);
  const lines = done.map(({ table, erased, left, stays }) =>
    [`${table}: ${erased} erased`, ...(left > 0 ? [`${left} stay: ${stays ?? ''}`] : [])].join(
      ', ',
    ),
  );
  return {
    value: { account: account.id, tables: done, journals },
    lines: [...lines, ...notes(account, journals)],
  };
}

function notes({ isOperator }: Account, journals: readonly string[]): readonly string[] {
  const acts = 'Its own acts as an operator stay under its name for five years (D159).';
  const open = `Journals of DATA_DIR that still name it: ${journals.join(', ')}. They go once their process has written them up, at the latest after a day: erase again then.`;
  return [
    ...(isOperator ? [acts] : []),
    ...(journals.length > 0 ? [open] : []),
    'Elsewhere: DATA_DIR/last-known of other fronts until they have read the keys again; logs that you keep; backups (docs/backup.md).',
  ];
}

async function eraseRows({ db }: Stored, holding: Holding, accountId: string): Promise<number> {
  const { erase, of } = holding;
  if (erase === null) return 0;
  const table = sql.table(holding.table);
  const statement =
    erase === 'go'
      ? sql`delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${of(accountId)} limit ${STEP_ROWS}))`
      : sql`update ${table} set ${erase.set} where ctid = any(array(
          select ctid from ${table} where ${of(accountId)} and ${erase.isLeft} limit ${STEP_ROWS}))`;
  let erased = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await statement.execute(db);
    erased += Number(numAffectedRows);
    if (numAffectedRows < STEP_ROWS) return erased;
  }
}

async function countRows({ db }: Stored, { table, of }: Holding, account: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from ${sql.table(table)} where ${of(account)}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function journalsWith(dataDir: string, accountId: string): Promise<readonly string[]> {
  const directory = journalDirectory(dataDir);
  if (!existsSync(directory)) return [];
  const found: string[] = [];
  for (const { name, path } of await journalFiles(directory)) {
    // One that is gone meanwhile was folded.
    const text = await readFile(path, 'latin1').catch(() => '');
    if (text.includes(accountId)) found.push(name);
  }
  return found;
}
