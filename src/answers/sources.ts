/** `meta.kilde` (D96). `isInvented`: the sample's registers. */
export function sourceText(registers: readonly string[], isInvented: boolean): string {
  const names = registers.join(', ');
  return isInvented ? `${INVENTED} (${names})` : names;
}

const INVENTED = 'Opdigtet prøveregister';

export function sourceNameOf(
  name: string,
  { isInvented }: { readonly isInvented: boolean },
): string {
  return isInvented ? INVENTED : name;
}
