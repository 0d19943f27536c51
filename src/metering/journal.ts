/** A line is written before its answer leaves and on disk within a second. */
import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { monotonicClock } from '../kernel/clock.ts';
import { METERING_LIMITS } from './limits.ts';
import type { MeterLog } from './log.ts';

export interface Entry {
  readonly atMs: number;
  readonly date: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly operation: string;
  readonly environment: string;
  readonly units: number;
  readonly generation: number | null;
  readonly requestId: string;
}

export interface Segment {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly sealed: boolean;
}

export interface JournalOptions {
  readonly directory: string;
  readonly instance: string;
  readonly log: MeterLog;
  readonly segmentBytes?: number;
  readonly write?: (fd: number, lines: Buffer, start: number, length: number) => number;
}

interface OpenSegment extends Segment {
  size: number;
  sealed: boolean;
  fd: number;
  readonly openedMs: number;
  dirty: boolean;
  /** fdatasync calls in progress, which keep the file open. */
  syncing: number;
}

const SUFFIX = '.journal';
/** Every field is bounded, the request id at 64 characters (D65). */
const LINE_BYTES = 4096;
const SUM_BYTES = 9;
const ZERO = 0x30;
const LETTER_A = 0x61;
const NEWLINE = 0x0a;
/** What ends a field or line, or is not ASCII. */
const UNFIT = /[^\x20-\x7e]/g;

export function journalDirectory(dataDir: string): string {
  return join(dataDir, 'usage');
}

/** `<instance>-<n>.journal`; null: not a journal. */
export function parseJournalName(file: string): { name: string; instance: string } | null {
  const [, name, instance] = /^(([a-z0-9]+)-\d+)\.journal$/.exec(file) ?? [];
  return name === undefined || instance === undefined ? null : { name, instance };
}

/** Of all processes, by name. Rejects when the directory is missing. */
export async function journalFiles(
  directory: string,
): Promise<{ name: string; instance: string; path: string }[]> {
  const names = await readdir(directory);
  return names
    .flatMap((file) => {
      const parsed = parseJournalName(file);
      return parsed === null ? [] : [{ ...parsed, path: join(directory, file) }];
    })
    .sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
}

export class Journal {
  readonly #options: JournalOptions;
  #lines = Buffer.allocUnsafe(LINE_BYTES);
  #middle: { readonly last: Entry | null; readonly text: string } = { last: null, text: '' };
  readonly #segments: OpenSegment[] = [];
  #current: OpenSegment | null = null;
  #number = 0;
  #seq = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  /** Throws when the directory cannot be created or written. */
  constructor(options: JournalOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    this.#open();
  }

