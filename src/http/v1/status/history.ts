/**
 * Keeps answers a day and incidents for ninety days (D218), in a file. Unmeasured time never counts
 * as good.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Rounds } from '../../../kernel/rounds.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { replaceFile } from '../../../kernel/replace-file.ts';
import { seal, unseal } from '../../../kernel/sealed.ts';
import { daysUntil } from '../../../metering/calendar.ts';
import type { ServiceStatus } from '../../../ops/freshness.ts';
import { HTTP_LIMITS } from '../../limits.ts';
import { TIME_BUCKETS } from '../../request-tally.ts';
import type { RouteTally } from '../../request-tally.ts';
import { HEALTH } from './render.ts';

/** `fejl`: at least one in twenty answers failed. `standset`: nothing was measured. */
export type IncidentKind = 'fejl' | 'database' | 'lag' | 'standset';

export interface Incident {
  readonly art: IncidentKind;
  /** A layer, for `lag`. */
  readonly lag: string | null;
  readonly begyndt: string;
  /** null: it goes on. */
  sluttet: string | null;
}

export interface Day {
  readonly dato: string;
  maalt_s: number;
  svar: number;
  /** 429. */
  afvist: number;
  /** 5xx. */
  fejl: number;
  /** By `TIME_BUCKETS`; the last is above all. */
  readonly tider: number[];
}

export interface History {
  maalt: string;
  doegn: Day[];
  haendelser: Incident[];
  /** Last known. */
  lag: { readonly lag: string; readonly tilstand: string; readonly synket: string | null }[];
  lag_kendt: string | null;
}

type Counts = Pick<Day, 'svar' | 'afvist' | 'fejl' | 'tider'>;

export interface HistorySources {
  readonly clock: Clock;
  /** Of all threads, since the process started. */
  readonly requests: () => Promise<readonly RouteTally[]>;
  /** Throws when nothing is known. */
  readonly status: () => Promise<ServiceStatus>;
  readonly isStoreUnavailable: () => boolean;
}

export interface StatusHistory {
  /** null: nothing was measured. */
  readonly read: () => Promise<History | null>;
  readonly nowMs: () => number;
}

/** Caches the file for some seconds. */
export function createStatusHistory(path: string, clock: Clock): StatusHistory {
  let kept: Promise<History | null> | null = null;
  let keptAtMs = 0;
  const nowMs = () => clock.nowMs();
  return {
    nowMs,
    read: () => {
      if (kept !== null && Math.abs(nowMs() - keptAtMs) < HTTP_LIMITS.status.keptMs) return kept;
      keptAtMs = nowMs();
      kept = readHistory(path);
      return kept;
    },
  };
}

/** null: none, or damaged. Never throws. */
async function readHistory(path: string): Promise<History | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : (unseal(text) as History | null);
}

/** Run by one thread of a process. */
export class HistoryRecorder {
  readonly #path: string;
  readonly #sources: HistorySources;
  readonly #rounds = new Rounds();
  #before: Counts | null = null;
  /** The counts judged so far. */
  #judged: Counts = noCounts();

  constructor(path: string, sources: HistorySources) {
    this.#path = path;
    this.#sources = sources;
  }

