import { LIMITS } from '../../../src/kernel/limits.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import { pageTask } from '../../../src/wfs/page-task.ts';
import { readAllPages } from '../../../src/wfs/paging.ts';
import { RowsRead, proveWhole } from '../../../src/wfs/whole.ts';
import type { PageBytes, PageRun } from '../../../src/wfs/paging.ts';
import type { ParsedPage } from '../../../src/wfs/page.ts';
import type { Run, RunCounts, SyncDeps } from '../../deps.ts';
import { inOrder } from '../../in-order.ts';

/**
 * In source order; counts pages, bytes, members and announced totals. Throws when a page fails. A
 * replay reads its own pages; others go into the archive, if any.
 */
export async function* readPages(deps: SyncDeps, run: Run): AsyncGenerator<ParsedPage, void, void> {
  const { wfs, workers, keys, archive } = deps;
  const { layer, counts } = run;
  const kept = run.replay === null ? archive?.begin(run) : undefined;
  const giveUp = new AbortController();
  const signal = AbortSignal.any([run.signal, giveUp.signal]);
  const from = { client: wfs, apiKey: keys[layer.source.host] ?? null };
  const pages =
    run.replay?.read.way === 'wfs'
      ? run.replay.read.pages()
      : readAllPages(layer.source, { ...from, signal });
  const rows = new RowsRead();
  const readAtMs = run.replay?.readAtMs ?? deps.clock.nowMs();
  let whole = false;
  try {
    const parsed = inOrder(pages, {
      width: LIMITS.syncPagesInParser,
      work: async (page) => {
        countPage(counts, page);
        await kept?.keep(page);
        return await workers.parsePage(taskOf(layer, page, readAtMs), signal);
      },
      // The page in flight is no longer needed, and its timeout is minutes.
      giveUp: () => giveUp.abort(),
    });
    for await (const page of parsed) {
      rows.add(page.rows);
      yield page;
    }
    whole = true;
  } finally {
    await kept?.end(whole ? pages.report() : null);
  }
  noteReport(counts, pages);
  if (run.replay !== null) return;
  const rowsOf = async (answer: Pick<PageBytes, 'bytes'>) =>
    (await workers.parsePage(taskOf(layer, answer, readAtMs), run.signal)).rows;
  const again = { ...from, signal: run.signal };
  counts.notes.push(...(await proveWhole(layer.source, again, { rows, pages, rowsOf })));
}

function taskOf(layer: Layer, { bytes }: Pick<PageBytes, 'bytes'>, readAtMs: number) {
  return { ...pageTask(layer, bytes, readAtMs), mayRepeatIds: true };
}

function noteReport(counts: RunCounts, pages: PageRun): void {
  const { hitsBefore, hitsAfter, notes } = pages.report();
  noteTotal(counts, hitsBefore);
  noteTotal(counts, hitsAfter);
  counts.notes.push(...notes.slice(0, LIMITS.syncNotesKept));
}

function countPage(counts: RunCounts, { bytes, envelope }: PageBytes): void {
  counts.pages += 1;
  counts.bytes += bytes.length;
  counts.received += envelope.members;
  // Servers that do not count past the end report 0 or nothing on an empty page.
  if (envelope.members > 0 || counts.pages === 1) noteTotal(counts, envelope.numberMatched);
}

/** An unknown total is not recorded, least of all as 0. */
function noteTotal(counts: RunCounts, total: number | null): void {
  if (total !== null && !counts.announced.includes(total)) counts.announced.push(total);
}
