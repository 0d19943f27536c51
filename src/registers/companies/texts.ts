export const DANISH: Readonly<Record<string, string>> = {
  'A company by CVR number': 'En virksomhed efter CVR-nummer',
  'A company by its number; one that has ended as it last was.':
    'En virksomhed efter sit nummer; en ophørt, som den sidst var.',
  'Where a company is, as the register of companies has it.':
    'Hvor en virksomhed er, som CVR har det.',
  'Eight digits.': 'Otte cifre.',
  'Eight digits, the last of which meets the modulus-11 check.':
    'Otte cifre, hvoraf det sidste passer med modulus 11.',
  'Not to be used for advertising. null: not known, never to be read as false.':
    'Må ikke bruges til reklame. null: ukendt, og må aldrig læses som false.',
  'The company is one person: its data are personal. null: not known.':
    'Virksomheden er én person: dens data er personoplysninger. null: ukendt.',
  Companies: 'Virksomheder',
};
