/**
 * One row a setting: `src/config.ts` reads it, `npm run config` shows it, and `npm run gen` writes it into
 * docs/settings.md and docker-compose.yml. A row's key is its name in `Config`.
 */
import { resolve } from 'node:path';
import { LIMITS } from './kernel/limits.ts';
import {
  addresses,
  database,
  degrees,
  folder,
  integer,
  loopbackTrial,
  oneOf,
  replica,
  sealingKey,
  secret,
  text,
  unitPrice,
  url,
} from './kernel/setting-values.ts';
import type { Environment } from './kernel/setting-values.ts';
import { instantOf } from './layers/mappings/times.ts';

/** `front`: the leader too; `sync` and `job`: the commands. */
export type Role = 'front' | 'worker' | 'dispatcher' | 'sync' | 'job';
/** Throws an Error with one sentence that names the setting. */
type Read<T> = (env: Environment, name: string) => T;

interface More {
  /** The default in the document; else what `read` gives where nothing is set. */
  readonly usual?: string;
  /** Never shown; also read from the file that `<name>_FILE` names. */
  readonly isSecret?: boolean;
  /** Of a secret its password alone is kept out of logs. */
  readonly isAddress?: boolean;
  /** Which processes use it, where not those of its group. */
  readonly roles?: readonly Role[];
}

export interface Setting<R extends Read<unknown> | null = Read<unknown> | null> extends More {
  readonly name: string;
  /** null: `src/config.ts` reads it with what it belongs to. */
  readonly read: R;
  /** For the document. */
  readonly words: string;
}

function row<T>(name: string, read: Read<T>, more?: More) {
  return (words: string): Setting<Read<T>> => ({ name, read, words, ...more });
}

/** Its key is the name. */
function part(words: string, more: More = {}): Omit<Setting<null>, 'name'> {
  return { read: null, words, usual: 'none', ...more };
}

interface Group {
  readonly heading: string;
  readonly roles: readonly Role[];
  readonly rows: Readonly<Record<string, Omit<Setting, 'name'> & Partial<Pick<Setting, 'name'>>>>;
}

const SECRET: More = { isSecret: true };
const SECRET_ADDRESS: More = { isSecret: true, isAddress: true };
const LOOKUPS = ['front', 'worker'] as const;
const SENDERS = ['front', 'dispatcher'] as const;
const MIRRORS = ['front', 'worker', 'sync'] as const;
const PROGRAMS = ['front', 'worker', 'dispatcher'] as const;
const ALL = [...PROGRAMS, 'sync'] as const;

const plain: Read<string | null> = (env, name) => text(env[name]);
const on: Read<boolean> = (env, name) => oneOf(env, name, ['on', 'off']) === 'on';
const off: Read<boolean> = (env, name) => oneOf(env, name, ['off', 'on']) === 'on';
const token: Read<string | null> = (env, name) => secret(env, name, LIMITS.operatorTokenChars);
const web: Read<string | null> = (env, name) => url(env, name, ['http:', 'https:']);
const port = within({ default: 8080, min: 0, max: 65_535 });
const hostOf = (env: Environment): string => text(env['HOST']) ?? '127.0.0.1';

function within(limits: Record<'default' | 'min' | 'max', number>): Read<number> {
  return (env, name) => integer(env, name, limits);
}

function choice<T extends string>(...allowed: readonly [T, ...T[]]): Read<T> {
  return (env, name) => oneOf(env, name, allowed);
}

const START = {
  heading: 'Start',
  roles: PROGRAMS,
  rows: {
    host: row('HOST', hostOf, { roles: ['front', 'worker', 'dispatcher'] })('where to listen'),
    port: row('PORT', port, { roles: ['front'] })('where to listen; 0 picks a free one'),
    watchPort: row('WATCH_PORT', optionalPort, { roles: ['worker', 'dispatcher'] })(
      'where `/healthz`, `/readyz` and `/metrics` (its token) of a worker or dispatcher listen; without it nowhere',
    ),
    publicUrl: row('PUBLIC_URL', web, { usual: 'from host and port', roles: ['front'] })(
      'where clients reach the service, for `doc_url`',
    ),
    logLevel: row(
      'LOG_LEVEL',
      choice('warn', 'silent', 'error', 'info', 'debug'),
    )('`silent`, `error`, `warn`, `info`, `debug`; lines of JSON, text on a terminal'),
    REQUEST_THREADS: part(
      'threads that answer requests, over one memory; `auto`: one below four cores, else three quarters of them ([plan](../src/kernel/thread-plan.ts))',
      { usual: '`auto`', roles: ['front'] },
    ),
    THREADS: part('worker threads for parsing and rendering', {
      usual: 'cores − 1',
      roles: MIRRORS,
    }),
  },
} satisfies Group;

