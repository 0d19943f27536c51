/** One connection a minute for all layers of a host, so that none waits for the others. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { LIMITS } from '../src/kernel/limits.ts';
import { addressOf, upstreamSources } from '../src/layers/catalogue.ts';
import type { Mirrored } from '../src/layers/catalogue.ts';
import { UpstreamFailure } from '../src/wfs/failure.ts';

/** null: it takes connections; else why not. */
type Refusal = string | null;

export class Reach {
  readonly #known = new Map<
    string,
    { readonly atMs: number; readonly refusal: Promise<Refusal> }
  >();

  /** Throws an UpstreamFailure where none of a mirror's hosts takes a connection. */
  async require(mirrored: Mirrored): Promise<void> {
    await this.requireOne(urlsOf(mirrored));
  }

  async requireOne(urls: readonly string[]): Promise<void> {
    const refusals = await Promise.all(urls.map((url) => this.#ask(url)));
    if (urls.length === 0 || refusals.includes(null)) return;
    const said = urls.map((url, i) => `${placeOf(url).place} ${refusals[i]}`);
    throw new UpstreamFailure('connection', [...new Set(said)].join(', '));
  }

  /** By host and port: null, or why it takes no connection. All at once. */
  async table(mirrors: readonly Mirrored[]): Promise<ReadonlyMap<string, Refusal>> {
    const urls = [...new Set(mirrors.flatMap(urlsOf))];
    const asked = urls.map(async (url) => [placeOf(url).place, await this.#ask(url)] as const);
    return new Map(await Promise.all(asked));
  }

  #ask(address: string): Promise<Refusal> {
    const { host, port, place } = placeOf(address);
    const known = this.#known.get(place);
    if (known !== undefined && performance.now() - known.atMs < LIMITS.reach.knownMs) {
      return known.refusal;
    }
    const refusal = refusalOf(host, port);
    this.#known.set(place, { atMs: performance.now(), refusal });
    return refusal;
  }
}

function placeOf(address: string) {
  const { hostname, port, protocol } = new URL(address);
  const at = Number(port) || (protocol === 'http:' ? 80 : 443);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: at, place: `${hostname}:${at}` };
}

async function refusalOf(host: string, port: number): Promise<Refusal> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(LIMITS.reach.connectMs) });
    return null;
  } catch (error) {
    const { name, code = '' } = error as NodeJS.ErrnoException;
    return name === 'AbortError' ? 'takes no connection' : `cannot be reached (${code})`;
  } finally {
    socket.destroy();
  }
}

function urlsOf(mirrored: Mirrored): readonly string[] {
  return [...new Set(upstreamSources(mirrored).map(addressOf))];
}
