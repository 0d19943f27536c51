/**
 * Folded into one row per company; see upstream/registers-bbr.md 12. Persons and production units
 * are not kept (D116).
 */
import type {
  Fold,
  RegisterSchema,
  RegisterTable,
  TableColumn,
} from '../../layers/register-tables.ts';

/** Ended companies answer with their last state (D118). */
const ENDED: TableColumn = { name: 'ended', kind: 'date', from: [] };

function table(
  entity: string,
  name: string,
  more: Pick<RegisterTable, 'key' | 'columns'>,
): RegisterTable {
  const { key, columns } = more;
  return {
    ...{ entity, register: 'CVR', table: name, key, ended: ENDED.name },
    columns: [...columns, ENDED],
    indexes: [],
    former: null,
  };
}

const UNIT: TableColumn = {
  name: 'unit_id',
  kind: 'id',
  from: ['cvrenhedsid', 'enhedsid'],
  required: true,
};

function text(name: string, ...from: readonly string[]): TableColumn {
  return { name, kind: 'text', from };
}

function expected(column: TableColumn): TableColumn {
  return { ...column, expected: true };
}

const SEQUENCE: TableColumn = { name: 'sequence', kind: 'integer', from: ['sekvens'], empty: 0 };
const VALUE = expected(text('value', 'vaerdi'));
const MEANING = text('meaning', 'vaerditekst');

function ofUnit(entity: string, name: string, columns: readonly TableColumn[]): RegisterTable {
  return table(entity, name, { key: ['unit_id'], columns: [UNIT, ...columns] });
}

const COMPANY = table('Virksomhed', 'company_row', {
  key: ['number'],
  columns: [
    { name: 'number', kind: 'bigint', from: ['cvrnummer', 'cvrnr'], required: true },
    { name: 'id', kind: 'id', from: ['id', 'cvrenhedsid', 'idlokalid'], required: true },
    expected(text('status', 'status', 'virksomhedsstatus')),
    {
      name: 'started_on',
      kind: 'date',
      from: ['virksomhedstartdato', 'virksomhedsstartdato', 'startdato'],
      expected: true,
    },
    {
      name: 'ended_on',
      kind: 'date',
      from: ['virksomhedophoersdato', 'virksomhedsophoersdato', 'ophoersdato'],
      ...{ expected: true, decides: true },
    },
  ],
});

function part(name: string, ...stems: readonly string[]): TableColumn {
  return text(name, ...stems.flatMap((stem) => [`cvradresse${stem}`, stem]));
}

const ADDRESS_PARTS: readonly TableColumn[] = [
  expected(part('road', 'vejnavn')),
  expected(part('house_from', 'husnummerfra')),
  part('letter_from', 'bogstavfra', 'bogstav'),
  part('house_to', 'husnummertil'),
  part('letter_to', 'bogstavtil'),
  part('floor', 'etagebetegnelse', 'etage'),
  part('door', 'doerbetegnelse', 'drbetegnelse', 'sidedoer'),
  part('town', 'supplerendebynavn'),
  expected(part('postcode', 'postnummer')),
  part('postcode_name', 'postdistrikt'),
  part('municipality', 'kommunekode'),
  part('free_text', 'adressefritekst'),
  text('address_id', 'adresse', 'adresseid', 'adresselokalid'),
];

const TABLES = [
  COMPANY,
  ofUnit('Navn', 'company_name', [SEQUENCE, VALUE]),
  ofUnit('Adressering', 'company_address', [
    expected(text('purpose', 'adresseringanvendelse', 'anvendelse')),
    ...ADDRESS_PARTS,
  ]),
  ofUnit('Branche', 'company_branch', [SEQUENCE, VALUE, MEANING]),
  ofUnit('Virksomhedsform', 'company_form', [VALUE, MEANING]),
  ofUnit('Reklamebeskyttelse', 'company_protection', [
    expected(text('value', 'vaerdi', 'reklamebeskyttelse', 'reklamebeskyttet')),
  ]),
] as const;

/**
 * The latest rows of a company: current ones, or the last to end. `list`: what is kept of each,
 * newest first.
 */
