/** Every setting as it holds and where its value came from, without secrets. */
import {
  SECRET_SETTINGS,
  environment,
  loadClientConfig,
  loadConfig,
  settingNames,
} from '../config.ts';
import type { Config, Environment } from '../config.ts';
import { redact } from '../kernel/log.ts';
import { fileSettingOf } from '../kernel/secret-files.ts';

export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  /** `environment`, `default`, or the file that has it. */
  readonly origin: string;
}

type Shown = string | number | boolean | null;

/** What holds where a setting is not set; those that are not here have no value then. */
const DEFAULTS: Readonly<Record<string, (config: Config) => Shown>> = {
  HOST: ({ host }) => host,
  PORT: ({ port }) => port,
  SOURCES: ({ sources }) => sources,
  DATABASE_READ_LAG_S: ({ readLagS }) => readLagS,
  DATA_DIR: ({ dataDir }) => dataDir,
  SEARCH_RADIUS_M: ({ searchRadiusM }) => searchRadiusM,
  THREADS: ({ threads }) => threads,
  LOG_LEVEL: ({ logLevel }) => logLevel,
  LOOKUPS: ({ lookups }) => lookups,
  KORT_PER_SECOND: ({ mapsPerSecond }) => mapsPerSecond,
  RAW_RUNS: ({ rawRuns }) => rawRuns,
  FAST_PATH: ({ fastPath }) => fastPath,
  SYNC: ({ sync }) => sync,
  JOBS: ({ jobs }) => jobs,
  WEBHOOKS: ({ webhooks }) => webhooks,
  OPEN_TRIAL: ({ openTrial }) => openTrial,
  WEBHOOK_LOOPBACK: ({ webhookLoopback }) => webhookLoopback,
  DAWA: ({ dawa }) => dawa !== null,
  AWS_REGION: ({ snapshotStore }) => (snapshotStore?.kind === 's3' ? snapshotStore.region : null),
  VIRK_PLAIN_HTTP: ({ virkLogin }) => virkLogin?.isPlainAllowed ?? false,
  OTEL_EXPORTER_OTLP_PROTOCOL: ({ tracing }) => tracing && 'http/json',
  OTEL_SERVICE_NAME: ({ tracing }) => tracing?.resource['service.name'] ?? null,
  OTEL_TRACES_SAMPLER: ({ tracing }) => tracing && tracing.sampler,
  OTEL_TRACES_SAMPLER_ARG: ({ tracing }) => tracing && tracing.ratio,
  GEOOPSLAG_URL: () => loadClientConfig({}).url,
};

/** Throws as `loadConfig`. */
export function shownSettings(env: Environment = environment()): readonly ShownSetting[] {
  const config = loadConfig(env);
  const files = SECRET_SETTINGS.map(fileSettingOf);
  return settingNames()
    .filter((name) => !files.includes(name))
    .map((name) => shownSetting(name, env, config));
}

function shownSetting(name: string, env: Environment, config: Config): ShownSetting {
  const given = env[name]?.trim() ?? '';
  const file = SECRET_SETTINGS.includes(name) ? (env[fileSettingOf(name)]?.trim() ?? '') : '';
  if (file !== '') return { name, value: HIDDEN, origin: `file ${file}` };
  if (given === '')
    return { name, value: wordOf(DEFAULTS[name]?.(config) ?? null), origin: 'default' };
  const value = SECRET_SETTINGS.includes(name) ? withoutSecret(given) : redact(given);
  return { name, value, origin: 'environment' };
}

const HIDDEN = '(hidden)';

/** Of an address the place alone. */
function withoutSecret(given: string): string {
  const url = URL.parse(given);
  return url === null || url.host === '' ? HIDDEN : `${url.protocol}//${url.host}${url.pathname}`;
}

function wordOf(value: Shown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}
