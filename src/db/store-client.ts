/**
 * Sets limits after the greeting, since PgBouncer refuses start parameters. A pooler may change
 * sessions at each transaction: there this client keeps the limits itself.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';

/**
 * Beyond the transaction only in our own session: a pooler's greeting has its own process number.
 */
const SETTINGS = `
  select s.pooled, set_config('statement_timeout', $2, s.pooled),
    set_config('idle_in_transaction_session_timeout', $3, s.pooled),
    -- Compiling a spatial statement took 1.4 s of 1.8 s; none of ours runs long enough to regain it.
    set_config('jit', 'off', s.pooled)
  from (select pg_backend_pid() <> $1::integer as pooled) s`;

interface Statement extends pg.QueryConfig {
  readonly query_timeout?: number;
}

export interface StoreClientConfig extends pg.ClientConfig {
  /** All connections are one session (the embedded store). */
  readonly sharesSession?: boolean;
}

interface Wire {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly connection: NodeJS.EventEmitter & {
    readonly stream: Socket;
    connect(portOrPath: number | string, host?: string): void;
    cancel(processID: number | null, secretKey: number | null): void;
  };
}

interface Beginning {
  readonly statementMs: number;
  readonly withinMs: number;
}

/**
 * Prepares a named statement once per connection, because planning takes longer than answering;
 * drops the name where the session may be another's.
 */
export class StoreClient extends pg.Client {
  readonly #sharesSession: boolean;
  #statementMs: number | null = null;
  #isPooled = false;
  #isCancelled = false;

  constructor(config: StoreClientConfig = {}) {
    super(config);
    this.#sharesSession = config.sharesSession ?? false;
  }

  get isPooled(): boolean {
    return this.#isPooled;
  }

  /** Rejects when the server does not answer within `withinMs`. */
  async begin({ statementMs, withinMs }: Beginning): Promise<void> {
    const { processID } = this as unknown as Wire;
    const limits = [statementMs, DB_LIMITS.storeIdleInTransactionMs].map(String);
    const asked = { text: SETTINGS, values: [processID, ...limits], query_timeout: withinMs };
    const { rows } = await this.query<{ pooled: boolean }>(asked);
    this.#isPooled = rows[0]?.pooled === true;
    this.#statementMs = statementMs;
  }

  override query = ((...args: unknown[]) => {
    const done = args.at(-1);
    if (typeof done !== 'function') return this.#ask(args);
    const tell = done as (error: unknown, result?: unknown) => void;
    this.#ask(args.slice(0, -1)).then((result) => tell(null, result), tell);
    return undefined;
  }) as unknown as pg.Client['query'];

  async #ask(args: readonly unknown[]): Promise<unknown> {
    const send = pg.Client.prototype.query.bind(this) as (...args: unknown[]) => Promise<unknown>;
    const asked = this.#isPooled || this.#sharesSession ? unnamed(args) : null;
    const cancelling = asked && this.#isPooled ? this.#cancelAfter(asked[0]) : undefined;
    try {
      return await send(...(asked ?? args));
    } catch (error) {
      // The server ends its statements before our limit, so a timeout means that it is gone; pg
      // would queue the next statement.
      if (error instanceof Error && error.message === 'Query read timeout') this.#leave();
      throw error;
    } finally {
      clearTimeout(cancelling);
      // A late cancellation would hit the next statement.
      if (this.#isCancelled) this.#leave();
    }
  }

  #cancelAfter({ query_timeout: ownMs }: Statement): NodeJS.Timeout | undefined {
    const limitMs = ownMs ?? this.#statementMs;
    return limitMs === null ? undefined : setTimeout(() => this.#cancel(), limitMs);
  }

  #cancel(): void {
    this.#isCancelled = true;
    const { host, port } = this;
    const { processID, secretKey } = this as unknown as Wire;
    const { connection } = new pg.Client({ host, port }) as unknown as Wire;
    connection.on('error', () => undefined);
    connection.on('connect', () => connection.cancel(processID, secretKey));
    connection.stream.setTimeout(DB_LIMITS.storeConnectMs, () => connection.stream.destroy());
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  }

  #leave(): void {
    this.end().catch(() => undefined);
  }
}

function unnamed([first, ...rest]: readonly unknown[]): [Statement, ...unknown[]] {
  if (typeof first === 'string') return [{ text: first }, ...rest];
  const { name: _, ...statement } = first as Statement;
  return [statement, ...rest];
}

/** int8 as a number, refused beyond 2^53; a date as text, without time zone. */
export function valueTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of range: ${text}`);
    return value;
  });
  types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
  return types;
}

/** One more connection, made as the pool's. */
export async function alone<T>(
  pool: pg.Pool,
  work: (client: StoreClient) => Promise<T>,
): Promise<T> {
  // Not copied: the pool's password is not enumerable.
  const { options } = pool;
  const client = new (options.Client as typeof StoreClient)(options);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await (options.onConnect as ((client: pg.Client) => Promise<void>) | undefined)?.(client);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
