/** Where the door stands: under `/dawa`, and at a host name of its own without prefix. */
import type { IncomingMessage } from 'node:http';
import { baseUrlOf } from '../wire/error-object.ts';

export const PREFIX = '/dawa';

export interface DoorSettings {
  /** A host name of its own; null: none. */
  readonly host: string | null;
  /** A public key that requests without a key are taken to show; null: they are refused. */
  readonly keyless: string | null;
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

  owns(url: string): boolean {
    return url === PREFIX || /^\/dawa[/?]/.test(url);
  }

  /** The path behind the prefix. */
  pathOf(url: string): string {
    return url.slice(PREFIX.length).split(/[?#]/, 1)[0] ?? '';
  }

  /**
   * The URL as routes, logs and metrics see it: a key in the path becomes `token`, which none of
   * them shows.
   */
  rewrite(request: Pick<IncomingMessage, 'url' | 'headers' | 'method'>): string {
    const url = this.#prefixed(request, request.url ?? '');
    if (!this.owns(url)) return url;
    const [, key, path, query = ''] = WITH_KEY.exec(url) ?? [];
    if (key !== undefined) {
      return `${PREFIX}/${plain(path ?? '')}?token=${key}${query === '' ? '' : `&${query}`}`;
    }
    const [whole = '', ...rest] = url.split('?');
    const own = `${PREFIX}/${plain(whole.slice(PREFIX.length))}`;
    const asked = rest.join('?');
    const { keyless } = this.#settings;
    const isKeyed =
      keyless === null ||
      request.headers.authorization !== undefined ||
      /(?:^|&)token=/.test(asked);
    if (isKeyed) return asked === '' ? own : `${own}?${asked}`;
    return `${own}?token=${keyless}${asked === '' ? '' : `&${asked}`}`;
  }

  /** What `href` begins with; never with a key. */
  baseOf({
    headers,
    raw,
  }: {
    readonly headers: IncomingMessage['headers'];
    readonly raw: IncomingMessage;
  }): string {
    if (this.#atOwnHost.has(raw)) {
      const scheme = this.#publicUrl?.startsWith('http:') === true ? 'http' : 'https';
      return `${scheme}://${this.#settings.host}`;
    }
    return `${baseUrlOf(this.#publicUrl, headers.host, raw.socket)}${PREFIX}`;
  }

  #prefixed(request: Pick<IncomingMessage, 'headers'>, url: string): string {
    const { host } = this.#settings;
    if (host === null || !isHost(request.headers.host, host)) return url;
    if (url.startsWith('/v1/') || this.owns(url) || !url.startsWith('/')) return url;
    this.#atOwnHost.add(request);
    return PREFIX + url;
  }
}

function isHost(shown: string | undefined, host: string): boolean {
  return shown?.toLowerCase().replace(/:\d+$/, '') === host;
}

/** Clients join a base URL that ends in a slash with a path that begins with one. */
function plain(path: string): string {
  return path.replace(/^\/+/, '').replace(/\/+$/, '');
}
