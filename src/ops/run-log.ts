/** Counts are parsed leniently: another release may have written them. */
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { allRows, firstValue } from '../db/rows.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { EndedState } from './freshness.ts';

export interface RefusalRecord {
  readonly guard: string;
  readonly message: string;
  readonly numbers: Readonly<Record<string, number>>;
}

/** null where the run did not get to count. */
export const COUNTED = [
  'pages',
  'bytes',
  'received',
  'parsed',
  'staged',
  'inserted',
  'changed',
  'removed',
  'unreadable',
  'repaired',
  'coveredTwice',
  'slivers',
  'outsideDenmark',
] as const;
export type Counted = (typeof COUNTED)[number];

export interface RunRecord {
  readonly id: string;
  readonly layer: MirrorId;
  readonly kind: string;
  readonly trigger: string;
  readonly state: 'running' | EndedState;
  readonly phase: string;
  readonly startedAtMs: number;
  /** null while it runs. */
  readonly endedAtMs: number | null;
  /** By the store's clock. */
  readonly heartbeatAgeMs: number;
  readonly version: number | null;
  readonly counts: Readonly<Record<Counted, number | null>>;
  /** Features the server announced; null: no total. */
  readonly announced: number | null;
  /** Empty unless refused; the first is the cause. */
  readonly refusals: readonly RefusalRecord[];
  readonly error: string | null;
  readonly liftedGuards: readonly string[];
  /** null: unknown. */
  readonly askedBy: string | null;
}

export interface IssueRecord {
  readonly key: string | null;
  readonly kind: string;
  readonly detail: string;
}

export interface RunWithIssues extends RunRecord {
  readonly issueCount: number;
  readonly issues: readonly IssueRecord[];
}

/** Unreadable in the published version (D143). */
export interface UnreadRecord {
  readonly key: string | null;
  readonly objectId: string | null;
  readonly reason: string;
  /** West, south, east, north, EPSG:25832 metres; null: unknown. */
  readonly box: readonly [number, number, number, number] | null;
  /** null: not kept. */
  readonly raw: string | null;
}

export type RunPage = Awaited<ReturnType<typeof readRuns>>;

interface RunRow extends Omit<RunRecord, 'version' | 'counts' | 'announced' | 'refusals'> {
  readonly version: string | null;
  readonly counts: Readonly<Record<string, unknown>>;
  readonly refusal: unknown;
}

const RUN_COLUMNS = sql`r.id::text as id, r.layer, r.kind, r.trigger, r.state, r.phase,
  (extract(epoch from r.started_at) * 1000)::float8 as "startedAtMs",
  (extract(epoch from r.ended_at) * 1000)::float8 as "endedAtMs",
  (extract(epoch from clock_timestamp() - r.heartbeat_at) * 1000)::float8 as "heartbeatAgeMs",
  r.version::text as version, r.counts, r.refusal, r.error, r.lifted_guards as "liftedGuards",
  r.asked_by as "askedBy"`;

