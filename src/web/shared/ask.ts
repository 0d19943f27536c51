/** Requests of every page: no cache, no referrer, a deadline. */
import { language } from './language.ts';

export const TIMEOUT_MS = 20_000;

/** What the service refused, in its own words. `status` 0: it could not be reached. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface Options {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly credentials?: RequestCredentials;
  /** Unless given: nobody is told which page asks. */
  readonly referrerPolicy?: ReferrerPolicy;
  /** Gives up when it is aborted, beside the time limit. */
  readonly signal?: AbortSignal;
}

/** An answer that is good; throws Refused otherwise. */
export async function request(path: string, options: Options = {}): Promise<Response> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(path, {
    credentials: 'same-origin',
    referrerPolicy: 'no-referrer',
    ...options,
    headers: { ...options.headers, 'accept-language': language() },
    cache: 'no-store',
    signal: options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]),
  }).catch((error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    const words = { da: 'Tjenesten svarer ikke.', en: 'The service does not answer.' };
    throw new Refused(0, 'unreachable', words[language()]);
  });
  if (response.ok) return response;
  throw await refusalOf(response);
}

export async function refusalOf(response: Response): Promise<Refused> {
  const { code = '', message } = await errorObject(response);
  return new Refused(
    response.status,
    code,
    message ??
      { da: `Tjenesten svarede ${response.status}.`, en: `The service said ${response.status}.` }[
        language()
      ],
  );
}

interface ErrorObject {
  readonly code?: string;
  readonly message?: string;
}

async function errorObject(response: Response): Promise<ErrorObject> {
  try {
    return (await response.json()) as ErrorObject;
  } catch {
    return {};
  }
}
