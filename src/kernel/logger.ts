/** The only log stream. All lines are redacted but the greeting at start. */
import { pino } from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import { describeError, redact } from './log.ts';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface LoggerSettings {
  readonly level: LogLevel;
  /** In addition to what `redact` recognises. */
  readonly secrets?: readonly string[];
  /** Default: standard output. */
  readonly stream?: DestinationStream;
  /** Default: whether standard output is one. */
  readonly isTerminal?: boolean;
}

export interface Greeted {
  readonly first: string;
  readonly more: readonly string[];
}

export interface Logging {
  readonly log: Logger;
  /** Shown at any level, plain on a terminal. Not redacted: the only way to show a secret. */
  readonly greet: (fields: object, text: Greeted) => void;
  /** Shown on a terminal at once and every few seconds; returns what ends it. */
  readonly progress: (text: string) => () => void;
}

const PROGRESS_S = 5;

/** A shorter value would mask ordinary words. */
const SECRET_CHARS = 6;

export function createLogging(settings: LoggerSettings): Logging {
  const { level, stream, isTerminal = stream === undefined && process.stdout.isTTY } = settings;
  const target = stream ?? (isTerminal ? process.stdout : standardOutput());
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
    progress: (text) => {
      if (!isTerminal) return () => undefined;
      target.write(`${text} …\n`);
      let seconds = 0;
      const timer = setInterval(() => {
        seconds += PROGRESS_S;
        target.write(`… ${seconds} s\n`);
      }, 1_000 * PROGRESS_S);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

/** While its disk is full lines wait up to the limit, and are dropped past it. */
function standardOutput(): DestinationStream {
  if (output !== null) return output;
  const target = pino.destination({ dest: 1, maxLength: MOST_WAITING_BYTES });
  let isWritten = true;
  target.on('error', () => (isWritten = false));
  target.on('write', () => (isWritten = true));
  const flush = target.flushSync.bind(target);
  // An ending process would try without end.
  target.flushSync = () => {
    if (isWritten) flush();
  };
  return (output = target);
}

let output: DestinationStream | null = null;

const MOST_WAITING_BYTES = 1024 * 1024;

/** pino-pretty needs a Node stream, which these are. */
function asStream(target: DestinationStream): NodeJS.WritableStream {
  return target as unknown as NodeJS.WritableStream;
}

function cleanerOf(secrets: readonly string[]): (line: string) => string {
  const forms = secrets
    .filter(({ length }) => length >= SECRET_CHARS)
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return (line) =>
    redact(forms.reduce((cleaned, form) => cleaned.replaceAll(form, '[redacted]'), line));
}
