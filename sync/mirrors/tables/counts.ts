import { LIMITS } from '../../../src/kernel/limits.ts';
import type { ParsedTable, UnreadableRow } from '../../../src/downloads/table-task.ts';
import type { TableRun, StagedTable, TableReading } from './table-run.ts';

export function noReading(): TableReading {
  return {
    received: 0,
    current: 0,
    former: 0,
    closed: 0,
    future: 0,
    past: 0,
    unreadable: 0,
    unreadableIds: [],
    unread: [],
    outside: 0,
    unresolved: 0,
    announced: [],
    md5: null,
    nextChangeMs: null,
    columns: [],
    missing: [],
    misshapen: null,
    cells: {},
  };
}

export function countParsed(run: TableRun, { read }: StagedTable, parsed: ParsedTable): void {
  const { counts } = run;
  const kept = parsed.current.rows + parsed.former.rows + parsed.closed.rows;
  const unreadable = parsed.unreadable.length;
  counts.pages += 1;
  counts.received += parsed.members;
  counts.parsed += kept + parsed.future + parsed.past + unreadable;
  counts.mapped += kept;
  counts.unreadable += unreadable;
  counts.outsideDenmark += parsed.outside;
  skip(counts.skipped, 'future effect', parsed.future);
  skip(counts.skipped, 'past effect', parsed.past);
  read.received += parsed.members;
  read.current += parsed.current.rows;
  read.former += parsed.former.rows;
  read.closed += parsed.closed.rows;
  read.future += parsed.future;
  read.past += parsed.past;
  keepUnreadable(read, parsed.unreadable);
  read.outside += parsed.outside;
  if (parsed.nextChangeMs !== null) {
    read.nextChangeMs = Math.min(parsed.nextChangeMs, read.nextChangeMs ?? Infinity);
  }
  for (const [name, { filled, unreadable }] of Object.entries(parsed.cells)) {
    const known = read.cells[name] ?? { filled: 0, unreadable: 0 };
    read.cells[name] = {
      filled: known.filled + filled,
      unreadable: known.unreadable + unreadable,
    };
  }
  // JSON rows may omit empty values: only all pieces together show the file's columns.
  read.columns = [...new Set([...read.columns, ...parsed.columns])];
  if (parsed.misshapen !== null) {
    const { rows } = read.misshapen ?? { rows: 0 };
    const first = read.misshapen ?? parsed.misshapen;
    read.misshapen = { ...first, rows: rows + parsed.misshapen.rows };
  }
  if (parsed.missing.length > read.missing.length) read.missing = parsed.missing;
}

/** Rows that parted only in the store, where they were counted as current. */
export function countTwins(
  { counts }: TableRun,
  { read }: StagedTable,
  twins: readonly UnreadableRow[],
): void {
  counts.mapped -= twins.length;
  counts.unreadable += twins.length;
  read.current -= twins.length;
  keepUnreadable(read, twins);
}

function keepUnreadable(read: TableReading, rows: readonly UnreadableRow[]): void {
  read.unreadable += rows.length;
  read.unread.push(...rows.slice(0, LIMITS.syncIssuesKept - read.unread.length));
  for (const { key } of rows) {
    const isKept = key !== null && read.unreadableIds.length < LIMITS.syncIssuesKept;
    if (isKept) read.unreadableIds.push(key.toLowerCase());
  }
}

function skip(skipped: Record<string, number>, reason: string, count: number): void {
  if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
}
