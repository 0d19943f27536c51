/** Fields that are not mirrored are null. */
import { attribute, geoJson, unknown } from './attributes.ts';
import type { Attribute, Entity } from './entity.ts';
import { bbr } from './mirrored.ts';

const READ: Readonly<Record<string, (column: string) => string>> = {
  localdatetime: (column) => `to_char(d.${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS')`,
  point2d: (column) => geoJson(`d.${column}`),
  string: (column) => `d.${column}::text`,
};

/** `name:type=column`; default type text; without a column always null. */
function fields(text: string): readonly Attribute[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap((each) => {
      const [written = '', column] = each.split('=');
      if (column === undefined) return unknown(written);
      const [name = '', type = 'string'] = written.split(':');
      const sql = READ[type]?.(column) ?? `d.${column}`;
      return [attribute(name, `${type as Attribute['type']}?`, sql, 'Som i BBR')];
    });
}

function current(name: string, driver: Entity['driver'], text: string): Entity {
  return {
    ...{ name: `bbr_${name}_aktuel`, plural: null, area: 'bbr', driver, page: 500 },
    ...{ key: ['id'], columns: [{ column: 'id', type: 'uuid' }], isAlive: 'true', order: null },
    ...{ joins: () => '', parts: [] },
    attributes: [
      attribute('id', 'uuid', 'd.id', 'Id i BBR'),
      ...fields(`forretningshændelse forretningsområde forretningsproces ${text}`),
    ],
  };
}

const REST = 'registreringsaktør status=status virkningsaktør';

const BUILDING = `kommunekode=municipality_code ${REST} jordstykke:integer=parcel_id husnummer:uuid=access_id ejerlejlighed:uuid=flat_property_id
  grund:uuid=ground_id byg007Bygningsnummer:integer=number byg021BygningensAnvendelse=use
  byg024AntalLejlighederMedKøkken:integer byg025AntalLejlighederUdenKøkken:integer
  byg026Opførelsesår:integer=built_year byg027OmTilbygningsår:integer=rebuilt_year
  byg029DatoForMidlertidigOpførtBygning:localdatetime byg030Vandforsyning byg031Afløbsforhold=drainage
  byg032YdervæggensMateriale=outer_wall byg033Tagdækningsmateriale=roof
  byg034SupplerendeYdervæggensMateriale=other_outer_wall byg035SupplerendeTagdækningsMateriale=other_roof
  byg036AsbestholdigtMateriale=asbestos byg037KildeTilBygningensMaterialer
  byg038SamletBygningsareal:integer=total_area byg039BygningensSamledeBoligAreal:integer=dwelling_area
  byg040BygningensSamledeErhvervsAreal:integer=business_area byg041BebyggetAreal:integer=footprint_area
  byg042ArealIndbyggetGarage:integer byg043ArealIndbyggetCarport:integer byg044ArealIndbyggetUdhus:integer
  byg045ArealIndbyggetUdestueEllerLign:integer byg046SamletArealAfLukkedeOverdækningerPåBygningen:integer
  byg047ArealAfAffaldsrumITerrænniveau:integer byg048AndetAreal:integer byg049ArealAfOverdækketAreal:integer
  byg050ArealÅbneOverdækningerPåBygningenSamlet:integer byg051Adgangsareal:integer
  byg052BeregningsprincipCarportAreal byg053BygningsarealerKilde byg054AntalEtager:integer=storeys
  byg055AfvigendeEtager=deviating_storeys byg056Varmeinstallation=heating
  byg057Opvarmningsmiddel=heating_fuel byg058SupplerendeVarme=other_heating byg069Sikringsrumpladser:integer
  byg070Fredning byg071BevaringsværdighedReference byg094Revisionsdato:localdatetime
  byg111StormrådetsOversvømmelsesSelvrisiko byg112DatoForRegistreringFraStormrådet:localdatetime
  byg113Byggeskadeforsikringsselskab byg114DatoForByggeskadeforsikring:localdatetime
  byg119Udledningstilladelse byg121OmfattetAfByggeskadeforsikring byg122Gyldighedsdato:localdatetime
  byg123MedlemskabAfSpildevandsforsyning=sewer_membership byg124PåbudVedrSpildevandsafledning=sewer_order
  byg125FristVedrSpildevandsafledning:localdatetime=sewer_order_due byg126TilladelseTilUdtræden=exit_permit
  byg127DatoForTilladelseTilUdtræden:localdatetime=exit_permit_date
  byg128TilladelseTilAlternativBortskaffelseEllerAfledning=alternative_permit
  byg129DatoForTilladelseTilAlternativBortskaffelseEllerAfledning:localdatetime=alternative_permit_date
  byg130ArealAfUdvendigEfterisolering:integer byg131DispensationFritagelseIftKollektivVarmeforsyning
  byg132DatoForDispensationFritagelseIftKollektivVarmeforsyning:localdatetime byg133KildeTilKoordinatsæt
  byg134KvalitetAfKoordinatsæt byg135SupplerendeOplysningOmKoordinatsæt byg136PlaceringPåSøterritorie
  byg137BanedanmarkBygværksnummer byg140ServitutForUdlejningsEjendomDato:localdatetime byg150Gulvbelægning
  byg151Frihøjde:real byg152ÅbenLukketKonstruktion byg153Konstruktionsforhold byg301TypeAfFlytning
  byg302Tilflytterkommune:integer byg403ØvrigeBemærkningerFraStormrådet byg404Koordinat:point2d=geom
  byg406Koordinatsystem=coordinate_system byg500Notatlinjer`;

