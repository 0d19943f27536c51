/**
 * An index of roads that are hard to read: initials, kings, numbers in their names, towns that look like
 * floors, and pairs that are taken for one another. Real names from all over the country in a few towns.
 */
import type { IndexRows } from '../../src/registers/addresses/addresses.ts';
import { ABBREVIATED } from './abbreviated.ts';
import { smallIndex } from './small-index.ts';
import type { SmallRoad } from './small-index.ts';

/** Road names, ` ; ` between them; with ` | ` between them they can be taken for one another. */
const NAMES = `
  Vej 1 | Vej 10 | Vej 11 | Vej 12 | Vej 5 | Vej 5 Nr | Vej 2 ; Ring 4 | Ring 3 ;
  Pier 2 | Pier 1 | Pier 12 ; Stampen Vej 1 | Stampen Vej 11 | Stampen Vej 12 ;
  Brøndby Haveby Afd 3 | Brøndby Haveby Afd 1 ;
  Haveforeningen Solvang Afd. 2 | Haveforeningen Solvang Afd. 4 ; Hf. Kløvermarken Nr. 3 ;
  Haveforeningen af 1934 ; Haveforeningen af 10. maj 1918 ; Hf. Haveselskabet 1936 ; Hovedvej A1 ;
  Hf. 4. Juli ; H/F Vej 3 ; Kolonihaven 12 ; Christian 8.s Vej ; Christian 10.s Vej ;
  Christian d. 4.s Gade ; Chr. d. X's Allé ; Christian IX's Gade ; Christian den Fjerdes Vej ;
  Frederik 3.s Vej ; Frederik 7's Gade ; Frederik VI's Allé ; Frederik den 9.s Plads ;
  Valdemar 2.s Vej ; Niels Bohrs Vej | Niels Bohrs Allé ; Thorsvej | Torsvej ;
  Doorn Alle | Dorthea Allé ; Borgmester Fischers Vej ; Borgmester Schneiders Vej ;
  Hans Christian Ørsteds Vej ; H.C. Ørsteds Gade ; H.C. Andersens Allé ;
  Hans Christian Lumbyes Gade ; J.P. Jacobsens Vej ; Jens Peter Jensens Vej ;
  N.F.S. Grundtvigs Vej ; Niels Finsens Allé | Niels Finsens Vej ; Niels Ebbesens Vej ;
  Nørre Bjertvej ; Søren Kierkegaards Plads ; Mikkel Bryggers Gade ;
  Peter Bangs Vej | P. Bangs Vej ; Dorotheavej ; Christians Brygge ; Christians Torv ;
  Christiansvej ; Carl Jacobsens Vej ; Thomas Laubs Gade ; Georg Brandes Plads ; Edith Rodes Vej ;
  Vilhelm Beckers Vej ; Anker Jensens Vej ; Otto Busses Vej ; Ole Rømers Vej ; Tycho Brahes Allé ;
  Sigurd Berg Allé ; Dag Hammarskjölds Allé ; Skt. Knuds Gade ; Vestre Stationsvej ; Pilestræde ;
  Badstuestræde ; Klostermarken ; Boldhusgade ; Nikolajgade ; Fiolstræde ; Krystalgade ;
  Landemærket ; Ærøvej ; Ågade ; Øster Søgade ; Salgade ; Salviavej ; Tinghøjgade ; Strandvejen ;
  Steenhøjs-Åsen ; Kirkevej ; Vestergade ; Skovvejen ; Torvegade ; Bygaden ; Bispensgade ;
  Solsikkevænget ;
  Christian Winthers Vej ; Christian Richardts Vej ; Christian IV's Vej ; Christian II's Allé ;
  Vesterbrogade ; Nørrebrogade ; Østerbrogade ; Amagerbrogade ; Gammel Mønt ; Gammel Strand ;
  Gl. Vartov Vej ; Skt. Knuds Vej ; Sankt Hans Torv ; Store Kongensgade ; Lille Strandstræde ;
  Lille Torv ; Store Torv ; Borgmester Christiansens Gade ; Doktor Priemes Vej ; Dronning Olgas Vej ;
  Dronning Louises Gade ; Prins Christians Gade ; Professor Labri Vej ; Admiral Gjeddes Gård ;
  General Bahnsons Vej ; Kaptajn Vej ; Kommandør Ørums Vej ; Direktør Hansens Vej ;
  Ingeniør Hansens Vej ; Overlæge Dahls Vej ; Pastor Hansens Vej ; Provst Bentzons Vej ;
  Redaktør Hansens Gade ; Fabrikant Vej ; Grosserer Vej ; Kongens Have ; Kongens Tværvej ;
  Vester Voldgade ; Øster Voldgade ; Øster Farimagsgade ; Vester Farimagsgade ; Nørre Farimagsgade ;
  Østre Allé ; Øster Allé ; Østre Stationsvej ; V. Vesterport ; Ved Stranden ; Trommesalen Plads ;
  Axeltorv ; Rådhuspladsen ; N.J. Fjords Allé ; C.F. Richs Vej ; P.G. Ramms Allé ;
  O.V. Kjettinges Allé ; Frederik Bajers Plads ; Frederiksborgvej ; Johannes V. Jensens Allé ;
  Vilhelm Thomsens Allé ; Valdemarsgade ; Valdemar Holmers Gade ; Thorvald Bindesbølls Plads ;
  Alexander Foss Gade ; Edvard Griegs Gade ; Hermann Triers Plads ; Jacob Paulsens Vej ;
  Laurids Skaus Gade ; Laurids Sørensens Vej ; Rasmus Rasks Vej ; 10. Februar Vej ; 1. Maj Vej ;
  Nyhavn ; Ny Østergade ; Kristian Bernikows Gade ; Kultorvet ; Jens Baggesens Vej ;
  Jens Jessens Vænget ; Toldbodgade ; Lyngbyvej ; Roskildevej
`;

