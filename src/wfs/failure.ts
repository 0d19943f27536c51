/** Never contains a query string or key: exception reports often repeat the request. */
import { storableText } from '../kernel/text.ts';

/** By kind: whether another try may succeed, and whether the host's breaker counts it. */
const FAILURES = {
  timeout: { isTransient: true, blamesHost: true },
  connection: { isTransient: true, blamesHost: true },
  /** Other than 200. */
  status: { isTransient: false, blamesHost: true },
  /** 401 or 403: the key is unknown, has expired, or lacks the register's terms. */
  key_refused: { isTransient: false, blamesHost: true },
  /** Never followed: a moved register needs a person. */
  redirect: { isTransient: false, blamesHost: true },
  /** 200 with HTML, another document, or nothing. */
  not_wfs: { isTransient: true, blamesHost: true },
  /** With any status. */
  exception_report: { isTransient: true, blamesHost: true },
  /** The body ended before the document or before Content-Length. */
  truncated: { isTransient: true, blamesHost: true },
  too_large: { isTransient: false, blamesHost: false },
  /** A complete document without everything that was requested. */
  incomplete: { isTransient: false, blamesHost: false },
  /** Pages that cannot be joined: repeated, or refused in every order. */
  paging: { isTransient: false, blamesHost: false },
  /** A complete document whose content cannot be read. */
  unreadable: { isTransient: false, blamesHost: false },
  /** Not sent: breaker open or too many requests waiting. */
  refused: { isTransient: false, blamesHost: false },
  aborted: { isTransient: false, blamesHost: false },
} as const;

export type UpstreamFailureKind = keyof typeof FAILURES;

export interface UpstreamFailureOptions {
  readonly status?: number | null;
  readonly retryAfterS?: number | null | undefined;
  readonly exceptionText?: string | null;
}

/** Begins the message of such a failure, which runs keep. */
export const KEY_REFUSED = 'the register refused access';

export class UpstreamFailure extends Error {
  readonly kind: UpstreamFailureKind;
  readonly status: number | null;
  readonly retryAfterS: number | null;
  readonly exceptionText: string | null;

  /** `message` is scrubbed here. */
  constructor(kind: UpstreamFailureKind, message: string, options: UpstreamFailureOptions = {}) {
    const { status = null, retryAfterS = null, exceptionText = null } = options;
    const isRefused = status === 401 || status === 403;
    super(scrubText(isRefused ? `${KEY_REFUSED}: ${message}` : message));
    this.name = 'UpstreamFailure';
    this.kind = isRefused ? 'key_refused' : kind;
    this.status = status;
    this.retryAfterS = retryAfterS;
    this.exceptionText = exceptionText && scrubText(exceptionText);
  }

  get isTransient(): boolean {
    const { kind, status } = this;
    if (kind !== 'status' || status === null) return FAILURES[kind].isTransient;
    return status === 429 || status >= 500;
  }

  /** Says nothing about the register. */
  get isOurs(): boolean {
    return this.kind === 'refused' || this.kind === 'aborted';
  }

  get blamesHost(): boolean {
    return this.status !== 400 && FAILURES[this.kind].blamesHost;
  }
}

/** Other errors stay as they are. */
export function named(what: string, error: unknown): unknown {
  if (!(error instanceof UpstreamFailure)) return error;
  return new UpstreamFailure(error.kind, `${what}: ${error.message}`, error);
}

/** Without user, query and fragment: safe for logs, errors and `kilde.wfs` (D32). */
export function scrubUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) return (address.split(/[?#]/, 1)[0] ?? '').replace(/\/\/[^/@]*@/, '//');
  return `${url.origin}${url.pathname}`;
}

const SECRET = /\b(api_?key|token|username|password)(\s*[=:]\s*|%3D)[^\s&"'<>;,]+/gi;

/** URLs are scrubbed and `apikey=…` masked. */
export function scrubText(text: string): string {
  return storableText(text)
    .replace(/\bhttps?:\/\/[^\s"'<>]+/gi, (address) => scrubUrl(address))
    .replace(SECRET, '$1=…');
}
