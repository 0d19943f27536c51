/**
 * What people write for a road, behind the road as the register has it: each is asked over an index of all
 * these roads. Most are real ones, from all over the country.
 */
const ROADS = `
  Christian Winthers Vej: Chr. Winthers Vej | Chr Winthers Vej | Christian Winthersvej
  Christian Richardts Vej: Chr. Richardts Vej
  Christian IV's Vej: Chr. IV's Vej
  Christian X's Gade: Chr. X's Gade | Christian X Gade
  Christian IX's Gade: Christian 9.s Gade | Christian IX Gade | Chr. 9's Gade
  Frederik 7's Gade: Frederik VII's Gade | Fr. VII's Gade
  Frederik 6's Allé: Frederik VI's Allé | Fr. 6's Alle
  Christian II's Allé: Chr. II's Allé | Christian 2's Alle
  H.C. Andersens Boulevard: H C Andersens Boulevard | HC Andersens Boulevard | H.C.Andersens Blvd. | H. C. Andersens Blv. | HC Andersens Bld. | H.C. Andersens Boul. | H.C. Andersens Bvd
  Nørre Voldgade: Nørre Voldg. | Nr. Voldgade
  Nordre Fasanvej: Ndr. Fasanvej | Nordre Fasanv. | Nr. Fasanvej
  Søndre Fasanvej: Sdr. Fasanvej | Søndre Fasanvj.
  Sønder Boulevard: Sdr Boulevard | Sønder Blvd. | Sdr. Blv. | Søndre Boulevard
  Vesterbrogade: Vesterbrog. | Vesterbrogd. | Vester Brogade
  Nørrebrogade: Nørrebrog. | Nørrebro Gade
  Østerbrogade: Østerbrogd.
  Amagerbrogade: Amagerbrog.
  Gammel Kongevej: Gl. Kongevej | Gl Kongevej | Gml. Kongevej | Gamle Kongevej | Gl. Kongev.
  Gl. Landevej: Gammel Landevej | Gml Landevej
  Gammel Mønt: Gl. Mønt
  Gammel Strand: Gl. Strand
  Gl. Vartov Vej: Gammel Vartov Vej | Gl Vartovvej
  Sankt Peders Stræde: Skt. Peders Stræde | Sct. Peders Stræde | St. Peders Stræde | Skt Peders Str.
  Skt. Knuds Vej: Sankt Knuds Vej | Sct Knuds Vej
  Sankt Hans Torv: Sct. Hans Torv | Skt. Hans Torv
  Store Kongensgade: St. Kongensgade | Store Kongensg. | Str. Kongensgade
  Store Strandstræde: St. Strandstræde | Store Strandstr.
  Lille Strandstræde: Ll. Strandstræde | Lille Strand Stræde
  Lille Torv: Ll. Torv
  Store Torv: St. Torv
  Borgmester Jensens Allé: Borgm. Jensens Allé | Borgm. Jensens Alle | borgm jensens all. | Bgm. Jensens Allé
  Borgmester Christiansens Gade: Borgm. Christiansens Gade
  Doktor Priemes Vej: Dr. Priemes Vej
  Dr. Tværgade: Doktor Tværgade | Dr. Tværg.
  Dronning Olgas Vej: Dr Olgas Vej | Dronn. Olgas Vej | Dronning Olgasvej
  Dronning Louises Gade: Dr. Louises Gade
  Prins Christians Gade: Pr. Christians Gade
  Professor Labri Vej: Prof. Labri Vej
  Admiral Gjeddes Gård: Adm. Gjeddes Gård
  General Bahnsons Vej: Gen. Bahnsons Vej
  Kaptajn Vej: Kapt. Vej
  Kommandør Ørums Vej: Komm. Ørums Vej
  Direktør Hansens Vej: Dir. Hansens Vej
  Ingeniør Hansens Vej: Ing. Hansens Vej
  Overlæge Dahls Vej: Overl. Dahls Vej
  Pastor Hansens Vej: Past. Hansens Vej
  Provst Bentzons Vej: Prov. Bentzons Vej
  Redaktør Hansens Gade: Red. Hansens Gade
  Fabrikant Vej: Fabr. Vej
  Grosserer Vej: Gross. Vej
  Kongens Nytorv: Kgs. Nytorv | Kgs Nytorv | Kng. Nytorv
  Kongens Have: Kgs. Have
  Kongens Tværvej: Kgs. Tværvej
  Vester Voldgade: V. Voldgade | Vestre Voldgade | Vester Voldg.
  Øster Voldgade: Ø. Voldgade | Østre Voldgade
  Øster Farimagsgade: Ø Farimagsgade | Øster Farimagsg.
  Vester Farimagsgade: V. Farimagsgade
  Nørre Farimagsgade: Nr. Farimagsgade | N. Farimagsgade
  Østre Allé: Østre Alle
  Øster Allé: Øster Allé
  Østre Stationsvej: Ø. Stationsvej | Østre Stationsv.
  Vestre Ringvej: Vestre Ringv. | V. Ringvej
  Søndre Ringvej: Sdr. Ringvej | S. Ringvej
  V. Vesterport: Ved Vesterport
  Ved Stranden: V. Stranden
  Trommesalen Plads: Trommesalen Pl.
  Axeltorv: Axel Torv
  Rådhuspladsen: Rådhuspladsen | Rådhus Pladsen
  Sankt Annæ Plads: Sankt Annæ Pl. | Skt. Annæ Plads | Sct. Annæ Pl.
  J.M. Thieles Vej: J.M. Thieles V. | JM Thieles Vej
  N.J. Fjords Allé: N.J. Fjords Alle | NJ Fjords All.
  C.F. Richs Vej: C.F. Richs V. | CF Richs Vej
  P.G. Ramms Allé: P.G. Ramms Alle
  O.V. Kjettinges Allé: O.V. Kjettinges Alle | OV Kjettinges Allé
  Frederik Bajers Plads: Fr. Bajers Plads | Fred. Bajers Pl.
  Frederiksborgvej: Frederiksborgv. | Frederiksborg Vej
  Frederiksberg Allé: Frederiksberg All. | Frederiksberg Allee
  Frederik Allé: Fr. Allé
  Johannes V. Jensens Allé: Joh. V. Jensens Allé | Johs. V. Jensens Allé
  Vilhelm Thomsens Allé: Vilh. Thomsens Allé
  Valdemarsgade: Valdemars Gade
  Valdemar Holmers Gade: Vald. Holmers Gade
  Thorvald Bindesbølls Plads: Thorv. Bindesbølls Plads
  Alexander Foss Gade: Alex. Foss' Gade
  Edvard Griegs Gade: Edv. Griegs Gade
  Hermann Triers Plads: Herm. Triers Plads
  Jacob Paulsens Vej: Jac. Paulsens Vej | Jakob Paulsens Vej
  Laurids Skaus Gade: Laur. Skaus Gade
  Laurids Sørensens Vej: Lauritz Sørensens Vej
  Rasmus Rasks Vej: Rasm. Rasks Vej
  Thomas Laubs Gade: Thom. Laubs Gade
  Haveforeningen Stjernelund: Hf. Stjernelund | HF Stjernelund
  Hf. Vestgrænsen: Haveforeningen Vestgrænsen | Haveforening Vestgrænsen | H/F Vestgrænsen
  H/F Mozart: Haveforeningen Mozart | HF Mozart
  Ring 4: Ring 4
  Åboulevarden: Åboulevarden | Aaboulevarden | Å Boulevarden
  Åboulevard: Aaboulevard
  Ågade: Aagade
  10. Februar Vej: 10 Februar Vej | 10. februarvej
  1. Maj Vej: 1. Maj Vej
  Nyhavn: Nyhavn
  Ny Østergade: Ny Øster Gade
  Kristian Bernikows Gade: Kr. Bernikows Gade
  Kultorvet: Kultorv
  Jens Baggesens Vej: Jens Baggesens V. | Jens Baggesensvej
  Jens Jessens Vænget: Jens Jessens Vg.
  Toldbodgade: Toldbodg. | Toldbod Gade
  Lyngbyvej: Lyngbyv. | Lyngby Vej
  Roskildevej: Roskildev.
  Strandvejen: Strandv.
`;

export const ABBREVIATED: readonly { readonly written: string; readonly road: string }[] =
  ROADS.trim()
    .split('\n')
    .flatMap((line) => {
      const [road = '', all = ''] = line.trim().split(': ');
      return all.split(' | ').map((written) => ({ written, road }));
    });
