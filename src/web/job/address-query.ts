import { withLetter } from '../../jobs/intake/for-pages.ts';
import type { Role } from '../../jobs/for-pages.ts';

/** Reads the row as its job does; null: no address. */
export function addressQuery(
  text: (role: Role) => string | null,
): Readonly<Record<string, string>> | null {
  const [written, number, letter] = [text('adresse'), text('husnr'), text('bogstav')];
  const vej = written ?? text('vej');
  if (vej === null) return null;
  const beside = (['etage', 'doer', 'postnr', 'by'] as const).flatMap((role) => {
    const part = text(role);
    return part === null ? [] : [[role, part] as const];
  });
  const parts = Object.fromEntries(beside);
  const isWhole = written !== null && (number === null || /\d/.test(written));
  if (!isWhole)
    return { vej, ...(number !== null && { husnr: withLetter(number, letter) }), ...parts };
  const whole = withLetter(vej, letter);
  return beside.length === 0 ? { betegnelse: whole } : { vej: whole, ...parts };
}
