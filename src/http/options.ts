/** Values only; the environment is read elsewhere. */
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { Balance } from '../threads/balance.ts';
import type { BackgroundMap } from '../layers/background-map.ts';
import type { InventedData } from './pages/shell.ts';
import type { LogLevel } from '../kernel/logger.ts';
import type { ConnectionLimits } from './server/open-connections.ts';
import type { TracingSettings } from '../kernel/tracing-settings.ts';

export interface NamedToken {
  readonly name: string;
  /** Secret. */
  readonly token: string;
}

export function isOperated({
  operatorToken = null,
  operatorTokens = [],
}: Pick<EdgeOptions, 'operatorToken' | 'operatorTokens'>): boolean {
  return operatorToken !== null || operatorTokens.length > 0;
}

export interface EdgeOptions {
  /** Without trailing slash; null: taken from each request. */
  readonly publicUrl: string | null;
  readonly logLevel: LogLevel;
  /** Absent: the edge creates one from `logLevel` and `logStream`. */
  readonly logger?: Logger;
  /** Default: standard output. */
  readonly logStream?: Writable;
  /** Secret; null or absent: the operator's routes are off. */
  readonly operatorToken?: string | null;
  /** Secrets of persons, named in the trail of their acts (D159); absent: none. */
  readonly operatorTokens?: readonly NamedToken[];
  /** Opens `/metrics` alone; null: the operator's token does. */
  readonly metricsToken?: string | null;
  /** Their X-Forwarded-For is trusted; empty or absent: none. */
  readonly trustedProxies?: readonly string[];
  /** Answers of the fast path are equal; default true. */
  readonly fastPath?: boolean;
  /** Degrees; absent: the front page has no example. */
  readonly examplePlace?: { readonly lon: number; readonly lat: number };
  /** null or absent: real data. */
  readonly inventedData?: InventedData | null;
  /** Kroner for a unit beyond a plan's. */
  readonly unitPriceDkk?: number | null;
  /** Serves `/design`, the pages' components; default false. */
  readonly hasDesign?: boolean;
  /** null or absent: none. */
  readonly backgroundMap?: BackgroundMap | null;
  /** null or absent: off. Turns off the fast path, which makes no spans. */
  readonly tracing?: TracingSettings | null;
  /** null or absent: one thread. */
  readonly balance?: Balance | null;
  /** Absent: `HTTP_LIMITS.connections`. */
  readonly connections?: ConnectionLimits;
  /** Called with route and status of an error that the document lacks. */
  readonly onUndocumented?: (found: string) => void;
  /** Used when the caller sends no request id (D65). */
  readonly newRequestId: () => string;
}
