/** What the edge is told at start, beside its services. Values only; the environment is read elsewhere. */
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { BackgroundMap } from '../layers/background-map.ts';
import type { InventedData } from './pages/shell.ts';
import type { LogLevel } from '../kernel/logger.ts';

export interface EdgeOptions {
  /** Where clients reach the service, without trailing slash; null: taken from each request. */
  readonly publicUrl: string | null;
  readonly logLevel: LogLevel;
  /** The service's logger; absent: one of the edge's own, at `logLevel` and to `logStream`. */
  readonly logger?: Logger;
  /** Where log lines go; standard output when absent. */
  readonly logStream?: Writable;
  /** The operator's token, a secret; null or absent: the operator's routes are off. */
  readonly operatorToken?: string | null;
  /** Addresses of proxies whose X-Forwarded-For is believed; empty or absent: nobody's. */
  readonly trustedProxies?: readonly string[];
  /** Whether plain lookups pass the framework by; true when absent. Their answers are the same. */
  readonly fastPath?: boolean;
  /** Where the front page shows what is answered, in degrees; absent: it offers no example. */
  readonly examplePlace?: { readonly lon: number; readonly lat: number };
  /** Where the data are the sample's: what pages say of them; null or absent: they are the registers'. */
  readonly inventedData?: InventedData | null;
  /** What lies under the layers of the map page; null or absent: nothing. */
  readonly backgroundMap?: BackgroundMap | null;
  /** A fresh request id, used when the caller sends none of its own (D65). */
  readonly newRequestId: () => string;
}
