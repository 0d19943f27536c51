/**
 * Settings as an operator gives them: none, empty ones, misspelt names, secrets out of files, plans of one's own, proxies
 * to believe; and what `npm run config` shows of each.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  SECRET_SETTINGS,
  loadClientConfig,
  loadConfig,
  misspelledSettings,
  secretsOf,
  settingNames,
} from '../../src/config.ts';
import { AREAS, areasOf, parsePermission } from '../../src/account/permissions.ts';
import { leastTierWithBatches, monthlyCeiling, readPlans } from '../../src/account/plans.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { originOf } from '../../src/layers/background-map.ts';
import { sourcesOf } from '../../src/registers.ts';
import { SETTINGS } from '../../src/settings.ts';
import { shownSettings } from '../../src/start/config-shown.ts';
import { generatedFiles } from '../../deploy/settings.ts';
import { AREA_WORDS } from '../../src/web/shared/areas.ts';
import { ownFolder } from '../support/opened.ts';

const NAMES = settingNames();
const KEY = Buffer.alloc(32, 9).toString('base64');

test('every setting is known by the name it is read by, and written where it is told', () => {
  expect(NAMES).toEqual(expect.arrayContaining(['HOST', 'PORT', 'DATA_DIR', 'GEOOPSLAG_KEY']));
  for (const [path, text] of Object.entries(generatedFiles())) {
    // Else: npm run gen
    expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'), path).toBe(text);
  }
});

test.each(NAMES)('an empty %s is an unset one', (name) => {
  for (const blank of ['', '  ', '\t']) {
    expect(loadConfig({ [name]: blank })).toEqual(loadConfig({}));
    expect(loadClientConfig({ [name]: blank })).toEqual(loadClientConfig({}));
  }
});

describe('a misspelled name', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATA_DIRR', 'DATA_DIR'],
    ['DATADIR', 'DATA_DIR'],
    ['PROT', 'PORT'],
    ['HSOT', 'HOST'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['OPERATR_TOKNE', 'OPERATOR_TOKEN'],
    ['SOURCE_FILE', 'SOURCES_FILE'],
    ['THREAD', 'THREADS'],
    ['port', 'PORT'],
    ['GEOOPSLAG_KEYS', 'GEOOPSLAG_KEY'],
  ])('%s is warned about: %s is meant', (given, meant) => {
    expect(misspelledSettings({ [given]: 'something' })).toEqual([
      `${given} is not a setting and is not read: is ${meant} meant?`,
    ]);
  });

  test('tells the name and never the value', () => {
    const [sentence] = misspelledSettings({ OPERATOR_TOKN: 'a-secret-of-some-length' });
    expect(sentence).toContain('OPERATOR_TOKEN');
    expect(sentence).not.toContain('a-secret');
  });

  test('is none where what it looks like is set too, or where it is empty', () => {
    expect(misspelledSettings({ POST: 'x', PORT: '80', HOST: 'localhost' })).toEqual([]);
    expect(misspelledSettings({ PROT: '' })).toEqual([]);
  });

  test('is none among the names of a usual machine, container, cluster or shell', () => {
    const usual =
      'HOME HOSTNAME HOSTTYPE HOST_IP PATH PWD OLDPWD USER LOGNAME SHELL SHLVL TERM LANG LC_ALL TZ MAIL ' +
      'EDITOR PAGER DISPLAY SSH_AUTH_SOCK SSH_CONNECTION XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR ' +
      'DBUS_SESSION_BUS_ADDRESS TMPDIR TEMP TMP PS1 IFS COLUMNS LINES COLORTERM LS_COLORS NO_COLOR ' +
      'NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION YARN_VERSION INIT_CWD npm_config_cache npm_execpath ' +
      'npm_package_name npm_lifecycle_event npm_node_execpath UV_THREADPOOL_SIZE http_proxy https_proxy ' +
      'HTTP_PROXY HTTPS_PROXY NO_PROXY PGHOST PGPORT PGUSER PGDATA PGDATABASE PGPASSWORD POSTGRES_DB ' +
      'POSTGRES_PASSWORD POSTGRES_USER POSTGRES_HOST POSTGRES_PORT DB_HOST DB_PORT REDIS_URL DATABASE_HOST ' +
      'KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT GEOOPSLAG_PORT GEOOPSLAG_SERVICE_HOST ' +
      'GEOOPSLAG_SERVICE_PORT STORE_PORT SERVICE_PORT CI CI_JOB_ID JOB_ID JOB_NAME RUNNER_OS GITHUB_TOKEN ' +
      'BUILD_URL PUBLIC_KEY DOCKER_HOST INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID LISTEN_FDS ' +
      'NOTIFY_SOCKET LOG_FILE LOG_DIR LOG_FORMAT MAKEFLAGS MAKELEVEL SUDO_USER WINDOWID VIRTUAL_ENV JAVA_HOME';
    const env = Object.fromEntries(usual.split(' ').map((name) => [name, 'something']));
    expect(misspelledSettings(env)).toEqual([]);
  });
});

describe('the settings of webhooks', () => {
  test('let webhooks go to this machine in trials only, where nobody else reaches the service', () => {
    expect(loadConfig({}).webhookLoopback).toBe(false);
    for (const HOST of ['', '127.0.0.1', 'localhost', '::1']) {
      expect(loadConfig({ WEBHOOK_LOOPBACK: 'on', HOST }).webhookLoopback).toBe(true);
    }
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'geo.example']) {
      expect(() => loadConfig({ WEBHOOK_LOOPBACK: 'on', HOST })).toThrow(
        /^WEBHOOK_LOOPBACK is for/,
      );
    }
  });

  test('of the door for DAWA: a host and a public key, and neither without the door', () => {
    const keyless = 'svc_pub_live_Abc123';
    expect(loadConfig({}).dawa).toBeNull();
    expect(loadConfig({ DAWA: 'on' }).dawa).toEqual({ host: null, keyless: null, isOpen: false });
    expect(loadConfig({ DAWA: 'on', DAWA_KEYLESS: 'open-trial' }).dawa).toMatchObject({
      ...{ keyless: null, isOpen: true },
    });
    expect(
      loadConfig({ DAWA: 'on', DAWA_HOST: 'Dawa.Example.dk', DAWA_KEYLESS: keyless }).dawa,
    ).toEqual({ host: 'dawa.example.dk', keyless, isOpen: false });
    expect(() => loadConfig({ DAWA_HOST: 'dawa.example.dk' })).toThrow(/need DAWA=on/);
    expect(() => loadConfig({ DAWA: 'on', DAWA_HOST: 'https://x.dk' })).toThrow(/^DAWA_HOST/);
    const secret = 'svc_live_Abc123';
    expect(() => loadConfig({ DAWA: 'on', DAWA_KEYLESS: secret })).toThrow(/^DAWA_KEYLESS must/);
  });
});

test('OPERATOR_TOKEN must be long enough to be no guess, and something a header can carry', () => {
  expect(loadConfig({}).operatorToken).toBeNull();
  const given = ' opdigtet-noegle-1 ';
  expect(loadConfig({ OPERATOR_TOKEN: given }).operatorToken).toBe(given.trim());
  for (const wrong of ['fifteen-letters', 'hemmelig med mellemrum', 'hemmelig-nøgle-af-længde']) {
    const load = () => loadConfig({ OPERATOR_TOKEN: wrong });
    expect(load).toThrow(/^OPERATOR_TOKEN must have at least 16 characters/);
    // The value itself is in no message.
    expect(load).not.toThrow(wrong);
  }
});

const dir = ownFolder('config');
const PIPE = join(dir, 'pipe');
execFileSync('mkfifo', [PIPE]);

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
  const sounding = NAMES.filter((name) => SECRET.test(name));
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

test('the files of PLANS_FILE and SOURCES_FILE give each key once', () => {
  const path = join(dir, 'twice.json');
  // With escapes and colons in texts; the same key of two objects is no fault.
  const twice = ['{"aa": {}, "dige": {}, "aa" : {}}', '{"a":":", "x": [{"\\u0061a":1,"aa":2}]}'];
  for (const read of [() => sourcesOf(path), () => readPlans(path)]) {
    for (const text of twice) {
      writeFileSync(path, text);
      expect(read).toThrow('cannot be read as JSON: aa is given twice');
    }
    writeFileSync(path, '{"__proto__": {}}');
    expect(read).toThrow('cannot be read as JSON: __proto__ is no key');
    writeFileSync(path, '{"a": {"b": "\\"b\\":"}, "c": {"b": ["b", ":"]}}');
    expect(read).not.toThrow('twice');
  }
});

describe('what is shown', () => {
  test('is every setting, by default with the default that the document states', () => {
    const shown = shownSettings({});
    const names = NAMES.filter((name) => !SECRET_SETTINGS.includes(name.slice(0, -5)));
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
});

/** Most of it `Number` takes, or `Date.parse` and `URL` do. */
const NO_DECIMAL = '0x10 0b11 0o17 1_0 0,5 1n １ Infinity NaN -1 --1'.split(' ');
const NO_WHOLE = [...NO_DECIMAL, '1e3', '+300', '0300', '300.0', '300 ;', '300,', '1e-400'];
const NO_SWITCH = ['maybe', 'ON', 'TRUE', 'true', 'yes', '1', 'on,', 'on off'];
const NO_URL = 'geo.example https:geo.example https:///geo.example https:\\\\geo.example'
  .split(' ')
  .concat('https:// https://geo.example/#a https://geo.example/?a ftp://geo.example'.split(' '))
  .concat('https://geo.example/a b');
