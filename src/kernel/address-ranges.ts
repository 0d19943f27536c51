import { BlockList, isIP } from 'node:net';
import { unmapped } from './client-address.ts';

export function membersOf(list: readonly string[]): (address: string) => boolean {
  const blocks = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const plain = unmapped(address);
    const family = isIP(plain);
    return family !== 0 && blocks.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
}

export const isLoopback = membersOf(['127.0.0.0/8', '::1/128']);
