/** Start options of the edge. Values only; the environment is read elsewhere. */
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
  /** Public URL without trailing slash; null: taken from each request. */
  readonly publicUrl: string | null;
  readonly logLevel: LogLevel;
  /** The service's logger; absent: the edge creates one with `logLevel` and `logStream`. */
  readonly logger?: Logger;
  /** Default: standard output. */
  readonly logStream?: Writable;
  /** A secret; null or absent: the operator's routes are off. */
  readonly operatorToken?: string | null;
  /** Of persons, whose name their acts have (D159); absent: none. Secrets. */
  readonly operatorTokens?: readonly NamedToken[];
  /** Opens `/metrics` alone; null: the operator's token does. */
  readonly metricsToken?: string | null;
  /** Proxies whose X-Forwarded-For is trusted; empty or absent: none. */
  readonly trustedProxies?: readonly string[];
  /** Whether plain lookups bypass the framework; default true. Answers are equal. */
  readonly fastPath?: boolean;
  /** The front page's example point in degrees; absent: no example. */
  readonly examplePlace?: { readonly lon: number; readonly lat: number };
  /** Notice on pages when the data are the sample's; null or absent: real data. */
  readonly inventedData?: InventedData | null;
  /** Kroner for a unit beyond what a plan includes. */
  readonly unitPriceDkk?: number | null;
  /** Whether `/design` shows the pages' components; default false. */
  readonly hasDesign?: boolean;
  /** Map background of the map page; null or absent: none. */
  readonly backgroundMap?: BackgroundMap | null;
  /** Where spans are sent; null or absent: nothing is traced. Without the fast path, which makes none. */
  readonly tracing?: TracingSettings | null;
  /** Moves connections to other request threads; null or absent: there are none. */
  readonly balance?: Balance | null;
  /** How many connections are kept; absent: `HTTP_LIMITS.connections`. */
  readonly connections?: ConnectionLimits;
  /** Called with a route and the status of its error, where its document lacks that one. */
  readonly onUndocumented?: (found: string) => void;
  /** A new request id, used when the caller sends none (D65). */
  readonly newRequestId: () => string;
}
