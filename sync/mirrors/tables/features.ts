/** A WFS feature type as a table: every page of the wanted rows, without geometry. */
import type { RowBatch } from '../../../src/downloads/json-rows.ts';
import type { TableFile } from '../../../src/downloads/listing.ts';
import type { ParsedTable } from '../../../src/downloads/table-task.ts';
import type { FeatureTableSource } from '../../../src/layers/source.ts';
import type { WfsAnswer } from '../../../src/wfs/exchange.ts';
import { UpstreamFailure } from '../../../src/wfs/failure.ts';
import { readAllPages } from '../../../src/wfs/paging.ts';
import type { PageRun } from '../../../src/wfs/paging.ts';
import { RowsRead, proveWhole } from '../../../src/wfs/whole.ts';
import type { SyncDeps } from '../../deps.ts';
import type { StagedTable, TableReplay, TableRun } from './table-run.ts';

/** Everything each time, because nothing shows whether it is new. */
export function featuresOf(
  { typeName }: FeatureTableSource,
  { startedAtMs, replay }: Pick<TableRun, 'startedAtMs' | 'replay'>,
): TableFile {
  const readAtMs = replay?.readAtMs ?? startedAtMs;
  return {
    name: typeName,
    entity: null,
    version: 'wfs',
    generation: Math.floor(readAtMs / 1000),
    generatedAt: null,
    expiresAtMs: null,
    bytes: null,
    md5: null,
    isPart: false,
  };
}

export interface FeatureBatch extends RowBatch {
  readonly sortedBy: string;
}

interface Read {
  readonly staged: StagedTable;
  readonly source: FeatureTableSource;
}

export interface FeatureRows {
  readonly rows: AsyncIterable<FeatureBatch>;
  readonly onParsed: (parsed: ParsedTable) => void;
  /** Throws UpstreamFailure where rows may be missing (whole.ts). */
  readonly prove: (parse: (batch: FeatureBatch) => Promise<ParsedTable>) => Promise<void>;
}

export function featureRows(deps: SyncDeps, run: TableRun, read: Read): FeatureRows {
  const { source, staged } = read;
  const from = { client: deps.wfs, apiKey: deps.keys[source.host] ?? null, signal: run.signal };
  const pages =
    run.replay === null
      ? readAllPages(source, from)
      : archivedPages(run.replay.read, staged.plan.entity);
  const rows = new RowsRead();
  return {
    rows: batchesOf(run, { ...read, pages }),
    onParsed: ({ inOrder }) => inOrder && rows.add(inOrder),
    prove: async (parse) => {
      if (run.replay !== null) return;
      const rowsOf = async ({ bytes, envelope: { members } }: WfsAnswer) => {
        const { inOrder } = await parse({ bytes, members, sortedBy: source.keyProperty });
        if (inOrder === null) throw new Error('A page of features gave no order.');
        return inOrder;
      };
      run.counts.notes.push(...(await proveWhole(source, from, { rows, pages, rowsOf })));
    },
  };
}

/** Throws UpstreamFailure, also when the server has implausibly many rows. */
async function* batchesOf(
  run: TableRun,
  { staged, source, pages }: Read & { readonly pages: PageRun },
): AsyncGenerator<FeatureBatch> {
  const { entity } = staged.plan;
  const { keyProperty: sortedBy } = source;
  let rows = 0;
  for await (const page of pages) {
    const { bytes, envelope } = page;
    const { members, numberMatched } = envelope;
    rows += members;
    checkSize(Math.max(rows, numberMatched ?? 0), source);
    await run.archive?.keepTablePage(entity, page);
    run.counts.bytes += bytes.length;
    if (members > 0) yield { bytes, members, sortedBy };
  }
  const report = pages.report();
  staged.read.announced = announcedBy(pages);
  run.counts.notes.push(...report.notes);
  run.archive?.keepReading({ entity, source, report });
}

function archivedPages({ readings }: TableReplay['read'], entity: string): PageRun {
  const archived = readings.find((each) => each.entity === entity);
  if (archived === undefined) throw new Error(`${entity} is not in the archive.`);
  return archived.pages();
}

function checkSize(rows: number, { typeName, maxRows }: FeatureTableSource): void {
  if (rows <= maxRows) return;
  throw new UpstreamFailure(
    'too_large',
    `${typeName} has ${rows} rows that meet its filter: more than ${maxRows} are never read`,
  );
}

function announcedBy(pages: PageRun): number[] {
  const { hitsBefore, hitsAfter, numberMatched } = pages.report();
  const known = [hitsBefore, hitsAfter, numberMatched].filter((total) => total !== null);
  return [...new Set(known)];
}
