/** A request that node's server has read. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { HEAD_ROOM } from './exchange.ts';
import type { AnswerHeaders, Exchange } from './exchange.ts';
import type { PlainHead } from './plain-head.ts';

const OK = 200;

export class NodeExchange implements Exchange {
  readonly head: PlainHead;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #fullPipeline: RequestListener;

  constructor(
    head: PlainHead,
    request: IncomingMessage,
    response: ServerResponse,
    fullPipeline: RequestListener,
  ) {
    this.head = head;
    this.#request = request;
    this.#response = response;
    this.#fullPipeline = fullPipeline;
  }

  get isGone(): boolean {
    return this.#response.destroyed;
  }

  get isLeaving(): boolean {
    return this.isGone;
  }

  send({ requestId, shared }: AnswerHeaders, room: Buffer, sent: () => void): void {
    const body = room.subarray(HEAD_ROOM);
    const response = this.#response;
    // Sent or broken off, a response closes once.
    response.on('close', sent);
    const own = ['x-request-id', requestId, 'content-length', String(body.length)];
    response.writeHead(OK, own.concat(shared));
    response.end(body);
  }

  hangUp(): void {
    this.#response.destroy();
  }

  useFullPipeline(): void {
    if (!this.isGone) this.#fullPipeline(this.#request, this.#response);
  }
}
