export const DANISH: Readonly<Record<string, string>> = {
  'Cadastre property by BFE number: its parcels with their geometry':
    'Matriklens ejendom efter BFE-nummer: dens jordstykker med deres geometri',
  'WGS84, 7 decimals: the union of the faces of the parcel.':
    'WGS84, 7 decimaler: foreningen af jordstykkets lodflader.',
  'A property with what the cadastre knows of it: its parcels and where they lie.':
    'En ejendom med det, matriklen ved om den: dens jordstykker, og hvor de ligger.',
};
