/** In this tab's memory alone. Lookups never see the cookie. */
import { Refused, request } from './ask.ts';
import { asSession, csrfHeader } from './session.ts';

interface PageKey {
  /** `''`: of the trial, which is not handed back. */
  readonly id: string;
  readonly secret: string;
}

/** Made when it is first needed, and anew when it has ended. */
export class HeldKey {
  readonly #make: () => Promise<PageKey>;
  readonly #restMs: number;
  #held: Promise<PageKey> | null = null;

  /** @param restMs how long a refusal to make one stands */
  constructor(make: () => Promise<PageKey>, restMs = 0) {
    this.#make = make;
    this.#restMs = restMs;
  }

  /** Throws Refused. */
  async secret(): Promise<string> {
    if (this.#held === null) {
      const made = this.#make();
      this.#held = made;
      // A busy page's timer fires after the reader's next question.
      made.catch(() => {
        if (this.#restMs === 0) this.#forget(made);
        else setTimeout(() => this.#forget(made), this.#restMs);
      });
    }
    return (await this.#held).secret;
  }

  /** Where the key ended meanwhile, once more with another. */
  async ask<Answer>(question: (secret: string) => Promise<Answer>): Promise<Answer> {
    const wasHeld = this.#held !== null;
    const secret = await this.secret();
    const shown = this.#held;
    try {
      return await question(secret);
    } catch (error) {
      if (!wasHeld || !(error instanceof Refused) || error.status !== 401) throw error;
      this.#forget(shown);
      return await question(await this.secret());
    }
  }

  /** The next question gets another one. */
  ended(secret: string): void {
    const held = this.#held;
    void held?.then((key) => key.secret === secret && this.#forget(held));
  }

  /** Without waiting: the page may be closing. */
  release(): void {
    const held = this.#held;
    const headers = csrfHeader();
    this.#held = null;
    if (headers['x-csrf-token'] === '') return;
    void held?.then(
      ({ id }) => endKey(id, headers),
      () => undefined,
    );
  }

  #forget(key: Promise<PageKey> | null): void {
    if (this.#held === key) this.#held = null;
  }
}

async function endKey(id: string, headers: Readonly<Record<string, string>>): Promise<void> {
  if (id === '') return;
  await fetch(`v1/me/keys/${id}`, { method: 'DELETE', headers, keepalive: true }).catch(
    () => undefined,
  );
}

/** It ends with the session. */
export async function mintSessionKey(
  name: string,
  environment: 'test' | 'live',
  areas: readonly string[],
): Promise<PageKey> {
  const permission = `restricted:${areas.join(',')}`;
  const wanted = { name, environment, permission, session: true };
  const { key } = await asSession<{ readonly key: PageKey }>('POST', 'v1/me/keys', wanted);
  return key;
}

/** It answers this service's own pages alone. */
export async function mintTrialKey(): Promise<PageKey> {
  const response = await request('v1/demo/noegle', {
    method: 'POST',
    referrerPolicy: 'same-origin',
  });
  const { noegle: secret } = (await response.json()) as { readonly noegle: string };
  return { id: '', secret };
}
