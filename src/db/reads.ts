/** Lookups on a replica (D162) within its lag limit and with this process's generation. */
import type { PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { openReplicaPools } from './connect.ts';
import type { ReplicaPools, Store, StoreOptions } from './connect.ts';
import { DB_LIMITS } from './limits.ts';
import { Silence, connectPromptly, storeOver } from './prompt.ts';
import { ReplicaLag } from './replica-lag.ts';
import { logPlaceOf } from './replica-look.ts';
import { NO_OUTAGES } from './store-watch.ts';
import type { StoreOutages } from './store-watch.ts';
import type { ReadsView } from '../kernel/reads-view.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import { Rounds } from '../kernel/rounds.ts';

export interface ReadsOptions {
  readonly url: string;
  readonly limitMs: number;
  readonly store: Store;
  readonly outages: Pick<StoreOutages, 'isUnavailable'>;
  readonly generation: () => number;
  readonly log: StoreOptions['log'];
}

const GENERATION = 'select generation from store_state';

/** Measures the lag from its creation until `close`. */
export class Reads {
  /** Only lookups; its other connections are the primary's. */
  readonly store: Store;
  readonly #options: ReadsOptions;
  readonly #pools: ReplicaPools;
  readonly #silent = new Silence(() => this.#pools.looks.query('select 1'));
  readonly #lag = new ReplicaLag();
  readonly #rounds = new Rounds();
  readonly #reads = { replica: 0, primary: 0 };
  #silentSinceMs: number | null = null;
  #wasUsed = false;

  constructor(options: ReadsOptions) {
    this.#options = options;
    this.#pools = openReplicaPools(options.url, options.log);
    this.store = storeOver(options.store, {
      connect: () => this.#connect(),
      end: () => this.#pools.reads.end(),
      options: {},
    });
    this.#rounds.start(async () => {
      await this.#look();
      return DB_LIMITS.replicaLookEveryMs;
    });
  }

  readonly isUsed = (): boolean => {
    const { limitMs, generation } = this.#options;
    const lagMs = this.#lagMs();
    if (lagMs === null || lagMs > limitMs) return false;
    const wanted = Math.max(generation(), this.#lag.primaryGeneration);
    return (this.#lag.generation ?? -1) >= wanted;
  };

  readonly view = (): ReadsView => ({
    lagMs: this.#lagMs(),
    isUsed: this.isUsed(),
    reads: { ...this.#reads },
  });

  async close(): Promise<void> {
    await this.#rounds.stop();
    await Promise.all([this.store.db.destroy(), this.#pools.looks.end()]);
    if (!this.#pools.reads.ending) await this.#pools.reads.end();
  }

  #lagMs(): number | null {
    return this.#lag.lagMs(performance.now(), this.#silentSinceMs);
  }

  /** The primary first: a replica without lag has reached its position by then. Never rejects. */
  async #look(): Promise<void> {
    const askedMs = performance.now();
    const primary = await logPlaceOf(this.#options.store.apart, GENERATION).catch(() => null);
    this.#silentSinceMs = primary === null ? (this.#silentSinceMs ?? askedMs) : null;
    if (primary !== null) this.#lag.primaryAt(primary, askedMs);
    this.#lag.replicaAt(await logPlaceOf(this.#pools.looks, GENERATION).catch(() => null));
    this.#tell();
  }

  #tell(): void {
    const isUsed = this.isUsed();
    if (isUsed === this.#wasUsed || this.#rounds.signal.aborted) return;
    this.#wasUsed = isUsed;
    const lagMs = this.#lagMs();
    const why = lagMs === null ? 'it does not answer' : `it is ${Math.round(lagMs)} ms behind`;
    this.#options.log.error(
      isUsed
        ? 'reads of the store go to the replica'
        : `reads of the store go to the primary, not the replica: ${why}`,
    );
  }

  async #connect(): Promise<PostgresPoolClient> {
    if (!this.isUsed()) return await this.#primary();
    try {
      const parts = { silent: this.#silent, outages: NO_OUTAGES };
      const client = await connectPromptly(this.#pools.reads, parts);
      this.#reads.replica += 1;
      return new ReplicaClient(client, (error) => this.#failed(error));
    } catch (error) {
      return await this.#failed(error);
    }
  }

  async #failed(error: unknown): Promise<pg.PoolClient> {
    if (isServerUnavailable(error)) this.#lag.replicaAt(null);
    this.#tell();
    // Both are away: the client does not wait for the other too.
    if (this.#options.outages.isUnavailable && isServerUnavailable(error)) throw error;
    return await this.#primary();
  }

  async #primary(): Promise<pg.PoolClient> {
    this.#reads.primary += 1;
    return await this.#options.store.pool.connect();
  }
}

/** Where its first statement fails, as while replay holds a table, the primary is asked. */
class ReplicaClient implements PostgresPoolClient {
  readonly #instead: (error: unknown) => Promise<pg.PoolClient>;
  #client: PostgresPoolClient;
  #isFirst = true;

  constructor(client: PostgresPoolClient, instead: (error: unknown) => Promise<pg.PoolClient>) {
    this.#client = client;
    this.#instead = instead;
  }

  readonly query = (async (text: string, values: unknown[]) => {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    try {
      return await this.#client.query(text, values);
    } catch (error) {
      if (!isFirst) throw error;
      const failed = this.#client;
      this.#client = await this.#instead(error).finally(() => failed.release());
      return await this.#client.query(text, values);
    }
  }) as unknown as PostgresPoolClient['query'];

  release(): void {
    this.#client.release();
  }
}
