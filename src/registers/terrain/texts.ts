export const DANISH: Readonly<Record<string, string>> = {
  'Heights of the terrain': 'Terrænhøjder',
  'Heights come from tiles and from live sources, not from the mirrored data: X-Service-Generation is absent.':
    'Koter kommer fra fliser og fra levende kilder, ikke fra de spejlede data: X-Service-Generation findes ikke.',
  'terraen: the ground. overflade: with what stands on it. terraen where absent.':
    'terraen: jorden. overflade: med det, der står på den. terraen, hvor den mangler.',
  'The model that was asked.': 'Modellen, der blev spurgt.',
  'The height system, Dansk Vertikal Reference 1990.':
    'Højdesystemet, Dansk Vertikal Reference 1990.',
  'Metres, 2 decimals. null: the model has nothing there, as at sea; never to be read as 0.':
    'Meter, 2 decimaler. null: modellen har intet dér, som på havet; må aldrig læses som 0.',
  'Metres of a cell of the raster that answered.': 'Meter af en celle i det raster, der svarede.',
  'The height of the terrain at a point.': 'Terrænets højde i et punkt.',
  'The height of the terrain at a point': 'Terrænets højde i et punkt',
  'Each answered point is billed once.': 'Hvert besvaret punkt faktureres én gang.',
};
