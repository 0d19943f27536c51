/**
 * The one stream of log lines: JSON through pino, laid out for reading on a terminal. Nothing leaves
 * without the redaction of log.ts, the greeting of a person who has just started the service apart.
 */
import { pino } from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import { describeError, redact } from './log.ts';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface LoggerSettings {
  readonly level: LogLevel;
  /** Values that are blotted out wherever they stand, beside what `redact` knows by its shape. */
  readonly secrets?: readonly string[];
  /** Standard output when absent. */
  readonly stream?: DestinationStream;
  /** Laid out for a person; absent: where standard output is a terminal. */
  readonly isTerminal?: boolean;
}

export interface Greeted {
  readonly first: string;
  /** Further lines for a terminal; `fields` tells the same to programs. */
  readonly more: readonly string[];
}

export interface Logging {
  readonly log: Logger;
  /**
   * Says at any level what a person waits for at start, as plain text on a terminal. The only way to
   * say a secret: it is written as it is given.
   */
  readonly greet: (fields: object, text: Greeted) => void;
}

/** Shorter ones would blot out words. */
const SECRET_CHARS = 6;

export function createLogging(settings: LoggerSettings): Logging {
  const { level, stream, isTerminal = stream === undefined && process.stdout.isTTY } = settings;
  const target = stream ?? (isTerminal ? process.stdout : pino.destination(1));
  const lines = isTerminal ? pretty({ destination: asStream(target), sync: true }) : target;
  const clean = cleanerOf(settings.secrets ?? []);
  const options: LoggerOptions = {
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return {
    log: pino({ ...options, level, hooks: { streamWrite: clean } }, lines),
    greet: (fields, { first, more }) => {
      if (isTerminal) target.write(`${[first, ...more].join('\n')}\n`);
      else pino({ ...options, level: 'info' }, lines).info(fields, first);
    },
  };
}

/** pino-pretty takes a stream of Node's; what tests give is one, and so is standard output. */
function asStream(target: DestinationStream): NodeJS.WritableStream {
  return target as unknown as NodeJS.WritableStream;
}

/** Over a whole line, as JSON has it. */
function cleanerOf(secrets: readonly string[]): (line: string) => string {
  const forms = secrets
    .filter(({ length }) => length >= SECRET_CHARS)
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return (line) =>
    redact(forms.reduce((cleaned, form) => cleaned.replaceAll(form, '[redacted]'), line));
}
