/**
 * The only reader of the environment, validated as a whole at start; a wrong setting stops the
 * program with one sentence that names it.
 */
import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import querystring from 'node:querystring';
import {
  addresses,
  bounded,
  integer,
  ofNames,
  oneOf,
  pairs,
  secret,
  share,
  text,
  url,
} from './kernel/setting-values.ts';
import type { Environment } from './kernel/setting-values.ts';
import { isLoopback } from './kernel/address-ranges.ts';
import { databaseAddress } from './kernel/database-address.ts';
import { parseKey } from './kernel/key-bytes.ts';
import { LIMITS } from './kernel/limits.ts';
import type { LogLevel } from './kernel/logger.ts';
import { misspelled } from './kernel/misspelled.ts';
import { withSecretFiles } from './kernel/secret-files.ts';
import type { SnapshotStoreSettings } from './kernel/snapshot-store-settings.ts';
import { SAMPLERS } from './kernel/tracing-settings.ts';
import type { TracingSettings } from './kernel/tracing-settings.ts';
import type { Login } from './core/login.ts';
import { MOST_REQUEST_THREADS, planThreads } from './kernel/thread-plan.ts';
import type { ThreadPlan } from './kernel/thread-plan.ts';
import { instantOf } from './layers/mappings/times.ts';
import { backgroundMap } from './layers/background-map.ts';
import type { BackgroundMap } from './layers/background-map.ts';

export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** `sample` mirrors the built-in invented island, `live` the registers. */
  readonly sources: 'sample' | 'live';
  /** Overrides of sources, limits and guards by layer; null: none. */
  readonly sourcesFile: string | null;
  /**
   * Login to Virk's company search; null: it is not asked. The password is a secret: never logged.
   */
  readonly virkLogin: Login | null;
  /** The folder of terrain tiles; null: none. */
  readonly dhmDir: string | null;
  /** null: the embedded store under `dataDir`. */
  readonly databaseUrl: string | null;
  /** A replica that reads of the store may go to; null: none. A secret where it has a password. */
  readonly databaseReadUrl: string | null;
  /** How far it may be behind, seconds. */
  readonly readLagS: number;
  readonly dataDir: string;
  /** Where fronts share their files; null: each builds its own. */
  readonly snapshotStore: SnapshotStoreSettings | null;
  /** Seal what is shared there, the first, and open it, each; none: it is not sealed. Secrets. */
  readonly snapshotKeys: readonly string[];
  /** D23. */
  readonly searchRadiusM: number;
  /** API key of the Datafordeler (cadastre, DAGI). A secret: never logged. */
  readonly datafordelerKey: string | null;
  /** Request threads and the threads beside them. */
  readonly plan: ThreadPlan;
  readonly threads: number;
  readonly logLevel: LogLevel;
  /** Public URL, for `doc_url`; null: from host and port. */
  readonly publicUrl: string | null;
  /** `store` answers everything from the database, for comparison and diagnosis. */
  readonly lookups: 'memory' | 'store';
  /** Admits an operator; null: the operator's routes are off. Never logged. */
  readonly operatorToken: string | null;
  /** Opens `/metrics` alone. */
  readonly metricsToken: string | null;
  readonly plansFile: string | null;
  readonly mapsPerSecond: number;
  /** Kroner for a unit beyond what a plan includes; null: pages tell none. */
  readonly unitPriceDkk: number | null;
  /** Background of the map page; null: none. */
  readonly backgroundMap: BackgroundMap | null;
  /** Proxies (addresses or CIDR ranges) whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Loopback port of the sample upstream; 0: a free port; null: its usual one, else a free one. */
  readonly samplePort: number | null;
  /** Runs per layer whose raw pages are kept under `dataDir` for replay; 0: none. */
  readonly rawRuns: number;
  /** Off: plain lookups also use the framework. Answers are equal. */
  readonly fastPath: boolean;
  /** Off: no nightly runs and no first mirroring (fronts beside a syncing process). */
  readonly sync: boolean;
  /** Off: this process runs no jobs (fronts beside `npm run work`). */
  readonly jobs: boolean;
  /** Off: this process sends no webhooks (fronts beside `npm run dispatch`). */
  readonly webhooks: boolean;
  /** Whether visitors of the front page can ask with a short-lived test key. */
  readonly openTrial: boolean;
  /** Seals webhook secrets (D102), base64 of 32 bytes; null: not set. Never logged. */
  readonly webhookKey: string | null;
  /** The previous key during a rotation. Never logged. */
  readonly webhookKeyOld: string | null;
  /** A CONNECT proxy for webhooks (D108); null: none. */
  readonly webhookProxy: string | null;
  /** For trials: webhooks may go to this machine. Only where the service listens only there. */
  readonly webhookLoopback: boolean;
  readonly dawa: { readonly host: string | null; readonly keyless: string | null } | null;
  /** Start time of a trial's clock, milliseconds UTC; null: real time. Never with live sources. */
  readonly trialClockMs: number | null;
  /** null: nothing is traced. */
  readonly tracing: TracingSettings | null;
}

