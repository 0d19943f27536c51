import { describe, expect, test } from 'vitest';
import { USAGE, parseCommand } from '../../src/cli/admin/command.ts';

const read = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

const NEW = { do: 'account create', name: 'Anna', email: 'a@b.dk', tier: 'free', key: null };
const MINTED = {
  ...{ do: 'key mint', account: 'a@b.dk', name: 'test key', kind: 'secret' },
  ...{ environment: 'test', permission: null, origins: [] },
};

// Each command in its plain form: test/account/trail.test.ts and admin-cli.test.ts.
describe('the admin command', () => {
  test.each([
    ['account create --tier pro --email=a@b.dk --name=Anna', { ...NEW, tier: 'pro' }],
    ['account create --name Anna --email a@b.dk --key test', { ...NEW, key: 'test' }],
    ['cap a@b.dk 0', { do: 'cap', account: 'a@b.dk', units: 0 }],
    ['operator a@b.dk off', { do: 'operator', account: 'a@b.dk', on: false }],
    ['key mint a@b.dk', MINTED],
    [
      'key mint a@b.dk --live --public --origin a.dk --origin *.b.dk --name Kort',
      {
        ...{ ...MINTED, name: 'Kort', kind: 'public', environment: 'live' },
        origins: ['a.dk', '*.b.dk'],
      },
    ],
    ['key rotate key_x', { do: 'key rotate', key: 'key_x', overlapHours: 24 }],
    ['key rotate key_x --overlap 0', { do: 'key rotate', key: 'key_x', overlapHours: 0 }],
    ['request approve r', { do: 'request approve', request: 'r', tier: 'free' }],
    ['usage a@b.dk --month 2026-03', { do: 'usage', account: 'a@b.dk', month: '2026-03' }],
  ])('reads: %s', (line, command) => {
    expect(read(line)).toEqual({ kind: 'run', by: null, command, json: false });
    expect(read(`${line} --json`)).toEqual({ kind: 'run', by: null, command, json: true });
  });

  test.each([
    ['nothing', 'Unknown command'],
    ['account', 'Unknown command'],
    ['account delete a', 'Unknown command'],
    ['constructor', 'Unknown command'],
    ['account create --name Anna', '--email'],
    ['account create --email a@b', '--name'],
    ['account create --name A --email a@b --tier gold', '--tier is one of free, pro, business'],
    ['account create --name A --email a@b --key both', '--key is one of live, test'],
    ['account list a', 'too many'],
    ['account close', '<account>'],
    ['tier a@b.dk', '<tier>'],
    ['tier a@b.dk gold', 'one of free, pro, business'],
    ['cap a@b.dk -1', '-1'],
    ['cap a@b.dk 1.5', 'whole number'],
    ['cap a@b.dk many', 'whole number'],
    ['operator a@b.dk yes', 'one of on, off'],
    ['key mint', '<account>'],
    ['key mint a@b.dk --test --live', 'either'],
    ['key mint a@b.dk --secret', '--secret'],
    ['key mint a@b.dk --name', '--name'],
    ['key revoke', '<key id>'],
    ['key revoke a b', 'too many'],
    ['key rotate key_x --overlap soon', 'whole number'],
    ['link', '<account>'],
  ])('does not understand: %s', (line, told) => {
    const message = expect.stringContaining(told) as string;
    expect(read(line)).toMatchObject({ kind: 'mistake', message });
  });

  test.each(['', '--help', 'key mint --help', '-h'])('helps: %j', (line) => {
    expect(read(line)).toEqual({ kind: 'help' });
    expect(USAGE).toContain('account create');
  });
});