const STORE = {
  heading: 'Store',
  roles: ALL,
  rows: {
    databaseUrl: row(
      'DATABASE_URL',
      database,
      SECRET_ADDRESS,
    )(
      'PostgreSQL 15+ with PostGIS 3.3+, [made so](operations.md#the-database); without it the embedded store (PGlite) under `DATA_DIR`',
    ),
    databaseReadUrl: row('DATABASE_READ_URL', replica, { ...SECRET_ADDRESS, roles: ['front'] })(
      "a streaming replica, which lookups that memory does not answer are read from; all else, and while it is away or late, is the primary's: [past one machine](operations-connections.md#past-one-machine)",
    ),
    readLagS: row('DATABASE_READ_LAG_S', within(LIMITS.readLagS), { roles: ['front'] })(
      'how far that replica may be behind, seconds, 1 to 3600',
    ),
    dataDir: row('DATA_DIR', (env, name) => resolve(text(env[name]) ?? '.data'), {
      usual: '`.data`',
    })('the embedded store and other files of its own'),
  },
} satisfies Group;

const EDGE = {
  heading: 'Edge',
  roles: ['front'],
  rows: {
    operatorToken: row(
      'OPERATOR_TOKEN',
      token,
      SECRET,
    )('lets its holder operate: `/drift`, `/v1/drift/*`, `/metrics`; without it they are off'),
    OPERATOR_TOKENS: part(
      'the same for persons, each with a name that its acts are kept under: `anna:token,bo:token`',
      SECRET,
    ),
    metricsToken: row(
      'METRICS_TOKEN',
      token,
      SECRET,
    )('opens `/metrics` alone, for Prometheus: `OPERATOR_TOKEN` does so too, and much else'),
    trustedProxies: row(
      'TRUSTED_PROXIES',
      addresses,
    )(
      'addresses or CIDR ranges whose `X-Forwarded-For`, else `Forwarded`, is believed ([who a client is](operations-limits.md#who-a-client-is))',
    ),
    plansFile: row('PLANS_FILE', plain, { roles: LOOKUPS })(
      "a plans file instead of the program's own",
    ),
    openTrial: row(
      'OPEN_TRIAL',
      on,
    )(
      '`off`: the front page needs an account (else short-lived test keys, 60 requests a minute of an address: [keys](keys.md))',
    ),
    lookups: row('LOOKUPS', choice('memory', 'store'), { roles: LOOKUPS })(
      '`store` answers everything from the database, for comparison',
    ),
    fastPath: row(
      'FAST_PATH',
      on,
    )('`off` sends plain lookups through the framework: the same answers, for comparison'),
    searchRadiusM: row('SEARCH_RADIUS_M', within(LIMITS.searchRadiusM), { roles: LOOKUPS })(
      'search radius around a point, 100 to 2000 (D23)',
    ),
    mapsPerSecond: row(
      'KORT_PER_SECOND',
      within(LIMITS.kort.perSecond),
    )(
      'requests for tiles and files of layers a second, of one key and of one client address: [GIS](gis.md)',
    ),
    unitPriceDkk: row(
      'UNIT_PRICE_DKK',
      unitPrice,
    )('kroner for a unit beyond what a plan includes, as `/konto` and `/job` tell it'),
    examplePlace: row('EXAMPLE_PLACE', degrees, { usual: 'one of our own' })(
      'longitude and latitude of the place that `/` and `/forhold` arrive with (`12.4136 55.7957`)',
    ),
    designPage: row(
      'DESIGN_PAGE',
      off,
    )('`on` serves `/design`, which shows the components of the pages: for who makes pages'),
    BACKGROUND_MAP_URL: part(
      'pictures under the layers of `/kort`: an address with `{z}`, `{x}` and `{y}` (XYZ, Web Mercator). Without it the page asks no other server. Every reader sees the address, a token in it too',
    ),
    BACKGROUND_MAP_ATTRIBUTION: part(
      'whose pictures they are, shown on the map and on its prints; needed with the address',
    ),
    SMTP_URL: part(
      'where letters are handed in, `smtps://user:password@host` or `smtp://…` (with TLS, but for this machine): links that sign in, invitations, alarms; needs `MAIL_FROM` and `PUBLIC_URL`',
      SECRET_ADDRESS,
    ),
    MAIL_FROM: part('whom letters are from: `Geoopslag <no-reply@example.dk>`'),
    MAIL_DIR: part('for trials, instead of `SMTP_URL`: a folder that letters are written to'),
    accountRequests: row(
      'ACCOUNT_REQUESTS',
      choice('off', 'on'),
    )(
      '`on`: `/konto` takes requests for an account, which `npm run admin -- request list` shows and `request approve` grants',
    ),
    DAWA: part('`on` mounts `/dawa`: [Clients of DAWA](dawa.md)', { usual: '`off`' }),
    DAWA_HOST: part(
      'a host name of its own for it, without prefix; it has keyed lookups, no pages, accounts and operators',
    ),
    DAWA_KEYLESS: part(
      'a public key that its requests without a key count as; `open-trial`: each client address has the allowance of the [open trial](keys.md), unbilled',
    ),
  },
} satisfies Group;

