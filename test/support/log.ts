/** Logs that keep their lines, for tests that read them. */
import { Writable } from 'node:stream';
import type { Log } from '../../src/kernel/log.ts';

export interface LoggedLine {
  readonly level: keyof Log;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface KeptLog extends Log {
  readonly lines: readonly LoggedLine[];
}

export function keptLog(): KeptLog {
  const lines: LoggedLine[] = [];
  const keep = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}

/** A stream of a service's log that adds what is written to `lines`. */
export const linesInto = (lines: string[]): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => done(void lines.push(chunk.toString())),
  });
