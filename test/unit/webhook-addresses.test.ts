/** Where webhooks may go: one row a case (issue 20: SSRF table). What is reached is tested in test/webhooks. */
import { describe, expect, test } from 'vitest';
import { isLoopback } from '../../src/kernel/client-address.ts';
import { isGlobalUnicast } from '../../src/webhooks/addresses.ts';
import { createAddressGuard } from '../../src/webhooks/address-guard.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { startDns } from '../webhooks/dns-server.ts';
import { opened } from '../support/opened.ts';

/** Addresses of no public host, with the range each is of. */
const SPECIAL_ADDRESSES: readonly (readonly [range: string, ...addresses: string[]])[] = [
  ['this network', '0.0.0.0', '0.1.2.3', '0.255.255.255'],
  ['private 10/8', '10.0.0.0', '10.255.255.255'],
  ['shared, CGNAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.1', '127.255.255.254'],
  ['link-local, metadata', '169.254.0.1', '169.254.169.254', '169.254.170.2'],
  ['private 172.16/12', '172.16.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.0.1', '192.0.0.170'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.255'],
  ['AS112 and AMT', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ['6to4 relays', '192.88.99.1'],
  ['private 192.168/16', '192.168.0.0', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255'],
  ['reserved, broadcast', '240.0.0.1', '255.255.255.255'],
  ['unspecified and loopback', '::', '::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe'],
  ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8'],
  ['NAT64, local prefix', '64:ff9b:1::7f00:1', '64:ff9b:1:ffff::a00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001::1', '2001:0:7f00:1::'],
  ['ORCHID, benchmarks, AMT', '2001:10::1', '2001:20::1', '2001:2::1', '2001:3::1'],
  ['documentation (IPv6)', '2001:db8::1', '3fff::1'],
  ['6to4', '2002:7f00:1::', '2002:808:808::1'],
  ['the old 6bone', '3ffe::1'],
  ['AS112 (IPv6)', '2620:4f:8000::1'],
  ['ISATAP', '2a00:1450::5efe:7f00:1', '2a00:1450::200:5efe:808:808'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1', 'fd12:3456::1', 'fd00:ec2::254'],
  ['link-local (IPv6)', 'fe80::1', 'febf::1', 'fe80::1%eth0', '2a00:1450::1%eth0'],
  ['site-local', 'fec0::1', 'feff::1'],
  ['multicast (IPv6)', 'ff02::1', 'ff0e::1'],
  ['no address at all', '', 'x', '127.1', '1.2.3', '08.8.8.8', '1.2.3.4.5', '::g'],
];

test.each(SPECIAL_ADDRESSES)('%s is not public', (_, ...addresses) => {
  expect(addresses.filter(isGlobalUnicast)).toEqual([]);
});

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '172.15.255.255', '172.32.0.0', '223.255.255.255'],
  ...['2a00:1450:400f::200e', '2606:4700:4700::1111', '2001:4860:4860::8888', '2001:200::1'],
])('%s is public', (address) => expect(isGlobalUnicast(address)).toBe(true));

test('loopback is this machine and nothing else', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].filter(isLoopback)).toHaveLength(3);
  expect(['0.0.0.0', '10.0.0.1', '::', '::2', 'localhost', ''].filter(isLoopback)).toEqual([]);
});

