import type { Store } from '../../src/db/connect.ts';
import type { Log } from '../../src/kernel/log.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { apply, applyWithin } from '../mirrors/features/apply.ts';
import type { Publishing } from '../mirrors/features/apply.ts';
import type { Publication, Run } from '../deps.ts';

interface Waiting {
  readonly run: Run;
  readonly publishing: Publishing;
  readonly resolve: (publication: Publication) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One that will not publish must `leave`; one that is late by `waitMs` is published alone, later.
 */
export class JointPublication {
  readonly #store: Store;
  readonly #log: Log;
  readonly #expected: Set<LayerId>;
  readonly #timer: NodeJS.Timeout;
  #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(
    { store, log }: { readonly store: Store; readonly log: Log },
    layers: readonly LayerId[],
    waitMs: number = LIMITS.datedTogetherMs,
  ) {
    this.#store = store;
    this.#log = log;
    this.#expected = new Set(layers);
    this.#timer = setTimeout(() => this.#close(), waitMs);
  }

  /** Replaces `apply`: resolves when this layer is published, with the others. */
  readonly publish: typeof apply = async (store, run, publishing) => {
    if (this.#isClosed) return await apply(store, run, publishing);
    const { promise, resolve, reject } = Promise.withResolvers<Publication>();
    const waiting = { run, publishing, resolve, reject };
    this.#waiting.push(waiting);
    const giveUp = () => {
      // One already being published ends with its transaction.
      if (this.#isClosed) return;
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
      reject(run.signal.reason);
    };
    run.signal.addEventListener('abort', giveUp, { once: true });
    this.leave(run.layer.id);
    return await promise.finally(() => run.signal.removeEventListener('abort', giveUp));
  };

  /** This layer is no longer awaited: its run has ended, or it has arrived. */
  leave(layer: LayerId): void {
    this.#expected.delete(layer);
    if (this.#expected.size === 0) this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    // Regions before areas in them, municipalities before districts (D41).
    const place = ({ run }: Waiting) => LAYER_IDS.findIndex((id) => id === run.layer.id);
    void this.#publishAll(this.#waiting.toSorted((a, b) => place(a) - place(b)));
  }

  async #publishAll(waiting: readonly Waiting[]): Promise<void> {
    try {
      const publications = await this.#store.db.transaction().execute(async (trx) => {
        const done: Publication[] = [];
        for (const { run, publishing } of waiting) {
          done.push(await applyWithin(trx, run, publishing));
        }
        return done;
      });
      waiting.forEach(({ resolve }, i) => resolve(publications[i] as Publication));
    } catch (error) {
      if (waiting.length > 1) {
        const layers = waiting.map(({ run }) => run.layer.id);
        this.#log.warn(
          { err: error, layers },
          'layers of one instant could not be published as one',
        );
      }
      await this.#publishEach(waiting, error);
    }
  }

  async #publishEach(waiting: readonly Waiting[], error: unknown): Promise<void> {
    for (const { run, publishing, resolve, reject } of waiting) {
      if (waiting.length === 1) reject(error);
      else await apply(this.#store, run, publishing).then(resolve, reject);
    }
  }
}
