/** What the sample upstream holds and answers of a register. All of it is invented. */
import type { RegisterOverride } from '../layers/register.ts';

/** A row as a register has it: column by its own name, null where it is empty. */
export type SampleRow = Readonly<Record<string, string | null>>;
/** Rows by the entity of their table. */
export type SampleRows = Readonly<Record<string, readonly SampleRow[]>>;

export interface SampleRegister {
  /** Its entities with the least rows that the sample's guards ask of each. */
  readonly minRows: Readonly<Record<string, number>>;
  /** Entities whose files come as JSON instead of CSV. */
  readonly asJson: readonly string[];
  /** The codes under which the download service lists bitemporal totals alone. */
  readonly wholeOnly: readonly string[];
  /** Entities of other registers that its rows are drawn from. */
  readonly needs: readonly string[];
  /** Its rows. The same to the last digit every time. */
  rows(drawn: SampleRows): SampleRows;
  /** What points at the sample, beside the files of its tables; by mirror. */
  settingsAt?(base: string): Readonly<Record<string, RegisterOverride>>;
  /** What the sample answers live for it; absent: nothing. */
  readonly live?: SampleLive;
}

export interface SampleLive {
  readonly host: string;
  readonly path: string;
  /** The operation by which rules of faults name it. */
  readonly operation: string;
  /** Never throws. */
  answer(sent: SampleQuestion): SampleReply;
}

/** What was sent, as far as it is read. */
export interface SampleQuestion {
  readonly url: URL;
  readonly method: string;
  readonly authorization: string;
  readonly body: string;
}

export interface SampleReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
