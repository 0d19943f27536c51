export const DANISH: Readonly<Record<string, string>> = {
  'Code of the region that most of the area lies in. Empty until the regions are read.':
    'Koden på den region, som det meste af inddelingen ligger i. Tom, indtil regionerne er læst.',
  'WGS84, [lon, lat], right-hand rule, 7 decimals.':
    'WGS84, [lon, lat], højrehåndsreglen, 7 decimaler.',
  'The same rings in EPSG:25832, metres, 2 decimals.':
    'De samme ringe i EPSG:25832, meter, 2 decimaler.',
  '`live`: from a fresh copy or the register itself. `stale`: from an older copy. `utilgaengelig`: `geometri` is null.':
    '`live`: fra en frisk kopi eller registeret selv. `stale`: fra en ældre kopi. `utilgaengelig`: `geometri` er null.',
  'An administrative area.': 'En administrativ inddeling.',
  'The areas that cover a point; none at sea.':
    'De inddelinger, der dækker et punkt; ingen på havet.',
  'One DAGI area by theme and code': 'Én DAGI-inddeling efter tema og kode',
  'Theme of the area.': 'Inddelingens tema.',
  'Code of the area in DAGI; shorter codes are padded with zeros.':
    'Inddelingens kode i DAGI; kortere koder fyldes op med nuller.',
  'The DAGI areas that cover a point': 'De DAGI-inddelinger, der dækker et punkt',
  'The DAGI areas that cover each of up to 50 points':
    'De DAGI-inddelinger, der dækker hvert af op til 50 punkter',
};
