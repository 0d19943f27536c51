/** The day or instant of a record (D85). */
import { Failure } from '../../kernel/failures.ts';
import { instantOf } from '../../layers/mappings/times.ts';

/**
 * A date, or an instant with offset; of a second's nine decimals three count. An unescaped plus
 * arrives as a space.
 */
export const AS_OF_PATTERN =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])' +
  '(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[-+ ]([01]\\d|2[0-3]):[0-5]\\d))?$';

/**
 * For a day its first moment in Denmark; null: now. Throws invalid_request for a day or time that
 * does not exist.
 */
export function asOfMs(text: string | undefined): number | null {
  if (text === undefined) return null;
  const instant = instantOf(text.replace(/ (\d{2}:\d{2})$/, '+$1'));
  if (instant === null) throw unreadable();
  return Date.parse(instant);
}

function unreadable(): Failure {
  return new Failure('invalid_request', {
    error:
      'asOf is a date (2020-12-31) or an instant with its offset from UTC (2020-12-31T12:00:00Z).',
    errorDa:
      'asOf er en dato (2020-12-31) eller et tidspunkt med forskel fra UTC (2020-12-31T12:00:00Z).',
  });
}
