/**
 * VUR, folded into one row per property (BFE); see upstream/registers-bbr.md 10. References carry
 * no year.
 */
import type { Fold, RegisterSchema, RegisterTable } from '../../layers/register-tables.ts';

function table(
  entity: string,
  name: string,
  more: Pick<RegisterTable, 'key' | 'columns' | 'keepsOthers'>,
): RegisterTable {
  // No history: an answer of an earlier day has no assessments (D87).
  return { entity, register: 'VUR', table: name, ...more, indexes: [], former: null };
}

const REFERENCE = table('BFEKrydsreference', 'assessment_reference', {
  key: ['bfe', 'assessment_id'],
  columns: [
    { name: 'bfe', kind: 'bigint', from: ['bfenummer'], required: true },
    {
      name: 'assessment_id',
      kind: 'bigint',
      from: ['fkejendomsvurderingid', 'ejendomsvurderingid'],
      required: true,
    },
  ],
});

/** The register spells `ejendomværdi`; some English copies write `ejendomsværdi`. */
function amount(name: string, stem: string): RegisterTable['columns'][number] {
  const from = [`${stem}beloeb`, stem, `${stem.replace('ejendom', 'ejendoms')}beloeb`];
  return { name, kind: 'bigint', from, expected: true };
}

const ASSESSMENT = table('Ejendomsvurdering', 'assessment_row', {
  key: ['id'],
  keepsOthers: true,
  columns: [
    { name: 'id', kind: 'bigint', from: ['id', 'ejendomsvurderingid'], required: true },
    { name: 'year', kind: 'integer', from: ['aar', 'vurderingsaar'], required: true },
    amount('property_value', 'ejendomvaerdi'),
    amount('ground_value', 'grundvaerdi'),
    amount('taxable_property_value', 'ejendomvaerdiafgiftspligtig'),
    amount('taxable_ground_value', 'grundvaerdiafgiftspligtig'),
    { name: 'area', kind: 'bigint', from: ['vurderetareal'], expected: true },
    { name: 'use', kind: 'text', from: ['benyttelsekode', 'benyttelse'], expected: true },
    { name: 'legal_category', kind: 'text', from: ['juridiskkategorikode'] },
    { name: 'legal_category_text', kind: 'text', from: ['juridiskkategoritekst'] },
    { name: 'changed', kind: 'date', from: ['aendringdato', 'aendringsdato'], expected: true },
    {
      name: 'property_id',
      kind: 'bigint',
      from: ['fkvurderingsejendomid', 'vurderingsejendomid'],
      expected: true,
    },
  ],
});

const ASSESSMENT_PROPERTY = table('Vurderingsejendom', 'assessment_property', {
  key: ['id'],
  columns: [
    { name: 'id', kind: 'bigint', from: ['vurderingsejendomid', 'id'], required: true },
    { name: 'municipality_code', kind: 'text', from: ['esrkommunenummer'], expected: true },
    { name: 'number', kind: 'text', from: ['esrejendomsnummer'], expected: true },
  ],
});

/**
 * All assessments of a number, in the order of D111. Counts references without any row; one to an
 * ended or future row is not counted.
 */
const FOLD: Fold = {
  into: table('Vurdering', 'assessment', {
    key: ['bfe'],
    columns: [
      { name: 'bfe', kind: 'bigint', from: [], required: true },
      // A JSON array of arrays (folded.ts).
      { name: 'assessments', kind: 'text', from: [], required: true },
      { name: 'unresolved', kind: 'integer', from: [], required: true },
    ],
  }),
  query: (name) => `
    with named as (
      select bfe, assessment_id, max(registered_from) as registered_from
      from ${name('assessment_reference')} group by bfe, assessment_id),
    assessed as (
      select distinct on (id) * from ${name('assessment_row')}
      order by id, registered_from desc, valid_from desc),
    other as (select distinct id from ${name('assessment_row_others')}),
    owner as (
      select distinct on (id) id, municipality_code, number from ${name('assessment_property')}
      order by id, registered_from desc, valid_from desc)
    select n.bfe,
      '[' || coalesce(string_agg(
        rtrim(json_build_array(a.id, a.year, a.property_value, a.ground_value,
          a.taxable_property_value, a.taxable_ground_value, a.area, a.use, a.legal_category,
          a.changed, a.property_id, o.municipality_code, o.number)::text, ']')
          || coalesce(', ' || to_json(a.legal_category_text)::text, '') || ']',
        ',' order by a.year desc, a.changed desc nulls last, a.id desc)
        filter (where a.id is not null), '') || ']',
      count(*) filter (where a.id is null and e.id is null),
      max(greatest(n.registered_from, a.registered_from)),
      coalesce(max(a.valid_from), max(n.registered_from))
    from named n
    left join assessed a on a.id = n.assessment_id
    left join other e on e.id = n.assessment_id and a.id is null
    left join owner o on o.id = a.property_id
    group by n.bfe`,
  naming: 'BFEKrydsreference',
  unresolved: 'unresolved',
  message: 'Too many properties refer to assessments that are not there.',
};

export const ASSESSMENT_SCHEMA: RegisterSchema = {
  tables: [REFERENCE, ASSESSMENT, ASSESSMENT_PROPERTY],
  fold: FOLD,
  references: null,
  counted: ['assessment'],
  beside: { sources: 'assessment_source', history: 'assessment_history', former: null },
};
