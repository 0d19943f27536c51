/** Which client an address is of, which are proxies, and how many connections each client has. */
import { expect, test } from 'vitest';
import { membersOf } from '../../src/kernel/address-ranges.ts';
import { clientOf } from '../../src/kernel/client-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s is of the client %s', (address, client) => expect(clientOf(address)).toBe(client));

test('addresses and ranges of a list are its members, however they are written', () => {
  const isProxy = membersOf(['10.0.0.1', '10.1.0.0/16', '2001:db8::/32', '::1']);
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '10.1.2.3', '2001:db8:5::1', '::1']) {
    expect(isProxy(address), address).toBe(true);
  }
  for (const address of ['10.0.0.2', '10.2.0.0', '2001:db9::1', '', 'nonsense']) {
    expect(isProxy(address), address).toBe(false);
  }
  expect(membersOf([])('10.0.0.1')).toBe(false);
});
