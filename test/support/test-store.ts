/**
 * Which store `npm test` runs on, decided before the first test by what each can do: the server that
 * TEST_DATABASE_URL names, the first server of this machine that starts and takes PostGIS, or the
 * embedded store.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { isAtLeast, nameOf, readServers, refusal } from './postgres-binaries.ts';
import type { Server } from './postgres-binaries.ts';
import { startCluster } from './postgres-cluster.ts';

export interface TestStoreChoice {
  readonly kind: 'postgres' | 'embedded';
  /** The programs of a server of this machine that serves; null: none does. */
  readonly bin: string | null;
  readonly name: string;
  /** Why no server serves, for each that is here; empty where one does. */
  readonly refusals: readonly string[];
}

/** What the decision is made from. */
export interface StoreWishes {
  /** TEST_DATABASE_URL; empty or absent: none. */
  readonly databaseUrl?: string | undefined;
  /** TEST_STORE; empty or absent: whatever is there. */
  readonly kind?: string | undefined;
  /** REQUIRE_ALL=1. */
  readonly isStrict: boolean;
}

/** How a server is tried. Resolves with why it does not serve; null: it does. */
export interface Trials {
  /** A server of this machine: started, asked and stopped. */
  readonly start: (server: Server) => Promise<string | null>;
  readonly ask: (databaseUrl: string) => Promise<string | null>;
}

const CONNECT_LIMIT_MS = 10_000;
const TRIALS: Trials = { start: tryToStart, ask: askServer };

/** Throws with one sentence where what was asked for cannot be had. */
export async function chooseTestStore(
  wishes: StoreWishes,
  servers: readonly Server[] = readServers(),
  trials: Trials = TRIALS,
): Promise<TestStoreChoice> {
  const { databaseUrl = '' } = wishes;
  const problem = databaseUrl === '' ? null : await trials.ask(databaseUrl);
  if (problem !== null) throw new Error(`TEST_DATABASE_URL: ${problem}`);
  return decide(wishes, await firstThatServes(servers, trials));
}

interface Found {
  readonly server: Server | null;
  readonly refusals: readonly string[];
}

function decide(
  { databaseUrl = '', kind = '', isStrict }: StoreWishes,
  { server, refusals }: Found,
): TestStoreChoice {
  const bin = server?.bin ?? null;
  switch (kind) {
    case 'embedded':
      return { kind, bin, name: 'the embedded one (TEST_STORE)', refusals };
    case 'postgres':
    case '':
      break;
    default:
      throw new Error(`TEST_STORE is postgres or embedded, not ${kind}.`);
  }
  if (databaseUrl !== '') {
    return { kind: 'postgres', bin, name: 'the server of TEST_DATABASE_URL', refusals };
  }
  if (server !== null) {
    const name = `${nameOf(server)} with PostGIS ${server.postgis}`;
    return { kind: 'postgres', bin, name, refusals };
  }
  if (isStrict || kind === 'postgres') {
    const asked = isStrict ? 'REQUIRE_ALL=1' : 'TEST_STORE=postgres';
    throw new Error(`${asked}: ${refusals.join('; ')}. \`npm run test:setup\` tells what helps.`);
  }
  return { kind: 'embedded', bin, name: 'the embedded one', refusals };
}

async function firstThatServes(servers: readonly Server[], { start }: Trials): Promise<Found> {
  const refusals: string[] = [];
  for (const server of servers) {
    const why = refusal(server) ?? (await start(server));
    if (why === null) return { server, refusals: [] };
    refusals.push(`${nameOf(server)} ${why}`);
  }
  return { server: null, refusals: refusals.length === 0 ? ['no PostgreSQL is here'] : refusals };
}

/** As this user, on this machine, with what it has: only a start tells. Two seconds. */
async function tryToStart({ bin }: Server): Promise<string | null> {
  try {
    const cluster = await startCluster({ bin });
    try {
      const problem = await askServer(cluster.url('postgres'));
      return problem === null ? null : `does not serve: ${problem}`;
    } finally {
      await cluster.stop();
    }
  } catch (error) {
    return `cannot be started: ${(error as Error).message}`;
  }
}

/** What the tests do with a server, done once: a database of their own, with PostGIS in it. */
export async function askServer(databaseUrl: string): Promise<string | null> {
  const address = URL.parse(databaseUrl);
  if (address === null || !/^postgres(ql)?:$/.test(address.protocol)) {
    return 'it is no address of a server, as postgres://user:password@host:5432/postgres.';
  }
  address.pathname = '/postgres';
  const server = connection(address.href);
  const name = `test_trial_${randomBytes(8).toString('hex')}`;
  try {
    await server.connect();
  } catch (error) {
    await server.end().catch(() => undefined);
    return `no connection to its database postgres: ${reasonOf(error)}`;
  }
  try {
    const { rows } = await server.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    const version = rows[0]?.version ?? '';
    if (!isAtLeast(version, [15])) return `its server is PostgreSQL ${version}, older than 15.`;
    try {
      await server.query(`create database ${name}`);
    } catch (error) {
      return `its user may not create databases: ${reasonOf(error)}`;
    }
    address.pathname = `/${name}`;
    return await askForPostgis(address.href);
  } finally {
    await server.query(`drop database if exists ${name} with (force)`).catch(() => undefined);
    await server.end();
  }
}

async function askForPostgis(databaseUrl: string): Promise<string | null> {
  const client = connection(databaseUrl);
  try {
    await client.connect();
    await client.query('create extension if not exists postgis');
    const { rows } = await client.query<{ version: string }>(
      'select postgis_lib_version() as version',
    );
    const version = rows[0]?.version ?? '';
    return isAtLeast(version, [3, 3]) ? null : `its PostGIS is ${version}, older than 3.3.`;
  } catch (error) {
    const isDenied = (error as { readonly code?: string }).code === '42501';
    const what = isDenied ? 'its user may not create the extension postgis' : 'it has no PostGIS';
    return `${what}: ${reasonOf(error)}`;
  } finally {
    await client.end();
  }
}

function connection(databaseUrl: string): pg.Client {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  // Told by whatever is asked next.
  client.on('error', () => undefined);
  return client;
}

/** One sentence, with a full stop: several addresses of one host fail together, without a message. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as Error & {
    readonly code?: string;
    readonly errors?: readonly Error[];
  };
  const said = message !== '' ? message : (errors?.[0]?.message ?? code ?? 'it failed');
  return said.endsWith('.') ? said : `${said}.`;
}
