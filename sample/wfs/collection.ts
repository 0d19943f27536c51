/** One page of features ready to be written, whatever the format. */
import type { LayerId } from '../../src/layers/keys.ts';
import type { SampleFeature, Schema } from '../data/feature.ts';
import type { SampleHost } from '../hosts.ts';

export interface Collection {
  readonly host: SampleHost;
  readonly layer: LayerId;
  readonly schema: Schema;
  readonly geometryProperty: string;
  /** Of EPSG:25832, as it is written. */
  readonly srsName: string;
  readonly features: readonly SampleFeature[];
  /** `unknown` is what some servers say; it is never 0. */
  readonly numberMatched: number | 'unknown';
  readonly numberReturned: number;
  /** The same request for the page after this one: it echoes the whole query, key included. */
  readonly nextUrl: string | null;
}

/** No clock is read: the same request gives the same bytes. */
export const TIME_STAMP = '2026-11-01T02:00:00.000Z';
