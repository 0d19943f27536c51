export const DANISH: Readonly<Record<string, string>> = {
  'Of the place in the register.': 'Stedets id i registret.',
  'The primary spelling.': 'Den primære skrivemåde.',
  'As the register has it: officielt, suAutoriseret, uofficielt …':
    'Som registret har den: officielt, suAutoriseret, uofficielt …',
  'The other spellings, the official ones first.': 'De andre skrivemåder, de officielle først.',
  'The table of the register: Bebyggelse, Soe, Vandloeb …':
    'Tabellen i registret: Bebyggelse, Soe, Vandloeb …',
  'The municipalities it lies in, by code; empty at sea. null: the municipalities are not mirrored.':
    'De kommuner, det ligger i, efter kode; tom til havs. null: kommunerne er ikke hentet.',
  'A place with its names (Danske Stednavne). koordinat is a point inside it; the middle of a line.':
    'Et sted med dets navne (Danske Stednavne). koordinat er et punkt i det; af en linje midten.',
  'A place with its geometry.': 'Et sted med dets geometri.',
  'Metres in EPSG:25832, rounded to 0.1; 0 inside.':
    'Meter i EPSG:25832, afrundet til 0,1; 0 indenfor.',
  'A place that holds a point, or lies near it.': 'Et sted, som et punkt ligger i eller nær ved.',
  'Places whose name fits a text, the best first':
    'Steder, hvis navn passer på en tekst, det bedste først',
  'A name, its beginning, or one that is nearly spelt like it; 400 without a letter or a digit.':
    'Et navn, begyndelsen af det eller et, der næsten staves sådan; 400 uden et bogstav eller et ciffer.',
  'A hovedtype or an undertype to keep to, in any case; 400 where no place is of that type.':
    'En hovedtype eller undertype at holde sig til, med store eller små bogstaver; 400 hvor intet sted er af den type.',
  'On this page.': 'På denne side.',
  'One place by its id in the register, with its geometry':
    'Ét sted efter dets id i registret, med dets geometri',
  'The id of the place.': 'Stedets id.',
  'The places at a point, and those around it': 'Stederne i et punkt og dem omkring det',
  'Areas that hold the point, the smallest first; then others by distance.':
    'Flader, som punktet ligger i, den mindste først; så andre efter afstand.',
};
