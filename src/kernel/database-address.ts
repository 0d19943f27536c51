/** May name several servers, as libpq. Its password is a secret. */
import { wholeOf } from './number-texts.ts';

export type Wanted = 'any' | 'primary' | 'standby';

export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

export interface DatabaseAddress {
  /** Of the first server alone. */
  readonly url: string;
  readonly servers: readonly DatabaseServer[];
  readonly wanted: Wanted;
}

const SHAPE = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)([/?#].*)?$/s;
const PARAMETER = 'target_session_attrs';
/** `read-only` and `prefer-standby` would also take a primary, as `any` does. */
const WANTED: ReadonlyMap<string, Wanted> = new Map([
  ['any', 'any'],
  ['prefer-standby', 'any'],
  ['read-write', 'primary'],
  ['primary', 'primary'],
  ['standby', 'standby'],
]);

/**
 * null: invalid, or with an unknown option. Of several servers the primary is wanted by default.
 */
export function databaseAddress(text: string): DatabaseAddress | null {
  const [, scheme = '', login = '', places = '', rest = ''] = SHAPE.exec(text) ?? [];
  const urls = places.split(',').map((place) => URL.parse(`${scheme}${login}${place}${rest}`));
  const known = urls.filter((url) => url !== null);
  const servers = known.map(serverOf);
  const [first] = known;
  if (first === undefined || known.length < urls.length) return null;
  // libpq takes an empty one of several for this machine: more likely a comma too many.
  const isOdd = ({ host, port }: DatabaseServer) =>
    Number.isNaN(port) || (host === '' && urls.length > 1);
  if (servers.some(isOdd)) return null;
  const asked = first.searchParams.get(PARAMETER) ?? (urls.length > 1 ? 'primary' : 'any');
  const wanted = WANTED.get(asked);
  if (wanted === undefined) return null;
  first.searchParams.delete(PARAMETER);
  return { url: first.href, servers, wanted };
}

function serverOf({ hostname, port, searchParams }: URL): DatabaseServer {
  const host = searchParams.get('host') ?? hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: wholeOf(port || (searchParams.get('port') ?? '5432')) ?? NaN };
}