const PLACES = ['12.4136', '55.7957 12.4136', '12,4136 55,7957', 'x y', '12.4 55.7 1', '0xC 0x37'];
const each = (names: string, refused: readonly string[]) =>
  names.split(' ').map((name): [string, readonly string[]] => [name, refused]);
const takenAs = (given: string, type: string) =>
  SETTINGS.filter(({ name, read }) => {
    try {
      return typeof read?.({ [name]: given }, name) === type;
    } catch {
      return false;
    }
  }).map(({ name }) => name);
const WHOLE = takenAs('300', 'number').filter((name) => name !== 'UNIT_PRICE_DKK');
const SWITCHES = takenAs('off', 'boolean');
const REFUSED = [
  ...each(`${WHOLE.join(' ')} REQUEST_THREADS THREADS`, NO_WHOLE),
  ...each('RETENTION', NO_WHOLE.map((given) => `job=${given}`).concat('job=400,', 'job')),
  ...each('UNIT_PRICE_DKK OTEL_TRACES_SAMPLER_ARG', [...NO_DECIMAL, '1001']),
  ...each('UNIT_PRICE_DKK', ['0']),
  ...each('EXAMPLE_PLACE', PLACES),
  ...each(`${SWITCHES.join(' ')} ACCOUNT_REQUESTS DAWA VIRK_PLAIN_HTTP`, NO_SWITCH),
  ...each('PUBLIC_URL WEBHOOK_PROXY OTEL_EXPORTER_OTLP_ENDPOINT GEOOPSLAG_URL', NO_URL),
  ...each('DATABASE_URL', ['postgres://h/geo?port=0x1538', 'postgres:h/geo', 'postgres://h,/geo']),
  ...each('UPSTREAM_KEYS_END', ['2027-02-30', '2027-2-3', '2027-05-01,', '1e3']),
  ...each('OPERATOR_TOKENS', ['anna:operator-token-of-anna,']),
  ...each('OTEL_EXPORTER_OTLP_PROTOCOL OTEL_TRACES_SAMPLER', ['grpc', 'xray', 'HTTP/JSON']),
  ...each('OTEL_EXPORTER_OTLP_HEADERS OTEL_RESOURCE_ATTRIBUTES', ['hemmelig', 'a=b,c', 'a=b,']),
  ...each('WEBHOOK_KEY WEBHOOK_KEY_OLD', ['x', KEY.slice(1), Buffer.alloc(16).toString('base64')]),
  ...each('TRUSTED_PROXIES', 'proxy.local 10.0.0.0/33 10.0.0.0/08 10.0.0.1/8/8'.split(' ')),
  ...each('TRUSTED_PROXIES', ['::1/129', '10.0.0.1,,', '10.0.0.1,', '*', '1']),
];
test.each(REFUSED)('%s of another form is refused by its name', (name, all) => {
  for (const given of all) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example', [name]: given };
    expect(() => load(env), given).toThrow(new RegExp(`^${name}(?: must be|: job is) `));
  }
});

