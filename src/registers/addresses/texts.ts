export const DANISH: Readonly<Record<string, string>> = {
  'Metres in EPSG:25832, rounded to 0.1.': 'Meter i EPSG:25832, afrundet til 0,1.',
  'The access address in force nearest to a point.':
    'Den gældende adgangsadresse nærmest et punkt.',
  'A door to the street, or a unit behind it.': 'En dør til gaden eller en enhed bag den.',
  'Of a unit that is a property of its own (EBR), that; else of the parcel it stands on; else the one that EBR has at the house number.':
    'For en enhed, der selv er en ejendom (EBR), dens; ellers nummeret for det jordstykke, den står på; ellers det, EBR har på husnummeret.',
  'A unit address or an access address of DAR.': 'En enhedsadresse eller en adgangsadresse i DAR.',
  'An address as it is now, with what took its place.':
    'En adresse, som den er nu, med det, der er trådt i stedet for den.',
  'The nearest access address of a point.': 'Et punkts nærmeste adgangsadresse.',
  'A: the same. B: almost certain. C: a guess. null: nothing alike.':
    'A: det samme. B: næsten sikker. C: et gæt. null: intet, der ligner.',
  'Edits from what was written to adresse, field by field; 0: the same.':
    'Ændringer fra det skrevne til adresse, felt for felt; 0: det samme.',
  'What was read from the text.': 'Hvad der blev læst af teksten.',
  'A written address and those it may mean, the best first.':
    'En skreven adresse og dem, den kan betyde, den bedste først.',
  'The register’s own, as `postnrnavn` of every address.':
    'Registrets eget, som `postnrnavn` i enhver adresse.',
  'null: DAGI did not tell.': 'null: DAGI har ikke oplyst det.',
  'The municipalities it lies in, by code: `kommunekode` of each of its addresses is here.':
    'De kommuner, det ligger i, efter kode: `kommunekode` for hver af dets adresser er her.',
  'WGS84: west, south, east, north. A district may run out into the sea.':
    'WGS84: vest, syd, øst, nord. Et distrikt kan nå ud i havet.',
  'The same in EPSG:25832, metres.': 'Det samme i EPSG:25832, meter.',
  'A postcode and where it lies.': 'Et postnummer, og hvor det ligger.',
  'One postcode.': 'Ét postnummer.',
  'The access address nearest to a point': 'Adgangsadressen nærmest et punkt',
  'The access address nearest to each of up to 150 points':
    'Adgangsadressen nærmest hvert af op til 150 punkter',
  'Addresses that fit a text, the best first': 'Adresser, der passer til en tekst, de bedste først',
  'What is looked for, as people write addresses.': 'Det, der søges, som folk skriver adresser.',
  'Postcodes to keep to; several with | or sent again.':
    'Postnumre at holde sig til; flere med | eller sendt igen.',
  'Longitude,latitude (or x,y with srid=25832): of equally good matches the nearest first.':
    'Længdegrad,breddegrad (eller x,y med srid=25832): af lige gode fund det nærmeste først.',
  'West,south,east,north: only addresses with a point in it.':
    'Vest,syd,øst,nord: kun adresser med et punkt i det.',
  'Of naer and bbox; 4326 where absent.': 'For naer og bbox; 4326, hvor den mangler.',
  'Addresses in force, or provisional ones (DAR 3 and 2); both where absent.':
    'Gældende adresser eller foreløbige (DAR 3 og 2); begge, hvor den mangler.',
  'What the text being typed may become: a road, a house, a unit':
    'Hvad teksten under indtastning kan blive til: en vej, et hus, en enhed',
  'Where the caret stands in q; at its end where absent.':
    'Hvor markøren står i q; ved slutningen, hvor den mangler.',
  'How deep to go; to units (adresse) where absent.':
    'Hvor dybt der gås; til enheder (adresse), hvor den mangler.',
  'What the field holds once this is chosen.': 'Hvad feltet indeholder, når dette er valgt.',
  'What is shown in the list.': 'Hvad der vises i listen.',
  'Where the caret goes in tekst.': 'Hvor markøren stilles i tekst.',
  'One unit or access address by its id in DAR':
    'Én enheds- eller adgangsadresse efter dens id i DAR',
  'The id (UUID) of the address in DAR.': 'Adressens id (UUID) i DAR.',
  'A written address, to the address it means and how sure that is':
    'Fra en skreven adresse til den adresse, den betyder, og hvor sikkert det er',
  'The whole address as one text; or its parts, from vej on.':
    'Hele adressen som én tekst; eller dens dele, fra vej og frem.',
  'Road name; without betegnelse it is required.': 'Vejnavn; kræves uden betegnelse.',
  'House number with its letter.': 'Husnummer med bogstav.',
  'Door.': 'Dør.',
  'Postcode.': 'Postnummer.',
  'Town: the name of the postcode, or of a place within it.':
    'By: postnummerets navn eller et sted i det.',
  'Postcodes, by number': 'Postnumre efter nummer',
  'Postcodes; several with | or sent again.': 'Postnumre; flere med | eller sendt igen.',
  'Names; several with | or sent again.': 'Navne; flere med | eller sendt igen.',
  'Those that lie in one of these municipalities.': 'Dem, der ligger i en af disse kommuner.',
  'The beginning of a number, a name or a word of one.':
    'Begyndelsen af et nummer, et navn eller et ord i et navn.',
  'One postcode with its municipalities and bounding box':
    'Ét postnummer med dets kommuner og omskrevne rektangel',
};
