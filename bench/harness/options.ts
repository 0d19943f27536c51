/** Options of the command line, after `npm run bench --`. */
import { decimalOf } from '../../src/kernel/number-texts.ts';

/** `--name=value`; undefined when it is not given. */
export function option(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1];
}

export function numberOption(name: string, otherwise: number): number {
  const given = option(name);
  const value = given === undefined ? otherwise : decimalOf(given);
  if (value !== null) return value;
  throw new Error(`--${name} is a decimal number, not ${given}.`);
}

/** Of national size; smaller is a smaller country of the same density. */
export function scaleOption(otherwise = 0.03): number {
  return numberOption('scale', otherwise);
}

/** `--name`. */
export function flag(name: string): boolean {
  return process.argv.includes(`--${name}`);
}