export type { Environment };

/** Of the service: a value, or a file that holds it under the name with `_FILE`. */
const SERVICE_SECRETS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'OPERATOR_TOKEN',
  'METRICS_TOKEN',
  'DATAFORDELER_API_KEY',
  'VIRK_PASSWORD',
  'WEBHOOK_KEY',
  'WEBHOOK_KEY_OLD',
  'WEBHOOK_PROXY',
  'SNAPSHOT_KEY',
  'SNAPSHOT_KEY_OLD',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];
const CLIENT_SECRETS = ['GEOOPSLAG_KEY'];
export const SECRET_SETTINGS: readonly string[] = [...SERVICE_SECRETS, ...CLIENT_SECRETS];

export function environment(): Environment {
  return process.env;
}

/** An empty setting is unset. Throws an Error with one sentence that names the wrong one. */
export function loadConfig(given: Environment = environment()): Config {
  const env = withSecretFiles(given, SERVICE_SECRETS);
  const dhmDir = text(env['DHM_DIR']);
  const config: Config = {
    host: text(env['HOST']) ?? '127.0.0.1',
    port: integer(env, 'PORT', { fallback: 8080, min: 0, max: 65_535 }),
    sources: oneOf(env, 'SOURCES', ['sample', 'live']),
    sourcesFile: text(env['SOURCES_FILE']),
    virkLogin: virkLogin(env),
    dhmDir: dhmDir === null ? null : resolve(dhmDir),
    databaseUrl: database(env, 'DATABASE_URL'),
    ...reads(env),
    dataDir: resolve(text(env['DATA_DIR']) ?? '.data'),
    snapshotStore: snapshotStore(env),
    snapshotKeys: ['SNAPSHOT_KEY', 'SNAPSHOT_KEY_OLD'].flatMap(
      (name) => sealingKey(env, name) ?? [],
    ),
    searchRadiusM: bounded(env, 'SEARCH_RADIUS_M', LIMITS.searchRadiusM),
    datafordelerKey: text(env['DATAFORDELER_API_KEY']),
    ...threadPlan(env),
    logLevel: oneOf(env, 'LOG_LEVEL', ['warn', 'silent', 'error', 'info', 'debug']),
    publicUrl: url(env, 'PUBLIC_URL', ['http:', 'https:']),
    lookups: oneOf(env, 'LOOKUPS', ['memory', 'store']),
    operatorToken: secret(env, 'OPERATOR_TOKEN', LIMITS.operatorTokenChars),
    metricsToken: secret(env, 'METRICS_TOKEN', LIMITS.operatorTokenChars),
    plansFile: text(env['PLANS_FILE']),
    mapsPerSecond: bounded(env, 'KORT_PER_SECOND', LIMITS.kort.perSecond),
    unitPriceDkk: unitPrice(env),
    backgroundMap: backgroundMap(
      text(env['BACKGROUND_MAP_URL']),
      text(env['BACKGROUND_MAP_ATTRIBUTION']),
    ),
    trustedProxies: addresses(env, 'TRUSTED_PROXIES'),
    samplePort:
      text(env['SAMPLE_PORT']) === null
        ? null
        : integer(env, 'SAMPLE_PORT', { fallback: 0, min: 0, max: 65_535 }),
    rawRuns: bounded(env, 'RAW_RUNS', LIMITS.rawRuns),
    fastPath: oneOf(env, 'FAST_PATH', ['on', 'off']) === 'on',
    sync: oneOf(env, 'SYNC', ['on', 'off']) === 'on',
    jobs: oneOf(env, 'JOBS', ['on', 'off']) === 'on',
    webhooks: oneOf(env, 'WEBHOOKS', ['on', 'off']) === 'on',
    openTrial: oneOf(env, 'OPEN_TRIAL', ['on', 'off']) === 'on',
    webhookKey: sealingKey(env, 'WEBHOOK_KEY'),
    webhookKeyOld: sealingKey(env, 'WEBHOOK_KEY_OLD'),
    webhookProxy: url(env, 'WEBHOOK_PROXY', ['http:', 'https:']),
    webhookLoopback: loopbackTrial(env),
    dawa: dawaDoor(env),
    trialClockMs: trialClock(env),
    tracing: tracing(env),
  };
  return Object.freeze(config);
}

