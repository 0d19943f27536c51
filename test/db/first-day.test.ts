/**
 * The first day, as docs/operations.md and the README write it: a database made by its SQL, the service over
 * it, an account with its key, the README's first lookup, and the walk over the sample. Each command is the
 * document's own; only ports and the server's address are this machine's.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareEnvironment } from '../support/compile-cache.ts';
import { ownFolder } from '../support/opened.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { shellBlocks } from '../support/shell-blocks.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';
import { ROOT } from '../support/repository.ts';

const OPERATIONS = join(ROOT, 'docs/operations.md');
const bin = findPostgres();

function blockWith(path: string, words: string): string {
  const found = shellBlocks(path).filter((block) => block.includes(words));
  expect(found, words).toHaveLength(1);
  return found[0]!;
}

describe.skipIf(process.env['TEST_STORE'] !== 'postgres' || bin === null)('the first day', () => {
  let cluster: Cluster;
  const dir = ownFolder('day');
  let env: NodeJS.ProcessEnv;
  let service: StartedProgram | undefined;
  let base: string;
  let token: string;

  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(async () => {
    await service?.stop();
    await cluster.stop();
  });

  /** What a shell in the checkout says and ends with. */
  function shell(text: string, more: NodeJS.ProcessEnv = {}) {
    const options = { cwd: ROOT, env: { ...env, ...more }, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync('sh', ['-c', text], options);
    return { status, said: stdout + stderr };
  }

  test('begins with the database of the document', () => {
    const sql = /^```sql\n(.*?)^```$/ms.exec(readFileSync(OPERATIONS, 'utf8'))?.[1];
    const options = { input: sql, encoding: 'utf8' } as const;
    const url = cluster.url('postgres');
    execFileSync(join(bin!, 'psql'), ['-v', 'ON_ERROR_STOP=1', url], options);

    const block = blockWith(OPERATIONS, 'export DATABASE_URL=');
    const given = /^export DATABASE_URL=(.*)$/m.exec(block)?.[1] ?? '';
    const { username, password, pathname } = new URL(given);
    token = shellBlocks(OPERATIONS)
      .map((text) => /^OPERATOR_TOKEN=(\S+) npm start\n$/.exec(text)?.[1] ?? '')
      .join('');
    env = {
      ...bareEnvironment(),
      DATABASE_URL: cluster.url(pathname.slice(1)).replace('postgres@', `${username}:${password}@`),
      DATA_DIR: dir,
      OPERATOR_TOKEN: token,
    };
  });

  test('goes on with settings that hold, the service and the first lookup', async () => {
    service = startProgram(env as Record<string, string>);
    base = await service.base();
    const checked = shell('npm run --silent config');
    expect(checked.status, checked.said).toBe(0);
    expect(checked.said).not.toContain('a-long-one');
    const command = /^npm run admin -- first-key/m.exec(
      blockWith(OPERATIONS, 'export DATABASE_URL='),
    )![0];
    const { said } = shell(command);
    const key = /svc_test_\w+/.exec(said)?.[0];
    expect(key, said).toBeDefined();
    await service.until(async () => {
      const status = await fetch(`${base}/v1/status`).then((answer) => answer.text());
      return status.includes('"mangler"') ? undefined : true;
    });
    const lookup = blockWith(join(ROOT, 'README.md'), 'KEY=svc_test_…').replace(/^KEY=.*$/m, '');
    const answer = shell(lookup.replaceAll('http://127.0.0.1:8080', base), { KEY: key });
    expect(answer.said).toContain('"inden_for":true');
  });

  test('walks over the sample, each command with the end that the document names', async () => {
    const faults = await service!.until((said) => /(http:\/\/[\d.]+:\d+\/_faults)/.exec(said)?.[1]);
    const walk = blockWith(OPERATIONS, 'sudden-drop')
      .replace('http://127.0.0.1:8080', base)
      .replace('http://127.0.0.1:8081/_faults', faults)
      .replaceAll('choose-a-long-one', token)
      .replaceAll('curl ', 'curl -sS --fail-with-body ')
      .replaceAll(/^npm run freshness(.*)$/gm, 'npm run --silent freshness; echo "ends: $?$1 ."');
    const { said } = shell(walk);
    const ends = [...said.matchAll(/^ends: (\d)/gm)].map(([, code]) => Number(code));
    expect(ends, said).toEqual([2, 0, 0]);
    const layer = said.match(/^(fresh|stale|FAILED).* skov .*$/gm) ?? [];
    expect(layer[0]).toMatch(/FAILED/);
    expect(layer[1]).toMatch(/held/);
    expect(layer[2]).toMatch(/fresh/);
  });
});
