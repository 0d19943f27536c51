/**
 * All pages of a layer, fetched one after the other and parsed in threads meanwhile. At most a few
 * pages are in memory at a time, however large the layer is.
 */
import { LIMITS } from '../../../src/kernel/limits.ts';
import { pageTask } from '../../../src/wfs/page-task.ts';
import { readAllPages } from '../../../src/wfs/paging.ts';
import type { PageBytes, PageRun } from '../../../src/wfs/paging.ts';
import type { ParsedPage } from '../../../src/wfs/page.ts';
import type { Run, RunCounts, SyncDeps } from '../../deps.ts';
import { inOrder } from '../../in-order.ts';

/**
 * Yields the parsed pages in the order of the source and counts pages, bytes, members and every
 * total the server announced, before, between and after them. Throws on any page that fails. A replay
 * reads its own pages; anything else is kept in the archive, where there is one.
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
  let whole = false;
  try {
    yield* inOrder(pages, {
      width: LIMITS.syncPagesInParser,
      work: async (page) => {
        countPage(counts, page);
        await kept?.keep(page);
        return await workers.parsePage(pageTask(layer, page.bytes), signal);
      },
      // The page on its way is of no use any more: its time limit is minutes.
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
  // Servers that stop counting behind the last feature say 0 or nothing on an empty page.
  if (envelope.members > 0 || counts.pages === 1) noteTotal(counts, envelope.numberMatched);
}

/** An unknown total is no total: it is not noted, and certainly not as 0. */
function noteTotal(counts: RunCounts, total: number | null): void {
  if (total !== null && !counts.announced.includes(total)) counts.announced.push(total);
}