  start(everyMs: number = HTTP_LIMITS.status.everyMs): void {
    this.#rounds.start(async () => {
      // Other writers of the folder log its failures.
      await this.measure().catch(() => undefined);
      return everyMs;
    });
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Rejects when the file cannot be written. */
  async measure(): Promise<void> {
    const { clock, requests, status, isStoreUnavailable } = this.#sources;
    const nowMs = clock.nowMs();
    const now = new Date(nowMs).toISOString();
    const history = (await readHistory(this.#path)) ?? emptyHistory(now);
    const all = countsOf(await requests());
    const more = this.#before === null ? all : minus(all, this.#before);
    const gapS = Math.max(0, (nowMs - Date.parse(history.maalt)) / 1000);
    const isGap = gapS > HTTP_LIMITS.status.gapS;
    if (isGap) {
      for (const open of history.haendelser) open.sluttet ??= history.maalt;
      history.haendelser.push({ art: 'standset', lag: null, begyndt: history.maalt, sluttet: now });
    }
    addTo(history, nowMs, { more, measuredS: isGap ? 0 : gapS });
    const known = await status().catch(() => null);
    if (known !== null) {
      history.lag = known.layers.map(({ layer, state, syncedAt }) => ({
        ...{ lag: layer, tilstand: HEALTH[state], synket: syncedAt },
      }));
      if ((known.knownForS ?? null) === null) history.lag_kendt = now;
    }
    // Too few answers to judge: several minutes are judged together (D250).
    const unjudged = minus(all, this.#judged);
    const answers = unjudged.svar < HTTP_LIMITS.status.leastAnswers ? null : unjudged;
    judge(history, now, { answers, isStoreUnavailable: isStoreUnavailable() });
    history.maalt = now;
    trim(history, nowMs);
    await mkdir(dirname(this.#path), { recursive: true });
    await replaceFile(this.#path, (file) => writeFile(file, seal(history), { mode: 0o600 }));
    this.#before = all;
    if (answers !== null) this.#judged = all;
  }
}

function emptyHistory(now: string): History {
  return { maalt: now, doegn: [], haendelser: [], lag: [], lag_kendt: null };
}

/** Counts lookups only. */
function countsOf(routes: readonly RouteTally[]): Counts {
  const counts = noCounts();
  for (const { route, times, answers } of routes) {
    if (!/^\/v1\/(?!me\b|drift\b|jobs\b|status\b|kort\b|demo\b|errors\b)/.test(route)) continue;
    times.forEach((count, at) => (counts.tider[at] = (counts.tider[at] ?? 0) + count));
    for (const { status, count } of answers) {
      counts.svar += count;
      if (status === 429) counts.afvist += count;
      if (status >= 500) counts.fejl += count;
    }
  }
  return counts;
}

function noCounts() {
  return { svar: 0, afvist: 0, fejl: 0, tider: TIME_BUCKETS.map(() => 0).concat(0) };
}

function minus(now: Counts, before: Counts): Counts {
  const less = (a: number, b: number) => Math.max(0, a - b);
  return {
    svar: less(now.svar, before.svar),
    afvist: less(now.afvist, before.afvist),
    fejl: less(now.fejl, before.fejl),
    tider: now.tider.map((count, at) => less(count, before.tider[at] ?? 0)),
  };
}

function addTo(
  { doegn }: History,
  nowMs: number,
  { more, measuredS }: { readonly more: Counts; readonly measuredS: number },
): void {
  const dato = daysUntil(nowMs, 1)[0]?.date ?? '';
  let day = doegn.find((each) => each.dato === dato);
  if (day === undefined) {
    day = { dato, maalt_s: 0, ...noCounts() };
    doegn.push(day);
  }
  day.maalt_s += measuredS;
  day.svar += more.svar;
  day.afvist += more.afvist;
  day.fejl += more.fejl;
  more.tider.forEach((count, at) => (day.tider[at] = (day.tider[at] ?? 0) + count));
}

function judge(
  history: History,
  now: string,
  {
    answers,
    isStoreUnavailable,
  }: { readonly answers: Counts | null; readonly isStoreUnavailable: boolean },
): void {
  if (answers !== null) {
    const isOn = answers.fejl > answers.svar * HTTP_LIMITS.status.errorShare;
    set(history, now, { art: 'fejl', lag: null, isOn });
  }
  set(history, now, { art: 'database', lag: null, isOn: isStoreUnavailable });
  for (const { lag, tilstand } of history.lag) {
    const isOn = tilstand === HEALTH.delayed || tilstand === HEALTH.failed;
    set(history, now, { art: 'lag', lag, isOn });
  }
}

function set(
  { haendelser }: History,
  now: string,
  { art, lag, isOn }: Pick<Incident, 'art' | 'lag'> & { readonly isOn: boolean },
): void {
  const open = haendelser.find(
    (each) => each.art === art && each.lag === lag && each.sluttet === null,
  );
  if (isOn && open === undefined) haendelser.push({ art, lag, begyndt: now, sluttet: null });
  if (!isOn && open !== undefined) open.sluttet = now;
}

function trim(history: History, nowMs: number): void {
  const { days, incidents } = HTTP_LIMITS.status;
  const [first] = daysUntil(nowMs, days);
  history.doegn = history.doegn.filter(({ dato }) => dato >= (first?.date ?? ''));
  const since = new Date(first?.startMs ?? 0).toISOString();
  history.haendelser = history.haendelser
    .filter(({ sluttet }) => sluttet === null || sluttet >= since)
    .slice(-incidents);
}
