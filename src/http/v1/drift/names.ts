import type { ChangeState, Contradiction } from '../../../ops/dated-changes.ts';
import type { UpstreamHost } from '../../../ops/overview.ts';
import type { AnsweredBy } from '../../../ops/metrics.ts';
import type { Action } from '../../../ops/operator-acts.ts';
import type { Counted, RunRecord } from '../../../ops/run-log.ts';
import type { Difference } from '../../../ops/version-difference.ts';

export function renamed<Key extends string, Name extends string, Value>(
  names: Readonly<Record<Key, Name>>,
  values: Readonly<Record<Key, Value>>,
): Record<Name, Value> {
  const keys = Object.keys(names) as Key[];
  return Object.fromEntries(keys.map((key) => [names[key], values[key]])) as Record<Name, Value>;
}

/** An unlisted key becomes `unknown`. */
export function nameIn<Name extends string>(
  names: Readonly<Record<'unknown', Name> & Partial<Record<string, Name>>>,
  key: string,
): Name {
  return (Object.hasOwn(names, key) ? names[key] : undefined) ?? names.unknown;
}

export const RUN_STATES = {
  running: 'koerer',
  published: 'udgivet',
  unchanged: 'uaendret',
  refused: 'afvist',
  failed: 'fejlet',
} as const satisfies Record<RunRecord['state'], string>;

/** By `sync_run.kind`. */
export const RUN_KINDS = {
  sync: 'synk',
  revert: 'fortryd',
  replay: 'genafspil',
  dated: 'datoskifte',
  unknown: 'ukendt',
} as const;

/** By `sync_run.trigger`. */
export const TRIGGERS = {
  start: 'opstart',
  schedule: 'plan',
  command: 'kommando',
  operator: 'operatoer',
  expired: 'forespoergsel',
  dated: 'dato',
  unknown: 'ukendt',
} as const;

export const ANSWERED_NAMES = {
  snapshot: 'snapshot',
  store: 'lager',
  origin: 'register',
  stale: 'gammel_kopi',
  unavailable: 'utilgaengelig',
} as const satisfies Record<AnsweredBy, string>;

export const BREAKER_NAMES = {
  closed: 'lukket',
  open: 'aaben',
  half_open: 'halvaaben',
} as const satisfies Record<UpstreamHost['breaker'], string>;

export const ACTION_NAMES = {
  sync: 'synk',
  release: 'frigiv',
  revert: 'fortryd',
  confirm: 'godkend',
  unconfirm: 'traek_tilbage',
} as const satisfies Record<Action, string>;

export const COUNT_NAMES = {
  pages: 'sider',
  bytes: 'bytes',
  received: 'modtaget',
  parsed: 'laest',
  staged: 'raekker',
  inserted: 'nye',
  changed: 'aendrede',
  removed: 'fjernede',
  unreadable: 'ulaeselige',
  repaired: 'reparerede',
  coveredTwice: 'daekket_dobbelt',
  slivers: 'splinter',
  outsideDenmark: 'uden_for_danmark',
} as const satisfies Record<Counted, string>;

export const DIFFERENCE_NAMES = {
  added: 'nye',
  removed: 'fjernede',
  moved: 'flyttede',
  changed: 'aendrede',
} as const satisfies Record<Difference, string>;

export const CHANGE_STATES = {
  prepared: 'forberedt',
  expected: 'ventes',
  contradicted: 'modsagt',
  overdue: 'overskredet',
  carried_out: 'udfoert',
} as const satisfies Record<ChangeState, string>;

export const CONTRADICTIONS = {
  goes_on: 'fortsaetter',
  unannounced: 'ikke_varslet',
  unknown: 'ukendt',
  exists: 'findes',
} as const satisfies Record<Contradiction['kind'], string>;