function database(env: Environment, name: string): string | null {
  const given = text(env[name]);
  if (given === null || databaseAddress(given) !== null) return given?.replace(/\/$/, '') ?? null;
  // The value may contain a password: never print it.
  throw new Error(
    `${name} must be an address starting with postgres:// or postgresql://, whose ` +
      'target_session_attrs, if any, is any, read-write, primary, standby or prefer-standby.',
  );
}

function reads(env: Environment): Pick<Config, 'databaseReadUrl' | 'readLagS'> {
  const databaseReadUrl = database(env, 'DATABASE_READ_URL');
  const readLagS = bounded(env, 'DATABASE_READ_LAG_S', LIMITS.readLagS);
  if (databaseReadUrl !== null && text(env['DATABASE_URL']) === null)
    throw new Error('DATABASE_READ_URL needs DATABASE_URL.');
  return { databaseReadUrl, readLagS };
}

function threadPlan(env: Environment): Pick<Config, 'plan' | 'threads'> {
  const bounds = { fallback: 0, min: 1, max: MOST_REQUEST_THREADS };
  const requests = text(env['REQUEST_THREADS']) ?? 'auto';
  const plan = planThreads(availableParallelism(), {
    requests: requests === 'auto' ? 'auto' : integer(env, 'REQUEST_THREADS', bounds),
    work: text(env['THREADS']) === null ? null : integer(env, 'THREADS', bounds),
  });
  return { plan, threads: plan.work };
}

export function secretsOf(config: Config): readonly string[] {
  const { databaseUrl, datafordelerKey, webhookKey, webhookKeyOld } = config;
  const traced = config.tracing;
  const files = config.snapshotStore?.kind === 's3' ? config.snapshotStore : null;
  const passwords = [
    databaseUrl,
    config.databaseReadUrl,
    config.webhookProxy,
    traced?.url ?? null,
  ].flatMap(passwordsIn);
  const login = config.virkLogin === null ? [] : loginSecrets(config.virkLogin);
  const secrets = [
    datafordelerKey,
    config.operatorToken,
    config.metricsToken,
    webhookKey,
    webhookKeyOld,
    ...config.snapshotKeys,
    files?.accessKeyId ?? null,
    files?.secretAccessKey ?? null,
    files?.sessionToken ?? null,
    ...login,
    ...passwords,
    ...Object.values(traced?.headers ?? {}).flatMap(credentialsIn),
  ];
  return secrets.filter((secret): secret is string => secret !== null && secret !== '');
}

