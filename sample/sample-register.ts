/** What the sample upstream holds and answers for a register. All of it is invented. */
import type { RegisterOverride } from '../src/layers/register.ts';
import type { TableRow } from './data/table-row.ts';
import type { Reply } from './http.ts';

export type SampleRows = Readonly<Record<string, readonly TableRow[]>>;

export interface SampleRegister {
  /** Its entities with the minimum rows of the sample's guards. */
  readonly minRows: Readonly<Record<string, number>>;
  /** Entities whose files are JSON instead of CSV. */
  readonly asJson?: readonly string[];
  /** Codes for which the download service lists only bitemporal totals. */
  readonly wholeOnly?: readonly string[];
  rows?(): SampleRows;
  /** Settings that point at the sample, by mirror, other than the table files. */
  settingsAt?(base: string): Readonly<Record<string, RegisterOverride>>;
  /** Settings of its live source that point at the sample. */
  liveAt?(base: string): Readonly<Record<string, object>>;
  /** The sample's live answers; absent: none. */
  readonly live?: SampleLive;
}

export interface SampleLive {
  readonly host: string;
  readonly path: string;
  readonly operation: string;
  /** Never throws. */
  answer(sent: SampleQuestion): Reply;
}

export interface SampleQuestion {
  readonly url: URL;
  readonly method: string;
  readonly authorization: string;
  readonly body: string;
}
