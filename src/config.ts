/**
 * The only reader of the environment, validated as a whole at start; a wrong setting stops the
 * program with one sentence that names it.
 */
import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import querystring from 'node:querystring';
import {
  fileSettingOf,
  oneOf,
  integer,
  pairs,
  sealingKey,
  secret,
  share,
  text,
  url,
  withSecretFiles,
} from './kernel/setting-values.ts';
import { retentionDays } from './kernel/retention.ts';
import type { RetentionDays } from './kernel/retention.ts';
import { LIMITS } from './kernel/limits.ts';
import type { Environment } from './kernel/setting-values.ts';
import { databaseAddress } from './kernel/database-address.ts';
import { misspelled } from './names/slips.ts';
import type { SnapshotStoreSettings } from './kernel/snapshot-store-settings.ts';
import { SAMPLERS } from './kernel/tracing-settings.ts';
import type { TracingSettings } from './kernel/tracing-settings.ts';
import type { MailSettings } from './account/mail.ts';
import type { Login } from './core/live-settings.ts';
import { MOST_REQUEST_THREADS, memoryLimit, planThreads } from './kernel/thread-plan.ts';
import type { ThreadPlan } from './kernel/thread-plan.ts';
import { backgroundMap } from './layers/background-map.ts';
import type { BackgroundMap } from './layers/background-map.ts';
import { CLIENT, GROUPS, SETTINGS } from './settings.ts';
import type { SettingValues } from './settings.ts';

/** The rows of settings.ts by their keys, and what several settings make together. */
export interface Config extends SettingValues {
  /** Login to Virk's company search; null: it is not asked. */
  readonly virkLogin: Login | null;
  /** Where fronts share their files; null: each builds its own. */
  readonly snapshotStore: SnapshotStoreSettings | null;
  /** Seal what is shared there, the first, and open it, each; none: it is not sealed. Secrets. */
  readonly snapshotKeys: readonly string[];
  /** Request threads and the threads beside them. */
  readonly plan: ThreadPlan;
  readonly threads: number;
  readonly retention: RetentionDays;
  /** Background of the map page; null: none. */
  readonly backgroundMap: BackgroundMap | null;
  /** `isOpen`: requests without a key are visitors of the open trial; `keyless`: the public key they count as. */
  readonly dawa: {
    readonly host: string | null;
    readonly keyless: string | null;
    readonly isOpen: boolean;
  } | null;
  /** Of persons. Secrets. */
  readonly operatorTokens: readonly { readonly name: string; readonly token: string }[];
  /** How letters are sent; null: they are not. */
  readonly mail: MailSettings | null;
  /** null: nothing is traced. */
  readonly tracing: TracingSettings | null;
}

export type { Environment };

const SECRETS_BY_READER = Object.groupBy(
  SETTINGS.filter(({ isSecret }) => isSecret).map(({ name }) => name),
  (name) => (name in CLIENT.rows ? 'client' : 'service'),
);
const { client: CLIENT_SECRETS = [], service: SERVICE_SECRETS = [] } = SECRETS_BY_READER;
export const SECRET_SETTINGS: readonly string[] = [...SERVICE_SECRETS, ...CLIENT_SECRETS];

export function environment(): Environment {
  return process.env;
}

/** An empty setting is unset. Throws an Error with one sentence that names the wrong one. */
export function loadConfig(given: Environment = environment()): Config {
  const env = withSecretFiles(given, SERVICE_SECRETS);
  const config: Config = {
    ...readSettings(env),
    virkLogin: virkLogin(env),
    retention: retentionDays('RETENTION', pairs(env, 'RETENTION')),
    snapshotStore: snapshotStore(env),
    snapshotKeys: ['SNAPSHOT_KEY', 'SNAPSHOT_KEY_OLD'].flatMap(
      (name) => sealingKey(env, name) ?? [],
    ),
    operatorTokens: operatorTokens(env),
    ...threadPlan(env),
    backgroundMap: backgroundMap(
      text(env['BACKGROUND_MAP_URL']),
      text(env['BACKGROUND_MAP_ATTRIBUTION']),
    ),
    dawa: dawaDoor(env),
    mail: mailSettings(env),
    tracing: tracing(env),
  };
  return Object.freeze(config);
}

function readSettings(env: Environment): SettingValues {
  const rows = GROUPS.flatMap((group) => group.rows);
  return Object.fromEntries(
    rows.flatMap(({ key, name, read }) => (read === null ? [] : [[key, read(env, name)]])),
  ) as SettingValues;
}

function threadPlan(env: Environment): Pick<Config, 'plan' | 'threads'> {
  const bounds = { default: 0, min: 1, max: MOST_REQUEST_THREADS };
  const requests = text(env['REQUEST_THREADS']) ?? 'auto';
  const sources = oneOf(env, 'SOURCES', ['sample', 'live']);
  const machine = { cores: availableParallelism(), memoryBytes: memoryLimit(), sources };
  const plan = planThreads(machine, {
    requests: requests === 'auto' ? 'auto' : integer(env, 'REQUEST_THREADS', bounds),
    work: text(env['THREADS']) === null ? null : integer(env, 'THREADS', bounds),
  });
  return { plan, threads: plan.work };
}

