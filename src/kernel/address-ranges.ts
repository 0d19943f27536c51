import { BlockList, isIP } from 'node:net';
import { addressOf } from './client-address.ts';

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
