/** Faults of the wire: what happens to bytes between a right answer and the client. */
import type { Fault } from './stages.ts';

export const TRANSPORT_FAULTS = {
  down: {
    title: 'the connection is reset before any answer',
    transport: () => ({ resetAtByte: -1 }),
  },
  slow: {
    title: 'the answer begins late',
    valueIs: 'milliseconds',
    defaultValue: 2_000,
    transport: ({ value }) => ({ delayMs: value }),
  },
  hang: { title: 'no answer ever comes', transport: () => ({ stallAtByte: -1 }) },
  stall: {
    title: 'the answer stops midway and the connection stays open',
    valueIs: 'bytes sent before',
    defaultValue: 500,
    transport: ({ value }) => ({ stallAtByte: value }),
  },
  reset: {
    title: 'the connection is reset midway',
    valueIs: 'bytes sent before',
    defaultValue: 500,
    transport: ({ value }) => ({ resetAtByte: value }),
  },
  'data-limit': {
    title: 'the connection is closed after so many bytes, short of the announced length',
    valueIs: 'bytes sent before',
    defaultValue: 500,
    transport: ({ value }) => ({ closeAtByte: value }),
  },
  'unframed-cut': {
    title: 'the same without an announced length: the end of the connection looks like the end',
    valueIs: 'bytes sent before',
    defaultValue: 500,
    transport: ({ value }) => ({ closeAtByte: value, unframed: true }),
  },
  bandwidth: {
    title: 'the answer trickles',
    valueIs: 'bytes a second',
    defaultValue: 20_000,
    transport: ({ value }) => ({ bytesPerSecond: value }),
  },
  slicing: {
    title: 'the answer comes in many small slices',
    valueIs: 'bytes a slice',
    defaultValue: 113,
    transport: ({ value }) => ({ sliceBytes: value }),
  },
  'slow-close': {
    title: 'the last byte is sent but the answer does not end for a while',
    valueIs: 'milliseconds',
    defaultValue: 1_000,
    transport: ({ value }) => ({ closeDelayMs: value }),
  },
} as const satisfies Record<string, Fault>;
