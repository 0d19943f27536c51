import type { AreaAttributes, ConditionAttributes, LineAttributes } from './feature.ts';

type Attribute = keyof LineAttributes | keyof AreaAttributes | keyof ConditionAttributes;

const NAMES: Readonly<Record<Attribute, string>> = {
  statusCode: 'status_kode',
  statusName: 'status_navn',
  category: 'kategori',
  natureType: 'naturtype',
  protectionReason: 'beskyttelsesaarsag',
  monumentType: 'anlaegstype',
  dating: 'datering',
  protectionStatus: 'fredningsstatus',
  dykeType: 'digetype',
  documentUrl: 'dokument_url',
  validFrom: 'gaeldende_fra',
  validTo: 'gaeldende_til',
  registeredAt: 'registreret',
  municipalityName: 'kommune_navn',
  municipalityCvr: 'kommune_cvr_kode',
  code: 'kode',
  name: 'navn',
  regionCode: 'regionskode',
  values: 'felter',
};

/** What answers, tiles, files and the log of changes call attributes (D252). */
export const ATTRIBUTE_NAMES: Readonly<Record<string, string>> = NAMES;
