/** Where a running service is reached, as it tells the programs beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  announceAddress,
  announcedAddress,
  serviceAddress,
} from '../../src/kernel/service-address.ts';
import { ownFolder } from '../support/opened.ts';

const dir = ownFolder('address');

test.each([
  [{ publicUrl: 'https://geo.example', host: '0.0.0.0' }, 'https://geo.example'],
  [{ publicUrl: null, host: '127.0.0.1' }, 'http://127.0.0.1:9170'],
  [{ publicUrl: null, host: '0.0.0.0' }, 'http://localhost:9170'],
  [{ publicUrl: null, host: '::' }, 'http://localhost:9170'],
  [{ publicUrl: null, host: '::1' }, 'http://[::1]:9170'],
])('%j is opened at %s', (config, url) => {
  expect(serviceAddress(config, 9170)).toBe(url);
});

describe('an announced address', () => {
  const URL = 'http://127.0.0.1:46001';

  test('is known until it is taken back', async () => {
    const dataDir = join(dir, 'new');
    expect(announcedAddress(dataDir)).toBeNull();
    const withdraw = await announceAddress(dataDir, URL);
    expect(announcedAddress(dataDir)).toBe(URL);
    await withdraw();
    await withdraw();
    expect(announcedAddress(dataDir)).toBeNull();
  });

  test('of a process that was killed is not believed', async () => {
    const child = spawn(process.execPath, ['--eval', '']);
    await once(child, 'exit');
    const file = join(dir, 'service-address.json');
    writeFileSync(file, JSON.stringify({ url: URL, pid: child.pid }));
    expect(announcedAddress(dir)).toBeNull();
  });

  test.each(['', '{', '[]', '{"url":1,"pid":1}', 'null'])('that reads %j is none', (text) => {
    writeFileSync(join(dir, 'service-address.json'), text);
    expect(announcedAddress(dir)).toBeNull();
  });

  test('of another process is not taken back', async () => {
    const withdraw = await announceAddress(dir, URL);
    const other = { url: 'http://127.0.0.1:46002', pid: process.ppid };
    writeFileSync(join(dir, 'service-address.json'), JSON.stringify(other));
    await withdraw();
    expect(announcedAddress(dir)).toBe(other.url);
  });
});
