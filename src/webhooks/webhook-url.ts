/** The form of a URL, checked before DNS (D81). */
import { isIP } from 'node:net';
import { WEBHOOK_LIMITS } from './limits.ts';

export interface UrlRefusal {
  readonly en: string;
  readonly da: string;
}

export interface WebhookUrl {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
}

export type ParsedUrl =
  | { readonly ok: true; readonly target: WebhookUrl }
  | { readonly ok: false; readonly why: UrlRefusal };

const HTTPS_PORT = 443;
/** Lower ports, but for 443, are mail, DNS and shells. */
const FIRST_FREE_PORT = 1024;

/** Blanks and control characters, which some parsers drop silently. */
// oxlint-disable-next-line no-control-regex
const HIDDEN = /[\u0000-\u0020\u007f-\u00a0\\\u200b-\u200f\u2028-\u202e\u2060\ufeff]/;

/** Read from the text: parsers silently drop an empty user name. */
const AUTHORITY = /^https:\/\/([^/?#]+)/i;

/** RFC 1034 and 1123: other labels cannot be queried or certified. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NAME_CHARS = 253;
/** Never in the public DNS (RFC 6761, 6762, 7686 and 9476, and ICANN's `internal`). */
const NEVER_PUBLIC = new Set(['localhost', 'invalid', 'local', 'onion', 'alt', 'internal']);

/** With the parser used to connect. */
export function parseWebhookUrl(text: string): ParsedUrl {
  const { min, max } = WEBHOOK_LIMITS.urlChars;
  if (text.length < min || text.length > max) {
    return no(`must have ${min} to ${max} characters`, `skal have ${min} til ${max} tegn`);
  }
  const url = HIDDEN.test(text) ? null : URL.parse(text);
  if (url === null) return no('must be an https address', 'skal være en https-adresse');
  const authority = AUTHORITY.exec(text)?.[1];
  if (url.protocol !== 'https:' || authority === undefined) {
    return no('must begin with https://', 'skal begynde med https://');
  }
  if (authority.includes('@')) {
    return no(
      'must hold no user name or password',
      'må ikke indeholde brugernavn eller adgangskode',
    );
  }
  if (url.hash !== '' || text.includes('#')) {
    return no('must hold no # part: it is never sent', 'må ikke have en #-del: den sendes aldrig');
  }
  return targetOf(url);
}

function targetOf(url: URL): ParsedUrl {
  if (url.hostname.endsWith('.')) {
    return no(
      'must name a host without a dot at its end',
      'skal navngive en vært uden punktum til sidst',
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) === 0 && !isPublicName(host)) {
    return no(
      `must name a host of the public DNS: labels of letters, digits and hyphens, each at most 63 ` +
        `characters, two at least, at most ${NAME_CHARS} in all`,
      `skal navngive en vært i den offentlige DNS: led af bogstaver, cifre og bindestreger, hvert ` +
        `højst 63 tegn, mindst to, højst ${NAME_CHARS} i alt`,
    );
  }
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) {
    return no(
      `must have the port ${HTTPS_PORT}, or one from ${FIRST_FREE_PORT} up`,
      `skal have porten ${HTTPS_PORT} eller en fra ${FIRST_FREE_PORT} og op`,
    );
  }
  return { ok: true, target: { url, host, port } };
}

function isPublicName(name: string): boolean {
  const labels = name.split('.');
  return (
    name.length <= NAME_CHARS &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !NEVER_PUBLIC.has(labels.at(-1) ?? '')
  );
}

function no(en: string, da: string): ParsedUrl {
  return { ok: false, why: { en: `url ${en}.`, da: `url ${da}.` } };
}
