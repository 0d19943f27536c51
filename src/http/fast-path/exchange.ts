/** A request and the way back to who asked, whoever reads the connection. */
import type { KeyMemo } from '../../account/principal.ts';
import type { PlainHead } from './plain-head.ts';

export interface Exchange {
  readonly head: PlainHead;
  /** Of a connection that is likely to show the same key again. */
  readonly keyMemo?: KeyMemo;
  /** Who asked has hung up. */
  readonly isGone: boolean;
  /** Who asked has said the last word. That may be hanging up: it is not waited with. */
  readonly isLeaving: boolean;
  /**
   * Sends the answer: `HEAD_ROOM` bytes for its head, then its body. `sent` is called once, when the
   * system has all of it or the connection is lost; then nobody reads `room` any more.
   */
  send(headers: AnswerHeaders, room: Buffer, sent: () => void): void;
  /** As if it had never been here. */
  useFullPipeline(): void;
  /** Ends it without an answer. */
  hangUp(): void;
}

export interface AnswerHeaders {
  readonly requestId: string;
  /** Names and values in turn; the same list for answers in a row. */
  readonly shared: readonly string[];
}

/** Bytes before a body, for the head where it is written with it. */
export const HEAD_ROOM = 2048;
