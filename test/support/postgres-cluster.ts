/** A private PostgreSQL for one test run: own directory, unix socket only, gone with its starter. */
import { execFileSync, spawn } from 'node:child_process';
import type { ExecFileSyncOptions } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { realpathSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from './postgres-binaries.ts';
import { keepDraft } from './scratch.ts';

export interface Cluster {
  /** Address of a database of the cluster. */
  url(database: string): string;
  /** Ends the server as an operator in a hurry would, keeping its data; `up` starts it again. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Stops every process of the server where it stands, and lets them go on. Linux only. */
  freeze(): void;
  thaw(): void;
  /** Ends every process of the server at once, as a machine that is lost. */
  kill(): void;
  /** A standby takes writes from then on. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 30_000;
/** Else each connection loads PostGIS anew, 10 ms of the processor. */
const PRELOADED = ['-c', 'shared_preload_libraries=postgis-3'];

export interface ClusterOptions {
  /** What is committed is on disk, as it comes from the packages; else it forgets what a loss of power would. */
  readonly durable?: boolean;
  /** The folder of the server's programs; null: there are none. */
  readonly bin?: string | null;
  /** On loopback; absent: a unix socket only. */
  readonly port?: number;
  /** Follows that server, whose address it is, by streaming. */
  readonly standbyOf?: string;
}

/** Starts in about a second. Throws with one sentence when no PostgreSQL serves, or it does not start. */
export async function startCluster({
  durable = false,
  bin = findPostgres(),
  port,
  standbyOf,
}: ClusterOptions = {}): Promise<Cluster> {
  if (bin === null) {
    throw new Error(
      'No PostgreSQL with PostGIS found: `npm run test:setup` tells what installs it.',
    );
  }
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-pg-'));
  const user = serverUser();
  if (user !== null) chownSync(dir, user.uid, user.gid);
  const data = join(dir, 'data');
  const socket = join(dir, 'socket');
  // Whatever language the machine is set to, and whether it has that at all.
  const options = { ...user, cwd: dir, env: { ...process.env, LC_ALL: 'C' } };
  try {
    if (standbyOf === undefined) makeData(join(bin, 'initdb'), data, options);
    else copyData(join(bin, 'pg_basebackup'), { data, from: standbyOf }, options);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
  mkdirSync(socket);
  if (user !== null) chownSync(socket, user.uid, user.gid);

  // The shell outlives nobody: its input is our pipe, and when that closes, even by kill -9 of this
  // process, it stops the server and removes the directory. A line in between turns it off or on.
  const script =
    'dir=$1; shift; up() { "$@" </dev/null >>"$dir/log" 2>&1 & pid=$!; }; ' +
    'down() { kill -INT $pid; wait $pid; }; up "$@"; ' +
    'while read -r word; do case $word in down) down; echo;; up) up "$@"; echo;; esac; done; ' +
    'down; rm -rf "$dir"';
  const settings = [
    ...['-D', data, '-k', socket, '-c', 'max_connections=200'],
    ...(port === undefined
      ? ['-c', 'listen_addresses=']
      : ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`]),
    ...(durable
      ? ['-c', 'shared_buffers=512MB', '-c', 'max_wal_size=4GB']
      : ['-c', 'fsync=off', '-c', 'full_page_writes=off', ...PRELOADED]),
    // A replica that is waited for needs the log at once. What needs statistics analyses by itself.
    ...(durable || port !== undefined
      ? []
      : ['-c', 'synchronous_commit=off', '-c', 'autovacuum=off']),
  ];
  const shell = spawn('sh', ['-c', script, 'sh', dir, join(bin, 'postgres'), ...settings], {
    ...options,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  shell.unref();
  // A pipe is a socket, and must not keep us alive either.
  const answers = shell.stdout as unknown as Pick<Socket, 'ref' | 'unref'>;
  answers.unref();
  const tell = async (word: string) => {
    const done = once(shell.stdout, 'data');
    answers.ref();
    shell.stdin.write(`${word}\n`);
    await done;
    answers.unref();
  };
  const url = (database: string) =>
    port !== undefined
      ? `postgres://postgres@127.0.0.1:${port}/${database}`
      : `postgres://postgres@localhost/${database}?host=${encodeURIComponent(socket)}`;
  const stop = async () => {
    shell.ref();
    const ended = new Promise((resolve) => shell.once('exit', resolve));
    shell.stdin.end();
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await untilUp(url('postgres'), () => fatalIn(join(dir, 'log')));
  } catch (error) {
    await stop();
    throw error;
  }
  const up = async () => {
    await tell('up');
    await untilUp(url('postgres'));
  };
  // The server first: while the processes it has started are listed, it starts no further one.
  const signal = (name: NodeJS.Signals) => {
    const server = serverOf(data);
    process.kill(server, name);
    for (const pid of childrenOf(server)) signalIfThere(pid, name);
  };
  return {
    url,
    down: () => tell('down'),
    up,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    promote: async () => void (await runSql(url('postgres'), 'select pg_promote()')),
    stop,
  };
}

function serverOf(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** One that goes on again may end before its signal comes. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Of a process, from /proc: Linux only. */
export function childrenOf(server: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === server);
}

/** null: it has ended meanwhile. */
function parentOf(pid: number): number | null {
  try {
    // Behind the name, which may hold anything: the state, then the parent.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** PostgreSQL refuses to run as root: Debian's own user runs it, or nobody. null: as ourselves. */
export function serverUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such user here: the next.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.');
}

const INITDB = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];

/**
 * What initdb makes is kept under .tmp from run to run, for each server and user: a copy takes an eighth of
 * the processor's time. Throws with what initdb said last.
 */
function makeData(initdb: string, data: string, options: ExecFileSyncOptions): void {
  const { size, mtimeMs } = statSync(initdb);
  const made = JSON.stringify([realpathSync(initdb), size, mtimeMs, options.uid ?? null, INITDB]);
  const hash = createHash('sha256').update(made).digest('hex').slice(0, 16);
  const kept = join(import.meta.dirname, '../../.tmp', `initdb-${hash}`);
  if (existsSync(kept)) {
    copyAll(kept, data);
    return;
  }
  runInitdb(initdb, data, options);
  mkdirSync(dirname(kept), { recursive: true });
  const draft = `${kept}-${randomUUID()}`;
  copyAll(data, draft);
  keepDraft(draft, kept);
}

/** With its owner, who is the server's user. */
function copyAll(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

function runInitdb(initdb: string, data: string, options: ExecFileSyncOptions): void {
  try {
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    execFileSync(initdb, ['-D', data, ...INITDB], { ...options, stdio: [...stdio] });
  } catch (cause) {
    const { stderr, message } = cause as Error & { readonly stderr?: Buffer | null };
    const said = stderr?.toString().trim().split('\n') ?? [];
    const error = said.findLast((line) => line.includes('error: ')) ?? said.at(-1);
    throw new Error(error === undefined || error === '' ? message : error, { cause });
  }
}

/** The whole server as it stands, which then follows it. */
function copyData(
  program: string,
  { data, from }: { readonly data: string; readonly from: string },
  options: ExecFileSyncOptions,
): void {
  const args = ['-D', data, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  execFileSync(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A connection of the work's own. Rejects where the server does not answer. */
export async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T> | T,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Runs statements over a connection of their own. The rows of the last. */
export function runSql(
  connectionString: string,
  ...statements: readonly string[]
): Promise<readonly Row[]> {
  return withClient(connectionString, async (client) => {
    let rows: readonly Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  });
}

/** `ended`: why the server is no more; null: it may still come. */
async function untilUp(
  connectionString: string,
  ended: () => string | null = () => null,
): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      await withClient(connectionString, () => undefined);
      return;
    } catch (cause) {
      const reason = ended();
      if (reason !== null || performance.now() > deadline) {
        throw new Error(reason ?? 'The private PostgreSQL did not start.', { cause });
      }
      await wait(50);
    }
  }
}

/** What ended a server's first start, which nobody else asks anything of; null: nothing has. */
function fatalIn(log: string): string | null {
  if (!existsSync(log)) return null;
  const lines = readFileSync(log, 'utf8').split('\n');
  // One that is not ready yet says so as well, to whoever asks too early.
  const fatal = lines.find((line) => line.includes('FATAL: ') && !line.includes('system is'));
  return fatal?.slice(fatal.indexOf('FATAL: ')) ?? null;
}