test.each([
  ['RETENTION', 'job=400,usage_line=400,job=500', 'job'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hemmelig,Authorization=x', 'authorization'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=b,c=d,c=d', 'c'],
  ['DATABASE_URL', 'postgres://h/geo?host=hemmelig&port=1&host=h', 'host'],
  ['DATABASE_READ_URL', 'postgres://h/geo?host=hemmelig&host=h', 'host'],
])('%s with a name twice is refused by both', (name, given, twice) => {
  const env = { ...COLLECTOR, DATABASE_URL: 'postgres://h/geo', [name]: given };
  expect(() => load(env)).toThrow(`${name} names ${twice} twice.`);
});

test.each([
  ['TRUSTED_PROXIES', 'trustedProxies', [], '10.0.0.1, 10.1.0.0/16,::1'],
  ['UNIT_PRICE_DKK', 'unitPriceDkk', null, '0.05'],
  ['EXAMPLE_PLACE', 'examplePlace', null, '12.4136 55.7957'],
  ['FAST_PATH', 'fastPath', true, 'off'],
] as const)('%s is read, and has a value where it is not set', (name, field, unset, given) => {
  const READ = {
    ...{ trustedProxies: ['10.0.0.1', '10.1.0.0/16', '::1'], unitPriceDkk: 0.05 },
    ...{ examplePlace: { lon: 12.4136, lat: 55.7957 }, fastPath: false },
  };
  expect(loadConfig({})[field]).toEqual(unset);
  expect(loadConfig({ [name]: given })[field]).toEqual(READ[field]);
});