function last(from: string, list: string, order = 'c.valid_from desc'): string {
  return `
    select c.unit_id, json_agg(${list} order by ${order}, c.registered_from desc) as list,
      max(c.registered_from) as registered_from
    from (
      select c.*, o.is_over,
        rank() over (partition by c.unit_id order by coalesce(c.ended, 'infinity') desc) as place
      from ${from} c join owned o on o.id = c.unit_id) c
    where c.place = 1 and (c.ended is null or c.is_over)
    group by c.unit_id`;
}

const PARTS = ADDRESS_PARTS.map(({ name }) => `c.${name}`).join(', ');

/** Its last row, and the folded lists (folded.ts). */
const FOLD: Fold = {
  into: {
    ...{ entity: 'Virksomheder', register: 'CVR', table: 'company', key: ['number'] },
    columns: [
      { name: 'number', kind: 'bigint', from: [], required: true },
      { name: 'record', kind: 'text', from: [], required: true },
      { name: 'unresolved', kind: 'integer', from: [], required: true },
    ],
    indexes: [],
    former: null,
  },
  query: (name, isRead) => {
    const protection = isRead('company_protection') ? name('company_protection') : null;
    return `
    with latest as (
      select distinct on (number) * from ${name('company_row')}
      order by number, coalesce(ended, 'infinity') desc, valid_from desc, registered_from desc),
    owned as (select *, (ended is not null or ended_on <= current_date) as is_over from latest),
    named as (${last(name('company_name'), 'json_build_array(c.sequence, c.value)', 'c.sequence, c.valid_from desc')}),
    branched as (${last(name('company_branch'), 'json_build_array(c.sequence, c.value, c.meaning)', 'c.sequence, c.valid_from desc')}),
    formed as (${last(name('company_form'), 'json_build_array(c.value, c.meaning)')}),
    placed as (${last(name('company_address'), `json_build_array(c.purpose, ${PARTS})`)}),
    guarded as (${protection === null ? NOTHING : last(protection, 'c.value')})
    select o.number,
      json_build_array(o.status, o.started_on, coalesce(o.ended_on, o.ended), n.list, f.list, b.list, a.list,
        ${protection === null ? 'null' : `coalesce(p.list, '[]')`})::text,
      (n.list is null or f.list is null or a.list is null)::integer,
      greatest(o.registered_from, n.registered_from, f.registered_from, b.registered_from,
        a.registered_from, p.registered_from),
      o.valid_from
    from owned o
    left join named n on n.unit_id = o.id
    left join formed f on f.unit_id = o.id
    left join branched b on b.unit_id = o.id
    left join placed a on a.unit_id = o.id
    left join guarded p on p.unit_id = o.id`;
  },
  // Without Reklamebeskyttelse nothing is known of protection.
  needs: TABLES.flatMap(({ entity }) => (entity === 'Reklamebeskyttelse' ? [] : [entity])),
  // Form codes must be compared with their texts (D117), and the spelling of statuses is unknown.
  notes: (name) => `
    (select format('Virksomhedsform %s: %s, %s rows', f.value, f.meaning, count(*)) as note
      from ${name('company_form')} f where exists (select from ${name('company_row')} o where o.id = f.unit_id)
      group by f.value, f.meaning order by f.value, f.meaning limit 60)
    union all
    (select format('Virksomhed, status %s: %s rows', status, count(*)) from ${name('company_row')}
      group by status order by count(*) desc limit 20)
    union all
    (select format('Adressering, anvendelse %s: %s rows', purpose, count(*)) from ${name('company_address')}
      group by purpose order by count(*) desc limit 20)`,
  naming: 'Virksomhed',
  unresolved: 'unresolved',
  message:
    'Too many companies have no name, no form or no address: the tables are of different days.',
};

const NOTHING = `select null::text as unit_id, null::json as list, null::timestamptz as registered_from where false`;

export const COMPANY_SCHEMA: RegisterSchema = {
  tables: TABLES,
  fold: FOLD,
  references: null,
  isPersonal: true,
  counted: ['company'],
  beside: { sources: 'company_source', history: 'company_history', former: null },
};
