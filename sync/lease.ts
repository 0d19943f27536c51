/**
 * D160: a row of the store with a fencing token, timed by the store's clock. What its holder
 * publishes is checked against it (version.ts).
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { Log } from '../src/kernel/log.ts';
import { isServerUnavailable } from '../src/kernel/server-unavailable.ts';
import { Rounds } from '../src/kernel/rounds.ts';

export interface Lease {
  /** Rises with every taking: the fencing token. */
  readonly epoch: number;
  readonly holder: string;
  readonly signal: AbortSignal;
}

export class LeadLost extends Error {
  constructor(why: string) {
    super(`This process no longer leads the syncs: ${why}.`);
    this.name = 'LeadLost';
  }
}

export interface LeaderOptions {
  readonly store: Pick<Store, 'apart' | 'kind'>;
  readonly log: Log;
  readonly onTaken?: () => void;
  readonly termMs?: number;
}

export class Leader {
  readonly holder = `${hostname()}/${process.pid}/${randomBytes(3).toString('hex')}`;
  readonly #options: LeaderOptions;
  readonly #termMs: number;
  readonly #rounds = new Rounds();
  #lead: { readonly lease: Lease; readonly end: AbortController } | null = null;
  #lapse: NodeJS.Timeout | undefined;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#termMs = options.termMs ?? LIMITS.syncLeaseMs;
  }

  current(): Lease | null {
    return this.#lead?.lease ?? null;
  }

  async start(): Promise<void> {
    this.#rounds.start(async () => this.#termMs / ((await this.#turn()) ? 3 : 12));
    await this.#rounds.first;
  }

  /** Gives the lease back, so that the next need not wait for its end. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    const { lease } = this.#lead ?? {};
    this.#end('it was stopped');
    if (lease !== undefined) await release(this.#options.store, lease).catch(() => undefined);
  }

  /** Whether the store answered. Never rejects. */
  async #turn(): Promise<boolean> {
    const { store, log } = this.#options;
    const lease = this.current();
    // The term counts from before it is asked for: the store's own is never the shorter one.
    const askedMs = performance.now();
    try {
      if (lease === null) await this.#take(askedMs);
      else if (await renew(store, lease, this.#termMs)) this.#extend(askedMs);
      else if (lease === this.current()) this.#end('another has taken over');
      return true;
    } catch (error) {
      if (!isServerUnavailable(error)) log.warn({ err: error }, 'the sync lease failed');
      return false;
    }
  }

  async #take(askedMs: number): Promise<void> {
    const { store, log, onTaken } = this.#options;
    const { holder } = this;
    const epoch = await take(store, holder, this.#termMs);
    if (epoch === null || performance.now() - askedMs > this.#termMs) return;
    const end = new AbortController();
    this.#lead = { lease: { epoch, holder, signal: end.signal }, end };
    this.#extend(askedMs);
    log.info({ holder, epoch }, 'this process leads the syncs');
    if (!this.#rounds.signal.aborted) onTaken?.();
  }

  /**
   * A leader that the store does not hear stops by itself. One session may be busy, and lets nobody
   * in.
   */
  #extend(askedMs: number): void {
    clearTimeout(this.#lapse);
    if (this.#options.store.kind === 'embedded') return;
    const leftMs = Math.max(0, askedMs + this.#termMs - performance.now());
    this.#lapse = setTimeout(() => this.#end('the store did not renew its lease'), leftMs).unref();
  }

  #end(why: string): void {
    clearTimeout(this.#lapse);
    const lead = this.#lead;
    if (lead === null) return;
    this.#lead = null;
    const { holder, epoch } = lead.lease;
    this.#options.log.warn({ holder, epoch }, `this process no longer leads the syncs: ${why}`);
    lead.end.abort(new LeadLost(why));
  }
}

type Asked = LeaderOptions['store'];

async function take({ apart }: Asked, holder: string, termMs: number): Promise<number | null> {
  const { rows } = await apart.query<{ epoch: number }>(
    `insert into sync_lease as l (epoch, holder, since, expires_at)
     values (1, $1, clock_timestamp(), clock_timestamp() + $2 * interval '1 ms')
     on conflict (only_row) do update set epoch = l.epoch + 1, holder = excluded.holder,
       since = clock_timestamp(), expires_at = clock_timestamp() + $2 * interval '1 ms'
     where l.expires_at <= clock_timestamp() or l.holder = excluded.holder
     returning epoch`,
    [holder, termMs],
  );
  return rows[0]?.epoch ?? null;
}

/** Also when its end is past, as long as no other process has taken over. */
async function renew({ apart }: Asked, lease: Lease, termMs: number): Promise<boolean> {
  const { rowCount } = await apart.query(
    `update sync_lease set expires_at = clock_timestamp() + $3 * interval '1 ms'
     where epoch = $1 and holder = $2`,
    [lease.epoch, lease.holder, termMs],
  );
  return rowCount === 1;
}

async function release({ apart }: Asked, { epoch, holder }: Lease): Promise<void> {
  await apart.query(
    'update sync_lease set expires_at = clock_timestamp() where epoch = $1 and holder = $2',
    [epoch, holder],
  );
}

/**
 * The last act of a publication. Throws when another leads; until the commit no one can take over.
 */
export async function holdLease(
  trx: Store['db'],
  { epoch, holder }: Pick<Lease, 'epoch' | 'holder'>,
): Promise<void> {
  const { rows } = await sql`
    select from sync_lease where epoch = ${epoch} and holder = ${holder} for share`.execute(trx);
  if (rows.length === 0) throw new LeadLost('another has taken over');
}
