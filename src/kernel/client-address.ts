import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Groups of an IPv6 address that name a network; the client chooses the rest. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

export function unmapped(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address;
}

/**
 * One value for all addresses that one client controls: an IPv4 address, or the /64 of an IPv6 one.
 */
export function clientOf(given: string): string {
  const address = unmapped(given);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
