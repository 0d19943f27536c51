/** Opened again where it breaks: the first event has all. */
import { Refused } from '../shared/ask.ts';
import { call } from './api.ts';
import type { Progress } from './api.ts';
import type { Environment } from './address-bar.ts';
import { mayPass, pauseMs, rest } from './retry.ts';
import { SILENCE_MS, bytesOf } from '../shared/streams.ts';

/** A stream that ended as it should is opened again, but not in a busy loop. */
const AGAIN_MS = 1_000;

export interface Watching {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** null: it comes again. */
  readonly onLine: (trouble: Refused | null) => void;
}

/** Until the job ends or the signal aborts. Throws what is permanent. */
export async function watch(
  environment: Environment,
  id: string,
  watching: Watching,
): Promise<void> {
  const { signal, onLine } = watching;
  const isOver = (): boolean => signal.aborted;
  for (let failures = 0; !isOver();) {
    try {
      const hasEnded = await watchOnce(environment, id, {
        ...watching,
        onProgress: (progress) => {
          failures = 0;
          onLine(null);
          watching.onProgress(progress);
        },
      });
      if (hasEnded) return;
      await rest(AGAIN_MS, signal);
    } catch (error) {
      if (isOver()) return;
      if (error instanceof Refused && !mayPass(error)) throw error;
      failures += 1;
      onLine(error instanceof Refused ? error : new Refused(0, 'cut', ''));
      await rest(pauseMs(failures), signal);
    }
  }
}

/** Returns whether the job has ended. */
async function watchOnce(
  environment: Environment,
  id: string,
  { signal, onProgress }: Omit<Watching, 'onLine'>,
): Promise<boolean> {
  const response = await call(environment, `v1/jobs/${id}/events`, { signal, isLong: true });
  for await (const { name, data } of eventsOf(response)) {
    if (name === 'end') return true;
    if (name === 'progress') onProgress(JSON.parse(data) as Progress);
  }
  return false;
}

async function* eventsOf({ body }: Response): AsyncGenerator<StreamEvent, void, undefined> {
  if (body === null) return;
  const [reader, decoder] = [new EventReader(), new TextDecoder()];
  for await (const bytes of bytesOf(body, SILENCE_MS)) {
    yield* reader.push(decoder.decode(bytes, { stream: true }));
  }
}

interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** Of server-sent events, in pieces of any size. */
export class EventReader {
  #held = '';

  /** Returns those that are whole. */
  push(text: string): readonly StreamEvent[] {
    const blocks = (this.#held + text).split('\n\n');
    this.#held = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const lines = block.split('\n');
      const valueOf = (field: string): readonly string[] =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
      const data = valueOf('data');
      return data.length === 0
        ? []
        : [{ name: valueOf('event')[0] ?? 'message', data: data.join('\n') }];
    });
  }
}
