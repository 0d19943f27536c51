/** Every setting in force and its origin, without secrets. */
import { environment, loadClientConfig, loadConfig } from '../config.ts';
import type { Config, Environment } from '../config.ts';
import { redact } from '../kernel/log.ts';
import { fileSettingOf } from '../kernel/setting-values.ts';
import { SETTINGS } from '../settings.ts';
import type { Setting } from '../settings.ts';

export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  /** `environment`, `default`, or the file's name. */
  readonly origin: string;
}

type Shown = string | number | boolean | readonly string[] | null;

/** Settings whose default is taken from others. */
const PARTS: Readonly<Record<string, (config: Config) => Shown>> = {
  THREADS: ({ threads }) => threads,
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
  return SETTINGS.map((setting) => shownSetting(setting, env, config));
}

function shownSetting(setting: Setting, env: Environment, config: Config): ShownSetting {
  const { name, isSecret = false, read } = setting;
  const given = env[name]?.trim() ?? '';
  const file = isSecret ? (env[fileSettingOf(name)]?.trim() ?? '') : '';
  if (file !== '') return { name, value: HIDDEN, origin: `file ${file}` };
  if (given === '') {
    const usual = read === null ? PARTS[name]?.(config) : (read(env, name) as Shown);
    return { name, value: wordOf(usual ?? null), origin: 'default' };
  }
  return { name, value: isSecret ? withoutSecret(given) : redact(given), origin: 'environment' };
}

const HIDDEN = '(hidden)';

/** Keeps host and path of an address. */
function withoutSecret(given: string): string {
  const url = URL.parse(given);
  return url === null || url.host === '' ? HIDDEN : `${url.protocol}//${url.host}${url.pathname}`;
}

function wordOf(value: Shown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value ?? '') || 'none';
}