describe('BACKGROUND_MAP_URL', () => {
  const set = (url: string, attribution = 'Kortstyrelsen (opdigtet)') =>
    loadConfig({ BACKGROUND_MAP_URL: url, BACKGROUND_MAP_ATTRIBUTION: attribution }).backgroundMap;

  test.each([
    ['https://kort.example/{z}/{x}/{y}.png', 'https://kort.example'],
    [
      'http://127.0.0.1:9000/t?TileMatrix={z}&TileCol={x}&TileRow={y}&token=a-b',
      'http://127.0.0.1:9000',
    ],
  ])('is a template of pictures: %s', (url, origin) => {
    const found = set(url);
    expect(found).toEqual({ url, attribution: 'Kortstyrelsen (opdigtet)' });
    expect(originOf(found!)).toBe(origin);
    expect(loadConfig({}).backgroundMap).toBeNull();
  });

  test.each([
    'ftp://kort.example/{z}/{x}/{y}',
    'https://kort.example/{z}/{x}',
    'https://kort.example/{z}/{x}/{y}/{y}',
    'https://{z}.example/{x}/{y}',
    'https://{s}.kort.example/{z}/{x}/{y}',
    'https://kort.example/{-y}/{z}/{x}/{y}',
    'https://anna:secret-of-anna@kort.example/{z}/{x}/{y}',
    "https://kort.example/'{z}/{x}/{y}",
    'https://kort.example/ {z}/{x}/{y}',
    `https://kort.example/{z}/{x}/{y}?${'a'.repeat(1_000)}`,
    '/{z}/{x}/{y}',
  ])('refuses %s without saying it', (url) => {
    expect(() => set(url)).toThrow(/^BACKGROUND_MAP_URL must be an address (?!.*secret-of-anna)/);
  });

  test('and whose it is go together', () => {
    expect(() => set('', 'x')).toThrow('BACKGROUND_MAP_ATTRIBUTION needs BACKGROUND_MAP_URL.');
    expect(() => set('https://kort.example/{z}/{x}/{y}', '')).toThrow(
      'BACKGROUND_MAP_URL needs BACKGROUND_MAP_ATTRIBUTION.',
    );
    expect(() => set('https://kort.example/{z}/{x}/{y}', 'x'.repeat(201))).toThrow('200');
  });
});

