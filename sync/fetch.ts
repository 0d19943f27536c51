/**
 * All pages of a layer, fetched one after the other and parsed in threads meanwhile. At most a few
 * pages are in memory at a time, however large the layer is.
 */
import { LIMITS } from '../src/kernel/limits.ts';
import { pageTask } from '../src/wfs/page-task.ts';
import { readAllPages } from '../src/wfs/paging.ts';
import type { PageBytes, PageRun } from '../src/wfs/paging.ts';
import type { ParsedPage } from '../src/wfs/page.ts';
import type { Run, RunCounts, SyncDeps } from './deps.ts';

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

/**
 * Runs `work` on what comes in, `width` at a time and the next item already on its way, and yields
 * the results in the order of the source. Whatever fails ends it; nothing is left running unheard.
 */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  options: {
    readonly width: number;
    readonly work: (item: T) => Promise<R>;
    readonly giveUp: () => void;
  },
): AsyncGenerator<R, void, void> {
  const { width, work, giveUp } = options;
  const items = source[Symbol.asyncIterator]();
  const window: Promise<R>[] = [];
  let incoming = heard(items.next());
  try {
    for (let next = await incoming; next.done !== true; next = await incoming) {
      window.push(heard(work(next.value)));
      incoming = heard(items.next());
      const oldest = window.length < width ? undefined : window.shift();
      if (oldest !== undefined) yield await oldest;
    }
    while (window.length > 0) {
      const oldest = window.shift();
      if (oldest !== undefined) yield await oldest;
    }
  } finally {
    giveUp();
    await Promise.allSettled([incoming, ...window]);
    await items.return?.();
  }
}

/** A failure behind the first in line is looked at later: until then it is not unhandled. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
