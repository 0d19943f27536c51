/** Drainage of a building (byg031, byg123 to byg129) and of a ground (gru010, gru021 to gru028). */
import type { DrainageRow, GroundRow } from '../property.ts';
import type { CodeLabels } from '../../../answers/codes.ts';

/** Always an object; its members are null where nothing is registered. */
export function drainage(row: DrainageRow, labels: CodeLabels) {
  return {
    afloebsforhold: labels.field('Afloebsforhold', row.drainage),
    medlemskab_spildevandsforsyning: labels.field(
      'MedlemsskabAfSplidevandforsyning',
      row.sewerMembership,
    ),
    paabud: labels.field('Rensningspaabud', row.sewerOrder),
    paabud_frist: row.sewerOrderDue,
    tilladelse_udtraeden: labels.field('TilladelseTilUdtraeden', row.exitPermit),
    tilladelse_udtraeden_dato: row.exitPermitDate,
    tilladelse_alternativ_afledning: labels.field(
      'TilladelseTilAlternativBortskaffelseEllerAfledning',
      row.alternativePermit,
    ),
    tilladelse_alternativ_afledning_dato: row.alternativePermitDate,
  };
}

export function groundDrainage(row: GroundRow, labels: CodeLabels) {
  return {
    ...drainage(row, labels),
    udledningstilladelse: labels.field('Udledningstilladelse', row.dischargePermit),
  };
}