describe('the plans', () => {
  const path = join(dir, 'plans.json');

  test('are those decided (D60, D61)', () => {
    const plans = readPlans();
    const table = Object.entries(plans).map(([tier, plan]) => [
      tier,
      plan.unitsPerMonth.live,
      plan.unitsPerMonth.test,
      plan.requestsPerSecond,
      plan.batches,
    ]);
    expect(table).toEqual([
      ['free', 1_000, 500, 5, false],
      ['pro', 50_000, 5_000, 50, true],
      ['business', 1_000_000, 50_000, 200, true],
    ]);
    expect(leastTierWithBatches(plans)).toBe('pro');
  });

  test('end at the allowance, or with overage at the cap', () => {
    const { free, pro } = readPlans();
    const live = { environment: 'live', capUnits: null } as const;
    expect(monthlyCeiling(free, live)).toBe(1_000);
    expect(monthlyCeiling(free, { ...live, capUnits: 9_000 })).toBe(1_000);
    expect(monthlyCeiling(pro, live)).toBe(500_000);
    expect(monthlyCeiling(pro, { ...live, capUnits: 60_000 })).toBe(60_000);
    // What is included is never refused.
    expect(monthlyCeiling(pro, { ...live, capUnits: 10 })).toBe(50_000);
    expect(monthlyCeiling(pro, { environment: 'test', capUnits: 9e6 })).toBe(5_000);
  });

  test('of one’s own are read, and refused by the name of the field', () => {
    const plans = readPlans();
    const of = (requestsPerSecond: number) => {
      writeFileSync(path, JSON.stringify({ ...plans, free: { ...plans.free, requestsPerSecond } }));
      return readPlans(path).free.requestsPerSecond;
    };
    expect(of(9)).toBe(9);
    expect(() => of(0)).toThrow('PLANS_FILE/free/requestsPerSecond: must be >= 1.');
  });
});

describe('a permission', () => {
  test.each([
    ['read', AREAS.length - 1],
    ['jobs', AREAS.length],
    ['restricted:dagi', 1],
    ['restricted:natur,dagi,natur', 2],
  ])('%s opens %i areas', (text, count) => {
    expect(areasOf(parsePermission(text)!).size).toBe(count);
  });

  test('may be chosen on the page for each area', () => {
    expect(Object.keys(AREA_WORDS).toSorted()).toEqual(AREAS.toSorted());
  });

  test('of areas is kept in their usual order, once each', () => {
    expect(parsePermission('restricted:natur,dagi,natur')).toBe('restricted:dagi,natur');
  });

  test.each([
    ...['', 'write', 'restricted:', 'restricted:dagi,', 'restricted:DAGI', 'Read', 'read,jobs'],
  ])('%s is none', (text) => {
    expect(parsePermission(text)).toBeNull();
  });
});
