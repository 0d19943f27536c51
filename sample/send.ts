/** Puts a reply on the wire, at once and whole, or as badly as a transport fault says. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Transport } from './faults/stages.ts';
import type { Reply } from './http.ts';

/** Slices a second when a bandwidth is set: fine enough to trickle, coarse enough to be cheap. */
const SLICES_PER_SECOND = 20;

/** `signal` ends every wait when the server closes; a stalled answer then goes with its socket. */
export async function sendReply(
  response: ServerResponse,
  { reply, transport, headOnly }: { reply: Reply; transport: Transport; headOnly: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { status, headers, body } = reply;
  if (transport.delayMs !== undefined) await wait(transport.delayMs, undefined, { signal });
  if (transport.resetAtByte === -1) {
    socketOf(response).resetAndDestroy();
    return;
  }
  if (transport.stallAtByte === -1) return;
  response.useChunkedEncodingByDefault = transport.unframed !== true;
  response.writeHead(status, { ...headers, ...lengthOf(body, transport) });
  if (headOnly) {
    response.end();
    return;
  }
  const { resetAtByte, stallAtByte, closeAtByte } = transport;
  const end = Math.min(...[resetAtByte, stallAtByte, closeAtByte].map((at) => at ?? Infinity));
  await writeSlices(response, body.subarray(0, end), { transport, signal });
  if (end < body.length) {
    breakOff(response, transport);
    return;
  }
  if (transport.closeDelayMs !== undefined)
    await wait(transport.closeDelayMs, undefined, { signal });
  response.end();
}

/** With a length the client knows the last byte when it sees it; only without one can it wait. */
function lengthOf(body: Buffer, { closeDelayMs, unframed }: Transport): Record<string, number> {
  return closeDelayMs === undefined && unframed !== true ? { 'content-length': body.length } : {};
}

/** Sent means handed to the system: a reset would take back what still waits in the process. */
function breakOff(response: ServerResponse, transport: Transport): void {
  if (transport.resetAtByte !== undefined) socketOf(response).resetAndDestroy();
  else if (transport.closeAtByte !== undefined) socketOf(response).end();
}

/**
 * The request's: a client that has read every announced byte may ask again on the same connection
 * before this side has ended its answer, and until then the next response has no socket of its own.
 */
function socketOf(response: ServerResponse): Socket {
  return response.req.socket;
}

async function writeSlices(
  response: ServerResponse,
  body: Buffer,
  { transport, signal }: { transport: Transport; signal: AbortSignal },
): Promise<void> {
  const { bytesPerSecond, sliceBytes } = transport;
  const pauseMs = bytesPerSecond === undefined ? 0 : 1_000 / SLICES_PER_SECOND;
  const size =
    sliceBytes ??
    (bytesPerSecond === undefined
      ? body.length
      : Math.max(1, Math.ceil(bytesPerSecond / SLICES_PER_SECOND)));
  for (let from = 0; from < body.length; from += Math.max(1, size)) {
    if (response.destroyed) return;
    const slice = body.subarray(from, from + Math.max(1, size));
    await new Promise<void>((resolve) => {
      response.write(slice, () => {
        resolve();
      });
    });
    const isLast = from + size >= body.length;
    if (pauseMs > 0 && !isLast) await wait(pauseMs, undefined, { signal });
  }
}
