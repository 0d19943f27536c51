/**
 * Road and town names of the invented country, put together as Danish ones are: a few that are
 * everywhere, many of a stem and an ending, some of persons, some of the next village.
 */
import type { Random } from './land.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The commonest of all, most frequent first. */
const EVERYWHERE = words(`
  Skolevej Kirkevej Nørregade Vestergade Østergade Søndergade Strandvej Stationsvej Møllevej Birkevej
  Engvej Skovvej Bakkevej Industrivej Jernbanegade Algade Storegade Lindevej Egevej Bøgevej Granvej
  Elmevej Ahornvej Rosenvej Solvej Parkvej Havnegade Kirkegade Fyrrevænget Lærkevej Mosevej Toftevej
  Nygade Tværvej Højvej Vibevej Drosselvej Svalevej Fasanvej Bygaden Hovedgaden Hovedvejen Nyvej
  Markvej Grønnegade Smedegade Torvegade Kastanievej Hasselvej Pilevej Poppelvej Syrenvej Tjørnevej`);

const STEMS = words(`
  Ager Ahorn Aks Alke And Ane Asger Ask Asters Axel Bager Bakke Balder Bane Bark Bartholin Bellis Berg
  Birke Bjarke Bjerg Bjælke Blomster Blåbær Blåklokke Bog Boller Bonde Borg Brage Bregne Brink Bro
  Bryggeri Brønd Buske Bæk Bær Bøge Bøndergård Bøsse Dag Dal Dam Degne Dige Djævle Drejer Dronning
  Due Dybdal Dyre Dæmning Eg Egern Egils Elge Elle Elme Elver Eng Enebær Enighed Erants Esbern Falke
  Fasan Fisker Fjeld Fjord Flag Flinte Flod Frede Frejas Frugt Fugle Fyr Fyrre Fælled Fællesled Fær Føl
  Gade Galge Garver Ged Gefion Gartner Glar Glente Gnejs Grane Granit Gravens Gribs Grif Grune Gråspurve
  Grøn Guld Gyde Gyvel Gærde Gøge Hage Halm Hammer Hannes Harald Hare Hassel Have Havre Hede Hegns Heim
  Heste Hindbær Hjorte Hjul Holbergs Holme Horse Hulvejs Humle Hus Husar Hvede Hyben Hyld Hyrde Hytte
  Hærvej Høg Høj Hør Idræts Iris Iver Jæger Jagt Jasmin Jernbane Jord Kalk Kanal Kant Kapel Karse
  Kaserne Kastanie Kejser Kikke Kilde Kirke Kirsebær Klit Klokke Klosters Kløver Knold Kobber Kohave Kong
  Konge Kordil Korn Krage Kragelund Krat Kridt Kro Kron Krogs Kvæsthus Kæmpe Kær Kørvel Ladegård Lange
  Lavendel Legend Lerche Lilje Linde Lodde Lokes Lund Lupin Lyng Lysning Lærke Løg Løv Mage Mai Malm
  Mandel Mariehøns Marker Marsk Mejeri Mejse Midt Mirabel Mose Mur Musvit Myre Mælke Møbjerg Mølle Mønster
  Nattergale Navr Nelle Nord Nørrebro Nørremark Nøddebo Odins Okse Oldfux Orion Otte Palads Palme Park
  Pave Peber Perle Pile Platan Plantage Plet Poppel Post Primula Prins Provste Præste Pæone Pære Rabarber
  Raps Ravne Reberbane Regnbue Ribe Ridder Ring Rolf Rose Rosmarin Rug Runde Rådhus Ræve Rød Rødhals
  Røllike Rønne Rørdrum Rørkær Salvie Sand Sankthans Selje Silde Skelbæk Skibs Skjold Skole Skov Skrænt
  Skytte Slagter Slots Slåen Smede Snare Sol Solbær Solsort Spang Sport Spurve Stald Stare Stations Stejle
  Sten Stjerne Stor Stork Strand Strå Stub Stær Sukker Svale Svane Sving Syren Sø Sølv Sønder Teglværk
  Thor Thyra Timian Tjørne Toft Told Topas Torne Torve Træ Tue Tulipan Turbine Tving Tværs Tyttebær Ugle
  Ulve Ungdoms Valde Valmue Vand Ved Vejle Vibe Viden Vig Vinkel Viol Virke Volds Væver Ymer Ynglinge
  Åkande Ålekiste Års Ærtebjerg Æble Øde Ørne Ørsted Øster Østre`);

const ENDINGS = words(`
  vej vej vej vej vej vej vej vej vejen vejen gade gade gade gaden stræde vænget vænget vænget parken
  parken bakken toften toften haven haven engen marken krogen lunden ager stien stien skrænten højen
  dalen svinget kæret mosen hegnet ageren skoven banken kilden leddet kanten pladsen torvet parkvej
  husene gården gårdsvej bakke have park lund mark eng høj allé`);

const FIRST = words(`
  Anders Anna Axel Bernhard Carl Chr. Christian Dagmar Edvard Elisabeth Emil Ernst Frederik Fritz Georg
  Gustav H.C. Hans Harald Henrik Herman Holger Ingeborg J.P. Jacob Jens Johan Johanne Karen Kaj Knud Lars
  Laurits Lauritz Ludvig Mads Marie Martin Mathias Morten N.F.S. Niels Olaf Ole Otto Peder Peter Poul
  Rasmus Skt. Søren Thomas Thorvald Tyge Valdemar Viggo Vilhelm`);

