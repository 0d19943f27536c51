/** Secrets out of files, and what `npm run config` shows of every setting. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourcesOf } from '../../src/registers.ts';
import {
  SECRET_SETTINGS,
  loadClientConfig,
  loadConfig,
  secretsOf,
  settingNames,
} from '../../src/config.ts';
import { readPlans } from '../../src/account/plans.ts';
import { shownSettings } from '../../src/start/config-shown.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { ownFolder } from '../support/opened.ts';

const dir = ownFolder('config');
const PIPE = join(dir, 'pipe');
execFileSync('mkfifo', [PIPE]);

const KEY = Buffer.alloc(32, 9).toString('base64');

const BUCKET = { SNAPSHOT_STORE: 's3://bucket/files' };
const S3_ID = { AWS_ACCESS_KEY_ID: 'x' };
const S3_SECRET = { AWS_SECRET_ACCESS_KEY: 'y' };
const MAIL = { MAIL_FROM: 'geo@example.dk', PUBLIC_URL: 'https://geo.example' };
const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' };
const SERVER = { DATABASE_URL: 'postgres://db.example/geo' };

/** Of each secret a value, the part of it that nobody may see, and the settings that it needs. */
const SECRETS: Readonly<Record<string, readonly [string, string, Record<string, string>?]>> = {
  DATABASE_URL: ['postgres://geo:hemmelig@db.example/geo?sslmode=require', 'hemmelig'],
  DATABASE_READ_URL: ['postgres://geo:hemmelig@db-ro.example/geo', 'hemmelig', SERVER],
  OPERATOR_TOKEN: ['operator-token-of-a-test', 'operator-token-of-a-test'],
  OPERATOR_TOKENS: ['anna:operator-token-of-anna', 'operator-token-of-anna'],
  METRICS_TOKEN: ['metrics-token-of-a-test', 'metrics-token-of-a-test'],
  DATAFORDELER_API_KEY: ['datafordeler-key', 'datafordeler-key'],
  VIRK_PASSWORD: ['virk-hemmelig', 'virk-hemmelig', { VIRK_USER: 'somebody' }],
  WEBHOOK_KEY: [KEY, KEY],
  WEBHOOK_KEY_OLD: [KEY, KEY],
  WEBHOOK_PROXY: ['http://hooks:hemmelig@proxy.example:3128', 'hemmelig'],
  SNAPSHOT_KEY: [KEY, KEY],
  SNAPSHOT_KEY_OLD: [KEY, KEY],
  SMTP_URL: ['smtps://geo:hemmelig@mail.example', 'hemmelig', MAIL],
  OTEL_EXPORTER_OTLP_HEADERS: ['authorization=Bearer%20otel-hemmelig', 'otel-hemmelig', COLLECTOR],
  AWS_ACCESS_KEY_ID: ['hemmelig-id', 'hemmelig-id', { ...BUCKET, ...S3_SECRET }],
  AWS_SECRET_ACCESS_KEY: ['hemmelig', 'hemmelig', { ...BUCKET, ...S3_ID }],
  AWS_SESSION_TOKEN: ['hemmelig', 'hemmelig', { ...BUCKET, ...S3_ID, ...S3_SECRET }],
  GEOOPSLAG_KEY: ['svc_live_abc', 'svc_live_abc'],
};

const load = (env: Record<string, string>) => [loadConfig(env), loadClientConfig(env)];

let files = 0;
function file(content: string): string {
  const path = join(dir, `secret-${(files += 1)}`);
  writeFileSync(path, content);
  return path;
}