function loginSecrets({ user, password }: Login): readonly string[] {
  return [password, Buffer.from(`${user}:${password}`).toString('base64')];
}

/** `Bearer abc`, and `abc` alone. */
function credentialsIn(header: string): readonly string[] {
  return [header, header.replace(/^\w+ +/, '')];
}

/** Percent-encoded as in the URL, and decoded. */
function passwordsIn(address: string | null): readonly string[] {
  if (address === null) return [];
  const { password } = new URL(databaseAddress(address)?.url ?? address);
  return [password, querystring.unescape(password)];
}

export interface ClientConfig {
  readonly url: string;
  /** An API key, a secret; null: not set. */
  readonly key: string | null;
}

/** For a program that calls the service as a customer. Throws as `loadConfig`. */
export function loadClientConfig(given: Environment = environment()): ClientConfig {
  const env = withSecretFiles(given, CLIENT_SECRETS);
  return Object.freeze({
    url: (url(env, 'GEOOPSLAG_URL', ['http:', 'https:']) ?? USUAL_URL).replace(/\/+$/, ''),
    key: text(env['GEOOPSLAG_KEY']),
  });
}

const USUAL_URL = 'http://127.0.0.1:8080';

/** Collected from the two readers above, so that no separate list is needed. */
export function settingNames(): readonly string[] {
  const names = new Set<string>();
  const asked = new Proxy<Record<string, undefined>>(
    {},
    {
      get: (_, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  loadConfig(asked);
  loadClientConfig(asked);
  return [...names];
}

/** A sentence for each variable that resembles a setting; empty: none. */
export function misspelledSettings(env: Environment = environment()): readonly string[] {
  const set = Object.keys(env).filter((name) => text(env[name]) !== null);
  return misspelled(set, settingNames()).map(
    ({ given, meant }) => `${given} is not a setting and is not read: is ${meant} meant?`,
  );
}

/** No error contains the value. */
function sealingKey(env: Environment, name: string): string | null {
  const given = text(env[name]);
  if (given === null || parseKey(given) !== null) return given;
  throw new Error(`${name} must be base64 of 32 random bytes, as of: openssl rand -base64 32.`);
}

/** Name and password are only valid together. No error contains the values. */
function virkLogin(env: Environment): Login | null {
  const user = text(env['VIRK_USER']);
  const password = text(env['VIRK_PASSWORD']);
  const isPlainAllowed = oneOf(env, 'VIRK_PLAIN_HTTP', ['off', 'on']) === 'on';
  if (user === null && password === null) return null;
  if (user === null) throw new Error('VIRK_PASSWORD needs VIRK_USER.');
  if (password === null) throw new Error('VIRK_USER needs VIRK_PASSWORD.');
  return { user, password, isPlainAllowed };
}

/** A service reachable from outside must not be made to call what listens on this machine. */
function loopbackTrial(env: Environment): boolean {
  if (oneOf(env, 'WEBHOOK_LOOPBACK', ['off', 'on']) === 'off') return false;
  const host = text(env['HOST']) ?? '127.0.0.1';
  if (host === 'localhost' || isLoopback(host)) return true;
  throw new Error('WEBHOOK_LOOPBACK is for trials: not where HOST is no address of loopback.');
}

/** A folder, or a bucket with the usual variables of S3, which are not judged without one. */
function snapshotStore(env: Environment): SnapshotStoreSettings | null {
  const given = text(env['SNAPSHOT_STORE']);
  const s3 = ofNames(env, S3_SETTINGS);
  if (given === null) return null;
  const address = /^[a-z][a-z0-9]+:/.test(given) ? URL.parse(given) : null;
  if (address === null) return { kind: 'directory', directory: resolve(given) };
  if (address.protocol === 'file:' && address.host === '') {
    return { kind: 'directory', directory: fileURLToPath(address) };
  }
  const { protocol, host: bucket, pathname, username, search } = address;
  if (protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]+$/.test(bucket) || username + search !== '') {
    throw new Error(
      'SNAPSHOT_STORE must be a folder, file:///folder or s3://bucket/prefix, without a login.',
    );
  }
  const accessKeyId = text(s3['AWS_ACCESS_KEY_ID']);
  const secretAccessKey = text(s3['AWS_SECRET_ACCESS_KEY']);
  if (accessKeyId === null || secretAccessKey === null) {
    throw new Error('SNAPSHOT_STORE needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  return {
    ...{ kind: 's3', bucket, accessKeyId, secretAccessKey },
    prefix: pathname.replaceAll(/^\/+|\/+$/g, ''),
    endpoint:
      url(s3, 'AWS_ENDPOINT_URL_S3', ['http:', 'https:']) ??
      url(s3, 'AWS_ENDPOINT_URL', ['http:', 'https:']),
    region: text(s3['AWS_REGION']) ?? 'us-east-1',
    sessionToken: text(s3['AWS_SESSION_TOKEN']),
  };
}

const S3_SETTINGS = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL',
];

function dawaDoor(env: Environment): Config['dawa'] {
  const isOn = oneOf(env, 'DAWA', ['off', 'on']) === 'on';
  const host = text(env['DAWA_HOST'])?.toLowerCase() ?? null;
  const keyless = text(env['DAWA_KEYLESS']);
  if (host !== null && !/^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/.test(host)) {
    throw new Error('DAWA_HOST must be a host name, without scheme and port.');
  }
  if (keyless !== null && !/^svc_pub_(?:live|test)_[A-Za-z0-9]+$/.test(keyless)) {
    throw new Error('DAWA_KEYLESS must be a public key: svc_pub_live_… or svc_pub_test_….');
  }
  if (!isOn && (host ?? keyless) !== null)
    throw new Error('DAWA_HOST and DAWA_KEYLESS need DAWA=on.');
  return isOn ? { host, keyless } : null;
}

function unitPrice(env: Environment): number | null {
  const given = text(env['UNIT_PRICE_DKK']);
  if (given === null) return null;
  const price = Number(given);
  if (price > 0 && price <= 1000) return price;
  throw new Error('UNIT_PRICE_DKK must be kroner above 0 and at most 1000, as 0.05.');
}

/** A service with live registers must use real time. */
function trialClock(env: Environment): number | null {
  const given = text(env['TRIAL_CLOCK']);
  if (given === null) return null;
  const instant = instantOf(given);
  if (instant === null) {
    throw new Error('TRIAL_CLOCK must be a date or a time, as 2098-12-31T23:59:00+01:00.');
  }
  if (env['SOURCES'] === 'live')
    throw new Error('TRIAL_CLOCK is for the sample: not with SOURCES=live.');
  return Date.parse(instant);
}

/** The standard's variables. Without a collector none is judged: they may be meant for other programs. */
function tracing(env: Environment): TracingSettings | null {
  const endpoint = url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const given = ofNames(env, TRACING_SETTINGS);
  if (endpoint === null) return null;
  oneOf(given, 'OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json']);
  const service = { 'service.name': text(given['OTEL_SERVICE_NAME']) ?? 'geoopslag' };
  return {
    url: `${endpoint}/v1/traces`,
    headers: pairs(given, 'OTEL_EXPORTER_OTLP_HEADERS'),
    resource: { ...pairs(given, 'OTEL_RESOURCE_ATTRIBUTES'), ...service },
    sampler: oneOf(given, 'OTEL_TRACES_SAMPLER', SAMPLERS),
    ratio: share(given, 'OTEL_TRACES_SAMPLER_ARG'),
  };
}

const TRACING_SETTINGS = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];

/** `compiled`: where they keep compiled programs, so that none loads the compiler of TypeScript (12 MiB). */
export function environmentOfThreads(compiled: string): NodeJS.ProcessEnv {
  return { NODE_COMPILE_CACHE: compiled, ...process.env };
}
