/** Writes a company (D116). */
import { NO_TEXT } from '../../answers/codes.ts';
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import { composeFloorDoor, composePlace } from '../../layers/address-text.ts';
import { companyNumberText, isPersonal } from './company.ts';
import type { Company, CompanyAddress, CompanyCode, PersonalForms } from './company.ts';

export interface AnsweredCompany {
  readonly company: Company;
  readonly personalForms: PersonalForms;
  readonly source: string;
}

export function companyText({ company, personalForms, source }: AnsweredCompany): string {
  const { form, address } = company;
  return JSON.stringify({
    cvr_nummer: companyNumberText(company.number),
    navn: company.name,
    binavne: company.otherNames,
    virksomhedsform: form && renderCode(form),
    status: company.status,
    startdato: company.started,
    ophoersdato: company.ended,
    adresse: address && renderAddress(address),
    hovedbranche: company.mainBranch && renderCode(company.mainBranch),
    bibrancher: company.otherBranches.map(renderCode),
    reklamebeskyttet: company.isProtected,
    personlig: isPersonal(form, personalForms),
    meta: { kilde: source, service_version: SERVICE_VERSION },
  });
}

function renderCode({ code, text }: CompanyCode) {
  return { kode: code, tekst: text ?? NO_TEXT };
}

function renderAddress(address: CompanyAddress) {
  return {
    betegnelse: addressText(address),
    vejnavn: address.roadName,
    husnr: address.houseNumber,
    etage: address.floor,
    doer: address.door,
    postnr: address.postcode,
    postnrnavn: address.postcodeName,
    kommunekode: address.municipalityCode,
    adresse_id: address.addressId,
  };
}

/**
 * Composed like other addresses (D48) from existing parts; a foreign address keeps its own text.
 */
function addressText(address: CompanyAddress): string | null {
  const { roadName, houseNumber, floor, door, supplementaryTown, freeText } = address;
  const road = [roadName, houseNumber].filter((part) => part !== null).join(' ');
  const code = address.postcode ?? '';
  const name = address.postcodeName ?? '';
  const postcode = code === '' && name === '' ? null : { code, name };
  const place = composePlace({ supplementaryTown, postcode });
  const parts = [road, composeFloorDoor(floor, door), place].filter((part) => part !== '');
  return road === '' && freeText !== null ? freeText : parts.join(', ') || null;
}
