export const DANISH: Readonly<Record<string, string>> = {
  'Cadastre property by BFE number: its parcels with their geometry':
    'Matriklens ejendom efter BFE-nummer: dens jordstykker med deres geometri',
  'WGS84, 7 decimals: the union of the faces of the parcel.':
    'WGS84, 7 decimaler: foreningen af jordstykkets lodflader.',
  'A property with what the cadastre knows of it: its parcels and where they lie.':
    'En ejendom med det, matriklen ved om den: dens jordstykker, og hvor de ligger.',
  'Of the property that it is part of.': 'For den ejendom, det er en del af.',
  'A parcel in force. koordinat is a point inside it. Null where the cadastre has none of it.':
    'Et gældende jordstykke. koordinat er et punkt inde i det. Null, hvor matriklen intet har om det.',
  'Code of the district (ejerlav).': 'Ejerlavets kode.',
  'Number of the parcel within the district, such as 12bø, in any case; 12 BØ, 012bø, 12-bø and matr.nr. 12bø are the same.':
    'Jordstykkets nummer i ejerlavet, fx 12bø, med store eller små bogstaver; 12 BØ, 012bø, 12-bø og matr.nr. 12bø er det samme.',
  'How many are listed.': 'Hvor mange der er vist.',
  'Parcels at a point, of a number, or that fit a text':
    'Jordstykker i et punkt, med et nummer, eller som passer til en tekst',
  'One of three: a point (an edge belongs to every parcel that it borders), ejerlav_kode and matrikelnummer, or q.':
    'Ét af tre: et punkt (et skel hører til hvert jordstykke, det afgrænser), ejerlav_kode og matrikelnummer, eller q.',
  'The name or code of a district, or beginnings of its words, with the beginning of a number before or after it: 12a Hellerup, Hellerup matr.nr. 12 a, 12851-12a. 400 where nothing is found and a part of it was not understood.':
    'Et ejerlavs navn eller kode, eller begyndelsen af dets ord, med begyndelsen af et nummer foran eller bagefter: 12a Hellerup, Hellerup matr.nr. 12 a, 12851-12a. 400, hvor intet er fundet, og en del af det ikke blev forstået.',
  'With q: municipality codes to keep to; several with | or sent again.':
    'Med q: kommunekoder at holde sig til; flere med | eller sendt igen.',
  'With q: which page; 1 where absent.': 'Med q: hvilken side; 1, hvis den udelades.',
  'With q: how many at most; 20 where absent.': 'Med q: hvor mange højst; 20, hvis den udelades.',
  'With q.': 'Med q.',
  'The parcel of a number, in its district': 'Jordstykket med et nummer i sit ejerlav',
};