/** Newest first. */
export async function readRuns(
  store: Pick<Store, 'db'>,
  layer: MirrorId,
  page: { readonly limit: number; readonly before: string | null; readonly issues: number },
) {
  const { rows } = await sql<
    RunRow & { issueCount: number; issues: readonly IssueRecord[] | null }
  >`
    select ${RUN_COLUMNS}, i.issue_count as "issueCount", i.issues
    from (
      select * from sync_run
      where layer = ${layer} and (${page.before}::bigint is null or id < ${page.before}::bigint)
      order by id desc limit ${page.limit + 1}
    ) r
    cross join lateral (
      select count(*)::int as issue_count,
        jsonb_agg(jsonb_build_object('key', n.feature_key, 'kind', n.kind, 'detail', n.detail)
          order by n.id) filter (where n.no <= ${page.issues}) as issues
      from (
        select *, row_number() over (order by id) as no from sync_issue where run_id = r.id
      ) n
    ) i
    order by r.id desc`.execute(store.db);
  const shown = rows.slice(0, page.limit);
  return {
    unread: await readUnread(store, layer),
    runs: shown.map(({ issueCount, issues, ...row }): RunWithIssues => ({
      ...runRecord(row),
      issueCount,
      issues: issues ?? [],
    })),
    /** `before` of the next page; null: none. */
    next: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

async function readUnread(
  store: Pick<Store, 'db'>,
  layer: MirrorId,
): Promise<readonly UnreadRecord[]> {
  return await firstValue<readonly UnreadRecord[]>(store.db, [])`
    select jsonb_path_query_array(unread, ${`$[0 to ${LIMITS.unreadRawKept - 1}]`}::jsonpath) as unread
    from layer_state where layer = ${layer}`;
}

export interface RunDigest {
  readonly recent: readonly RunRecord[];
  readonly lastGood: RunRecord | null;
  readonly lastRefused: RunRecord | null;
}

export async function readRunDigests(
  store: Pick<Store, 'db'>,
  layers: readonly MirrorId[],
  recentPerLayer: number,
): Promise<ReadonlyMap<MirrorId, RunDigest>> {
  const { rows } = await sql<RunRow & { part: 'recent' | 'good' | 'refused' }>`
    select p.part, ${RUN_COLUMNS}
    from unnest(${layers}::text[]) as l (layer)
    cross join lateral (
      (select 'recent' as part, s.id from sync_run s
        where s.layer = l.layer order by s.id desc limit ${recentPerLayer})
      union all
      (select 'good', s.id from sync_run s
        where s.layer = l.layer and s.state in ('published', 'unchanged')
        order by s.id desc limit 1)
      union all
      (select 'refused', s.id from sync_run s
        where s.layer = l.layer and s.state = 'refused' order by s.id desc limit 1)
    ) p
    join sync_run r on r.id = p.id
    order by r.id desc`.execute(store.db);
  const of = (layer: MirrorId, part: string): RunRecord[] =>
    rows.flatMap(({ part: own, ...row }) =>
      row.layer === layer && own === part ? [runRecord(row)] : [],
    );
  const digestOf = (layer: MirrorId): RunDigest => ({
    recent: of(layer, 'recent'),
    lastGood: of(layer, 'good')[0] ?? null,
    lastRefused: of(layer, 'refused')[0] ?? null,
  });
  return new Map(layers.map((layer) => [layer, digestOf(layer)]));
}

/** Layers that have an earlier version. */
export async function readRevertible(store: Pick<Store, 'db'>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ layer: string }>`
    select distinct layer from layer_history where not is_taken and not is_leaving`.execute(
    store.db,
  );
  return new Set(rows.map(({ layer }) => layer));
}

export async function countRuns(
  store: Pick<Store, 'db'>,
): Promise<readonly { layer: MirrorId; state: RunRecord['state']; count: number }[]> {
  return await allRows<{ layer: MirrorId; state: RunRecord['state']; count: number }>(store.db)`
    select layer, state, count(*)::int as count from sync_run group by layer, state`;
}

function runRecord({ version, counts, refusal, ...row }: RunRow): RunRecord {
  const { announced } = counts;
  return {
    ...row,
    version: version === null ? null : Number(version),
    counts: Object.fromEntries(
      COUNTED.map((name) => [name, numberOr(counts[name])]),
    ) as RunRecord['counts'],
    announced: Array.isArray(announced) ? numberOr(announced.at(-1)) : null,
    refusals: refusalsOf(refusal),
  };
}

export function refusalsOf(value: unknown): readonly RefusalRecord[] {
  if (!isObject(value)) return [];
  const { guard, message, numbers, also } = value;
  const first: RefusalRecord = {
    guard: typeof guard === 'string' ? guard : 'unknown',
    message: typeof message === 'string' ? message : '',
    numbers: Object.fromEntries(
      Object.entries(isObject(numbers) ? numbers : {}).flatMap(([name, number]) =>
        typeof number === 'number' ? [[name, number] as const] : [],
      ),
    ),
  };
  return [first, ...(Array.isArray(also) ? also.flatMap(refusalsOf) : [])];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOr(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
