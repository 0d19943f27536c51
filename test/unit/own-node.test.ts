/** Which Node runs the service, told before a program that an older one could not even read. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownFolder } from '../support/opened.ts';
import { ROOT, readText } from '../support/repository.ts';

const { serves, oldest } = createRequire(import.meta.url)('../../own-node/version.cjs') as {
  readonly serves: (version: string) => boolean;
  readonly oldest: string;
};
const dir = ownFolder('own-node');

test.each([
  ['20.20.2', false],
  ['22.23.3', false],
  ['23.11.1', false],
  ['24.2.0', false],
  ['24.3.0', true],
  ['24.21.0', true],
  ['26.0.0', true],
])('Node %s runs it: %s', (version, isGood) => {
  expect(serves(version)).toBe(isGood);
});

describe('the commands of README', () => {
  const { scripts, engines } = JSON.parse(readText('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
    readonly engines: { readonly node: string };
  };

  test.each(['start', 'test'])('npm run %s says in one sentence that a Node is too old', (name) => {
    expect(scripts[name]).toMatch(/^node own-node\/check\.cjs && /);
    // What an older Node is: its version; the check itself is the project's.
    const old = join(dir, 'old.cjs');
    writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });\n");
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', old, 'own-node/check.cjs'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^Geoopslag runs on Node 24\.3 or newer, and this is 20\.20\.2: run .*\n$/,
    );
  });

  test('this Node passes without a word, and nothing is fetched for it', () => {
    for (const name of ['check', 'install']) {
      expect(execFileSync(process.execPath, [`own-node/${name}.cjs`], { cwd: ROOT }).length).toBe(
        0,
      );
    }
    expect(serves(process.versions.node)).toBe(true);
  });

  test('npm installs them with any Node from 20 on, and the one fetched serves', () => {
    expect(engines.node).toBe('>=20');
    const lock = readText('own-node/package-lock.json');
    const { packages } = JSON.parse(lock) as {
      readonly packages: Readonly<Record<string, { readonly version: string; integrity?: string }>>;
    };
    const fetched = Object.entries(packages).filter(([path]) => path !== '');
    expect(fetched.length).toBeGreaterThan(0);
    for (const [path, { version, integrity }] of fetched) {
      expect(serves(version), path).toBe(true);
      expect(integrity, path).toMatch(/^sha512-/);
    }
    expect(lock).not.toContain('"resolved"');
    expect(oldest).toBe('24.3');
  });

  test('no package runs a program when it is installed, but those that are allowed to', () => {
    const read = (path: string): unknown => JSON.parse(readText(path));
    const { allowScripts } = read('package.json') as { readonly allowScripts: object };
    const { packages } = read('package-lock.json') as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = running.map(([path]) => path.split('node_modules/').at(-1));
    expect(names).toEqual(['', ...Object.keys(allowScripts)]);
    expect(read('own-node/no-scarf/package.json')).not.toHaveProperty('scripts');
  });
});