const UNIT = `kommunekode ${REST} adresseIdentificerer:uuid=address_id etage:uuid=floor_id opgang:uuid=entrance_id
  bygning:uuid=building_id enh020EnhedensAnvendelse=use enh023Boligtype enh024KondemneretBoligenhed
  enh025OprettelsesdatoForEnhedensIdentifikation:localdatetime enh026EnhedensSamledeAreal:integer=total_area
  enh027ArealTilBeboelse:integer enh028ArealTilErhverv:integer enh030KildeTilEnhedensArealer
  enh031AntalVærelser:integer=rooms enh032Toiletforhold enh033Badeforhold enh034Køkkenforhold
  enh035Energiforsyning enh039AndetAreal:integer enh041LovligAnvendelse
  enh042DatoForTidsbegrænsetDispensation:localdatetime enh044DatoForDelvisIbrugtagningsTilladelse:localdatetime
  enh045Udlejningsforhold enh046OffentligStøtte enh047IndflytningDato:localdatetime enh048GodkendtTomBolig
  enh051Varmeinstallation=heating enh052Opvarmningsmiddel=heating_fuel enh053SupplerendeVarme
  enh060EnhedensAndelFællesAdgangsareal:integer enh061ArealAfÅbenOverdækning:integer
  enh062ArealAfLukketOverdækningUdestue:integer enh063AntalVærelserTilErhverv:integer
  enh065AntalVandskylledeToiletter:integer enh066AntalBadeværelser:integer enh067Støjisolering:integer
  enh068FlexboligTilladelsesart enh069FlexboligOphørsdato:localdatetime
  enh070ÅbenAltanTagterrasseAreal:integer enh071AdresseFunktion enh101Gyldighedsdato:localdatetime
  enh102HerafAreal1:integer enh103HerafAreal2:integer enh104HerafAreal3:integer
  enh105SupplerendeAnvendelseskode1 enh106SupplerendeAnvendelseskode2 enh107SupplerendeAnvendelseskode3
  enh127FysiskArealTilBeboelse:integer enh128FysiskArealTilErhverv:integer enh500Notatlinjer`;

const FLOOR = `kommunekode ${REST} bygning:uuid=building_id eta006BygningensEtagebetegnelse=designation
  eta020SamletArealAfEtage:integer=area eta021ArealAfUdnyttetDelAfTagetage:integer=attic_area
  eta022Kælderareal:integer=low_basement_area eta023ArealAfLovligBeboelseIKælder:integer=basement_dwelling_area
  eta024EtagensAdgangsareal:integer eta025Etagetype=type eta026ErhvervIKælder:integer eta500Notatlinjer`;

const ENTRANCE = `kommunekode ${REST} adgangFraHusnummer:uuid=access_id bygning:uuid=building_id opg020Elevator
  opg021HusnummerFunktion opg500Notatlinjer`;

const GROUND = `kommunekode=municipality_code ${REST} husnummer:uuid=access_id bestemtFastEjendom:uuid=property_id gru009Vandforsyning
  gru010Afløbsforhold=drainage gru021Udledningstilladelse=discharge_permit
  gru022MedlemskabAfSpildevandsforsyning=sewer_membership gru023PåbudVedrSpildevandsafledning=sewer_order
  gru024FristVedrSpildevandsafledning:localdatetime=sewer_order_due gru025TilladelseTilUdtræden=exit_permit
  gru026DatoForTilladelseTilUdtræden:localdatetime=exit_permit_date
  gru027TilladelseTilAlternativBortskaffelseEllerAfledning=alternative_permit
  gru028DatoForTilladelseTilAlternativBortskaffelseEllerAfledning:localdatetime=alternative_permit_date
  gru029DispensationFritagelseIftKollektivVarmeforsyning
  gru030DatoForDispensationFritagelseIftKollektivVarmeforsyning:localdatetime gru500Notatlinjer`;

export const BUILDING_ENTITIES: readonly Entity[] = [
  current('bygning', bbr('Bygning', 'bbr_building'), BUILDING),
  current('enhed', bbr('Enhed', 'bbr_unit'), UNIT),
  current('etage', bbr('Etage', 'bbr_floor'), FLOOR),
  current('opgang', bbr('Opgang', 'bbr_entrance'), ENTRANCE),
  current('grund', bbr('Grund', 'bbr_ground'), GROUND),
];
