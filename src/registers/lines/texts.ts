export const DANISH: Readonly<Record<string, string>> = {
  'The registered feature that puts a line in force.':
    'Det registrerede objekt, der sætter linjen i kraft.',
  'A repealed feature within the radius.': 'Et ophævet objekt inden for radius.',
  'Read this before inden_for.': 'Læs dette før inden_for.',
  'One line at one point.': 'Én linje i ét punkt.',
  'Always all ten lines.': 'Altid alle ti linjer.',
  'Ten building lines and protected nature at a point.':
    'Ti byggelinjer og beskyttet natur i et punkt.',
  'The forest building line at a point.': 'Skovbyggelinjen i et punkt.',
  'Building lines and protected nature at a point': 'Byggelinjer og beskyttet natur i et punkt',
  'The forest building line at a point': 'Skovbyggelinjen i et punkt',
  'Building lines at up to 50 points, from one data generation':
    'Byggelinjer i op til 50 punkter fra én datageneration',
};
