/** A feature type of a WFS as a table: every page of the rows that are wanted, geometry aside. */
import type { RowBatch } from '../../../src/downloads/json-rows.ts';
import type { TableFile } from '../../../src/downloads/listing.ts';
import type { FeatureTableSource } from '../../../src/layers/source.ts';
import { UpstreamFailure } from '../../../src/wfs/failure.ts';
import { readAllPages } from '../../../src/wfs/paging.ts';
import type { PageRun } from '../../../src/wfs/paging.ts';
import type { SyncDeps } from '../../deps.ts';
import type { StagedTable, TableRun } from './table-run.ts';

/** What a run reads of it, in place of a file: everything, each time, for nothing tells whether it is news. */
export function featuresOf(
  { typeName }: FeatureTableSource,
  { startedAtMs }: Pick<TableRun, 'startedAtMs'>,
): TableFile {
  return {
    name: typeName,
    entity: null,
    version: 'wfs',
    generation: Math.floor(startedAtMs / 1000),
    generatedAt: null,
    expiresAtMs: null,
    bytes: null,
    md5: null,
    isPart: false,
  };
}

/** Pages as pieces of rows. Throws UpstreamFailure, also where the server has more than can be meant. */
export async function* featureRows(
  { wfs, keys }: SyncDeps,
  run: TableRun,
  { staged, source }: { readonly staged: StagedTable; readonly source: FeatureTableSource },
): AsyncGenerator<RowBatch & { readonly isFeatures: true }> {
  const pages = readAllPages(source, {
    client: wfs,
    apiKey: keys[source.host] ?? null,
    signal: run.signal,
  });
  let rows = 0;
  for await (const { bytes, envelope } of pages) {
    const { members, numberMatched } = envelope;
    rows += members;
    checkSize(Math.max(rows, numberMatched ?? 0), source);
    run.counts.bytes += bytes.length;
    if (members > 0) yield { bytes, members, isFeatures: true };
  }
  staged.read.announced = announcedBy(pages);
  run.counts.notes.push(...pages.report().notes);
}

function checkSize(rows: number, { typeName, maxRows }: FeatureTableSource): void {
  if (rows <= maxRows) return;
  throw new UpstreamFailure(
    'too_large',
    `${typeName} has ${rows} rows that meet its filter: more than ${maxRows} are never read`,
  );
}

/** An unknown total is no total. */
function announcedBy(pages: PageRun): number[] {
  const { hitsBefore, hitsAfter, numberMatched } = pages.report();
  const known = [hitsBefore, hitsAfter, numberMatched].filter((total) => total !== null);
  return [...new Set(known)];
}
