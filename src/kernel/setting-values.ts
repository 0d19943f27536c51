/** Each throws an Error with one sentence that names the setting; null: unset. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import querystring from 'node:querystring';
import { isLoopback } from './client-address.ts';
import { databaseAddress } from './database-address.ts';
import { parseKey } from './key-bytes.ts';
import { LIMITS } from './limits.ts';
import { decimalOf, decimalsOf, wholeWithin } from './number-texts.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Blank counts as unset, as in `HOST=`. */
export function text(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value.trim();
}

/** Valid in an Authorization header and unguessable. No error contains the value. */
export function secret(env: Environment, name: string, minChars: number): string | null {
  const given = text(env[name]);
  if (given === null) return null;
  if (given.length < minChars || !/^[\x21-\x7e]+$/.test(given)) {
    throw new Error(
      `${name} must have at least ${minChars} characters, all of them visible ASCII, no spaces.`,
    );
  }
  return given;
}

export function addresses(env: Environment, name: string): readonly string[] {
  const given = text(env[name]);
  if (given === null) return [];
  return given.split(',').map((part) => {
    const [address = '', bits, ...more] = part.trim().split('/');
    const most = isIP(address) === 4 ? 32 : 128;
    const isRange = bits === undefined || wholeWithin(bits, { min: 0, max: most }) !== null;
    if (isIP(address) === 0 || !isRange || more.length > 0) {
      throw new Error(`${name} must be IP addresses or CIDR ranges, separated by commas.`);
    }
    return part.trim();
  });
}

type IntegerRule = Readonly<Record<'default' | 'min' | 'max', number>>;

export function integer(env: Environment, name: string, rule: IntegerRule): number {
  const given = text(env[name]);
  if (given === null) return rule.default;
  const value = wholeWithin(given, rule);
  if (value !== null) return value;
  throw new Error(`${name} must be a whole number from ${rule.min} to ${rule.max}.`);
}

/** `name=value,…` with percent-encoded values. No error contains a value. */
export function pairs(env: Environment, name: string): Readonly<Record<string, string>> {
  const all = (text(env[name])?.split(',') ?? []).map((part) => {
    const [, key, value] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (key === undefined || value === undefined) {
      throw new Error(`${name} must be name=value, several separated by commas.`);
    }
    return [key, querystring.unescape(value)] as const;
  });
  refuseRepeated(name, all);
  return Object.fromEntries(all);
}

function refuseRepeated(name: string, all: readonly (readonly [key: string, value: string])[]) {
  const keys = all.map(([key]) => key.toLowerCase());
  const twice = keys.find((key, n) => keys.indexOf(key) < n);
  if (twice !== undefined) throw new Error(`${name} names ${twice.slice(0, 40)} twice.`);
}

export function share(env: Environment, name: string): number {
  const value = decimalOf(text(env[name]) ?? '1');
  if (value !== null && value >= 0 && value <= 1) return value;
  throw new Error(`${name} must be a share from 0 to 1, as 0.1.`);
}

export function oneOf<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly [T, ...T[]],
): T {
  const given = text(env[name]);
  if (given === null) return allowed[0];
  const found = allowed.find((value) => value === given);
  if (found === undefined) throw new Error(`${name} must be one of ${allowed.join(', ')}.`);
  return found;
}

