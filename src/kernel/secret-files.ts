/** `NAME_FILE` in place of `NAME`: a secret out of a file, as orchestrators mount them. */
import { LIMITS } from './limits.ts';
import { readPlainFile } from './plain-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const fileSettingOf = (name: string): string => `${name}_FILE`;

/**
 * The environment with what the files of `names` hold. Throws an Error with one sentence that names the
 * setting and the file, never what it holds.
 */
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
  // Itself where there are none: whoever watches what is read goes on seeing it.
  return Object.keys(read).length === 0 ? env : { ...env, ...read };
}

function secretIn(path: string, setting: string): string {
  const text = contentOf(path, setting).replace(/\r?\n$/, '');
  if (text.trim() === '') throw new Error(`${setting}: ${path} is empty.`);
  if (/[\r\n]/.test(text)) throw new Error(`${setting}: ${path} must have one line.`);
  return text;
}

function contentOf(path: string, setting: string): string {
  try {
    return readPlainFile(path, LIMITS.secretFileBytes);
  } catch (cause) {
    const { code = (cause as Error).message } = cause as NodeJS.ErrnoException;
    throw new Error(`${setting}: ${path} cannot be read (${code}).`, { cause });
  }
}
