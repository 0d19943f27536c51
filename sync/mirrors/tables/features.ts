/** A WFS feature type as a table: every page of the wanted rows, without geometry. */
import type { RowBatch } from '../../../src/downloads/json-rows.ts';
import type { TableFile } from '../../../src/downloads/listing.ts';
import type { FeatureTableSource } from '../../../src/layers/source.ts';
import { UpstreamFailure } from '../../../src/wfs/failure.ts';
import { readAllPages } from '../../../src/wfs/paging.ts';
import type { PageRun } from '../../../src/wfs/paging.ts';
import type { SyncDeps } from '../../deps.ts';
import type { StagedTable, TableRun } from './table-run.ts';

/**
 * What a run reads instead of a file: everything each time, because nothing shows whether it is
 * new.
 */
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

/** Pages as pieces of rows. Throws UpstreamFailure, also when the server has implausibly many. */
export async function* featureRows(
  deps: SyncDeps,
  run: TableRun,
  { staged, source }: { readonly staged: StagedTable; readonly source: FeatureTableSource },
): AsyncGenerator<RowBatch & { readonly isFeatures: true }> {
  const { entity } = staged.plan;
  const pages = pagesOf(deps, run, { entity, source });
  let rows = 0;
  for await (const page of pages) {
    const { bytes, envelope } = page;
    const { members, numberMatched } = envelope;
    rows += members;
    checkSize(Math.max(rows, numberMatched ?? 0), source);
    await run.archive?.keepTablePage(entity, page);
    run.counts.bytes += bytes.length;
    if (members > 0) yield { bytes, members, isFeatures: true };
  }
  const report = pages.report();
  staged.read.announced = announcedBy(pages);
  run.counts.notes.push(...report.notes);
  run.archive?.keepReading({ entity, source, report });
}

/** From the server, or from an earlier reading. */
function pagesOf(
  { wfs, keys }: SyncDeps,
  { replay, signal }: TableRun,
  { entity, source }: { readonly entity: string; readonly source: FeatureTableSource },
): PageRun {
  if (replay === null) {
    return readAllPages(source, { client: wfs, apiKey: keys[source.host] ?? null, signal });
  }
  const archived = replay.read.readings.find((each) => each.entity === entity);
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
