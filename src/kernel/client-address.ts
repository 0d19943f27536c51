import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;
/** An IPv6 network's groups; the client chooses the rest. */
const NETWORK_GROUPS = 4;
const MAPPED = [0, 0, 0, 0, 0, 0xffff];

/**
 * IPv4, or eight groups of IPv6; ports, brackets, quotes, zones and a final dot are dropped. null:
 * no address, such as RFC 7239's `unknown`.
 */
export function addressOf(written: string): string | null {
  if (isIPv4(written)) return written;
  const text = bare(written);
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return null;
  const groups = groupsOf(text);
  if (!MAPPED.every((group, at) => groups[at] === group)) {
    return groups.map((group) => group.toString(16)).join(':');
  }
  return groups
    .slice(MAPPED.length)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function bare(written: string): string {
  const text = written
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('\\', '');
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\](?::[\w.-]+)?|(.*))$/.exec(text) ?? [];
  const address = (bracketed ?? plain).replace(/%.*$/, '').replace(/\.$/, '');
  if (bracketed !== undefined || isIPv6(address)) return address;
  // Without brackets, only a ninth group shows that the last is a port.
  return address.replace(/(?<!:):[\w.-]*$/, '');
}

function groupsOf(address: string): number[] {
  const [head = [], tail] = address.split('::').map(numbersOf);
  const zeros = tail === undefined ? 0 : GROUPS - head.length - tail.length;
  return [...head, ...Array<number>(zeros).fill(0), ...(tail ?? [])];
}

function numbersOf(groups: string): number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/**
 * What limits count: an IPv4 address, or the /64 of an IPv6 one. All text that is no address is one
 * client.
 */
export function clientOf(written: string): string {
  const address = addressOf(written);
  if (address === null || isIPv4(address)) return address ?? '';
  return address.split(':').slice(0, NETWORK_GROUPS).join(':');
}

export interface Network {
  readonly name: string;
  readonly times: number;
}

const OWN_NETWORK = /^(.* |)([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)$/;

/** The /56 and the /48 of an IPv6 client: one customer may own either, so 256 or 65,536 clients. */
export function networksOf(holder: string): readonly Network[] {
  if (!holder.includes(':')) return [];
  const [, before, a, b, c, d = ''] = OWN_NETWORK.exec(holder) ?? [];
  if (before === undefined) return [];
  const site = `${before}${a}:${b}:${c}`;
  const home = (Number.parseInt(d, 16) & 0xff00).toString(16);
  return [
    { name: `${site}:${home}/56`, times: 4 },
    { name: `${site}/48`, times: 16 },
  ];
}

/** Holders of one /48 take turns as one. */
export function turnOf(holder: string): Network {
  return networksOf(holder).at(-1) ?? { name: holder, times: 1 };
}

export interface Sender {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * The last address in `X-Forwarded-For` (else `Forwarded`, RFC 7239) that is no trusted proxy. A
 * proxy that wrote none is itself the client.
 */
export function senderOf(
  { socket, headers }: Sender,
  isProxy: (address: string) => boolean,
): string {
  let client = addressOf(socket.remoteAddress ?? '') ?? '';
  if (!isProxy(client)) return client;
  for (const written of forwardedBy(headers).toReversed()) {
    const address = addressOf(written);
    if (address === null) break;
    client = address;
    if (!isProxy(client)) break;
  }
  return client;
}

function forwardedBy(headers: Sender['headers']): string[] {
  const list = textOf(headers['x-forwarded-for']);
  if (list !== '') return elementsOf(list, ',');
  return elementsOf(textOf(headers['forwarded']), ',').map((element) => {
    const pair = elementsOf(element, ';').find((each) => /^for\s*=/i.test(each)) ?? '';
    return pair.slice(pair.indexOf('=') + 1);
  });
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim() : (header ?? []).join(',');
}

/** RFC 9110, 5.6.1: trimmed, no empty elements, quoted marks do not divide. */
function elementsOf(list: string, mark: string): string[] {
  const elements: string[] = [];
  let isQuoted = false;
  let begin = 0;
  for (let at = 0; at <= list.length; at += 1) {
    const char = list[at];
    if (char === '\\' && isQuoted) at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (at === list.length || (char === mark && !isQuoted)) {
      elements.push(list.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  return elements.filter((element) => element !== '');
}

export function membersOf(list: readonly string[]): (address: string) => boolean {
  if (list.length === 0) return () => false;
  const blocks = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const plain = addressOf(address);
    return plain !== null && blocks.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };
}

export const isLoopback = membersOf(['127.0.0.0/8', '::1/128']);