const SOURCES = {
  heading: 'Sources and syncs',
  roles: MIRRORS,
  rows: {
    sources: row('SOURCES', choice('sample', 'live'))('`sample` or `live`'),
    sourcesFile: row(
      'SOURCES_FILE',
      plain,
    )(
      'a JSON file that overrides URLs, type names, page sizes, limits and guards per layer and table',
    ),
    sync: row('SYNC', on, { roles: ['front'] })(
      '`off`: neither first mirroring nor nightly runs in this process; of several that are `on` one leads, elected in the database',
    ),
    rawRuns: row('RAW_RUNS', within(LIMITS.rawRuns), { roles: ['front', 'sync'] })(
      'runs per layer whose raw answers are kept for replay; 0 keeps none',
    ),
    datafordelerKey: row(
      'DATAFORDELER_API_KEY',
      plain,
      SECRET,
    )('for the cadastre and DAGI (`SOURCES=live`)'),
    RETENTION: part(
      'days that what grows is kept, as `usage_line=200,job=400`; the others as [what is kept](operations.md#what-is-kept) has them',
      { roles: ['front'] },
    ),
    upstreamKeysEndMs: row('UPSTREAM_KEYS_END', day, { roles: ['front'] })(
      'when the first key or agreement of a register ends (`2027-05-01`): an alert comes 14 days before',
    ),
    VIRK_USER: part(
      "signs in to Virk's search, asked where the copy does not answer: [companies](companies.md)",
    ),
    VIRK_PASSWORD: part('with it', SECRET),
    VIRK_PLAIN_HTTP: part('`on`: that login may go over plain http where https is not spoken', {
      usual: '`off`',
    }),
    dhmDir: row(
      'DHM_DIR',
      folder,
    )('a folder of terrain tiles: [heights](heights.md); over the sample one of its own'),
    samplePort: row('SAMPLE_PORT', optionalPort, {
      usual: '`8081`, or a free one',
      roles: ['front', 'sync'],
    })('where the sample upstream listens on loopback'),
    trialClockMs: row('TRIAL_CLOCK', trialClock, { roles: ['front', 'sync'] })(
      'the time a trial over the sample begins at (`2098-12-31T23:55:00+01:00`); refused with live sources',
    ),
  },
} satisfies Group;

const WORK = {
  heading: 'Jobs and webhooks',
  roles: SENDERS,
  rows: {
    jobs: row('JOBS', on, { roles: ['front'] })(
      '`off`: this process works on no jobs (fronts beside `npm run work`)',
    ),
    webhooks: row('WEBHOOKS', on, { roles: ['front'] })(
      '`off`: this process sends no webhooks (fronts beside `npm run dispatch`)',
    ),
    /** D102. */
    webhookKey: row(
      'WEBHOOK_KEY',
      sealingKey,
      SECRET,
    )(
      'seals the secrets of webhook endpoints: base64 of 32 random bytes (`openssl rand -base64 32`). With `DATABASE_URL` and without it, registering one is 503; the embedded store makes its own, `webhook.key` in `DATA_DIR`',
    ),
    webhookKeyOld: row(
      'WEBHOOK_KEY_OLD',
      sealingKey,
      SECRET,
    )('the key before a new `WEBHOOK_KEY`: what it sealed is sealed anew at start'),
    /** D108. */
    webhookProxy: row(
      'WEBHOOK_PROXY',
      web,
      SECRET_ADDRESS,
    )('a CONNECT proxy for all webhooks, which then guards addresses'),
    webhookLoopback: row(
      'WEBHOOK_LOOPBACK',
      loopbackTrial,
    )(
      '`on`, for trials: webhooks may go to this machine itself; refused where `HOST` is not loopback',
    ),
  },
} satisfies Group;

