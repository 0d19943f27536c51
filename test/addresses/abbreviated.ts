/**
 * What people write for a road, behind the road as the register has it: each is asked over an index of all
 * these roads. Most are real ones, from all over the country.
 */
const ROADS = `
  Christian X's Gade: Chr. X's Gade | Christian X Gade
  Christian IX's Gade: Christian 9.s Gade | Christian IX Gade | Chr. 9's Gade
  Frederik 7's Gade: Frederik VII's Gade | Fr. VII's Gade
  Frederik 6's Allé: Frederik VI's Allé | Fr. 6's Alle
  H.C. Andersens Boulevard: H C Andersens Boulevard | HC Andersens Boulevard | H.C.Andersens Blvd. | H. C. Andersens Blv. | HC Andersens Bld. | H.C. Andersens Boul. | H.C. Andersens Bvd
  Nørre Voldgade: Nørre Voldg. | Nr. Voldgade
  Nordre Fasanvej: Ndr. Fasanvej | Nordre Fasanv. | Nr. Fasanvej
  Søndre Fasanvej: Sdr. Fasanvej | Søndre Fasanvj.
  Sønder Boulevard: Sdr Boulevard | Sønder Blvd. | Sdr. Blv. | Søndre Boulevard
  Gammel Kongevej: Gl. Kongevej | Gl Kongevej | Gml. Kongevej | Gamle Kongevej | Gl. Kongev.
  Gl. Landevej: Gammel Landevej | Gml Landevej
  Sankt Peders Stræde: Skt. Peders Stræde | Sct. Peders Stræde | St. Peders Stræde | Skt Peders Str.
  Store Strandstræde: St. Strandstræde | Store Strandstr.
  Borgmester Jensens Allé: Borgm. Jensens Allé | Borgm. Jensens Alle | borgm jensens all. | Bgm. Jensens Allé
  Dr. Tværgade: Doktor Tværgade | Dr. Tværg.
  Kongens Nytorv: Kgs. Nytorv | Kgs Nytorv | Kng. Nytorv
  Vestre Ringvej: Vestre Ringv. | V. Ringvej
  Søndre Ringvej: Sdr. Ringvej | S. Ringvej
  Sankt Annæ Plads: Sankt Annæ Pl. | Skt. Annæ Plads | Sct. Annæ Pl.
  J.M. Thieles Vej: J.M. Thieles V. | JM Thieles Vej
  Frederiksberg Allé: Frederiksberg All. | Frederiksberg Allee
  Frederik Allé: Fr. Allé
  Haveforeningen Stjernelund: Hf. Stjernelund | HF Stjernelund
  Hf. Vestgrænsen: Haveforeningen Vestgrænsen | Haveforening Vestgrænsen | H/F Vestgrænsen
  H/F Mozart: Haveforeningen Mozart | HF Mozart
  Åboulevarden: Åboulevarden | Aaboulevarden | Å Boulevarden
  Åboulevard: Aaboulevard
`;

export const ABBREVIATED: readonly { readonly written: string; readonly road: string }[] =
  ROADS.trim()
    .split('\n')
    .flatMap((line) => {
      const [road = '', all = ''] = line.trim().split(': ');
      return all.split(' | ').map((written) => ({ written, road }));
    });
