/** By the routes any customer has. Lookups never see the cookie. */
import { factsOf } from './answers.ts';
import type { Reply } from './answers.ts';
import { Refused, request } from './ask.ts';
import type { HeldKey } from './held-key.ts';
import { t } from './language.ts';

interface LookUpOptions<Body> {
  readonly signal?: AbortSignal | undefined;
  /** Default: as JSON. */
  readonly read?: (response: Response) => Promise<Body>;
}

/** Throws only on abort: refusals are part of the reply. `key` null: none is needed. */
export async function lookUpWith<Body>(
  key: HeldKey | null,
  path: string,
  { signal, read = (response) => response.json() as Promise<Body> }: LookUpOptions<Body> = {},
): Promise<Reply<Body>> {
  const ask = async (secret: string | null): Promise<Reply<Body>> => {
    const response = await request(path, {
      headers: bearer(secret),
      credentials: 'omit',
      // A key of the trial answers this service's own pages alone.
      referrerPolicy: 'same-origin',
      ...(signal !== undefined && { signal }),
    });
    return { ok: true, body: await read(response), facts: factsOf(response.headers) };
  };
  try {
    return await (key === null ? ask(null) : key.ask(ask));
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (error instanceof Refused)
      return { ok: false, status: error.status, message: error.message };
    // It broke off, or is none of ours.
    const message = t('Svaret kunne ikke læses.', 'The answer could not be read.');
    return { ok: false, status: 0, message };
  }
}

export function bearer(secret: string | null): Readonly<Record<string, string>> {
  return secret === null ? {} : { authorization: `Bearer ${secret}` };
}
