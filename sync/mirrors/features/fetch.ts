/**
 * All pages of a layer, fetched one after another and parsed in threads meanwhile. Only a few pages
 * are in memory at a time.
 */
import { LIMITS } from '../../../src/kernel/limits.ts';
import { pageTask } from '../../../src/wfs/page-task.ts';
import { readAllPages } from '../../../src/wfs/paging.ts';
import type { PageBytes, PageRun } from '../../../src/wfs/paging.ts';
import type { ParsedPage } from '../../../src/wfs/page.ts';
import type { Run, RunCounts, SyncDeps } from '../../deps.ts';
import { inOrder } from '../../in-order.ts';

/**
 * Yields the parsed pages in source order and counts pages, bytes, members and announced totals. Throws
 * when a page fails. A replay reads its own pages; others go into the archive, if any.
 */
export async function* readPages(deps: SyncDeps, run: Run): AsyncGenerator<ParsedPage, void, void> {
  const { wfs, workers, keys, archive } = deps;
  const { layer, counts } = run;
  const kept = run.replay === null ? archive?.begin(run) : undefined;
  const giveUp = new AbortController();
  const signal = AbortSignal.any([run.signal, giveUp.signal]);
  const apiKey = keys[layer.source.host] ?? null;
  const pages =
    run.replay?.read.way === 'wfs'
      ? run.replay.read.pages()
      : readAllPages(layer.source, { client: wfs, apiKey, signal });
  const readAtMs = run.replay?.readAtMs ?? deps.clock.nowMs();
  let whole = false;
  try {
    yield* inOrder(pages, {
      width: LIMITS.syncPagesInParser,
      work: async (page) => {
        countPage(counts, page);
        await kept?.keep(page);
        return await workers.parsePage(pageTask(layer, page.bytes, readAtMs), signal);
      },
      // The page in flight is no longer needed, and its timeout is minutes.
      giveUp: () => giveUp.abort(),
    });
    whole = true;
  } finally {
    await kept?.end(whole ? pages.report() : null);
  }
  noteReport(counts, pages);
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
