/** The registers of an answer, as `meta.kilde` names them (D96). */

/** `isInvented`: they are the sample's. */
export function sourceText(registers: readonly string[], isInvented: boolean): string {
  const names = registers.join(', ');
  return isInvented ? `Opdigtet prøveregister (${names})` : names;
}
