/**
 * One slot per night and layer in Europe/Copenhagen, and one rule for first start, night and missed
 * runs. Pure.
 */
import type { LastRun, LayerFacts } from '../src/ops/freshness.ts';
import { MIRROR_IDS } from '../src/layers/mirror-ids.ts';
import type { MirrorId } from '../src/layers/keys.ts';

const ZONE = 'Europe/Copenhagen';

/**
 * After 03:00 every Danish local time exists exactly once; a slot between 02:00 and 03:00 would
 * also run once a night (`slotOfDayMs`).
 */
const FIRST_SLOT_MINUTE = 3 * 60 + 10;
/** Hosts are shared, and regions must come first (D41). */
const NIGHT_MINUTES = 170;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RETRY_FAILED_MS = 30 * MINUTE_MS;
/** Between two questions to the source of an outdated copy, until it has the change. */
const RETRY_OUTDATED_MS = 10 * MINUTE_MS;
/** After a refusal: the source may have more by then, and is fetched whole each time. */
const RETRY_OUTDATED_REFUSED_MS = 60 * MINUTE_MS;
/** A share of the time that the copy has been outdated: it is asked ever more seldom. */
const RETRY_OUTDATED_SHARE = 1 / 24;
/** A layer without a copy cannot wait that long. */
const RETRY_MISSING_MS = 5 * MINUTE_MS;

/** Local minute of the day, 0 to 1439. */
export function nightlyMinute(layer: MirrorId): number {
  const share = MIRROR_IDS.indexOf(layer) / MIRROR_IDS.length;
  return FIRST_SLOT_MINUTE + Math.floor(share * NIGHT_MINUTES);
}

export function lastSlotMs(layer: MirrorId, nowMs: number): number {
  return lastSlotOfMinuteMs(nightlyMinute(layer), nowMs);
}

/** The latest slot at a local minute (0 to 1439), not after `nowMs`. */
export function lastSlotOfMinuteMs(minuteOfDay: number, nowMs: number): number {
  const { year, month, day } = localParts(nowMs);
  const today = slotOfDayMs(minuteOfDay, Date.UTC(year, month - 1, day));
  return today <= nowMs ? today : slotOfDayMs(minuteOfDay, Date.UTC(year, month - 1, day - 1));
}

/**
 * After a refusal a layer waits for the next night or a person, when held for a person. For an
 * outdated copy the source is asked until it has the change.
 */
export function isDue(layer: MirrorId, facts: LayerFacts, nowMs: number): boolean {
  return isDueSince(lastSlotMs(layer, nowMs), facts, nowMs);
}

export function isDueSince(slotMs: number, facts: LayerFacts, nowMs: number): boolean {
  const { state, lastRun } = facts;
  if (state === null) return lastRun === null || endedBefore(lastRun, nowMs - RETRY_MISSING_MS);
  if (state.hold !== null) return false;
  if (state.outdatedAtMs !== null && state.outdatedAtMs <= nowMs) {
    if (lastRun === null || lastRun.startedAtMs < state.outdatedAtMs) return true;
    const refused = lastRun.state === 'refused';
    const leastMs = refused ? RETRY_OUTDATED_REFUSED_MS : RETRY_OUTDATED_MS;
    const pauseMs = Math.max(leastMs, (nowMs - state.outdatedAtMs) * RETRY_OUTDATED_SHARE);
    return endedBefore(lastRun, Math.max(nowMs - pauseMs, slotMs));
  }
  if (state.syncedAtMs >= slotMs) return false;
  if (lastRun === null || lastRun.startedAtMs < slotMs) return true;
  return lastRun.state === 'failed' && endedBefore(lastRun, nowMs - RETRY_FAILED_MS);
}

function endedBefore(run: LastRun, momentMs: number): boolean {
  return run.endedAtMs <= momentMs;
}

/**
 * `dayMs`: midnight of the local day, written as UTC. An hour that autumn repeats counts the first
 * time. Minutes that spring skips are the moment of the jump, so layers keep their order.
 */
function slotOfDayMs(minuteOfDay: number, dayMs: number): number {
  const wallMs = dayMs + minuteOfDay * MINUTE_MS;
  const atMidnight = offsetMs(dayMs - offsetMs(dayMs));
  const beforeTurn = wallMs - atMidnight;
  const offset = offsetMs(beforeTurn);
  if (offset === atMidnight) return beforeTurn;
  const afterTurn = wallMs - offset;
  const isShown = offsetMs(afterTurn) === offset;
  return isShown ? afterTurn : Math.floor(beforeTurn / HOUR_MS) * HOUR_MS;
}

interface LocalParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const LOCAL = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
});

function localParts(ms: number): LocalParts {
  const parts = Object.fromEntries(
    LOCAL.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
  );
  return parts as unknown as LocalParts;
}

function offsetMs(ms: number): number {
  const { year, month, day, hour, minute } = localParts(ms);
  const local = Date.UTC(year, month - 1, day, hour, minute);
  return local - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
