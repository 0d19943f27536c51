/** Retries interruptions, restarts and overload: a request may be sent twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeOf } from '../../kernel/number-texts.ts';

/** A call without progress is retried for so long, milliseconds. */
const RETRY_FOR_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Silence after which a call counts as interrupted, milliseconds. */
const SILENCE_MS = 60_000;
const AGAIN: readonly number[] = [408, 429, 500, 502, 503, 504];

export interface ShownJob {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly label: string | null;
  readonly totalRows: number;
  readonly processedRows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly billedUnits: number;
  readonly error: string | null;
  readonly createdAt: string;
  readonly resultsAvailable: boolean;
}

export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { error, code }: { readonly error: string; readonly code: string }) {
    super(`${error} (${status} ${code})`);
    this.status = status;
    this.code = code;
  }
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Absent: a minute. */
  readonly withinMs?: number;
}

export interface ServiceOptions {
  readonly url: string;
  readonly key: string;
  /** Called when a call is retried, with the reason. */
  readonly onTrouble: (message: string) => void;
  readonly firstPauseMs?: number;
}

export class Service {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  async job(path: string, call: Call = {}): Promise<ShownJob> {
    const response = await this.call(path, call);
    return ((await response.json()) as { job: ShownJob }).job;
  }

  async jobs(): Promise<readonly ShownJob[]> {
    const response = await this.call('/v1/jobs?limit=50');
    return ((await response.json()) as { jobs: ShownJob[] }).jobs;
  }

  /** The body is unread. Throws Refused, or the deadline's reason. */
  async call(path: string, call: Call = {}): Promise<Response> {
    const { firstPauseMs = FIRST_PAUSE_MS } = this.#options;
    const endMs = performance.now() + RETRY_FOR_MS;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const tried = await this.#once(path, call);
      if (tried instanceof Response && (tried.ok || tried.status === 416)) return tried;
      const problem = tried instanceof Response ? await refusalOf(tried) : tried;
      const waitMs = Math.max(pauseMs, tried instanceof Response ? retryAfterMs(tried) : 0);
      if (!mayPass(problem) || performance.now() + waitMs > endMs) throw problem;
      this.#options.onTrouble(`${problem.message} Trying again in ${Math.ceil(waitMs / 1000)} s.`);
      await sleep(waitMs);
    }
  }

  async #once(path: string, { method = 'GET', headers = {}, body, withinMs = SILENCE_MS }: Call) {
    const { url, key } = this.#options;
    try {
      return await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'accept-language': 'en', ...headers },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(withinMs),
      });
    } catch (error) {
      return new Error(
        `The service at ${url} does not answer (${causeOf(error)}). Is it started, and is --url right?`,
      );
    }
  }
}

function mayPass(problem: Error): boolean {
  if (!(problem instanceof Refused)) return true;
  return AGAIN.includes(problem.status) && problem.code !== 'quota_exceeded';
}

async function refusalOf(response: Response): Promise<Refused> {
  const text = await response.text().catch(() => '');
  try {
    return new Refused(response.status, JSON.parse(text) as { error: string; code: string });
  } catch {
    return new Refused(response.status, { error: 'The service answered', code: '' });
  }
}

function retryAfterMs(response: Response): number {
  const seconds = wholeOf(response.headers.get('retry-after') ?? '') ?? 0;
  return Math.min(seconds, 60) * 1000;
}

export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: unknown };
  const { code } = (cause ?? error) as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}
