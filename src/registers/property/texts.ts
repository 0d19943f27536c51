import { BUILDING_COLUMNS } from './building-fields.ts';

export const DANISH: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    BUILDING_COLUMNS.flatMap(({ description: says }) => (says ? [[says.en, says.da]] : [])),
  ),
  'Properties with their buildings, dwellings and facilities':
    'Ejendomme med bygninger, boliger og tekniske anlæg',
  'A property with every current building on it.':
    'En ejendom med enhver nuværende bygning på den.',
  'A property by BFE number, with every current building on it':
    'En ejendom efter BFE-nummer med hver gældende bygning på den',
  'BFE numbers; one that is named twice is answered and billed once.':
    'BFE-numre; et, der nævnes to gange, besvares og faktureres én gang.',
  'BFE number of the property.': 'Ejendommens BFE-nummer.',
  'A complete, invented property record': 'En fuldstændig, opdigtet ejendom',
};