// `URL` would take `https:host` and `https:///host`, and the text is what is kept.
export function url(env: Environment, name: string, protocols: readonly string[]): string | null {
  const given = text(env[name]);
  if (given === null) return null;
  const [, scheme = ''] = /^([a-z]+:)\/\/[^\s/\\#?][^\s\\#]*$/i.exec(given) ?? [];
  // Paths are put after those of the web.
  const isCut = scheme.toLowerCase().startsWith('http') && given.includes('?');
  if (!protocols.includes(scheme.toLowerCase()) || isCut || !URL.canParse(given)) {
    // The value may contain a password.
    throw new Error(`${name} must be an address starting with ${protocols.join('// or ')}//.`);
  }
  return given.replace(/\/+$/, '');
}

export function database(env: Environment, name: string): string | null {
  const given = text(env[name]);
  if (given === null) return null;
  if (databaseAddress(given) === null) {
    // The value may contain a password.
    throw new Error(
      `${name} must be an address starting with postgres:// or postgresql://, whose ` +
        'target_session_attrs, if any, is any, read-write, primary, standby or prefer-standby.',
    );
  }
  refuseRepeated(name, [...new URLSearchParams(/\?.*/s.exec(given)?.[0])]);
  return given.replace(/\/$/, '');
}

/** No error contains the value. */
export function sealingKey(env: Environment, name: string): string | null {
  const given = text(env[name]);
  if (given === null || parseKey(given) !== null) return given;
  throw new Error(`${name} must be base64 of 32 random bytes, as of: openssl rand -base64 32.`);
}

export function unitPrice(env: Environment, name: string): number | null {
  const given = text(env[name]);
  if (given === null) return null;
  const price = decimalOf(given);
  if (price !== null && price > 0 && price <= 1000) return price;
  throw new Error(`${name} must be kroner above 0 and at most 1000, as 0.05.`);
}

/** `lon lat`; null: none. */
export function degrees(env: Environment, name: string): { lon: number; lat: number } | null {
  const given = text(env[name]);
  if (given === null) return null;
  const [lon = Number.NaN, lat = Number.NaN] = decimalsOf(given, 2, ' ') ?? [];
  if (lon >= 7.7 && lon <= 15.4 && lat >= 54.4 && lat <= 58) return { lon, lat };
  throw new Error(`${name} must be a longitude and a latitude in Denmark, as "12.4136 55.7957".`);
}

export function folder(env: Environment, name: string): string | null {
  const given = text(env[name]);
  return given === null ? null : resolve(given);
}

export function replica(env: Environment, name: string): string | null {
  const given = database(env, name);
  if (given === null || text(env['DATABASE_URL']) !== null) return given;
  throw new Error('DATABASE_READ_URL needs DATABASE_URL.');
}

/** A service reachable from outside must not be made to call this machine's own listeners. */
export function loopbackTrial(env: Environment, name: string): boolean {
  if (oneOf(env, name, ['off', 'on']) === 'off') return false;
  const host = text(env['HOST']) ?? '127.0.0.1';
  if (host === 'localhost' || isLoopback(host)) return true;
  throw new Error('WEBHOOK_LOOPBACK is for trials: not where HOST is no address of loopback.');
}

export const fileSettingOf = (name: string): string => `${name}_FILE`;

/** Throws an Error with one sentence that names setting and file, never the content. */
export function withSecretFiles(env: Environment, names: readonly string[]): Environment {
  const read: Record<string, string> = {};
  for (const name of names) {
    const setting = fileSettingOf(name);
    const path = env[setting]?.trim() ?? '';
    if (path === '') continue;
    if ((env[name]?.trim() ?? '') !== '') {
      throw new Error(`${name} and ${setting} are both set: set one of them.`);
    }
    read[name] = secretIn(path, setting);
  }
  return { ...env, ...read };
}

function secretIn(path: string, setting: string): string {
  const held = contentOf(path, setting).replace(/\r?\n$/, '');
  if (held.trim() === '') throw new Error(`${setting}: ${path} is empty.`);
  if (/[\r\n]/.test(held)) throw new Error(`${setting}: ${path} must have one line.`);
  return held;
}

function contentOf(path: string, setting: string): string {
  try {
    return readPlainFile(path, LIMITS.secretFileBytes);
  } catch (cause) {
    const { code = (cause as Error).message } = cause as NodeJS.ErrnoException;
    throw new Error(`${setting}: ${path} cannot be read (${code}).`, { cause });
  }
}

/** A pipe without a writer, or a device, must not block a start. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * As UTF-8. Throws where it is no plain file (links are followed) or has more than `mostBytes`,
 * whatever size it reports.
 */
export function readPlainFile(path: string, mostBytes: number): string {
  const file = openSync(path, AT_ONCE);
  try {
    if (!fstatSync(file).isFile()) throw new TypeError('not a plain file');
    const chunks: Buffer[] = [];
    for (let length = 0; ;) {
      const chunk = Buffer.alloc(64 * 1024);
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks).toString();
      length += read;
      if (length > mostBytes) throw new RangeError(`more than ${mostBytes} bytes`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}