const FILES = {
  heading: 'Shared files',
  roles: LOOKUPS,
  rows: {
    SNAPSHOT_STORE: part(
      'where fronts and workers share the files they build: a folder, or `s3://bucket/prefix` with the settings `AWS_…`; without it each builds its own ([store of files](../src/snapshot-store/README.md))',
    ),
    SNAPSHOT_KEY: part(
      'base64 of 32 random bytes, the same for all that share files: what was not written with it is refused and built anew, and fronts also share digests of the keys of customers, for one that starts without the database. Without it whoever can write there is believed',
      SECRET,
    ),
    SNAPSHOT_KEY_OLD: part(
      'a second key that is read with. To rotate: the new one here everywhere, then in `SNAPSHOT_KEY` with the old one here, then gone',
      SECRET,
    ),
    AWS_ACCESS_KEY_ID: part('signs in there; not read without `s3://`', SECRET),
    AWS_SECRET_ACCESS_KEY: part('with it', SECRET),
    AWS_SESSION_TOKEN: part('with it', SECRET),
    AWS_REGION: part('of the bucket', { usual: '`us-east-1`' }),
    AWS_ENDPOINT_URL_S3: part('of MinIO and its like, the bucket in the path', {
      usual: 'Amazon’s',
    }),
    AWS_ENDPOINT_URL: part('the same, where the one before is not set', { usual: 'Amazon’s' }),
  },
} satisfies Group;

const TRACES = {
  heading: 'Traces',
  roles: ['front'],
  rows: {
    OTEL_EXPORTER_OTLP_ENDPOINT: part(
      'a collector of OpenTelemetry: each request is a span there (POST to `/v1/traces`) with route, status, rung, generation and register, without query and keys. `FAST_PATH` is off while it is set',
    ),
    OTEL_EXPORTER_OTLP_HEADERS: part(
      'headers that it wants: `name=value,…`, values percent-encoded',
      SECRET,
    ),
    OTEL_EXPORTER_OTLP_PROTOCOL: part('no other is spoken', { usual: '`http/json`' }),
    OTEL_SERVICE_NAME: part('the name of the process there', { usual: '`geoopslag`' }),
    OTEL_RESOURCE_ATTRIBUTES: part('what else tells it from others: `name=value,…`'),
    OTEL_TRACES_SAMPLER: part(
      "which requests: one of the standard's six; `parentbased_…` does as a caller's `traceparent` says",
      { usual: '`parentbased_always_on`' },
    ),
    OTEL_TRACES_SAMPLER_ARG: part('the share that `traceidratio` takes, 0 to 1', { usual: '`1`' }),
  },
} satisfies Group;

export const CLIENT = {
  heading: 'Client of jobs',
  roles: ['job'],
  rows: {
    GEOOPSLAG_KEY: part('the API key that `npm run job` sends', SECRET),
    GEOOPSLAG_URL: part('where the service is', { usual: '`http://127.0.0.1:8080`' }),
  },
} satisfies Group;

export const GROUPS = (
  [START, STORE, EDGE, SOURCES, WORK, FILES, TRACES, CLIENT] as readonly Group[]
).map(({ heading, roles, rows }) => ({
  ...{ heading, roles },
  rows: Object.entries(rows).map(([key, row]) => ({ key, name: key, roles, ...row })),
}));
export const SETTINGS: readonly Setting[] = GROUPS.flatMap(({ rows }) => rows);

type Rows = (typeof START)['rows'] &
  (typeof STORE)['rows'] &
  (typeof EDGE)['rows'] &
  (typeof SOURCES)['rows'] &
  (typeof WORK)['rows'] &
  (typeof FILES)['rows'] &
  (typeof TRACES)['rows'] &
  (typeof CLIENT)['rows'];
/** What the rows that are read by themselves give, by their keys. */
export type SettingValues = {
  readonly [
    K in keyof Rows as Rows[K] extends { readonly read: null } ? never : K
  ]: Rows[K] extends Setting<Read<infer T>> ? T : never;
};

function optionalPort(env: Environment, name: string): number | null {
  return text(env[name]) === null ? null : port(env, name);
}

function day(env: Environment, name: string): number | null {
  const given = text(env[name]);
  if (given === null) return null;
  // `Date.parse` takes 30 February for 2 March.
  if (/^\d{4}-\d\d-\d\d$/.test(given) && instantOf(given) !== null) return Date.parse(given);
  throw new Error(`${name} must be a date, as 2027-05-01.`);
}

/** A service with live registers must use real time. */
function trialClock(env: Environment, name: string): number | null {
  const given = text(env[name]);
  if (given === null) return null;
  const instant = instantOf(given);
  if (instant === null) {
    throw new Error('TRIAL_CLOCK must be a date or a time, as 2098-12-31T23:59:00+01:00.');
  }
  if (text(env['SOURCES']) === 'live')
    throw new Error('TRIAL_CLOCK is for the sample: not with SOURCES=live.');
  return Date.parse(instant);
}
