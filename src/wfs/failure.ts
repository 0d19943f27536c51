/**
 * How asking an upstream can fail. Never carries a query string or a key: Datafordeler's key travels
 * in the URL, and exception reports like to repeat the request they refuse.
 */
import { storableText } from '../kernel/text.ts';

export type UpstreamFailureKind =
  /** No whole answer in time. */
  | 'timeout'
  /** Name not found, refused, reset before an answer began. */
  | 'connection'
  /** An answer with another status than 200. */
  | 'status'
  /** A 30x: never followed, a moved register is for a person to look at. */
  | 'redirect'
  /** 200 with HTML, another document, or nothing. */
  | 'not_wfs'
  /** 200 (or anything else) with an OGC exception report. */
  | 'exception_report'
  /** The body ended before the document did, or before Content-Length. */
  | 'truncated'
  /** More bytes than one answer may have. */
  | 'too_large'
  /** A whole document that does not hold everything that was asked for. */
  | 'incomplete'
  /** Pages that cannot be put together: repeated, or refused in every order. */
  | 'paging'
  /** A whole document whose content cannot be read. */
  | 'unreadable'
  /** Not asked at all: breaker open or too many requests waiting. */
  | 'refused'
  /** The caller gave up. */
  | 'aborted';

export interface UpstreamFailureOptions {
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** Seconds of Retry-After, where the upstream sent one. */
  readonly retryAfterS?: number;
  /** The upstream's own words, scrubbed. */
  readonly exceptionText?: string;
}

export class UpstreamFailure extends Error {
  readonly kind: UpstreamFailureKind;
  readonly status: number | null;
  readonly retryAfterS: number | null;
  readonly exceptionText: string | null;

  /** `message` is scrubbed here, whatever the caller put in it. */
  constructor(kind: UpstreamFailureKind, message: string, options: UpstreamFailureOptions = {}) {
    super(scrubText(message));
    this.name = 'UpstreamFailure';
    this.kind = kind;
    this.status = options.status ?? null;
    this.retryAfterS = options.retryAfterS ?? null;
    this.exceptionText =
      options.exceptionText === undefined ? null : scrubText(options.exceptionText);
  }
}

/** Address without user, query and fragment: fit for logs, errors and `kilde.wfs` (D32). */
export function scrubUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) return (address.split(/[?#]/, 1)[0] ?? '').replace(/\/\/[^/@]*@/, '//');
  return `${url.origin}${url.pathname}`;
}

const SECRET = /\b(api_?key|token|username|password)(\s*[=:]\s*|%3D)[^\s&"'<>;,]+/gi;

/** Text with every address scrubbed and every `apikey=…` blotted out, fit to be stored. */
export function scrubText(text: string): string {
  return storableText(text)
    .replace(/\bhttps?:\/\/[^\s"'<>]+/gi, (address) => scrubUrl(address))
    .replace(SECRET, '$1=…');
}
