/** PgBouncer before a server, with the settings it comes with but for where it listens and how it lends. */
import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end } from './crash-kit.ts';
import { freePort } from './free-port.ts';
import { serverUser, withClient } from './postgres-cluster.ts';
import { isHere } from './programs.ts';
import { until } from './until.ts';

export interface Pooler {
  /** Of a database of the server, through it. */
  url(database: string): string;
  stop(): Promise<void>;
}

export const hasPgBouncer = (): boolean =>
  isHere('pgbouncer', '`npm run test:setup` says what installs PgBouncer.');

/** `server`: an address whose user may come in without a password. */
export async function startPgBouncer(
  server: string,
  settings: Readonly<Record<string, string | number>> = { pool_mode: 'transaction' },
): Promise<Pooler> {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-pooler-'));
  const port = await freePort();
  const { hostname, port: serverPort, searchParams } = new URL(server);
  const host = searchParams.get('host') ?? hostname;
  const lines = Object.entries({
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '' },
    ...{ auth_type: 'trust', auth_file: join(dir, 'users'), ...settings },
  }).map(([name, value]) => `${name} = ${value}`);
  const file = join(dir, 'pgbouncer.ini');
  const databases = ['[databases]', `* = host=${host} port=${serverPort || 5432}`];
  writeFileSync(file, [...databases, '[pgbouncer]', ...lines, ''].join('\n'));
  writeFileSync(join(dir, 'users'), '"postgres" ""\n');
  const user = serverUser();
  if (user !== null) chownSync(dir, user.uid, user.gid);
  const program = spawn('pgbouncer', ['-q', file], { ...user, cwd: dir, stdio: 'ignore' });
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const answers = () => withClient(url('postgres'), () => true).catch(() => false);
  await until(answers, { by: program });
  return {
    url,
    stop: async () => {
      await end(program, 'SIGTERM');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
