/** Settings as an operator gives them: none, empty ones, and names with a slip of the finger. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  loadClientConfig,
  loadConfig,
  misspelledSettings,
  secretsOf,
  settingNames,
} from '../../src/config.ts';
import { generatedFiles } from '../../deploy/settings.ts';

const NAMES = settingNames();

test('every setting is known by the name it is read by, and written where it is told', () => {
  expect(NAMES).toEqual(expect.arrayContaining(['HOST', 'PORT', 'DATA_DIR', 'GEOOPSLAG_KEY']));
  for (const [path, text] of Object.entries(generatedFiles())) {
    // Else: npm run gen
    expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'), path).toBe(text);
  }
});

describe('an empty setting is an unset one', () => {
  test.each(NAMES)('%s', (name) => {
    for (const blank of ['', '  ', '\t']) {
      expect(loadConfig({ [name]: blank })).toEqual(loadConfig({}));
      expect(loadClientConfig({ [name]: blank })).toEqual(loadClientConfig({}));
    }
  });
});

describe('a misspelled name', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATA_DIRR', 'DATA_DIR'],
    ['DATADIR', 'DATA_DIR'],
    ['PROT', 'PORT'],
    ['HSOT', 'HOST'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['OPERATR_TOKNE', 'OPERATOR_TOKEN'],
    ['SOURCE_FILE', 'SOURCES_FILE'],
    ['THREAD', 'THREADS'],
    ['port', 'PORT'],
    ['GEOOPSLAG_KEYS', 'GEOOPSLAG_KEY'],
  ])('%s is warned about: %s is meant', (given, meant) => {
    expect(misspelledSettings({ [given]: 'something' })).toEqual([
      `${given} is not a setting and is not read: is ${meant} meant?`,
    ]);
  });

  test('tells the name and never the value', () => {
    const [sentence] = misspelledSettings({ OPERATOR_TOKN: 'a-secret-of-some-length' });
    expect(sentence).toContain('OPERATOR_TOKEN');
    expect(sentence).not.toContain('a-secret');
  });

  test('is none where what it looks like is set too, or where it is empty', () => {
    expect(misspelledSettings({ POST: 'x', PORT: '80', HOST: 'localhost' })).toEqual([]);
    expect(misspelledSettings({ PROT: '' })).toEqual([]);
  });

  test('is none among the names of a usual machine, container, cluster or shell', () => {
    const usual =
      'HOME HOSTNAME HOSTTYPE HOST_IP PATH PWD OLDPWD USER LOGNAME SHELL SHLVL TERM LANG LC_ALL TZ MAIL ' +
      'EDITOR PAGER DISPLAY SSH_AUTH_SOCK SSH_CONNECTION XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR ' +
      'DBUS_SESSION_BUS_ADDRESS TMPDIR TEMP TMP PS1 IFS COLUMNS LINES COLORTERM LS_COLORS NO_COLOR ' +
      'NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION YARN_VERSION INIT_CWD npm_config_cache npm_execpath ' +
      'npm_package_name npm_lifecycle_event npm_node_execpath UV_THREADPOOL_SIZE http_proxy https_proxy ' +
      'HTTP_PROXY HTTPS_PROXY NO_PROXY PGHOST PGPORT PGUSER PGDATA PGDATABASE PGPASSWORD POSTGRES_DB ' +
      'POSTGRES_PASSWORD POSTGRES_USER POSTGRES_HOST POSTGRES_PORT DB_HOST DB_PORT REDIS_URL DATABASE_HOST ' +
      'KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT GEOOPSLAG_PORT GEOOPSLAG_SERVICE_HOST ' +
      'GEOOPSLAG_SERVICE_PORT STORE_PORT SERVICE_PORT CI CI_JOB_ID JOB_ID JOB_NAME RUNNER_OS GITHUB_TOKEN ' +
      'BUILD_URL PUBLIC_KEY DOCKER_HOST INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID LISTEN_FDS ' +
      'NOTIFY_SOCKET LOG_FILE LOG_DIR LOG_FORMAT MAKEFLAGS MAKELEVEL SUDO_USER WINDOWID VIRTUAL_ENV JAVA_HOME';
    const env = Object.fromEntries(usual.split(' ').map((name) => [name, 'something']));
    expect(misspelledSettings(env)).toEqual([]);
  });
});

describe('the settings of webhooks', () => {
  const key = Buffer.alloc(32, 1).toString('base64');

  test('take keys of base64 of 32 bytes, and blot them out of the log', () => {
    const config = loadConfig({ WEBHOOK_KEY: key, WEBHOOK_KEY_OLD: key });
    expect([config.webhookKey, config.webhookKeyOld]).toEqual([key, key]);
    expect(secretsOf(config)).toEqual([key, key]);
    for (const wrong of ['x', key.slice(1), Buffer.alloc(16).toString('base64')]) {
      expect(() => loadConfig({ WEBHOOK_KEY: wrong })).toThrow(/^WEBHOOK_KEY must be base64/);
      expect(() => loadConfig({ WEBHOOK_KEY_OLD: wrong })).toThrow(/^WEBHOOK_KEY_OLD must be/);
    }
  });

  test('keep the password of a proxy out of the log', () => {
    const config = loadConfig({ WEBHOOK_PROXY: 'http://hooks:ge%40heim@proxy.example:3128' });
    expect(secretsOf(config)).toEqual(['ge%40heim', 'ge@heim']);
  });

  test('let webhooks go to this machine in trials only, where nobody else reaches the service', () => {
    expect(loadConfig({}).webhookLoopback).toBe(false);
    for (const HOST of ['', '127.0.0.1', 'localhost', '::1']) {
      expect(loadConfig({ WEBHOOK_LOOPBACK: 'on', HOST }).webhookLoopback).toBe(true);
    }
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'geo.example']) {
      expect(() => loadConfig({ WEBHOOK_LOOPBACK: 'on', HOST })).toThrow(
        /^WEBHOOK_LOOPBACK is for/,
      );
    }
  });

  test('of the door for DAWA: a host and a public key, and neither without the door', () => {
    const keyless = 'svc_pub_live_Abc123';
    expect(loadConfig({}).dawa).toBeNull();
    expect(loadConfig({ DAWA: 'on' }).dawa).toEqual({ host: null, keyless: null, isOpen: false });
    expect(loadConfig({ DAWA: 'on', DAWA_KEYLESS: 'open-trial' }).dawa).toMatchObject({
      ...{ keyless: null, isOpen: true },
    });
    expect(
      loadConfig({ DAWA: 'on', DAWA_HOST: 'Dawa.Example.dk', DAWA_KEYLESS: keyless }).dawa,
    ).toEqual({ host: 'dawa.example.dk', keyless, isOpen: false });
    expect(() => loadConfig({ DAWA_HOST: 'dawa.example.dk' })).toThrow(/need DAWA=on/);
    expect(() => loadConfig({ DAWA: 'on', DAWA_HOST: 'https://x.dk' })).toThrow(/^DAWA_HOST/);
    const secret = 'svc_live_Abc123';
    expect(() => loadConfig({ DAWA: 'on', DAWA_KEYLESS: secret })).toThrow(/^DAWA_KEYLESS must/);
  });
});

describe('OPERATOR_TOKEN', () => {
  test('is off when absent or blank', () => {
    for (const given of [undefined, '', '   ']) {
      expect(loadConfig({ OPERATOR_TOKEN: given }).operatorToken).toBeNull();
    }
  });

  test('must be long enough to be no guess, and something a header can carry', () => {
    expect(loadConfig({ OPERATOR_TOKEN: ' opdigtet-noegle-1 ' }).operatorToken).toBe(
      'opdigtet-noegle-1',
    );
    for (const wrong of ['fifteen-letters', 'hemmelig med mellemrum', 'hemmelig-nøgle-af-længde']) {
      const load = () => loadConfig({ OPERATOR_TOKEN: wrong });
      expect(load).toThrow(/^OPERATOR_TOKEN must have at least 16 characters/);
      // The value itself is in no message.
      expect(load).not.toThrow(wrong);
    }
  });
});
