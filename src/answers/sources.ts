/** The registers of an answer, as `meta.kilde` names them (D96). */

/** `isInvented`: they are the sample's. */
export function sourceText(registers: readonly string[], isInvented: boolean): string {
  const names = registers.join(', ');
  return isInvented ? `${INVENTED} (${names})` : names;
}

const INVENTED = 'Opdigtet prøveregister';

/** The same of a register of one name. */
export function sourceNameOf(
  name: string,
  { isInvented }: { readonly isInvented: boolean },
): string {
  return isInvented ? INVENTED : name;
}