export function secretsOf(config: Config): readonly string[] {
  const { tracing: traced, snapshotStore: files, virkLogin: login, mail } = config;
  const rows: Readonly<Record<string, unknown>> = { ...config };
  const own = GROUPS.flatMap((group) => group.rows)
    .filter(({ isSecret, read }) => isSecret && read !== null)
    .flatMap(({ key, isAddress }): readonly (string | null)[] => {
      const given = (rows[key] ?? null) as string | null;
      return isAddress ? passwordsIn(given) : [given];
    });
  const secrets = [
    ...own,
    ...config.snapshotKeys,
    ...config.operatorTokens.map(({ token }) => token),
    ...(files?.kind === 's3' ? [files.accessKeyId, files.secretAccessKey, files.sessionToken] : []),
    ...(login === null ? [] : loginSecrets(login)),
    ...(mail !== null && 'smtpUrl' in mail ? passwordsIn(mail.smtpUrl) : []),
    ...passwordsIn(traced?.url ?? null),
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
    url: url(env, 'GEOOPSLAG_URL', ['http:', 'https:']) ?? USUAL_URL,
    key: text(env['GEOOPSLAG_KEY']),
  });
}

const USUAL_URL = 'http://127.0.0.1:8080';

export function settingNames(): readonly string[] {
  return [...SETTINGS.map(({ name }) => name), ...SECRET_SETTINGS.map(fileSettingOf)];
}

/** A sentence for each variable that resembles a setting; empty: none. */
export function misspelledSettings(env: Environment = environment()): readonly string[] {
  const set = Object.keys(env).filter((name) => text(env[name]) !== null);
  return misspelled(set, settingNames()).map(
    ({ given, meant }) => `${given} is not a setting and is not read: is ${meant} meant?`,
  );
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

/** A link in a letter is at `PUBLIC_URL`, or in trials where the service listens: never where a request says. */
function mailSettings(env: Environment): MailSettings | null {
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  const dir = text(env['MAIL_DIR']);
  const from = text(env['MAIL_FROM']);
  if (smtpUrl !== null && dir !== null) throw new Error('Set SMTP_URL or MAIL_DIR, not both.');
  if (dir !== null) return { from: from ?? 'Geoopslag <geoopslag@localhost>', dir: resolve(dir) };
  if (smtpUrl === null) return null;
  if (from === null) throw new Error('SMTP_URL needs MAIL_FROM.');
  if (text(env['PUBLIC_URL']) === null) throw new Error('SMTP_URL needs PUBLIC_URL.');
  return { from, smtpUrl };
}

/** A folder, or a bucket with the usual variables of S3, which are not judged without one. */
function snapshotStore(env: Environment): SnapshotStoreSettings | null {
  const given = text(env['SNAPSHOT_STORE']);
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
  const accessKeyId = text(env['AWS_ACCESS_KEY_ID']);
  const secretAccessKey = text(env['AWS_SECRET_ACCESS_KEY']);
  if (accessKeyId === null || secretAccessKey === null) {
    throw new Error('SNAPSHOT_STORE needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  return {
    ...{ kind: 's3', bucket, accessKeyId, secretAccessKey },
    prefix: pathname.replaceAll(/^\/+|\/+$/g, ''),
    endpoint:
      url(env, 'AWS_ENDPOINT_URL_S3', ['http:', 'https:']) ??
      url(env, 'AWS_ENDPOINT_URL', ['http:', 'https:']),
    region: text(env['AWS_REGION']) ?? 'us-east-1',
    sessionToken: text(env['AWS_SESSION_TOKEN']),
  };
}

/** No error contains a token. */
function operatorTokens(env: Environment): Config['operatorTokens'] {
  const name = 'OPERATOR_TOKENS';
  const parts = text(env[name])?.split(',') ?? [];
  return parts.map((part) => {
    const [, who = '', token = ''] = /^\s*([^:\s][^:]*?)\s*:\s*([^:]+?)\s*$/.exec(part) ?? [];
    if (who === '' || who.length > LIMITS.operatorNameChars) {
      throw new Error(`${name} must be name:token, several separated by commas.`);
    }
    return { name: who, token: secret({ [name]: token }, name, LIMITS.operatorTokenChars) ?? '' };
  });
}

function dawaDoor(env: Environment): Config['dawa'] {
  const isOn = oneOf(env, 'DAWA', ['off', 'on']) === 'on';
  const host = text(env['DAWA_HOST'])?.toLowerCase() ?? null;
  const keyless = text(env['DAWA_KEYLESS']);
  if (host !== null && !/^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/.test(host)) {
    throw new Error('DAWA_HOST must be a host name, without scheme and port.');
  }
  const isOpen = keyless === 'open-trial';
  if (keyless !== null && !isOpen && !/^svc_pub_(?:live|test)_[A-Za-z0-9]+$/.test(keyless)) {
    throw new Error(
      'DAWA_KEYLESS must be a public key (svc_pub_live_… or svc_pub_test_…) or open-trial.',
    );
  }
  if (!isOn && (host ?? keyless) !== null)
    throw new Error('DAWA_HOST and DAWA_KEYLESS need DAWA=on.');
  return isOn ? { host, keyless: isOpen ? null : keyless, isOpen } : null;
}

/** The standard's variables. Without a collector none is judged: they may be meant for other programs. */
function tracing(env: Environment): TracingSettings | null {
  const endpoint = url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  if (endpoint === null) return null;
  oneOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json']);
  const service = { 'service.name': text(env['OTEL_SERVICE_NAME']) ?? 'geoopslag' };
  return {
    url: `${endpoint}/v1/traces`,
    headers: pairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    resource: { ...pairs(env, 'OTEL_RESOURCE_ATTRIBUTES'), ...service },
    sampler: oneOf(env, 'OTEL_TRACES_SAMPLER', SAMPLERS),
    ratio: share(env, 'OTEL_TRACES_SAMPLER_ARG'),
  };
}

/** `compiled`: where they keep compiled programs, so that none loads the compiler of TypeScript (12 MiB). */
export function environmentOfThreads(compiled: string): NodeJS.ProcessEnv {
  return { NODE_COMPILE_CACHE: compiled, ...process.env };
}
