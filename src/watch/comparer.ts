/**
 * Compares each transaction in one process at a time, and commits events with the list's position
 * in the log: exactly once.
 */
import { randomBytes } from 'node:crypto';
import { readEvents } from '../changes/events.ts';
import { readTransactions } from '../changes/log.ts';
import type { ChangeSource } from '../changes/source.ts';
import { ChangesGone } from '../changes/types.ts';
import type { ChangeTransaction } from '../changes/types.ts';
import type { Workers } from '../core/tasks/workers.ts';
import type { Store } from '../db/connect.ts';
import { Rounds } from '../kernel/rounds.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { within } from '../kernel/within.ts';
import { Comparison } from './comparison.ts';
import {
  noteFound,
  passLists,
  readCompared,
  readDueLists,
  releaseClaim,
  takeClaim,
} from './compare-store.ts';
import type { DueList } from './compare-store.ts';
import { mayRead, registersOf } from './kinds.ts';
import { WATCH_LIMITS } from './limits.ts';
import { emitChange, readAreas } from './list-store.ts';
import { dataOf } from './payload.ts';
import type { Found } from './payload.ts';

export interface ComparerOptions {
  readonly store: Pick<Store, 'db'>;
  readonly schemas: ChangeSource['schemas'];
  readonly workers: Pick<Workers, 'run'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDue: () => void;
  readonly times?: Partial<Readonly<Record<'pollMs' | 'leaseMs', number>>>;
}

const NOTHING: ReadonlyMap<string, Found> = new Map();

export class Comparer {
  readonly #options: ComparerOptions;
  readonly #source: ChangeSource;
  readonly #owner = `${process.pid}-${randomBytes(6).toString('hex')}`;
  readonly #times: { readonly pollMs: number; readonly leaseMs: number };
  readonly #rounds = new Rounds();
  #isTroubled = false;

  constructor(options: ComparerOptions) {
    const { pollMs, leaseMs } = WATCH_LIMITS;
    this.#options = options;
    this.#source = { db: options.store.db, schemas: options.schemas };
    this.#times = { pollMs, leaseMs, ...options.times };
  }

  start(): void {
    this.#rounds.start(async () => ((await this.#tryStep()) ? 0 : this.#times.pollMs));
  }

  /** Another process continues from the lists' positions. */
  async stop(): Promise<void> {
    await within(WATCH_LIMITS.stopMs, this.#rounds.stop(), () => undefined);
    await releaseClaim(this.#source.db, { owner: this.#owner }).catch(() => undefined);
  }

  async #tryStep(): Promise<boolean> {
    try {
      const isMore = await this.step();
      this.#isTroubled = false;
      return isMore;
    } catch (error) {
      if (this.#rounds.signal.aborted) return false;
      const { log } = this.#options;
      if (!this.#isTroubled)
        log.warn({ component: 'watch', err: error }, 'lists could not be compared');
      this.#isTroubled = true;
      return false;
    }
  }

  /** false: no list waits, or another process has the claim. */
  async step(): Promise<boolean> {
    const { db } = this.#source;
    const compared = await readCompared(db);
    if (compared === null) return false;
    const [next] = await readTransactions(db, { from: compared + 1, limit: 1 });
    if (next === undefined || !(await this.#holdClaim())) return false;
    await this.#compare(next);
    return true;
  }

  async #holdClaim(): Promise<boolean> {
    this.#rounds.signal.throwIfAborted();
    return await takeClaim(this.#source.db, { owner: this.#owner, leaseMs: this.#times.leaseMs });
  }

  async #compare(transaction: ChangeTransaction): Promise<void> {
    const { db } = this.#source;
    const due = await readDueLists(db, transaction.nr);
    const areas = await this.#areasOf(due);
    const concerned = due.filter(
      ({ accountId, kind }) =>
        registersOf(kind).includes(transaction.register) &&
        mayRead(areas.get(accountId), transaction.register),
    );
    const found =
      transaction.events === 0 || concerned.length === 0
        ? NOTHING
        : await this.#find(transaction, concerned);
    const sent = found === null ? concerned : concerned.filter(({ id }) => found.has(id));
    let isDue = false;
    for (const list of sent) {
      isDue = (await this.#tell(list, transaction, found?.get(list.id) ?? null)) || isDue;
    }
    await passLists(
      db,
      transaction.nr,
      due.filter((list) => !sent.includes(list)),
    );
    if (isDue) this.#options.onDue();
  }

  async #areasOf(lists: readonly DueList[]) {
    const accounts = [...new Set(lists.map(({ accountId }) => accountId))];
    return await readAreas(this.#source.db, accounts, this.#options.clock.nowMs());
  }

  /** By list; null: the transaction's rows are no longer kept. */
  async #find(
    { nr, register }: ChangeTransaction,
    lists: readonly DueList[],
  ): Promise<ReadonlyMap<string, Found> | null> {
    const { workers } = this.#options;
    const comparison = new Comparison({ source: this.#source, workers, register, lists });
    try {
      const range = { fromTransaction: nr, toTransaction: nr, registers: [register] };
      for await (const event of readEvents(this.#source, range)) {
        if (!comparison.add(event)) continue;
        await comparison.flush();
        if (!(await this.#holdClaim())) throw new Error('Another process compares lists by now.');
      }
      return await comparison.end();
    } catch (error) {
      if (error instanceof ChangesGone) return null;
      throw error;
    }
  }

  /** Only if the account may still read the register. */
  async #tell(
    list: DueList,
    transaction: ChangeTransaction,
    found: Found | null,
  ): Promise<boolean> {
    const { store, clock } = this.#options;
    const { nr, atMs } = transaction;
    return await store.db.transaction().execute(async (trx) => {
      const areas = await readAreas(trx, [list.accountId], clock.nowMs());
      if (!mayRead(areas.get(list.accountId), transaction.register)) {
        await passLists(trx, nr, [list]);
        return false;
      }
      const events = found?.events ?? null;
      if (!(await noteFound(trx, list, { nr, events, atMs }))) return false;
      const data = dataOf(list, transaction, found);
      return (await emitChange(trx, list.accountId, data, clock.nowMs())) > 0;
    });
  }
}
