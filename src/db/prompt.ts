/**
 * For waiting clients: a silent server is abandoned within a second, a slow one, which answers a
 * probe, is waited for.
 */
import { Kysely, PostgresDialect } from 'kysely';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Store } from './connect.ts';
import { StoreSilent } from '../kernel/server-unavailable.ts';
import { within } from '../kernel/within.ts';
import { DB_LIMITS } from './limits.ts';
import type { StoreOutages } from './store-watch.ts';

export class Silence {
  readonly #probe: () => Promise<unknown>;
  #asking: Promise<boolean> | null = null;
  #isSilent = false;
  #heardAtMs = -Infinity;

  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe;
  }

  /** Rejects as for an unavailable server. `isAnswer`: of the server. */
  async during<T>(work: () => Promise<T>, isAnswer = true): Promise<T> {
    if (this.#isSilent) {
      void this.#isHeard();
      throw new StoreSilent();
    }
    const silent = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    const look = async (): Promise<void> => {
      if (!(await this.#isHeard())) silent.reject(new StoreSilent());
      else if (!isOver) wait();
    };
    const wait = (): void => {
      timer = setTimeout(() => void look(), DB_LIMITS.storeUnheardMs);
    };
    let isOver = false;
    wait();
    try {
      const result = await Promise.race([work(), silent.promise]);
      if (isAnswer) this.#heardAtMs = performance.now();
      return result;
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  }

  #isHeard(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Any answer counts: a busy server may be late with the probe. */
  async #ask(): Promise<boolean> {
    const askedAtMs = performance.now();
    const heard = this.#probe().then(
      () => true,
      () => false,
    );
    const answered = await within(DB_LIMITS.storeHearMs, heard, () => false);
    this.#isSilent = !answered && this.#heardAtMs < askedAtMs;
    return !this.#isSilent;
  }
}

/** The embedded store, whose statements wait for each other, is returned as it is. */
export function promptly(store: Store, outages: Pick<StoreOutages, 'failed'>): Store {
  if (store.kind === 'embedded') return store;
  const silent = new Silence(() => store.probe());
  return storeOver(store, {
    connect: () => connectPromptly(store.pool, { silent, outages }),
    end: () => store.pool.end(),
    options: {},
  });
}

/** Its statements go over `lent`. */
export function storeOver(store: Store, lent: PostgresPool): Store {
  const connect = () => lent.connect();
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    const client = await connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  };
  const pool = Object.create(store.pool, {
    connect: { value: connect },
    query: { value: query },
  }) as pg.Pool;
  return { ...store, pool, db: new Kysely({ dialect: new PostgresDialect({ pool: lent }) }) };
}

export interface PromptParts {
  readonly silent: Silence;
  readonly outages: Pick<StoreOutages, 'failed'>;
}

export async function connectPromptly(
  pool: pg.Pool,
  parts: PromptParts,
): Promise<PostgresPoolClient> {
  let connecting: Promise<pg.PoolClient> | null = null;
  try {
    const client = await parts.silent.during(() => (connecting = pool.connect()), false);
    return new PromptClient(client, parts);
  } catch (error) {
    parts.outages.failed(error);
    (connecting as Promise<pg.PoolClient> | null)
      ?.then((late) => late.release())
      .catch(() => undefined);
    throw error;
  }
}

/** Its connection is not reused after a silence. */
class PromptClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #parts: PromptParts;
  #isBroken = false;

  constructor(client: pg.PoolClient, parts: PromptParts) {
    this.#client = client;
    this.#parts = parts;
  }

  readonly query = (async (text: string, values: unknown[]) => {
    try {
      return await this.#parts.silent.during(() => this.#client.query(text, values));
    } catch (error) {
      this.#isBroken ||= !('severity' in (error as object));
      this.#parts.outages.failed(error);
      throw error;
    }
  }) as unknown as PostgresPoolClient['query'];

  release(): void {
    this.#client.release(this.#isBroken);
  }
}
