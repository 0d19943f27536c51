/** Where nothing was found in a register of a part of the country. */
import { inLanguage } from './language.ts';

/** `land`: all it covers; undefined: the country. */
export function coveredWords(land: string | undefined): string {
  if (land === undefined) return '';
  return inLanguage({
    da: ` Her dækkes kun ${land}: det kan findes andre steder.`,
    en: ` Only ${land} is covered here: it may exist elsewhere.`,
  });
}
