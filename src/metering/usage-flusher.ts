/**
 * Folds its own journals, and those of dead processes in the directory. The position moves in the
 * same transaction.
 */
import type { Store } from '../db/connect.ts';
import { firstValue, oneRow } from '../db/rows.ts';
import { liveAllowances } from '../account/plans.ts';
import type { Plans } from '../account/plans.ts';
import type { Chunk } from './journal-lines.ts';
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Clock } from '../kernel/clock.ts';
import { METERING_LIMITS } from './limits.ts';
import { nextTurn } from '../kernel/turns.ts';
import { journalFiles } from './journal.ts';
import type { Journal, Segment } from './journal.ts';
import { readChunk } from './journal-lines.ts';
import type { MeterLog } from './log.ts';

export async function openJournal(
  store: Pick<Store, 'db'>,
  { journal, instance }: { readonly journal: string; readonly instance: string },
) {
  return await oneRow<{ folded: number }>(store.db)`
    insert into usage_journal as j (journal, instance_id) values (${journal}, ${instance})
    on conflict (journal) do update set folded = j.folded
    returning folded`;
}

export interface Folding {
  readonly journal: string;
  readonly from: number;
  readonly chunk: Chunk;
  readonly atMs: number;
  /** Crossing 80 % or 100 % of a tier's live units is an event. */
  readonly plans: Plans;
}

/**
 * Requires the journal's current position (sql/migrations/0016). False: another process has moved
 * it.
 */
export async function foldChunk(
  store: Pick<Store, 'db'>,
  { journal, from, chunk, atMs, plans }: Folding,
): Promise<boolean> {
  const { tiers, units } = liveAllowances(plans);
  return await firstValue(store.db, false)`
    select fold_usage(${journal}, ${from}, ${chunk.end}, ${chunk.lines}, ${chunk.unreadable},
      ${chunk.text}, ${new Date(atMs).toISOString()}::timestamptz, ${tiers}::text[],
      ${units}::bigint[]) as moved`;
}

export interface UsageFlusherOptions {
  readonly store: Pick<Store, 'db'>;
  readonly directory: string;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly log: MeterLog;
}

type JournalFile = Pick<Segment, 'name' | 'path' | 'sealed'> & { readonly size: number };

export class UsageFlusher {
  readonly #options: UsageFlusherOptions;
  /** The store's are authoritative. */
  readonly #positions = new Map<string, number>();

  constructor(options: UsageFlusherOptions) {
    this.#options = options;
  }

  /** False: some is left for later. */
  async foldOwn(journal: Journal, instance: string): Promise<boolean> {
    for (const segment of journal.segments.slice()) {
      // A file sealed during the wait may have unfolded lines.
      const { sealed } = segment;
      if (!(await this.#fold(segment, instance))) return false;
      if (!sealed) continue;
      journal.drop(segment.name);
      this.#remove(segment);
    }
    return true;
  }

  async instances(): Promise<ReadonlySet<string>> {
    const files = await journalFiles(this.#options.directory);
    return new Set(files.map(({ instance }) => instance));
  }

  async instancesWithLines(): Promise<ReadonlySet<string>> {
    const files = await journalFiles(this.#options.directory);
    const sizes = await Promise.all(files.map(({ path }) => sizeOf(path)));
    return new Set(files.filter((_, index) => sizes[index] !== 0).map(({ instance }) => instance));
  }

  async foldLeft(instance: string): Promise<boolean> {
    const files = await journalFiles(this.#options.directory);
    for (const { name, path } of files.filter((file) => file.instance === instance)) {
      try {
        const segment = { name, path, size: (await stat(path)).size, sealed: true };
        if (!(await this.#fold(segment, instance))) return false;
        this.#remove(segment);
      } catch (error) {
        // Another process has folded and removed it.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    return true;
  }

  async #fold(segment: JournalFile, instance: string): Promise<boolean> {
    const { size } = segment;
    for (let round = 0; round < METERING_LIMITS.usageFoldRounds; round++) {
      const from = await this.#position(segment.name, instance, size);
      if (from >= size) return true;
      const chunk = await readChunk(segment.path, { from, size, maxBytes: foldBytes(size - from) });
      if (chunk.end === from) return true;
      if (chunk.unreadable > 0) {
        this.#options.log.error(
          `usage journal ${segment.name}: ${chunk.unreadable} lines after byte ${from} cannot be read`,
        );
      }
      const moved = await this.#take(segment.name, from, chunk);
      if (moved && chunk.end >= size) return true;
      await nextTurn();
    }
    return false;
  }

  async #take(journal: string, from: number, chunk: Chunk) {
    // The position is unknown until the answer.
    this.#positions.delete(journal);
    const { store, plans, clock } = this.#options;
    const moved = await foldChunk(store, {
      journal,
      from,
      chunk,
      atMs: clock.nowMs(),
      plans,
    });
    if (moved) this.#positions.set(journal, chunk.end);
    return moved;
  }

  async #position(journal: string, instance: string, size: number): Promise<number> {
    const known = this.#positions.get(journal);
    if (known !== undefined) return known;
    if (size === 0) return 0;
    const { folded } = await openJournal(this.#options.store, { journal, instance });
    this.#positions.set(journal, folded);
    return folded;
  }

  #remove({ name, path }: Pick<JournalFile, 'name' | 'path'>): void {
    this.#positions.delete(name);
    rmSync(path, { force: true });
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** A chunk has fixed costs: the more waits, the larger it is. */
function foldBytes(waiting: number): number {
  const { least, most } = METERING_LIMITS.usageFoldBytes;
  return Math.min(most, Math.max(least, Math.ceil(waiting / 8)));
}
