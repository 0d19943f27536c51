export const DANISH: Readonly<Record<string, string>> = {
  'All public assessments of a property by BFE number':
    'Alle offentlige vurderinger af en ejendom efter BFE-nummer',
  'All public assessments of a property.': 'Alle offentlige vurderinger af en ejendom.',
  'The year as the register has it.': 'Året, som registret har det.',
  'Every row: newest year first, of a year the latest change first.':
    'Hver række: nyeste år først, af et år den seneste ændring først.',
};
