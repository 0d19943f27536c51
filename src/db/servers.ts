/**
 * Finds the wanted one of several servers (D161) on connecting. Does not resolve split brain: use
 * the failover tool's fencing (docs/operations-connections.md).
 */
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import type { DatabaseAddress, DatabaseServer, Wanted } from '../kernel/database-address.ts';
import { isReadOnly, isServerUnavailable } from '../kernel/server-unavailable.ts';

const IN_RECOVERY = 'select pg_is_in_recovery() as "isStandby"';

interface Asked {
  query(text: string): Promise<{ readonly rows: readonly { readonly isStandby: boolean }[] }>;
}

export class Servers {
  readonly #address: DatabaseAddress;
  #found: Promise<DatabaseServer> | null = null;

  constructor(address: DatabaseAddress) {
    this.#address = address;
  }

  /** Rejects with a connection exception where no server matches. */
  find(): Promise<DatabaseServer> {
    if (this.#found !== null) return this.#found;
    const found = this.#look();
    this.#found = found;
    found.catch(() => this.#forget(found));
    return found;
  }

  lost(): void {
    this.#found = null;
  }

  async isWanted(client: Asked): Promise<boolean> {
    const { wanted } = this.#address;
    if (wanted === 'any') return true;
    const { rows } = await client.query(IN_RECOVERY);
    return rows[0]?.isStandby === (wanted === 'standby');
  }

  get error(): Error {
    const { servers, wanted } = this.#address;
    return refusal(wanted, servers.length);
  }

  #forget(found: Promise<DatabaseServer>): void {
    if (this.#found === found) this.#found = null;
  }

  async #look(): Promise<DatabaseServer> {
    const { servers } = this.#address;
    const [only] = servers;
    if (only !== undefined && servers.length === 1) return only;
    try {
      return await Promise.any(servers.map((server) => this.#tried(server)));
    } catch (cause) {
      throw Object.assign(this.error, { cause });
    }
  }

  async #tried(server: DatabaseServer): Promise<DatabaseServer> {
    const limitMs = DB_LIMITS.storeServerMs;
    const client = new pg.Client({
      connectionString: this.#address.url,
      connectionTimeoutMillis: limitMs,
      query_timeout: limitMs,
    });
    Object.assign(client, server);
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (await this.isWanted(client)) return server;
      throw this.error;
    } finally {
      client.end().catch(() => undefined);
    }
  }
}

/** SQLSTATE 08001, as while a server is down. */
function refusal(wanted: Wanted, count: number): Error {
  const what = { any: 'answers', primary: 'is a primary', standby: 'is a standby' }[wanted];
  const error = new Error(`None of ${count} database servers ${what}.`);
  return Object.assign(error, { code: '08001' });
}

type ClientClass = new (options?: pg.ClientConfig) => pg.Client;

export function clientsAt(servers: Servers, Base: ClientClass): ClientClass {
  return class extends Base {
    constructor(options?: pg.ClientConfig) {
      super(options);
      this.on('error', () => servers.lost());
      const send = this.query.bind(this) as (...args: unknown[]) => unknown;
      this.query = ((...args: unknown[]) => {
        const result = send(...args);
        if (result instanceof Promise) result.catch((error: unknown) => this.#failed(error));
        return result;
      }) as unknown as pg.Client['query'];
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): unknown {
      const connected = this.#connect();
      if (callback === undefined) return connected;
      const done = callback as (error: Error | null) => void;
      connected.then(() => done(null), done);
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      try {
        Object.assign(this, await servers.find());
        await super.connect();
        if (!(await servers.isWanted(this))) throw servers.error;
        return this;
      } catch (error) {
        servers.lost();
        this.end().catch(() => undefined);
        throw error;
      }
    }

    #failed(error: unknown): void {
      if (!isReadOnly(error) && !isServerUnavailable(error)) return;
      servers.lost();
      if (isReadOnly(error)) this.end().catch(() => undefined);
    }
  };
}
