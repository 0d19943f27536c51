/**
 * Virk's search is an Elasticsearch. The login goes over plain http only where the operator allows
 * it. No failure contains the question or answer, which may be personal (D117).
 */
import { connect } from 'node:tls';
import type { Agent } from 'undici';
import { parseExactJson } from '../../bytes/exact-json.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Login } from '../../core/live-settings.ts';
import type { Company, CompanySearch } from './company.ts';
import { COMPANY_LIMITS } from './limits.ts';
import { LIVE_BACKOFF } from '../../wfs/backoff.ts';
import type { Backoff } from '../../wfs/backoff.ts';
import { upstreamAgent } from '../../wfs/exchange.ts';
import { UpstreamFailure } from '../../wfs/failure.ts';
import { retry } from '../../wfs/retry.ts';
import { getText } from '../../wfs/stream.ts';
import { inTime } from '../../wfs/window.ts';
import { COMPANY_FIELDS, NUMBER_FIELD, companyIn } from './virk-answer.ts';
import type { SearchAnswer } from './virk-answer.ts';

export interface VirkClientOptions {
  readonly clock: Clock;
  readonly backoff?: Backoff;
  readonly ca?: string;
}

interface SearchCall {
  readonly source: CompanySearch;
  readonly login: Login;
  readonly endsMs: number;
}

export class VirkClient {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #dispatcher: Agent;
  #spoken: { readonly host: string; readonly isTls: boolean; readonly sinceMs: number } | null =
    null;

  constructor({ clock, backoff = LIVE_BACKOFF, ca }: VirkClientOptions) {
    this.#clock = clock;
    this.#backoff = backoff;
    this.#dispatcher = upstreamAgent(ca === undefined ? {} : { connect: { ca } });
  }

  /** null: no company has the number, while the total is plausible. Throws UpstreamFailure. */
  async fetchCompany(source: CompanySearch, number: number, login: Login): Promise<Company | null> {
    const { host, tries, pointTimeoutMs } = source;
    const call = { source, login, endsMs: performance.now() + pointTimeoutMs };
    const ask = async () => await this.#find(call, number);
    return await inTime(pointTimeoutMs, undefined, (signal) =>
      retry({ host, tries, backoff: this.#backoff, signal }, ask),
    );
  }

  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  async #find(call: SearchCall, number: number): Promise<Company | null> {
    const term = { term: { [NUMBER_FIELD]: number } };
    const found = await this.#search(call, { query: term, size: 2, _source: COMPANY_FIELDS });
    const company = companyIn(found, number);
    if (company !== null) return company;
    // An emptied index also knows no company, so the total is requested after the number.
    const all = await this.#search(call, { query: { exists: { field: NUMBER_FIELD } }, size: 0 });
    const { leastCompanies } = call.source;
    if (all.total >= leastCompanies) return null;
    throw new UpstreamFailure(
      'incomplete',
      `the search holds ${all.total} companies in all, of at least ${leastCompanies}`,
    );
  }

  async #search({ source, login, endsMs }: SearchCall, question: object): Promise<SearchAnswer> {
    const { user, password } = login;
    const leftMs = () => Math.max(1, Math.round(endsMs - performance.now()));
    const url = await this.#addressOf(source, login, leftMs());
    const token = Buffer.from(`${user}:${password}`).toString('base64');
    const text = await getText(url, {
      ...{ dispatcher: this.#dispatcher, clock: this.#clock, signal: undefined },
      maxBytes: COMPANY_LIMITS.answerBytes,
      timeoutMs: leftMs(),
      post: {
        body: JSON.stringify(question),
        headers: {
          authorization: `Basic ${token}`,
          'content-type': 'application/json',
          accept: 'application/json',
        },
      },
    });
    return readAnswer(text);
  }

  /** Plain http only where it is allowed and https is not spoken. */
  async #addressOf(
    { url }: CompanySearch,
    { isPlainAllowed }: Login,
    leftMs: number,
  ): Promise<URL> {
    const address = new URL(url.replace(/^https?:/i, 'https:'));
    if (!isPlainAllowed || (await this.#speaksTls(address, leftMs))) return address;
    return new URL(address.href.replace(/^https:/, 'http:'));
  }

  async #speaksTls(address: URL, leftMs: number): Promise<boolean> {
    const { host } = address;
    const nowMs = this.#clock.nowMs();
    const known = this.#spoken;
    const { schemeMs, handshakeMs } = COMPANY_LIMITS;
    if (known?.host === host && Math.abs(nowMs - known.sinceMs) < schemeMs) return known.isTls;
    const isTls = await tryHandshake(address, Math.min(leftMs, handshakeMs));
    this.#spoken = { host, isTls, sinceMs: nowMs };
    return isTls;
  }
}

const TLS_PORT = 443;

/** Sends no data. The request that follows verifies the certificate. */
function tryHandshake({ hostname, port }: URL, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host: hostname,
    port: port === '' ? TLS_PORT : Number(port),
    ...(/^[\d.]+$|:/.test(hostname) ? {} : { servername: hostname }),
    rejectUnauthorized: false,
  });
  const end = (isTls: boolean) => {
    clearTimeout(timer);
    socket.destroy();
    resolve(isTls);
  };
  const timer = setTimeout(() => end(false), timeoutMs);
  socket.once('secureConnect', () => end(true)).on('error', () => end(false));
  return promise;
}

/** Throws UpstreamFailure unless the answer covers every shard. */
function readAnswer(text: string): SearchAnswer {
  let answer: unknown;
  try {
    answer = parseExactJson(text);
  } catch {
    throw new UpstreamFailure('not_wfs', 'answered 200 with no JSON', { status: 200 });
  }
  const { timed_out: isCut, _shards: shards, hits } = (answer ?? {}) as RawAnswer;
  const total = typeof hits?.total === 'object' ? hits.total?.value : hits?.total;
  const isWhole = isCut === false && shards?.failed === 0;
  if (!isWhole || !Array.isArray(hits?.hits) || !Number.isSafeInteger(total)) {
    throw new UpstreamFailure('incomplete', 'answered 200 with no whole answer of a search');
  }
  return { total: total as number, hits: hits.hits };
}

interface RawAnswer {
  readonly timed_out?: unknown;
  readonly _shards?: { readonly failed?: unknown };
  readonly hits?: {
    readonly total?: number | { readonly value?: number } | null;
    readonly hits?: unknown;
  };
}
