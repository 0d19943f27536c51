/**
 * What people write for a road, beside the road as the register has it: each pair is asked over an index
 * of all these roads. Most are real ones, from all over the country.
 */

/** `written | registered`, one a line. */
const PAIRS = `
  Chr. Winthers Vej | Christian Winthers Vej
  Chr Winthers Vej | Christian Winthers Vej
  Christian Winthersvej | Christian Winthers Vej
  Chr. Richardts Vej | Christian Richardts Vej
  Chr. IV's Vej | Christian IV's Vej
  Chr. X's Gade | Christian X's Gade
  Christian X Gade | Christian X's Gade
  Christian 9.s Gade | Christian IX's Gade
  Christian IX Gade | Christian IX's Gade
  Chr. 9's Gade | Christian IX's Gade
  Frederik VII's Gade | Frederik 7's Gade
  Fr. VII's Gade | Frederik 7's Gade
  Frederik VI's Allé | Frederik 6's Allé
  Fr. 6's Alle | Frederik 6's Allé
  Chr. II's Allé | Christian II's Allé
  Christian 2's Alle | Christian II's Allé
  H C Andersens Boulevard | H.C. Andersens Boulevard
  HC Andersens Boulevard | H.C. Andersens Boulevard
  H.C.Andersens Blvd. | H.C. Andersens Boulevard
  H. C. Andersens Blv. | H.C. Andersens Boulevard
  HC Andersens Bld. | H.C. Andersens Boulevard
  H.C. Andersens Boul. | H.C. Andersens Boulevard
  H.C. Andersens Bvd | H.C. Andersens Boulevard
  Nørre Voldg. | Nørre Voldgade
  Nr. Voldgade | Nørre Voldgade
  Ndr. Fasanvej | Nordre Fasanvej
  Nordre Fasanv. | Nordre Fasanvej
  Nr. Fasanvej | Nordre Fasanvej
  Sdr. Fasanvej | Søndre Fasanvej
  Søndre Fasanvj. | Søndre Fasanvej
  Sdr Boulevard | Sønder Boulevard
  Sønder Blvd. | Sønder Boulevard
  Sdr. Blv. | Sønder Boulevard
  Søndre Boulevard | Sønder Boulevard
  Vesterbrog. | Vesterbrogade
  Vesterbrogd. | Vesterbrogade
  Vester Brogade | Vesterbrogade
  Nørrebrog. | Nørrebrogade
  Nørrebro Gade | Nørrebrogade
  Østerbrogd. | Østerbrogade
  Amagerbrog. | Amagerbrogade
  Gl. Kongevej | Gammel Kongevej
  Gl Kongevej | Gammel Kongevej
  Gml. Kongevej | Gammel Kongevej
  Gamle Kongevej | Gammel Kongevej
  Gl. Kongev. | Gammel Kongevej
  Gammel Landevej | Gl. Landevej
  Gml Landevej | Gl. Landevej
  Gl. Mønt | Gammel Mønt
  Gl. Strand | Gammel Strand
  Gammel Vartov Vej | Gl. Vartov Vej
  Gl Vartovvej | Gl. Vartov Vej
  Skt. Peders Stræde | Sankt Peders Stræde
  Sct. Peders Stræde | Sankt Peders Stræde
  St. Peders Stræde | Sankt Peders Stræde
  Skt Peders Str. | Sankt Peders Stræde
  Sankt Knuds Vej | Skt. Knuds Vej
  Sct Knuds Vej | Skt. Knuds Vej
  Sct. Hans Torv | Sankt Hans Torv
  Skt. Hans Torv | Sankt Hans Torv
  St. Kongensgade | Store Kongensgade
  Store Kongensg. | Store Kongensgade
  Str. Kongensgade | Store Kongensgade
  St. Strandstræde | Store Strandstræde
  Store Strandstr. | Store Strandstræde
  Ll. Strandstræde | Lille Strandstræde
  Lille Strand Stræde | Lille Strandstræde
  Ll. Torv | Lille Torv
  St. Torv | Store Torv
  Borgm. Jensens Allé | Borgmester Jensens Allé
  Borgm. Jensens Alle | Borgmester Jensens Allé
  borgm jensens all. | Borgmester Jensens Allé
  Bgm. Jensens Allé | Borgmester Jensens Allé
  Borgm. Christiansens Gade | Borgmester Christiansens Gade
  Dr. Priemes Vej | Doktor Priemes Vej
  Doktor Tværgade | Dr. Tværgade
  Dr. Tværg. | Dr. Tværgade
  Dr Olgas Vej | Dronning Olgas Vej
  Dronn. Olgas Vej | Dronning Olgas Vej
  Dronning Olgasvej | Dronning Olgas Vej
  Dr. Louises Gade | Dronning Louises Gade
  Pr. Christians Gade | Prins Christians Gade
  Prof. Labri Vej | Professor Labri Vej
  Adm. Gjeddes Gård | Admiral Gjeddes Gård
  Gen. Bahnsons Vej | General Bahnsons Vej
  Kapt. Vej | Kaptajn Vej
  Komm. Ørums Vej | Kommandør Ørums Vej
  Dir. Hansens Vej | Direktør Hansens Vej
  Ing. Hansens Vej | Ingeniør Hansens Vej
  Overl. Dahls Vej | Overlæge Dahls Vej
  Past. Hansens Vej | Pastor Hansens Vej
  Prov. Bentzons Vej | Provst Bentzons Vej
  Red. Hansens Gade | Redaktør Hansens Gade
  Fabr. Vej | Fabrikant Vej
  Gross. Vej | Grosserer Vej
  Kgs. Nytorv | Kongens Nytorv
  Kgs Nytorv | Kongens Nytorv
  Kng. Nytorv | Kongens Nytorv
  Kgs. Have | Kongens Have
  Kgs. Tværvej | Kongens Tværvej
  V. Voldgade | Vester Voldgade
  Vestre Voldgade | Vester Voldgade
  Vester Voldg. | Vester Voldgade
  Ø. Voldgade | Øster Voldgade
  Østre Voldgade | Øster Voldgade
  Ø Farimagsgade | Øster Farimagsgade
  Øster Farimagsg. | Øster Farimagsgade
  V. Farimagsgade | Vester Farimagsgade
  Nr. Farimagsgade | Nørre Farimagsgade
  N. Farimagsgade | Nørre Farimagsgade
  Østre Alle | Østre Allé
  Øster Allé | Øster Allé
  Ø. Stationsvej | Østre Stationsvej
  Østre Stationsv. | Østre Stationsvej
  Vestre Ringv. | Vestre Ringvej
  V. Ringvej | Vestre Ringvej
  Sdr. Ringvej | Søndre Ringvej
  S. Ringvej | Søndre Ringvej
  Ved Vesterport | V. Vesterport
  V. Stranden | Ved Stranden
  Trommesalen Pl. | Trommesalen Plads
  Axel Torv | Axeltorv
  Rådhuspladsen | Rådhuspladsen
  Rådhus Pladsen | Rådhuspladsen
  Sankt Annæ Pl. | Sankt Annæ Plads
  Skt. Annæ Plads | Sankt Annæ Plads
  Sct. Annæ Pl. | Sankt Annæ Plads
  J.M. Thieles V. | J.M. Thieles Vej
  JM Thieles Vej | J.M. Thieles Vej
  N.J. Fjords Alle | N.J. Fjords Allé
  NJ Fjords All. | N.J. Fjords Allé
  C.F. Richs V. | C.F. Richs Vej
  CF Richs Vej | C.F. Richs Vej
  P.G. Ramms Alle | P.G. Ramms Allé
  O.V. Kjettinges Alle | O.V. Kjettinges Allé
  OV Kjettinges Allé | O.V. Kjettinges Allé
  Fr. Bajers Plads | Frederik Bajers Plads
  Fred. Bajers Pl. | Frederik Bajers Plads
  Frederiksborgv. | Frederiksborgvej
  Frederiksborg Vej | Frederiksborgvej
  Frederiksberg All. | Frederiksberg Allé
  Frederiksberg Allee | Frederiksberg Allé
  Fr. Allé | Frederik Allé
  Joh. V. Jensens Allé | Johannes V. Jensens Allé
  Johs. V. Jensens Allé | Johannes V. Jensens Allé
  Vilh. Thomsens Allé | Vilhelm Thomsens Allé
  Valdemars Gade | Valdemarsgade
  Vald. Holmers Gade | Valdemar Holmers Gade
  Thorv. Bindesbølls Plads | Thorvald Bindesbølls Plads
  Alex. Foss' Gade | Alexander Foss Gade
  Edv. Griegs Gade | Edvard Griegs Gade
  Herm. Triers Plads | Hermann Triers Plads
  Jac. Paulsens Vej | Jacob Paulsens Vej
  Jakob Paulsens Vej | Jacob Paulsens Vej
  Laur. Skaus Gade | Laurids Skaus Gade
  Lauritz Sørensens Vej | Laurids Sørensens Vej
  Rasm. Rasks Vej | Rasmus Rasks Vej
  Thom. Laubs Gade | Thomas Laubs Gade
  Hf. Stjernelund | Haveforeningen Stjernelund
  HF Stjernelund | Haveforeningen Stjernelund
  Haveforeningen Vestgrænsen | Hf. Vestgrænsen
  Haveforening Vestgrænsen | Hf. Vestgrænsen
  H/F Vestgrænsen | Hf. Vestgrænsen
  Haveforeningen Mozart | H/F Mozart
  HF Mozart | H/F Mozart
  Ring 4 | Ring 4
  Åboulevarden | Åboulevarden
  Aaboulevarden | Åboulevarden
  Aaboulevard | Åboulevard
  Å Boulevarden | Åboulevarden
  Aagade | Ågade
  10 Februar Vej | 10. Februar Vej
  10. februarvej | 10. Februar Vej
  1. Maj Vej | 1. Maj Vej
  Nyhavn | Nyhavn
  Ny Øster Gade | Ny Østergade
  Kr. Bernikows Gade | Kristian Bernikows Gade
  Kultorv | Kultorvet
  Jens Baggesens V. | Jens Baggesens Vej
  Jens Baggesensvej | Jens Baggesens Vej
  Jens Jessens Vg. | Jens Jessens Vænget
  Toldbodg. | Toldbodgade
  Toldbod Gade | Toldbodgade
  Lyngbyv. | Lyngbyvej
  Lyngby Vej | Lyngbyvej
  Roskildev. | Roskildevej
  Strandv. | Strandvejen
`;

export const ABBREVIATED: readonly { readonly written: string; readonly road: string }[] =
  PAIRS.trim()
    .split('\n')
    .map((line) => {
      const [written = '', road = ''] = line.split(' | ');
      return { written: written.trim(), road: road.trim() };
    });
