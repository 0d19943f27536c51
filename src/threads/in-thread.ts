import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadSetup, ToThread } from './request-threads.ts';

export interface ThreadLink<S, R> {
  readonly setup: ThreadSetup<S>;
  readonly send: (message: FromThread<R>) => void;
  readonly told: (kind: ToThread['kind']) => Promise<void>;
  readonly on: (kind: ToThread['kind'], listener: () => void) => void;
}

/** Throws outside a thread that `RequestThreads` has started. */
export function threadLink<S, R>(): ThreadLink<S, R> {
  const port = parentPort;
  if (port === null) throw new Error('This file runs in a request thread only.');
  const on = (kind: ToThread['kind'], listener: () => void): void => {
    port.on('message', (message: ToThread) => {
      if (message.kind === kind) listener();
    });
  };
  return {
    setup: workerData as ThreadSetup<S>,
    send: (message) => port.postMessage(message),
    told: (kind) => new Promise((resolve) => on(kind, () => resolve())),
    on,
  };
}