const PLACES: readonly { readonly place: string; readonly town?: string }[] = [
  ...[{ place: '5000 Odense C' }, { place: '2000 Frederiksberg' }, { place: '9493 Saltum' }],
  ...[{ place: '1068 København K' }, { place: '8653 Them', town: 'Salten' }],
  ...[{ place: '4690 Haslev', town: 'Salby' }, { place: '8600 Silkeborg' }],
];

/** What stands in the houses of a road, in turn. */
const HOMES = [
  'st.tv st.th 1.tv 1.mf 1.th 2.tv 2.mf 2.th 3.tv 3.th 4.tv 4.th',
  'kl. st.tv st.th 1.tv 1.th 2.tv 2.th 3.tv 3.mf 3.th',
  'kl. k2. st.1 st.2 1.1 1.2 1.3 2.1 2.2 2.3 3.101 3.102',
  '',
  'st. 1. 2.',
  'kl.tv kl.th k2.tv st.tv st.mf st.th 1.tv 1.mf 1.th 5.tv 5.th',
  '.1 .2 .12 .21 .101',
  '11. 12.1 2.12 21.2 1.1203 3.a 4.b12',
];
const NUMBERS = [
  '1 2 3 5 8 12 12A 12B 15 18 23 25 28 42A 54 56 75 81 104A 141',
  '2 4 6C 7 10 11A 11B 14 16 20D 22 35 38 45 50 52 58 85 110',
  '1 3 9 13 17 19B 21 24C 26 28B 31 51 53 80 83 88 120',
];

export function hardRows(): IndexRows {
  const alike = NAMES.split(';').map((names) => names.split('|').map((name) => name.trim()));
  const others = [...new Set(ABBREVIATED.map(({ road }) => road))].map((road) => [road]);
  const roads = [...alike, ...others].flatMap((names, i): readonly SmallRoad[] => {
    const at = PLACES[i % PLACES.length]!;
    return names.map((road, j) => ({
      ...{ road, ...at, numbers: NUMBERS[(i + j) % NUMBERS.length]! },
      units: HOMES[(i + 2 * j + (i >> 3)) % HOMES.length]!,
    }));
  });
  return smallIndex(roads);
}
