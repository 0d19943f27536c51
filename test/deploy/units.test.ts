/**
 * The first day by deploy/systemd, without systemd: each unit's command with its environment, from the folder
 * of an image, as a user that no list has. PostgreSQL alone.
 */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { assemble } from '../support/assembled.ts';
import type { Assembled } from '../support/assembled.ts';
import { freePort } from '../support/free-port.ts';
import { isHeavy } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { until } from '../support/until.ts';
import { isMirrored } from '../support/whole-service.ts';

const run = promisify(execFile);
const UNITS = join(import.meta.dirname, '../../deploy/systemd');
const CONFINED = readFileSync(join(UNITS, 'geoopslag-.service.d/confined.conf'), 'utf8');
const STOP_S = Number(/^TimeoutStopSec=(\d+)$/m.exec(CONFINED)?.[1]);

let assembled: Assembled;
let store: TestStore;
let settings: Readonly<Record<string, string>>;
const running = new Map<string, { readonly child: ChildProcess; readonly said: string[] }>();

/** As systemd reads it: what the file of settings says, the unit's own environment does not override. */
function readUnit(name: string, ports: Readonly<Record<string, string>>) {
  const unit = readFileSync(join(UNITS, `${name}.service`), 'utf8').replaceAll('%i', '1');
  const own = [...`${CONFINED}\n${unit}`.matchAll(/^Environment=(.*)$/gm)]
    .flatMap(([, all]) => all!.split(' '))
    .map((each) => each.split('=') as [string, string]);
  const env = { ...Object.fromEntries(own), ...settings, ...ports };
  env['DATA_DIR'] = assembled.folder(env['DATA_DIR']!.split('/').at(-1)!);
  const command = (key: string) =>
    new RegExp(`^${key}=-?(.*)$`, 'm')
      .exec(unit)?.[1]
      ?.replaceAll('/usr/bin/node', assembled.node)
      .replaceAll('8079', ports['LEADER'] ?? '')
      .replaceAll('${PORT}', env['PORT']!)
      .split(' ') ?? null;
  return { env, start: command('ExecStart')!, afterStart: command('ExecStartPost') };
}

function launch(command: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const [program = '', ...args] = command;
  const { app, uid } = assembled;
  const user = uid === undefined ? {} : { uid, gid: uid };
  return spawn(program, args, { cwd: app, env, ...user, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function startUnit(name: string, ports: Readonly<Record<string, string>>): Promise<void> {
  const { env, start, afterStart } = readUnit(name, ports);
  const child = launch(start, env);
  const said: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  }
  running.set(name, { child, said });
  if (afterStart !== null) expect(await exitOf(launch(afterStart, env)), said.join('')).toBe(0);
}

const isTried = isHeavy && inject('storeTemplate').kind === 'postgres';

beforeAll(async () => {
  if (!isTried) return;
  assembled = await assemble();
  store = await openTestStore();
  settings = {
    DATABASE_URL: await assembled.overTcp(store.databaseUrl ?? ''),
    WEBHOOK_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...{ SAMPLE_PORT: '0', WATCH_PORT: '0' },
    THREADS: '1',
    TMPDIR: assembled.folder('tmp'),
  };
});
afterAll(async () => {
  if (!isTried) return;
  for (const { child } of running.values()) child.kill('SIGKILL');
  await store.close();
  await assembled.close();
});

test.runIf(isTried)('each role does its part, and all stop in time', async () => {
  const [front, leader] = [String(await freePort()), String(await freePort())];
  const ports = { PORT: front, LEADER: leader };
  const { env, start } = readUnit('geoopslag-migrate', ports);
  expect(await exitOf(launch(start, env))).toBe(0);
  await Promise.all(
    ['front', 'leader', 'worker@', 'dispatcher'].map((role) =>
      startUnit(`geoopslag-${role}`, ports),
    ),
  );
  const inApp = (...args: readonly string[]) =>
    run(assembled.node, args, { cwd: assembled.app, env: { ...env, ...asClient } });
  const base = `http://127.0.0.1:${front}`;
  const asClient: Record<string, string> = { GEOOPSLAG_URL: base };
  const { stdout } = await inApp('src/cli/admin/cli.ts', 'first-key');
  const key = /svc_test_\w+/.exec(stdout)?.[0] ?? '';
  asClient['GEOOPSLAG_KEY'] = key;

  // Mirrored by the leader, answered by the front.
  const place = `${base}/v1/natur/skovbyggelinje?lon=11.4273191&lat=56.9460274`;
  const headers = { authorization: `Bearer ${key}` };
  let seen = '';
  const isAnswered = async () => {
    seen = await fetch(place, { headers }).then((answer) => answer.text());
    return seen.includes('"inden_for":true');
  };
  await until(isAnswered, { everyMs: 500, seen: () => seen });
  // A layer that is not, is asked live: on a busy machine in vain.
  await until(async () => (await isMirrored(base, key)) === true, { everyMs: 500 });

  // Sent to the front, worked on by the worker.
  const rows = join(assembled.folder('rows'), 'rows.csv');
  writeFileSync(rows, 'sag;x;y\n1;647650;6314000\n2;647651;6314001\n');
  const job = ['submit', rows, '--kind', 'miljoe', '--x=x', '--y=y', '--srid', '25832'];
  expect((await inApp('src/cli/job-client/cli.ts', ...job)).stdout).toMatch(
    /2 of 2 rows: 2 answered/,
  );

  const stopped = performance.now();
  for (const { child } of running.values()) child.kill('SIGTERM');
  const codes = await Promise.all([...running.values()].map(({ child }) => exitOf(child)));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(performance.now() - stopped).toBeLessThan(STOP_S * 1000);
});
