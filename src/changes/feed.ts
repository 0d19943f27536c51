/** The pull log: whole transactions or parts, as many events as fit. */
import type { MirrorId } from '../layers/keys.ts';
import { charsOf, eventsOf } from './events.ts';
import type { WrittenEvent } from './events.ts';
import { CHANGE_LIMITS } from './limits.ts';
import { latestChange, readBounds, readTransactions } from './log.ts';
import type { LoggedTransaction } from './log.ts';
import type { ChangeSource } from './source.ts';
import { ChangesAhead, ChangesGone } from './types.ts';
import type { LatestChange } from './types.ts';

export interface FeedAsked {
  readonly registers: readonly MirrorId[];
  readonly afterEvent: number;
  readonly limit: number;
}

export interface FeedPart {
  readonly transaction: LoggedTransaction;
  readonly events: readonly WrittenEvent[];
}

export interface Feed {
  readonly parts: readonly FeedPart[];
  readonly events: number;
  /** The event to continue after. */
  readonly next: number;
  readonly latest: LatestChange;
}

/**
 * A register whose log begins after the reader's last event is a start without events: its extract
 * holds what it had before. Throws as `readEvents`.
 */
export async function readFeed(
  source: ChangeSource,
  asked: FeedAsked,
  known?: KnownOfFeed,
): Promise<Feed> {
  const { registers, afterEvent, limit } = asked;
  const { db } = source;
  const { latest, starts } = known ?? (await requireFeed(source, asked));
  const parts: FeedPart[] = [];
  const room = new Room(limit);
  let from = 0;
  for (;;) {
    const range = { registers, afterEvent, from, to: latest.transaction };
    const page = await readTransactions(db, { ...range, limit: CHANGE_LIMITS.pageTransactions });
    for (const transaction of page) {
      if (transaction.nr < (starts.get(transaction.register) ?? 0)) continue;
      const events = await fitting(source, { transaction, afterEvent }, room);
      parts.push({ transaction, events });
      if (room.isFull) return { parts, events: room.taken, next: lastOf(parts), latest };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < CHANGE_LIMITS.pageTransactions) break;
    from = last.nr + 1;
  }
  return { parts, events: room.taken, next: latest.event, latest };
}

export interface KnownOfFeed {
  readonly latest: LatestChange;
  /** The last start of each register that the reader has not seen. */
  readonly starts: ReadonlyMap<MirrorId, number>;
}

/** Without reading events. Throws as `readFeed`. */
export async function requireFeed(
  { db }: ChangeSource,
  { registers, afterEvent }: Omit<FeedAsked, 'limit'>,
): Promise<KnownOfFeed> {
  const latest = await latestChange(db);
  if (afterEvent > latest.event) throw new ChangesAhead(latest);
  const bounds = await readBounds(db, registers);
  const starts = new Map<MirrorId, number>();
  for (const { register, nr, event, isStart } of bounds) {
    if (event <= afterEvent) continue;
    if (isStart) starts.set(register, nr);
    else throw new ChangesGone(register, nr);
  }
  return { latest, starts };
}

/** What an answer can still take. */
class Room {
  readonly #limit: number;
  #chars = 0;
  taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get left(): number {
    return this.#limit - this.taken;
  }

  get isFull(): boolean {
    return this.left <= 0 || this.#chars >= CHANGE_LIMITS.feedChars;
  }

  /** How many of a page fit. */
  take(page: readonly WrittenEvent[]): number {
    const before = this.taken;
    for (const event of page) {
      if (this.isFull) break;
      this.taken += 1;
      this.#chars += charsOf(event);
    }
    return this.taken - before;
  }
}

async function fitting(
  source: ChangeSource,
  {
    transaction,
    afterEvent,
  }: { readonly transaction: LoggedTransaction; readonly afterEvent: number },
  room: Room,
): Promise<readonly WrittenEvent[]> {
  const events: WrittenEvent[] = [];
  if (transaction.isStart) return events;
  const toEvent = Math.max(afterEvent, transaction.firstEvent - 1) + room.left;
  for await (const page of eventsOf(source, transaction, { afterEvent, toEvent })) {
    events.push(...page.slice(0, room.take(page)));
    if (room.isFull) break;
  }
  return events;
}

function lastOf(parts: readonly FeedPart[]): number {
  const { transaction, events } = parts.at(-1) ?? {};
  return events?.at(-1)?.nr ?? transaction?.firstEvent ?? 0;
}
