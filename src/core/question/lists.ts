import { Type } from 'typebox';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { stated } from './schemas.ts';

const CODE = '[0-9]{1,4}';
const NO_BLANK = '[^\\s|][^|]*';

export function listParameter(description: string, valuePattern = NO_BLANK) {
  const more = `(?:\\s*\\|[\\s|]*(?:${valuePattern})){0,${LIMITS.listValues - 1}}`;
  const text = stated(Type.String({ maxLength: LIMITS.listValues * 10 }), {
    pattern: `^[\\s|]*(?:(?:${valuePattern})${more}[\\s|]*)?$`,
  });
  return Type.Optional(
    Type.Union([text, Type.Array(text, { maxItems: LIMITS.listValues })], {
      description,
    }),
  );
}

export function codesParameter(description: string) {
  return listParameter(description, CODE);
}

/** Drops blanks. Throws invalid_request past the limit. */
export function listOf(name: string, given: string | readonly string[] | undefined): string[] {
  const values = [given ?? []]
    .flat()
    .flatMap((each) => each.split('|'))
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const most = LIMITS.listValues;
  if (values.length <= most) return values;
  throw new Failure('invalid_request', {
    error: `The parameter ${name} may list at most ${most} values.`,
    errorDa: `Parameteren ${name} må højst angive ${most} værdier.`,
  });
}

/** Four digits; shorter codes are padded (D40). */
export function codesOf(name: string, given: string | readonly string[] | undefined): string[] {
  return listOf(name, given).map((each) => {
    if (/^\d{1,4}$/.test(each)) return each.padStart(4, '0');
    throw new Failure('invalid_request', {
      error: `The parameter ${name} must be codes of up to four digits, with | between them.`,
      errorDa: `Parameteren ${name} skal være koder på op til fire cifre med | imellem.`,
    });
  });
}

// Many readers of patterns know no classes of Unicode.
export const WORDS = { pattern: '[^\\s!-/:-@\\[-`{-~]' };

/** Throws invalid_request for a text without a letter or digit of any script. */
export function refuseWordless(q: string): void {
  if (/[\p{L}\p{N}]/u.test(q)) return;
  throw new Failure('invalid_request', {
    error: 'The parameter q must hold a letter or a digit.',
    errorDa: 'Parameteren q skal indeholde et bogstav eller et ciffer.',
  });
}