function messageOf(env: Record<string, string>): string {
  try {
    load(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

test('every setting that sounds like a secret is one, and each is tried here', () => {
  expect(Object.keys(SECRETS).sort()).toEqual(SECRET_SETTINGS.toSorted());
  const SECRET = /(KEY|TOKEN|PASSWORD|SECRET|HEADERS)/;
  const sounding = settingNames().filter((name) => SECRET.test(name));
  const isPublic = (name: string) =>
    ['DAWA_KEYLESS', 'UPSTREAM_KEYS_END'].includes(name) || name.endsWith('_FILE');
  expect(sounding.filter((name) => !isPublic(name) && !(name in SECRETS))).toEqual([]);
});

describe.each(Object.entries(SECRETS))('%s', (name, [value, hidden, beside = {}]) => {
  const setting = `${name}_FILE`;

  test('is the same out of a file, without the newline at its end', () => {
    const wanted = load({ ...beside, [name]: value });
    expect(JSON.stringify(wanted)).toContain(hidden);
    for (const end of ['', '\n', '\r\n']) {
      expect(load({ ...beside, [setting]: file(value + end) })).toEqual(wanted);
    }
  });

  test('is refused with both, and out of a file that cannot be what is meant, without its content', () => {
    const path = file(value);
    expect(messageOf({ ...beside, [name]: value, [setting]: path })).toBe(
      `${name} and ${setting} are both set: set one of them.`,
    );
    const missing = join(dir, 'none');
    for (const [given, why] of [
      [missing, 'cannot be read (ENOENT).'],
      [dir, 'cannot be read (not a plain file).'],
      [PIPE, 'cannot be read (not a plain file).'],
      ['/dev/zero', 'cannot be read (not a plain file).'],
      [file('\n'), 'is empty.'],
      [file(`${value}\n${value}`), 'must have one line.'],
      [file(value.repeat(LIMITS.secretFileBytes)), 'cannot be read (more than 65536 bytes).'],
    ] as const) {
      expect(messageOf({ ...beside, [setting]: given })).toBe(`${setting}: ${given} ${why}`);
    }
  });

  test('is blotted out, wherever it came from', () => {
    const path = file(value);
    for (const env of [{ [name]: value }, { [setting]: path }]) {
      const shown = shownSettings({ ...beside, ...env });
      expect(JSON.stringify(shown)).not.toContain(hidden);
      const origin = name in env ? 'environment' : `file ${path}`;
      expect(shown.find((each) => each.name === name)?.origin).toBe(origin);
    }
    if (name === 'GEOOPSLAG_KEY') return;
    expect(secretsOf(loadConfig({ ...beside, [setting]: path }))).toContain(hidden);
  });
});

test('the files of PLANS_FILE and SOURCES_FILE are plain ones too', () => {
  for (const path of [PIPE, '/dev/zero', dir]) {
    expect(() => sourcesOf(path)).toThrow('not a plain file');
    expect(() => readPlans(path)).toThrow('not a plain file');
  }
});

describe('what is shown', () => {
  test('is every setting, by default with the default that the document states', () => {
    const shown = shownSettings({});
    const names = settingNames().filter((name) => !SECRET_SETTINGS.includes(name.slice(0, -5)));
    expect(shown.map(({ name }) => name)).toEqual(names);
    const path = join(import.meta.dirname, '../../docs/settings.md');
    const [, page = ''] = readFileSync(path, 'utf8').split('\n## Settings\n');
    for (const { name, value, origin } of shown) {
      expect(origin).toBe('default');
      const row = page.split('\n').find((line) => new RegExp(`^\\|.*\`${name}\`.*\\|`).test(line));
      if (['DATA_DIR', 'THREADS'].includes(name) || value === 'none') continue;
      expect(row?.split('|')[2], name).toContain(`\`${value}\``);
    }
  });

  test('is what was set, and where', () => {
    const shown = shownSettings({ PORT: ' 9090 ', BACKGROUND_MAP_URL: '', SYNC: 'off' });
    const found = Object.fromEntries(shown.map(({ name, ...rest }) => [name, rest]));
    expect(found['PORT']).toEqual({ value: '9090', origin: 'environment' });
    expect(found['SYNC']).toEqual({ value: 'off', origin: 'environment' });
    expect(found['BACKGROUND_MAP_URL']).toEqual({ value: 'none', origin: 'default' });
  });
});

describe('the settings of traces', () => {
  const ON = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/' };

  test('are judged with a collector alone', () => {
    const odd = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray' };
    expect(loadConfig(odd).tracing).toBeNull();
    expect(loadConfig(ON).tracing).toMatchObject({
      url: 'https://collector.example/otlp/v1/traces',
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hemmelig'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=b,c'],
  ])('%s=%s is refused by name', (name, value) => {
    const message = messageOf({ ...ON, [name]: value });
    expect(message).toMatch(new RegExp(`^${name} must be `));
    expect(message).not.toContain('hemmelig');
  });
});
