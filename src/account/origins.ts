/**
 * A public key works on pages, by Origin, else Referer, of a host (`example.dk`), all hosts below
 * one (`*.example.dk`, without `example.dk`), or host and port (`localhost:5173`). Numeric
 * addresses are refused, except 127.0.0.1 for trials.
 */
import { domainToASCII } from 'node:url';

/** Longest host name (RFC 1035). */
const HOST_CHARS = 253;
const HEADER_CHARS = 4096;

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ORIGIN = /^(https?):\/\/([a-z0-9.-]+)(?::([1-9]\d{0,4}))?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
const MAX_PORT = 65_535;
const LOOPBACK = '127.0.0.1';
/** As browsers show a site: scheme and optional slash. */
const SHOWN = /^(https?):\/\/([^/]*)\/?$/i;

export interface PageHeaders {
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
}

/**
 * Result in lower case, international names in ASCII. null: invalid, such as a URL with a path, a
 * numeric name, `*`, or `*.dk`.
 */
export function parseAllowedOrigin(text: string): string | null {
  if (text.length > HEADER_CHARS) return null;
  const [, scheme = '', shown] = SHOWN.exec(text) ?? [];
  if (shown === undefined) return parseHost(text);
  const host = parseHost(shown);
  const defaultPort = `:${DEFAULT_PORTS[scheme.toLowerCase()] ?? ''}`;
  return host?.endsWith(defaultPort) === true ? host.slice(0, -defaultPort.length) : host;
}

function parseHost(text: string): string | null {
  if (text.length > HOST_CHARS) return null;
  if (text.startsWith('*.')) {
    const domain = asciiHost(text.slice(2));
    return domain?.includes('.') === true ? `*.${domain}` : null;
  }
  const [name = '', port, ...more] = text.split(':');
  if (more.length > 0 || (port !== undefined && !isPort(port))) return null;
  // Only in this notation: browsers show neither 0x7f.1 nor 127.1.
  const host = name === LOOPBACK ? name : asciiHost(name);
  return host === null || port === undefined ? host : `${host}:${port}`;
}

/** In ASCII; null: invalid. It must have a dot or be localhost. */
function asciiHost(text: string): string | null {
  const ascii = /^[^\s/?#@\\%*:[\]]+$/.test(text) ? domainToASCII(text) : '';
  return isHost(ascii) ? ascii : null;
}

/** false for a request without a page. */
export function isAllowedOrigin(allowed: readonly string[], headers: PageHeaders): boolean {
  const place = placeOf(headers);
  return place !== null && allowed.some((each) => matches(each, place));
}

interface Place {
  readonly host: string;
  /** null: the scheme's default. */
  readonly port: string | null;
}

/** Any Origin, even `null`, takes precedence over Referer. */
function placeOf({ origin, referer }: PageHeaders): Place | null {
  if (origin !== undefined) return readOrigin(origin);
  if (referer === undefined || referer.length > HEADER_CHARS) return null;
  const end = /^https?:\/\/[^/?#]*/.exec(referer)?.[0];
  return end === undefined ? null : readOrigin(end);
}

/** Only what browsers write: lower case, ASCII, no user, path or trailing dot. */
function readOrigin(text: string): Place | null {
  if (text.length > HEADER_CHARS) return null;
  const [, scheme = '', host = '', port] = ORIGIN.exec(text) ?? [];
  if ((host !== LOOPBACK && !isHost(host)) || (port !== undefined && !isPort(port))) return null;
  return { host, port: port === undefined || port === DEFAULT_PORTS[scheme] ? null : port };
}

function matches(allowed: string, { host, port }: Place): boolean {
  if (!allowed.startsWith('*.')) return allowed === (port === null ? host : `${host}:${port}`);
  const domain = allowed.slice(1);
  return port === null && host.length > domain.length && host.endsWith(domain);
}

/** Its last label has a letter, so it is not an address. */
function isHost(text: string): boolean {
  if (text.length === 0 || text.length > HOST_CHARS) return false;
  const labels = text.split('.');
  return (
    (text === 'localhost' || labels.length > 1) &&
    labels.every((label) => LABEL.test(label)) &&
    /^[a-z]/.test(labels.at(-1) ?? '')
  );
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= MAX_PORT;
}
