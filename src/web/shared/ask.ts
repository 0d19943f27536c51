/** No cache, no referrer, a deadline. */
import { language, t } from './language.ts';

const TIMEOUT_MS = 20_000;
/** For megabytes. */
export const LARGE_MS = 90_000;
/** Without typing, before a field asks: each question counts among the trial's 60 a minute. */
export const TYPING_MS = 350;

/** A refusal as a sentence. `status` 0: the service could not be reached. */
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
  /** Unless given, requests have no Referer. */
  readonly referrerPolicy?: ReferrerPolicy;
  /** In addition to the time limit. */
  readonly signal?: AbortSignal | undefined;
  readonly limitMs?: number;
  /** The limit is of the head alone. */
  readonly isLong?: boolean;
}

/** Throws Refused. */
export async function request(
  path: string,
  { limitMs = TIMEOUT_MS, isLong, signal, ...options }: Options = {},
): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  const response = await fetch(path, {
    credentials: 'same-origin',
    referrerPolicy: 'no-referrer',
    ...options,
    headers: { ...options.headers, 'accept-language': language() },
    cache: 'no-store',
    signal: AbortSignal.any(signal ? [signal, limit.signal] : [limit.signal]),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refused(
      0,
      'unreachable',
      t('Tjenesten svarer ikke.', 'The service does not answer.'),
    );
  });
  if (isLong) clearTimeout(timer);
  if (response.ok) return response;
  throw await refusalOf(response);
}

async function refusalOf(response: Response): Promise<Refused> {
  // A proxy may answer without an object.
  const said = response.json() as Promise<ErrorObject>;
  const { code = '', type = '', message = '' } = await said.catch((): ErrorObject => ({}));
  // Few visits meet a refusal.
  const words = await import('./plain-words.ts').catch(() => null);
  const sentence = words?.plainSentence(message, code, language(), type) ?? failed();
  return new Refused(response.status, code, sentence);
}

/** Of kernel/failures.ts. */
type ReadFailure = Error & { readonly errorDa?: string };

/** Of a Refused, or of a reader's Failure. */
export function wordsOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof Error && error.name === 'Failure') {
    const { message, errorDa = message } = error as ReadFailure;
    return t(errorDa, message);
  }
  return failed();
}

function failed(): string {
  return t(
    'Siden kunne ikke gøre det. Genindlæs den, og prøv igen.',
    'The page could not do that. Reload it and try again.',
  );
}

type ErrorObject = Partial<Record<'type' | 'code' | 'message', string>>;

/** For questions whose overtaken answers are dropped: each turn says whether it is the latest. */
export function turns(): () => () => boolean {
  let taken = 0;
  return () => {
    const mine = (taken += 1);
    return () => mine === taken;
  };
}
