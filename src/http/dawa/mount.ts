import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { baseUrlOf } from '../wire/error-object.ts';
import { shownKey } from '../access.ts';

export const PREFIX = '/dawa';

export interface DoorSettings {
  readonly host: string | null;
  readonly keyless: string | null;
  /** They count as visitors of the open trial (D152). */
  readonly isOpen: boolean;
}

const WITH_KEY = /^\/dawa\/k\/([^/?#]*)\/*([^?#]*)(?:\?([^#]*))?/;

export class Mount {
  readonly #settings: DoorSettings;
  readonly #publicUrl: string | null;
  readonly #atOwnHost = new WeakSet<object>();

  constructor(settings: DoorSettings, publicUrl: string | null) {
    this.#settings = settings;
    this.#publicUrl = publicUrl;
  }

  /** The prefix itself is the page about DAWA. */
  owns(url: string): boolean {
    return url.startsWith(`${PREFIX}/`);
  }

  pathOf(url: string): string {
    return url.slice(PREFIX.length).split(/[?#]/, 1)[0] ?? '';
  }

  /** Turns a key in the path into `token`, which no log shows. */
  rewrite(request: Pick<IncomingMessage, 'url' | 'headers' | 'method'>): string {
    const url = this.#prefixed(request, request.url ?? '');
    if (!this.owns(url)) return url;
    const [, key, path, given = ''] = WITH_KEY.exec(url) ?? [];
    if (key !== undefined) {
      const query = withoutEmptyKey(given);
      return `${PREFIX}/${plain(path ?? '')}?token=${key}${query === '' ? '' : `&${query}`}`;
    }
    const [whole = '', ...rest] = url.split('?');
    const own = `${PREFIX}/${plain(whole.slice(PREFIX.length))}`;
    const asked = withoutEmptyKey(rest.join('?'));
    const { keyless } = this.#settings;
    const isKeyed =
      keyless === null ||
      request.headers.authorization !== undefined ||
      /(?:^|&)token=/.test(asked);
    if (isKeyed) return asked === '' ? own : `${own}?${asked}`;
    return `${own}?token=${keyless}${asked === '' ? '' : `&${asked}`}`;
  }

  /** Includes a public key so that links work, never a secret one. */
  baseOf(request: FastifyRequest): string {
    const { headers, raw, visit } = request;
    const key = visit?.principal.kind === 'public' ? shownKey(request) : null;
    const path = key === null || key === this.#settings.keyless ? '' : `/k/${key}`;
    if (this.#atOwnHost.has(raw)) {
      const scheme = this.#publicUrl?.startsWith('http:') === true ? 'http' : 'https';
      return `${scheme}://${this.#settings.host}${path}`;
    }
    return `${baseUrlOf(this.#publicUrl, headers.host, raw.socket)}${PREFIX}${path}`;
  }

  isAtOwnHost({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    const { host } = this.#settings;
    const shown = headers.host?.toLowerCase().replace(/\.?(?::\d*)?$/, '');
    return host !== null && shown === host;
  }

  #prefixed(request: Pick<IncomingMessage, 'headers'>, url: string): string {
    if (!this.isAtOwnHost(request)) return url;
    if (url.startsWith('/v1/') || this.owns(url) || !url.startsWith('/')) return url;
    this.#atOwnHost.add(request);
    return PREFIX + url;
  }
}

function withoutEmptyKey(query: string): string {
  return query.replaceAll(/(?:^|&)token=?(?=&|$)/g, '').replace(/^&/, '');
}

/** Clients double slashes and vary the case of resource names. */
function plain(path: string): string {
  const [resource = '', ...parts] = path.split('/').filter((part) => part !== '');
  const name = resource.toLowerCase();
  const isGroup = GROUPS.test(name);
  // Paths of replication have no keys.
  const isWord = (part: string, n: number) =>
    name === 'replikering' || (n === 0 && isGroup) || WORDS.test(part);
  return [name, ...parts.map((part, n) => (isWord(part, n) ? part.toLowerCase() : part))].join('/');
}

const GROUPS = /^(?:bbrlight|datavask|historik)$/;
const WORDS = /^(?:autocomplete|reverse|adresser|adgangsadresser)$/i;
