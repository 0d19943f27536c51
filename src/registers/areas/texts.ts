export const DANISH: Readonly<Record<string, string>> = {
  'D41. Empty when no region layer has told yet.':
    'D41. Tom, så længe intet lag med regioner har svaret.',
  'WGS84, [lon, lat], right-hand rule, 7 decimals.':
    'WGS84, [lon, lat], højrehåndsreglen, 7 decimaler.',
  'The same rings in EPSG:25832, metres, 2 decimals.':
    'De samme ringe i EPSG:25832, meter, 2 decimaler.',
  'D42.': 'D42.',
  'An administrative area.': 'En administrativ inddeling.',
  'The areas that cover a point; none at sea (D45).':
    'De inddelinger, der dækker et punkt; ingen på havet (D45).',
  'One DAGI area by theme and code': 'Én DAGI-inddeling efter tema og kode',
  'Theme of the area.': 'Inddelingens tema.',
  'Code of the area in DAGI; shorter codes are padded with zeros (D40).':
    'Inddelingens kode i DAGI; kortere koder fyldes op med nuller (D40).',
  'The DAGI areas that cover a point': 'De DAGI-inddelinger, der dækker et punkt',
  'The DAGI areas that cover each of up to 50 points':
    'De DAGI-inddelinger, der dækker hvert af op til 50 punkter',
};
