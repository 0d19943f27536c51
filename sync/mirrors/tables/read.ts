import { LIMITS } from '../../../src/kernel/limits.ts';
import { cutCsv } from '../../../src/downloads/csv-rows.ts';
import type { CsvHead } from '../../../src/downloads/csv-rows.ts';
import { cutRows } from '../../../src/downloads/json-rows.ts';
import type { RowBatch } from '../../../src/downloads/json-rows.ts';
import type { FetchedFile } from '../../../src/downloads/client.ts';
import type { TableFile } from '../../../src/downloads/listing.ts';
import { openMember } from '../../../src/downloads/unzip.ts';
import type { ParsedTable, UnreadableRow } from '../../../src/downloads/table-task.ts';
import type { TableSource } from '../../../src/layers/source.ts';
import type { SyncDeps } from '../../deps.ts';
import { inOrder } from '../../in-order.ts';
import { keepIssues } from '../../issues.ts';
import { countParsed } from './counts.ts';
import { featureRows } from './features.ts';
import { fill } from './stage.ts';
import type { TableRun, StagedTable } from './table-run.ts';

/** One file, or its pages. Throws on anything incomplete: nothing is verified until it returns. */
export async function readTableFile(
  deps: SyncDeps,
  run: TableRun,
  { staged, file }: { readonly staged: StagedTable; readonly file: TableFile },
): Promise<void> {
  const { source } = staged.plan;
  if (source.kind === 'wfs') {
    const features = featureRows(deps, run, { staged, source });
    await loadRows(deps, run, { staged, ...features });
    await features.prove((batch) => parseBatch(deps, run, { staged, batch }));
    return;
  }
  await using fetched = await fetchTable(deps, run, { source, file });
  run.counts.bytes += fetched.bytes;
  await run.archive?.keepTable({ file, source, fetched });
  if (file === staged.plan.total) staged.read.md5 = fetched.md5;
  using member = await openMember(fetched.path, {
    extension: `.${source.format}`,
    stem: file.name.replace(/\.zip$/i, ''),
    maxBytes: source.maxUnpackedBytes ?? LIMITS.downloadUnpackedBytes,
  });
  const rows = source.format === 'csv' ? cutCsv(member.bytes()) : cutRows(member.bytes());
  await loadRows(deps, run, { staged, rows });
}

async function fetchTable(
  { downloads, keys }: SyncDeps,
  { replay, signal }: TableRun,
  { source, file }: { readonly source: TableSource; readonly file: TableFile },
): Promise<FetchedFile> {
  if (replay !== null) {
    const archived = replay.read.files.find((each) => each.file.name === file.name);
    if (archived === undefined) throw new Error(`${file.name} is not in the archive.`);
    return await archived.fetch();
  }
  if (downloads === undefined) throw new Error('There is nothing to download with.');
  return await downloads.fetch(source, file, { signal, apiKey: keys[source.host] ?? null });
}

type TableBatch = RowBatch & {
  readonly head?: CsvHead;
  readonly firstLine?: number;
  readonly sortedBy?: string;
};

export async function loadRows(
  deps: Pick<SyncDeps, 'store' | 'workers' | 'clock'>,
  run: TableRun,
  {
    staged,
    rows,
    onParsed,
  }: {
    readonly staged: StagedTable;
    readonly rows: AsyncIterable<TableBatch>;
    readonly onParsed?: (parsed: ParsedTable) => void;
  },
): Promise<void> {
  const { store } = deps;
  const { entity } = staged.plan;
  const { isPersonal = false } = run.register.schema;
  const parts = inOrder(rows, {
    width: store.kind === 'embedded' ? 1 : LIMITS.syncTablePieces,
    work: async (batch) => {
      const parsed = await parseBatch(deps, run, { staged, batch });
      await fill(store.db, staged, parsed);
      return parsed;
    },
    giveUp: () => undefined,
  });
  for await (const parsed of parts) {
    countParsed(run, staged, parsed);
    onParsed?.(parsed);
    await keepIssues(store, run, parsed.unreadable.map(issueOf(entity, isPersonal)));
    run.report();
  }
}

async function parseBatch(
  { workers }: Pick<SyncDeps, 'workers'>,
  { replay, startedAtMs, signal }: TableRun,
  { staged, batch }: { readonly staged: StagedTable; readonly batch: TableBatch },
): Promise<ParsedTable> {
  const { table } = staged.plan;
  const nowMs = replay?.readAtMs ?? startedAtMs;
  return await workers.parseTable({ head: null, firstLine: 1, ...batch, table, nowMs }, signal);
}

export function issueOf(entity: string, isPersonal: boolean) {
  return ({ key, reason }: Pick<UnreadableRow, 'key' | 'reason'>) => ({
    // No personal key is recorded with a failure (D117).
    key: isPersonal ? null : key,
    kind: 'unreadable' as const,
    detail: `${entity}: ${reason}`,
  });
}
