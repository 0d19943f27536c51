/** Exports a customer's data as NDJSON, and erases them (D201). */
import { existsSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Accounts } from '../../account/accounts.ts';
import type { Account } from '../../account/account-store.ts';
import { TRIAL_ACCOUNT } from '../../account/ids.ts';
import type { Store } from '../../db/connect.ts';
import { decodeRows } from '../../jobs/chunk-rows.ts';
import { readSection } from '../../jobs/files/chunk-output.ts';
import { Failure } from '../../kernel/failures.ts';
import { journalDirectory, journalFiles } from '../../metering/journal.ts';
import { eraseRows, heldRows, rewriteFiles } from '../../ops/personal-data.ts';
import type { ChunkBytes } from '../../ops/personal-data.ts';
import { ndjson } from './done.ts';
import type { Done } from './done.ts';

type Stored = Pick<Store, 'db'>;

export function exportAccount(store: Stored, { id }: Account): Done {
  return { value: null, lines: [], stream: ndjson(readable(store, id)) };
}

async function* readable(store: Stored, accountId: string): AsyncGenerator<object, void> {
  for await (const { table, row, chunk } of heldRows(store, accountId)) {
    yield { table, row: chunk === null ? row : { ...row, ...(await readChunk(chunk)) } };
  }
}

async function readChunk({ input, output, errors }: ChunkBytes): Promise<object> {
  const [answered, refused] = await Promise.all([csvOf(output), csvOf(errors)]);
  return { sent: decodeRows(input), answered, refused };
}

async function csvOf(parts: Buffer | null): Promise<string | null> {
  return parts === null ? null : (await readSection(parts, 'csv')).toString();
}

export interface Erasing {
  readonly store: Stored & Pick<Store, 'kind'>;
  readonly accounts: Accounts;
  readonly dataDir: string;
}

/** Repeatable. Throws for the open trial's account. */
export async function eraseAccount(
  { store, accounts, dataDir }: Erasing,
  account: Account,
): Promise<Done> {
  const { id, closedAtMs } = account;
  if (id === TRIAL_ACCOUNT) {
    throw new Failure('conflict', { error: 'The account of the open trial is no customer.' });
  }
  // First, so that nothing is added meanwhile.
  if (closedAtMs === null) await accounts.close(id);
  const tables = await eraseRows(store, id);
  if (store.kind === 'embedded') await rewriteFiles(store);
  // A running front writes it again.
  rmSync(join(dataDir, 'last-known'), { recursive: true, force: true });
  const journals = await journalsWith(dataDir, id);
  const lines = tables.map(({ table, erased, left, stays }) =>
    [`${table}: ${erased} erased`, ...(left > 0 ? [`${left} stay: ${stays ?? ''}`] : [])].join(
      ', ',
    ),
  );
  return {
    value: { account: id, tables, journals },
    lines: [...lines, ...notes(account, journals)],
  };
}

function notes({ isOperator }: Account, journals: readonly string[]): readonly string[] {
  const acts = 'Its own acts as an operator stay under its name for five years (D159).';
  const open =
    `Journals of DATA_DIR that still name it: ${journals.join(', ')}. They go once their process ` +
    'has written them up, at the latest after a day: erase again then.';
  return [
    ...(isOperator ? [acts] : []),
    ...(journals.length > 0 ? [open] : []),
    'Elsewhere: DATA_DIR of other fronts until they have read the keys again and written up their ' +
      'journals; logs that you keep; files and WAL of the database, and backups (docs/backup.md).',
  ];
}

async function journalsWith(dataDir: string, accountId: string): Promise<readonly string[]> {
  const directory = journalDirectory(dataDir);
  if (!existsSync(directory)) return [];
  const found: string[] = [];
  for (const { name, path } of await journalFiles(directory)) {
    // A file that is gone was folded meanwhile.
    const text = await readFile(path, 'latin1').catch(() => '');
    if (text.includes(accountId)) found.push(name);
  }
  return found;
}
