/** Reads values of settings. Each throws an Error with one sentence that names the setting; null: unset. */
import { isIP } from 'node:net';
import querystring from 'node:querystring';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Blank is unset, as `HOST=` in a settings file. */
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
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (isIP(address) === 0 || !isRange || more.length > 0) {
      throw new Error(`${name} must be IP addresses or CIDR ranges, separated by commas.`);
    }
    return part.trim();
  });
}

interface IntegerRule {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

export function integer(env: Environment, name: string, rule: IntegerRule): number {
  const given = text(env[name]);
  if (given === null) return rule.fallback;
  const value = Number(given);
  if (!Number.isInteger(value) || value < rule.min || value > rule.max) {
    throw new Error(`${name} must be a whole number from ${rule.min} to ${rule.max}.`);
  }
  return value;
}

export function bounded(
  env: Environment,
  name: string,
  { default: fallback, min, max }: Record<'default' | 'min' | 'max', number>,
): number {
  return integer(env, name, { fallback, min, max });
}

export function ofNames(env: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

/** `name=value,name=value` with percent-encoded values. No error contains a value. */
export function pairs(env: Environment, name: string): Readonly<Record<string, string>> {
  const parts = text(env[name])?.split(',') ?? [];
  return Object.fromEntries(
    parts.map((part) => {
      const [, key, value] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
      if (key === undefined || value === undefined) {
        throw new Error(`${name} must be name=value, several separated by commas.`);
      }
      return [key, querystring.unescape(value)];
    }),
  );
}

export function share(env: Environment, name: string): number {
  const value = Number(text(env[name]) ?? '1');
  if (value >= 0 && value <= 1) return value;
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

export function url(env: Environment, name: string, protocols: readonly string[]): string | null {
  const given = text(env[name]);
  if (given === null) return null;
  const parsed = URL.parse(given);
  if (parsed === null || !protocols.includes(parsed.protocol)) {
    // The value may contain a password: never print it.
    throw new Error(`${name} must be an address starting with ${protocols.join(' or ')}//.`);
  }
  return given.replace(/\/$/, '');
}