let isFirst = true;
const dns = await opened(
  startDns({
    'public.example': ['93.184.215.14', '2606:2800:21f:cb07::1'],
    'six.example': ['2606:2800:21f:cb07::1'],
    'private.example': ['10.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'mixed.example': ['93.184.215.14', '127.0.0.1'],
    'mixed-six.example': ['93.184.215.14', '::1'],
    'mapped.example': ['::ffff:7f00:1'],
    'alias.example': ['cname:localhost', '127.0.0.1'],
    'alias-public.example': ['cname:public.example', '93.184.215.14'],
    'empty.example': [],
    'many.example': Array.from({ length: 80 }, (_, i) => `93.184.215.${i + 1}`),
    'failing.example': 'failure',
    'turning.example': () => {
      const addresses = isFirst ? ['93.184.215.14'] : ['127.0.0.1'];
      isFirst = false;
      return addresses;
    },
    'xn--bcher-kva.example': ['93.184.215.14'],
  }),
);

describe('an address of an endpoint', () => {
  const judge = (url: string) =>
    createAddressGuard({ resolve: createResolver(dns.servers) }).judge(url);

  test.each([
    ['a name', 'https://public.example/hook?x=1', '93.184.215.14', 443],
    ['a name with a port', 'https://public.example:8443/', '93.184.215.14', 8443],
    ['a port above 1023', 'https://PUBLIC.example:1024', '93.184.215.14', 1024],
    ['IPv6 alone', 'https://six.example/', '2606:2800:21f:cb07::1', 443],
    ['an alias', 'https://alias-public.example/', '93.184.215.14', 443],
    ['an address', 'https://93.184.215.14/', '93.184.215.14', 443],
    ['an address in decimal', 'https://1572394766/', '93.184.215.14', 443],
    ['an IPv6 address', 'https://[2606:2800:21f:cb07::1]/', '2606:2800:21f:cb07::1', 443],
    ['an IDN', 'https://bücher.example/', '93.184.215.14', 443],
  ])('may be %s: %s', async (_, url, address, port) => {
    expect(await judge(url)).toMatchObject({ kind: 'allowed', target: { address, port } });
  });

  test.each([
    ['http', 'http://public.example/'],
    ['another scheme', 'ftp://public.example/'],
    ['no scheme', 'public.example'],
    ['user-info', 'https://user@public.example/'],
    ['user-info with a password', 'https://user:pass@public.example/'],
    ['user-info that looks like a host', 'https://public.example@127.0.0.1/'],
    ['a fragment', 'https://public.example/#x'],
    ['an empty fragment', 'https://public.example/#'],
    ['port 22', 'https://public.example:22/'],
    ['port 80', 'https://public.example:80/'],
    ['port 1023', 'https://public.example:1023/'],
    ['port 0', 'https://public.example:0/'],
    ['a port that is none', 'https://public.example:65536/'],
    ['a dot at the end', 'https://public.example./'],
    ['localhost with a dot', 'https://localhost./'],
    ['loopback with a dot', 'https://127.0.0.1./'],
    ['localhost', 'https://localhost/'],
    ['decimal', 'https://2130706433/'],
    ['hexadecimal', 'https://0x7f000001/'],
    ['hexadecimal in parts', 'https://0x7f.0x0.0x0.0x1/'],
    ['octal', 'https://017700000001/'],
    ['octal in parts', 'https://0177.0.0.1/'],
    ['short forms', 'https://127.1/'],
    ['zero', 'https://0/'],
    ['full-width digits', 'https://１２７.0.0.1/'],
    ['circled letters', 'https://ⓛocalhost/'],
    ['a full-width dot', 'https://127。0。0。1/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['IPv6 unspecified', 'https://[::]/'],
    ['mapped', 'https://[::ffff:127.0.0.1]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['a zone', 'https://[fe80::1%25eth0]/'],
    ['a private answer', 'https://private.example/'],
    ['a metadata answer', 'https://metadata.example/'],
    ['a mixed answer', 'https://mixed.example/'],
    ['a mixed answer of both families', 'https://mixed-six.example/'],
    ['a mapped answer', 'https://mapped.example/'],
    ['an alias of localhost', 'https://alias.example/'],
    ['no answer', 'https://nobody.example/'],
    ['an empty answer', 'https://empty.example/'],
    ['more addresses than a host has', 'https://many.example/'],
    ['a line break inside', 'https://public.example/\nHost: x'],
    ['a tab inside', 'https://pub\tlic.example/'],
    ['blanks around', ' https://public.example/'],
    ['a backslash', 'https:\\\\public.example\\@127.0.0.1/'],
    ['a hidden character', 'https://public\u200b.example/'],
    ['nothing', ''],
    ['2,049 characters', `https://public.example/${'x'.repeat(2049 - 23)}`],
  ])('may not be or lead to %s: %s', async (_, url) => {
    expect(await judge(url)).toMatchObject({ kind: 'refused' });
  });

  const long = (label: number, labels: number): string =>
    Array.from({ length: labels }, () => 'a'.repeat(label)).join('.');

  test.each([
    ['a label of 64', `https://${'a'.repeat(64)}.example/`],
    ['a label of 64 in the middle', `https://a.${'a'.repeat(64)}.example/`],
    ['an IDN whose label is too long', `https://${'ø'.repeat(60)}.example/`],
    ['a name of 254', `https://${long(61, 4)}.aaaaaa/`],
    ['a name of 260', `https://${long(51, 5)}/`],
    ['an empty label', 'https://a..example/'],
    ['an empty first label', 'https://.example/'],
    ['dots alone', 'https://../'],
    ['two dots at the end', 'https://public.example../'],
    ['an underscore', 'https://a_b.example/'],
    ['a hyphen first', 'https://-a.example/'],
    ['a hyphen last', 'https://a-.example/'],
    ['an asterisk', 'https://*.example/'],
    ['one label', 'https://public/'],
    ['a top-level domain', 'https://dk/'],
    ['a name that is never public', 'https://hook.localhost/'],
    ['a name of a local net', 'https://printer.local/'],
    ['a name that is none', 'https://hook.invalid/'],
    ['numbers with five parts', 'https://1.2.3.4.5/'],
    ['a name that ends in a number', 'https://public.example.5/'],
    ['a number too large', 'https://256.1.1.1/'],
    ['user-info of nothing', 'https://@public.example/'],
    ['user-info of a colon', 'https://:@public.example/'],
    ['user-info of two colons', 'https://::@public.example/'],
    ['user-info that is escaped', 'https://%75@public.example/'],
    ['two at-signs', 'https://@@public.example/'],
    ['a password alone', 'https://:geheim@public.example/'],
    ['no slashes', 'https:public.example'],
    ['one slash', 'https:/public.example'],
    ['three slashes', 'https:///public.example/'],
    ['no host', 'https:///'],
    ['a port alone', 'https://:8443/'],
  ])('can never be %s, and nobody is asked: %s', async (_, url) => {
    const asked: string[] = [];
    const guard = createAddressGuard({
      resolve: (name) => Promise.reject(new Error(String(asked.push(name)))),
    });
    expect(await guard.judge(url)).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
  });

  test.each([
    ['a label of 63', `https://${'a'.repeat(63)}.example/`],
    ['a name of 253', `https://${long(61, 4)}.aaaaa/`],
    ['an at-sign behind the host', 'https://public.example/@x?@=@'],
    ['hyphens in a label', 'https://a--b.example/'],
    ['2,048 characters', `https://public.example/${'x'.repeat(2048 - 23)}`],
  ])('may be %s, as far as its form goes: %s', async (_, url) => {
    const resolve = () => Promise.resolve(['93.184.215.14']);
    expect(await createAddressGuard({ resolve }).judge(url)).toMatchObject({ kind: 'allowed' });
  });

  test('is neither allowed nor refused when the DNS fails', async () => {
    expect(await judge('https://failing.example/')).toEqual({ kind: 'unknown' });
  });

  test('is judged by one answer: what it says later is judged anew', async () => {
    expect(await judge('https://turning.example/')).toMatchObject({
      kind: 'allowed',
      target: { address: '93.184.215.14' },
    });
    expect(await judge('https://turning.example/')).toMatchObject({ kind: 'refused' });
  });

  test('tells why in both languages, and never the address', async () => {
    const judged = await judge('https://user:geheim@public.example/');
    if (judged.kind !== 'refused') throw new Error('It was let through.');
    expect(judged.why).toEqual({
      en: 'url must hold no user name or password.',
      da: 'url må ikke indeholde brugernavn eller adgangskode.',
    });
  });

  test('may be of this machine where that is permitted, and of no other then', async () => {
    const guard = createAddressGuard({ resolve: createResolver(dns.servers), permits: isLoopback });
    expect(await guard.judge('https://127.0.0.1:9443/')).toMatchObject({ kind: 'allowed' });
    for (const url of ['https://10.0.0.1/', 'https://169.254.169.254/', 'http://127.0.0.1:9443/']) {
      expect(await guard.judge(url)).toMatchObject({ kind: 'refused' });
    }
  });
});
