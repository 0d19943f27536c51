/** The one stream of log lines: what a line is, what it never holds, and what a newcomer is told. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { secretsOf, loadConfig } from '../../src/config.ts';
import { greeting } from '../../src/start/greeting.ts';
import type { Greeting } from '../../src/start/greeting.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import type { LoggerSettings } from '../../src/kernel/logger.ts';
import { urlOf } from '../../src/kernel/service-address.ts';
import { linesInto } from '../support/log.ts';

const KEY = `svc_test_${'aB3'.repeat(12)}xy`;

function listen(settings: Partial<LoggerSettings> = {}) {
  const chunks: string[] = [];
  const stream = linesInto(chunks);
  const logging = createLogging({ level: 'info', stream, ...settings });
  const text = () => chunks.join('');
  const lines = () =>
    text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...logging, text, lines };
}

describe('a line', () => {
  test('is one JSON object with its level, time, fields and message', () => {
    const { log, lines } = listen();
    log.error({ layer: 'skov', numbers: { rows: 3 } }, 'refused\nby a guard');
    log.warn('a sentence alone');
    log.debug({}, 'below the level');
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 'error',
        layer: 'skov',
        numbers: { rows: 3 },
        msg: 'refused\nby a guard',
      }),
      expect.objectContaining({ level: 'warn', msg: 'a sentence alone' }),
    ]);
    expect(lines()[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('tells an error with its causes', () => {
    const { log, lines } = listen();
    const cause = new Error('connect ECONNREFUSED');
    log.error({ err: new TypeError('fetch failed', { cause }) }, 'it failed');
    expect(lines()[0]?.['err']).toMatchObject({
      type: 'TypeError',
      message: 'fetch failed',
      cause: { message: 'connect ECONNREFUSED' },
    });
  });

  test('holds no secret, wherever it stands, and is JSON all the same', () => {
    const { log, lines, text } = listen({ secrets: ['Hemmelig-Nøgle/4711', 'a"quoted\\one'] });
    const url = 'https://wfs.example/x?a=1&token=abc123&b=2';
    log.warn({ url, key: KEY, quoted: `asked "${url.slice(0, -4)}" and no more` }, `GET ${url}`);
    log.error({ err: new Error('postgres://geo:p4ssw0rd@db:5432/geo is away') }, 'no store');
    log.error(
      { header: 'Hemmelig-Nøgle/4711' },
      `x?k=${encodeURIComponent('Hemmelig-Nøgle/4711')}`,
    );
    log.error({}, 'with a"quoted\\one inside');
    expect(text()).not.toMatch(/abc123|p4ssw0rd|Hemmelig|quoted\\\\one|aB3aB3/);
    expect(lines()).toHaveLength(4);
    expect(lines()[0]).toMatchObject({
      url: 'https://wfs.example/x?a=1&token=[redacted]&b=2',
      key: 'svc_test_[redacted]',
    });
    expect(lines()[1]?.['err']).toMatchObject({
      message: 'postgres://geo:[redacted]@db:5432/geo is away',
    });
  });

  test('leaves a terminal as text, and the same redacted', () => {
    const { log, text } = listen({ isTerminal: true });
    log.warn({ layer: 'skov', key: KEY }, 'asked with token=abc123');
    expect(text()).toMatch(/WARN.*asked with token=\[redacted\]/);
    expect(text()).toContain('skov');
    expect(text()).not.toMatch(/^\{|aB3aB3/);
  });
});

// Every other secret: test/unit/settings.test.ts.
test('the password of a database is a secret as it is written and as it is meant', () => {
  const secrets = (password: string) =>
    secretsOf(loadConfig({ DATABASE_URL: `postgres://geo${password}@db/geo` }));
  expect(secrets(':p%40ss%2Fword')).toEqual(['p%40ss%2Fword', 'p@ss/word']);
  expect(secrets('')).toEqual([]);
});

test('a terminal is told what goes on until it ends, a file is told nothing', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { progress, text } = listen({ isTerminal: true, level: 'silent' });
  const end = progress('Opening the store');
  expect(text()).toBe('Opening the store …\n');
  vi.advanceTimersByTime(12_000);
  end();
  vi.advanceTimersByTime(60_000);
  expect(text()).toBe('Opening the store …\n… 5 s\n… 10 s\n');
  const file = listen({ level: 'info' });
  file.progress('Opening the store');
  vi.advanceTimersByTime(12_000);
  expect(file.text()).toBe('');
});

test('a process whose log has no room goes on, and ends as it would', async () => {
  const logger = new URL('../../src/kernel/logger.ts', import.meta.url).href;
  const program = `import { createLogging } from '${logger}';
    const { log } = createLogging({ level: 'info' });
    for (const ms of [0, 50, 100]) setTimeout(() => log.info('a line'), ms);
    setTimeout(() => { log.fatal('the end'); process.exit(3); }, 150);`;
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'inherit'] as const;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: [...stdio],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'close')).toEqual([3, null]);
});

describe('the greeting', () => {
  const told: Greeting = {
    ...{ url: 'http://127.0.0.1:8080', sources: 'sample', place: { lon: 11.4, lat: 56.9 } },
    ...{ key: KEY, keys: { account: 'proevekonto@localhost', hasKey: true } },
    ...{ isOperated: false, isEmbedded: false, isLoopbackTrial: false },
    switchesUrl: 'http://127.0.0.1:8081/_faults',
  };
  const curl = `curl -H 'Authorization: Bearer ${KEY}' 'http://127.0.0.1:8080/v1/natur/byggelinjer?lon=11.4&lat=56.9'`;

  test.each(['silent', 'error', 'warn', 'info'] as const)(
    'is one line at the level %s, with the key and something to try',
    (level) => {
      const { greet, lines } = listen({ level, secrets: [KEY] });
      greet(...greeting(told));
      expect(lines()).toEqual([
        expect.objectContaining({ url: told.url, key: KEY, level: 'info' }),
      ]);
      expect(lines()[0]?.['msg']).toBe(
        `Geoopslag listens on ${told.url} (sample registers (invented)). Try: ${curl}`,
      );
    },
  );

  test('is plain text for a person', () => {
    const { greet, text } = listen({ isTerminal: true });
    greet(...greeting(told));
    expect(text().split('\n')).toEqual([
      `Geoopslag listens on ${told.url} (sample registers (invented)). Try: ${curl}`,
      `Operations: ${told.url}/drift (set OPERATOR_TOKEN, or sign in as an operator)`,
      'Sample upstream: its switches are at http://127.0.0.1:8081/_faults',
      '',
    ]);
  });

  test('names a trial that lets webhooks go to this machine', () => {
    const [fields, { first }] = greeting({ ...told, isLoopbackTrial: true });
    expect(first).toContain('TRIAL: webhooks to this machine (WEBHOOK_LOOPBACK)');
    expect(fields).toMatchObject({ webhook_loopback: true });
  });

  test('says of the embedded store that it is for trials, to people and in the fields', () => {
    const [fields, { more }] = greeting({ ...told, isEmbedded: true });
    expect(more).toContainEqual(
      expect.stringMatching(/^The embedded store is for trials, .*DATABASE_URL/),
    );
    expect(fields).toMatchObject({ store: more.find((line) => line.startsWith('The embedded')) });
    expect(greeting(told)[0]).not.toHaveProperty('store');
  });

  test('tells one command that makes the next key, by the name of its account', () => {
    const none = { ...told, key: null, switchesUrl: null };
    const [fields, { more }] = greeting({ ...none, keys: { account: null, hasKey: false } });
    expect(more[0]).toBe('Keys: npm run admin -- first-key');
    expect(fields).toMatchObject({ keys: more[0]?.slice('Keys: '.length) });
    expect(greeting({ ...none, keys: null })[1].more[0]).toBe(more[0]);
    expect(greeting(none)[1].more[0]).toBe(
      'Keys: npm run admin -- key mint proevekonto@localhost --test',
    );
  });

  test('writes an address of version 6 as clients do', () => {
    expect(urlOf('::1', 80)).toBe('http://[::1]:80');
    expect(urlOf('127.0.0.1', 80)).toBe('http://127.0.0.1:80');
  });
});
