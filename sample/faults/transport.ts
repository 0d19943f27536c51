/** Faults of the wire: what happens to bytes between a right answer and the client. */
import type { Fault, Transport } from './stages.ts';

export const TRANSPORT_FAULTS = {
  down: {
    title: 'the connection is reset before any answer',
    transport: () => ({ resetAtByte: -1 }),
  },
  slow: wire('the answer begins late', ['milliseconds', 2_000], (delayMs) => ({ delayMs })),
  hang: { title: 'no answer ever comes', transport: () => ({ stallAtByte: -1 }) },
  stall: cut('the answer stops midway and the connection stays open', (stallAtByte) => ({
    stallAtByte,
  })),
  reset: cut('the connection is reset midway', (resetAtByte) => ({ resetAtByte })),
  'data-limit': cut(
    'the connection is closed after so many bytes, short of the announced length',
    (closeAtByte) => ({ closeAtByte }),
  ),
  'unframed-cut': cut(
    'the same without an announced length: the end of the connection looks like the end',
    (closeAtByte) => ({ closeAtByte, unframed: true }),
  ),
  bandwidth: wire('the answer trickles', ['bytes a second', 20_000], (bytesPerSecond) => ({
    bytesPerSecond,
  })),
  slicing: wire('the answer comes in many small slices', ['bytes a slice', 113], (sliceBytes) => ({
    sliceBytes,
  })),
  'slow-close': wire(
    'the last byte is sent but the answer does not end for a while',
    ['milliseconds', 1_000],
    (closeDelayMs) => ({ closeDelayMs }),
  ),
} as const satisfies Record<string, Fault>;

function wire(
  title: string,
  [valueIs, defaultValue]: readonly [string, number],
  transport: (value: number) => Transport,
): Fault {
  return { title, valueIs, defaultValue, transport: ({ value }) => transport(value) };
}

function cut(title: string, transport: (value: number) => Transport): Fault {
  return wire(title, ['bytes sent before', 500], transport);
}