  /** Oldest first. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** In one write; if it throws, none is recorded. */
  append(...entries: readonly Entry[]): void {
    if (this.#closed) throw new Error('The journal is closed.');
    const segment = this.#current ?? this.#open();
    const length = this.#format(entries);
    const { write = writeSync } = this.#options;
    try {
      const written = write(segment.fd, this.#lines, 0, length);
      if (written !== length) throw new Error(`Only ${written} of ${length} bytes were written.`);
    } catch (error) {
      this.#undo(segment);
      throw error;
    }
    segment.size += length;
    this.#seq += entries.length;
    this.#syncSoon(segment);
  }

  roll(always = false): void {
    const { segmentBytes = METERING_LIMITS.usageSegmentBytes } = this.#options;
    const segment = this.#current;
    if (segment === null || segment.size === 0) return;
    const ageMs = monotonicClock.nowMs() - segment.openedMs;
    const isOld = ageMs >= METERING_LIMITS.usageSegmentMs;
    if (always || isOld || segment.size >= segmentBytes) this.#seal(segment);
  }

  /** The caller removes the folded file. */
  drop(name: string): void {
    const index = this.#segments.findIndex((segment) => segment.name === name && segment.sealed);
    if (index >= 0) this.#segments.splice(index, 1);
  }

  /** Syncs everything; refuses further lines. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#current !== null) this.#seal(this.#current);
  }

  #open(): OpenSegment {
    const { directory, instance } = this.#options;
    const name = `${instance}-${++this.#number}`;
    const path = join(directory, name + SUFFIX);
    const fd = openSync(path, 'a', 0o600);
    syncDirectory(directory);
    const size = fstatSync(fd).size;
    const openedMs = monotonicClock.nowMs();
    const segment = { name, path, fd, size, openedMs, sealed: false, dirty: false, syncing: 0 };
    this.#segments.push(segment);
    this.#current = segment;
    return segment;
  }

  #format(entries: readonly Entry[]): number {
    const most = entries.length * LINE_BYTES;
    if (most > this.#lines.length) this.#lines = Buffer.allocUnsafe(most);
    let seq = this.#seq;
    let end = 0;
    for (const entry of entries) end = this.#formatOne(entry, ++seq, end);
    return end;
  }

  #formatOne(entry: Entry, seq: number, start: number): number {
    const fields = `${seq}\t${entry.atMs}\t${this.#middleOf(entry)}${fit(entry.requestId)}\t`;
    if (fields.length > LINE_BYTES - SUM_BYTES) throw new Error('The line is too long.');
    const end = start + this.#lines.write(fields, start, 'latin1');
    return this.#endLine(start, end);
  }

  #middleOf(entry: Entry): string {
    const { last, text } = this.#middle;
    if (last !== null && isAlike(entry, last)) return text;
    const { date, keyId, accountId, operation, environment, units, generation } = entry;
    const middle =
      `${date}\t${fit(keyId)}\t${fit(accountId)}\t${fit(operation)}\t${environment}\t${units}\t` +
      `${generation ?? '-'}\t`;
    this.#middle = { last: entry, text: middle };
    return middle;
  }

  #endLine(start: number, end: number): number {
    const lines = this.#lines;
    let at = end;
    const sum = crc32(lines.subarray(start, end));
    for (let shift = 28; shift >= 0; shift -= 4) {
      const digit = (sum >>> shift) & 15;
      lines[at++] = digit < 10 ? ZERO + digit : LETTER_A + digit - 10;
    }
    lines[at++] = NEWLINE;
    return at;
  }

  /** Truncates a failed write; if that fails too, gives up the file. */
  #undo(segment: OpenSegment): void {
    try {
      ftruncateSync(segment.fd, segment.size);
    } catch {
      this.#seal(segment);
    }
  }

  #seal(segment: OpenSegment): void {
    segment.sealed = true;
    if (this.#current === segment) this.#current = null;
    if (!this.#closed) {
      this.#sync(segment);
      return;
    }
    this.#syncNow(segment);
    if (segment.syncing === 0) closeSync(segment.fd);
  }

  #syncNow(segment: OpenSegment): void {
    try {
      fsyncSync(segment.fd);
    } catch (error) {
      this.#options.log.error(`usage journal ${segment.name}: not synced: ${String(error)}`);
    }
  }

  #syncSoon(segment: OpenSegment): void {
    segment.dirty = true;
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#current?.dirty === true) this.#sync(this.#current);
    }, METERING_LIMITS.usageSyncMs);
    this.#timer.unref();
  }

  /** Runs in the thread pool, off the request path. */
  #sync(segment: OpenSegment): void {
    segment.dirty = false;
    segment.syncing++;
    fdatasync(segment.fd, (error) => {
      segment.syncing--;
      if (error !== null) {
        this.#options.log.error(`usage journal ${segment.name}: not synced: ${error.message}`);
      }
      if (segment.sealed && segment.syncing === 0) closeSync(segment.fd);
    });
  }
}

function isAlike(a: Entry, b: Entry): boolean {
  return (
    a.keyId === b.keyId &&
    a.operation === b.operation &&
    a.generation === b.generation &&
    a.units === b.units &&
    a.date === b.date &&
    a.accountId === b.accountId &&
    a.environment === b.environment
  );
}

function fit(text: string): string {
  UNFIT.lastIndex = 0;
  return UNFIT.test(text) || text === '' ? text.replace(UNFIT, '_').padEnd(1, '_') : text;
}

/** A new file's name must survive a power failure too. */
function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
