/** Only global unicast may receive webhooks. */
import { isIP } from 'node:net';
import { membersOf } from '../kernel/client-address.ts';

const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Excludes loopback, mapped and compatible IPv4, local NAT64, unique local, link-local, site-local
 * and multicast.
 */
const GLOBAL_V6 = '2000::/3';

/**
 * Inside it: protocol assignments with Teredo and ORCHID, documentation, 6to4, AS112, the old
 * 6bone.
 */
const SPECIAL_V6 = [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3ffe::/16',
  '3fff::/20',
];

const isSpecialV4 = membersOf(SPECIAL_V4);
const isGlobalV6 = membersOf([GLOBAL_V6]);
const isSpecialV6 = membersOf(SPECIAL_V6);

/** Requires a normalized address. */
export function isGlobalUnicast(address: string): boolean {
  // A zone names a link, which is never public.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !isSpecialV4(address);
    case 6:
      return isGlobalV6(address) && !isSpecialV6(address) && !holdsV4(address);
    default:
      return false;
  }
}

/** ISATAP ends in `5efe` and an IPv4 address that the site's router would reach. */
function holdsV4(address: string): boolean {
  const [, , , , zero, mark] = groupsOf(address);
  return mark === '5efe' && (zero === '0' || zero === '200');
}

/** Hexadecimal without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const usual = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) ?? '';
  const [before = [], after = []] = usual
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}