const LAST = words(`
  Andersens Ankers Bangs Barfoeds Becks Bergs Bjerregaards Bojsens Brahes Brandts Brochmands Bruuns Buhls
  Christensens Dalgas Dams Drachmanns Estrups Finsens Flindts Friis Grundtvigs Hansens Hauchs Heibergs
  Helms Hertz Holbergs Holms Holsts Hostrups Ibsens Ingemanns Iversens Jacobsens Jensens Jessens Juels Kiers
  Kjærs Knudsens Koefoeds Krags Krogs Larsens Lassens Lunds Madsens Meyers Mikkelsens Møllers Mørchs Nansens
  Nielsens Nissens Olsens Ørsteds Paludans Pedersens Petersens Pontoppidans Poulsens Rantzaus Rasmussens Rohdes
  Rosenkrantz Schmidts Skrams Sørensens Steffens Thomsens Thrigges Thygesens Tranums Vinthers Winthers Wulffs`);

const PLACE_STEMS = words(`
  Aller Alm Andrup Arn Ask Bag Bal Barm Bed Birk Bjerg Bjørn Blæs Bor Bram Bred Brøn Bur By Byl Dal Dams
  Dover Drags Dyb Ebbe Eg Ej El Eng Er Es Fal Far Fjel Flem Fre Fug Får Gam Gel Ger Gim Gjel Glam Gram Gras
  Gren Gun Hads Hal Ham Har Has Hav Hed Hel Her Hil Hin Hjal Hjort Hol Horn Hum Hvid Hør Ing Jel Jers Jun
  Jyst Kal Kar Kat Ker Kir Kjel Kol Kon Krag Kul Kval Kær Lan Lem Ler Lin Lok Lund Lyng Lys Løg Mal Mar Mel
  Mid Mog Munk Mør Mår Nim Nors Ny Nør Od Olle Or Ot Oust Ped Pri Ram Rand Ras Rav Rid Ring Ros Run Ry Rød
  Sal Sand Sej Sig Sim Skal Skar Skel Skib Skjol Sla Sme Snej Sol Sten Stav Stor Stub Sul Svej Søn Tal Tan
  Ter Tim Tis Tob Tor Tran Tul Tver Tøl Ul Under Us Val Vams Var Ved Vem Ver Vest Vil Vin Vis Vor Vrå Ål Ær Øl Øst`);

const PLACE_ENDINGS = words(`
  by bæk bjerg bro borg bølle dal drup erup holm holt høj inge ind kilde kjær køb lev lund løse mark rup rup
  rød skov sted strup sø toft torp um ved vig å`);

const BEFORE = words(`Gl. Gammel Nørre Sønder Sdr. Øster Vester Store Lille Nr. Ny`);
const DISTRICTS = words('C N S V Ø K NV SV SØ NØ M');

const pick = (list: readonly string[], random: Random): string =>
  list[Math.floor(random() * list.length)]!;

/** A village or town. */
export function placeName(random: Random): string {
  const plain = pick(PLACE_STEMS, random) + pick(PLACE_ENDINGS, random);
  const share = random();
  if (share < 0.06) return `${pick(BEFORE, random)} ${plain}`;
  return share < 0.09 ? `${plain} ${pick(['Kirkeby', 'Strand', 'Havn', 'Overby'], random)}` : plain;
}

/** What tells the postcodes of one large town apart. */
export function districtName(town: string, i: number): string {
  return `${town} ${DISTRICTS[i % DISTRICTS.length]!}`;
}

/** A road; `near` are the villages around. */
export function roadName(random: Random, near: readonly string[]): string {
  const share = random();
  if (share < 0.16) {
    // Rank r in proportion to about 1 / (r + 4).
    const rank = Math.floor(4 * (Math.exp(random() * Math.log(EVERYWHERE.length / 4 + 1)) - 1));
    return EVERYWHERE[Math.min(rank, EVERYWHERE.length - 1)]!;
  }
  if (share < 0.62) return endedName(random);
  if (share < 0.7) {
    return `${pick(FIRST, random)} ${pick(LAST, random)} ${pick(['Vej', 'Vej', 'Gade', 'Allé', 'Plads'], random)}`;
  }
  if (share < 0.88)
    return near.length === 0 ? endedName(random) : placedName(random, pick(near, random));
  if (share < 0.93) return `${pick(BEFORE, random)} ${endedName(random)}`;
  if (share < 0.94)
    return `${1 + Math.floor(random() * 12)}. ${pick(['Tværvej', 'Maj Vej', 'Række'], random)}`;
  return `${pick(STEMS, random)}${pick(STEMS, random).toLowerCase()}${pick(ENDINGS, random)}`;
}

function endedName(random: Random): string {
  const stem = pick(STEMS, random);
  const ending = pick(ENDINGS, random);
  return ending === 'allé' ? `${stem} Allé` : stem + ending;
}

function placedName(random: Random, place: string): string {
  const tail = pick(
    ['vej', 'vej', 'vej', 'gade', 'mark', 'skovvej', 'parken', 'Bygade', 'Byvej', 'Strandvej'],
    random,
  );
  return /^[A-Z]/.test(tail) ? `${place} ${tail}` : place + tail;
}
