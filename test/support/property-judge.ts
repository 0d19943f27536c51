/**
 * The property record by plain SQL over the raw rows of BBR, written from the register's mapping tables
 * alone: a judge of the service's own statement and rendering, with which it shares nothing. Addresses
 * and cadastre are away in it: their part of a record is judged elsewhere.
 */
import { readFileSync } from 'node:fs';
import { RAW_ENTITIES } from './bbr-raw.ts';
import type { RawEntity } from './bbr-raw.ts';
import type { TestStore } from './store.ts';

const STATUS: Readonly<Partial<Record<RawEntity, number>>> = {
  Ejendomsrelation: 7,
  Grund: 7,
  Bygning: 6,
  Etage: 6,
  Opgang: 6,
  Enhed: 6,
  TekniskAnlaeg: 6,
};

/** Code lists, and what the statement below calls. */
export async function openJudge(
  { pool }: Pick<TestStore, 'pool'>,
  lists: Readonly<Record<string, { readonly codes: Readonly<Record<string, string>> }>>,
): Promise<void> {
  await pool.query(
    'create table kodeliste (liste text, kode text, tekst text, primary key (liste, kode))',
  );
  const codes = Object.entries(lists).flatMap(([list, { codes: texts }]) =>
    Object.entries(texts).map(([code, text]) => [list, code, text.replace(/^\(UDFASES\)\s*/, '')]),
  );
  await pool.query(
    'insert into kodeliste select * from unnest($1::text[], $2::text[], $3::text[])',
    [0, 1, 2].map((i) => codes.map((row) => row[i])),
  );
  await pool.query(`
    create function kodefelt(l text, k text) returns jsonb language sql stable as $$
      select case when k is null then null else jsonb_build_object('kode', k, 'tekst',
        coalesce((select tekst from kodeliste where liste = l and kode = k), 'Ukendt kode')) end $$`);
  // Midnight of an October before 1996 has the hour of summer in the register, which was over by then.
  await pool.query(`
    create function dansk_dato(t text) returns text language sql stable as $$
      select to_char(l + case when l::time = '23:00' then interval '1 hour' else '0' end, 'YYYY-MM-DD')
      from (select t::timestamptz at time zone 'Europe/Copenhagen') d (l) $$`);
  await pool.query(`
    create function metre(t text, n int) returns numeric language sql immutable as $$
      select trim_scale(round((regexp_match(t, '\\((\\S+) (\\S+)\\)'))[n]::numeric, 2)) $$`);
  await pool.query(`
    create function tal(t text) returns numeric language sql immutable as $$
      select trim_scale(t::numeric) $$`);
}

/** Tables of what is in force at an instant: section 4. */
export async function judgeAt({ pool }: Pick<TestStore, 'pool'>, instant: string): Promise<void> {
  for (const entity of RAW_ENTITIES) {
    const name = entity.toLowerCase();
    const status = STATUS[entity];
    await pool.query(`drop table if exists o_${name}`);
    await pool.query(`
      create table o_${name} as select * from raw_${name}
      where registreringtil is null and virkningfra::timestamptz <= '${instant}'
        and (virkningtil is null or virkningtil::timestamptz > '${instant}')
        ${status === undefined ? '' : `and status = '${status}'`}`);
    await pool.query(`create index on o_${name} (id_lokalid)`);
    await pool.query(`analyze o_${name}`);
  }
}

const code = (list: string, field: string) => `kodefelt('${list}', ${field})`;

/** Section 7: the same members, of a building and of a ground. */
const drainage = (of: string, [first, ...rest]: readonly string[]) => {
  const [a, b, c, d, e, f, g] = rest;
  return `
    'afloebsforhold', ${code('Afloebsforhold', `${of}.${first}`)},
    'medlemskab_spildevandsforsyning', ${code('MedlemsskabAfSplidevandforsyning', `${of}.${a}`)},
    'paabud', ${code('Rensningspaabud', `${of}.${b}`)},
    'paabud_frist', dansk_dato(${of}.${c}),
    'tilladelse_udtraeden', ${code('TilladelseTilUdtraeden', `${of}.${d}`)},
    'tilladelse_udtraeden_dato', dansk_dato(${of}.${e}),
    'tilladelse_alternativ_afledning',
      ${code('TilladelseTilAlternativBortskaffelseEllerAfledning', `${of}.${f}`)},
    'tilladelse_alternativ_afledning_dato', dansk_dato(${of}.${g})`;
};

const point = (field: string) =>
  `case when ${field} like 'POINT%' and ${field} not like '%EMPTY%' then ST_GeomFromText(${field}, 25832) end`;

/** Sections 3 and 6: which building holds which unit, and what belongs to which number. */
const OWNED = `
  ejd as materialized (
    select id_lokalid as id, bfenummer::bigint as bfe, kommunekode, case
      when ejendomstype in ('SFE', '1') then 'sfe'
      when ejendomstype in ('BPFG', '2') then 'bpfg' else 'flat' end as slags
    from o_ejendomsrelation where bfenummer is not null),
  sted as materialized (
    select u.id_lokalid as enhed, coalesce(u.bygning,
      (select e.bygning from o_etage e where e.id_lokalid = u.etage),
      (select g.bygning from o_opgang g where g.id_lokalid = u.opgang)) as bygning
    from o_enhed u),
  egen_grund as materialized (
    select p.bfe, g.id_lokalid as grund from ejd p join o_grund g on g.bestemtfastejendom = p.id),
  egen_enhed as materialized (
    select p.bfe, s.enhed, s.bygning from ejd p
    join o_enhedejendomsrelation r on r.ejerlejlighed = p.id join sted s on s.enhed = r.enhed
    union
    select p.bfe, s.enhed, s.bygning from ejd p
    join o_enhed u on u.ejerlejlighed = p.id join sted s on s.enhed = u.id_lokalid),
  byg as materialized (
    select distinct bfe, slags, id from (
      select g.bfe, 'sfe' as slags, b.id_lokalid as id
      from egen_grund g join o_bygning b on b.grund = g.grund
      union all
      select p.bfe, 'bpfg', b.id_lokalid from ejd p
      join o_bygningejendomsrelation r on r.bygningpaafremmedgrund = p.id
      join o_bygning b on b.id_lokalid = r.bygning
      union all
      select e.bfe, 'flat', b.id_lokalid
      from egen_enhed e join o_bygning b on b.id_lokalid = e.bygning) x),
  enh as materialized (
    select b.bfe, b.id as bygning, s.enhed from byg b join sted s on s.bygning = b.id
    where b.slags <> 'flat'
    union
    select b.bfe, b.id, e.enhed from byg b
    join egen_enhed e on e.bfe = b.bfe and e.bygning = b.id where b.slags = 'flat'),
  grunde as materialized (
    select bfe, grund from egen_grund
    union
    select b.bfe, o.grund from byg b join o_bygning o on o.id_lokalid = b.id
    join o_grund g on g.id_lokalid = o.grund where b.slags <> 'sfe'),
  valgt as materialized (
    select distinct on (bfe) bfe, grund from (
      select g.bfe, g.grund, (
        select count(*) from byg b join o_bygning o on o.id_lokalid = b.id
        where b.bfe = g.bfe and o.grund = g.grund) as antal from grunde g) x
    order by bfe, antal desc, grund)`;

/** Section 8. */
const FLOORS = `
  etg as materialized (
    select bygning, jsonb_build_object(
      'registreringer', coalesce(jsonb_agg(jsonb_build_object(
        'id', id_lokalid, 'betegnelse', eta006, 'type', ${code('EtageType', 'eta025')},
        'areal_m2', tal(eta020), 'udnyttet_tagetage_m2', tal(eta021),
        'kaelder_lavloftet_m2', tal(eta022), 'beboelse_i_kaelder_m2', tal(eta023))
        order by case when eta006 = 'kl' then -10 when eta006 ~ '^k[0-9]$'
            then -10 + substr(eta006, 2)::int when eta006 = 'st' then 0
            when eta006 ~ '^[0-9]+$' then eta006::int when eta006 is null then 2000 else 1000 end,
          coalesce(eta006, '') collate "C", id_lokalid) filter (where registrerer), '[]'),
      'kaelder_m2', tal((sum(eta020::int) filter (where registrerer
        and (eta025 = '2' or eta006 ~ '^k(l|[0-9])$')))::text),
      'kaelder_lavloftet_m2', tal((sum(eta022::int) filter (where registrerer))::text),
      'udnyttet_tagetage_m2', tal((sum(eta021::int) filter (where registrerer))::text),
      'beboelse_i_kaelder_m2', tal((sum(eta023::int) filter (where registrerer))::text)) as etager
    from (select *, coalesce(eta025, '') <> '0' or coalesce(eta020, '0')::int <> 0
      or coalesce(eta021, '0')::int <> 0 or coalesce(eta022, '0')::int <> 0
      or coalesce(eta023, '0')::int <> 0 as registrerer from o_etage) e group by bygning)`;

const UNITS = `
  enheder as (
    select e.bfe, e.bygning, jsonb_agg(jsonb_build_object(
      'id', u.id_lokalid, 'anvendelse', ${code('EnhAnvendelse', 'u.enh020')},
      'areal', jsonb_build_object('samlet_m2', tal(u.enh026)), 'antal_vaerelser', tal(u.enh031),
      'varme', jsonb_build_object('installation', ${code('Varmeinstallation', 'u.enh051')},
        'opvarmningsmiddel', ${code('Opvarmningsmiddel', 'u.enh052')}),
      'etage', case when f.id_lokalid is null then null else jsonb_build_object(
        'betegnelse', f.eta006, 'type', ${code('EtageType', 'f.eta025')}) end,
      'adresse', u.adresseidentificerer) order by u.id_lokalid) as enheder
    from enh e join o_enhed u on u.id_lokalid = e.enhed
    left join o_etage f on f.id_lokalid = u.etage group by e.bfe, e.bygning)`;

const AREA = `coalesce(o.byg038::int, 0)`;

const BUILDINGS = `
  bygninger as (
    select b.bfe, count(*) as antal, jsonb_agg(jsonb_build_object(
      'id', o.id_lokalid, 'type', 'bygning', 'bygningsnummer', tal(o.byg007),
      'anvendelse', ${code('BygAnvendelse', 'o.byg021')},
      'opfoerelsesaar', tal(o.byg026), 'om_tilbygningsaar', tal(o.byg027),
      'antal_etager', tal(o.byg054), 'afvigende_etager', ${code('AfvigendeEtager', 'o.byg055')},
      'areal', jsonb_build_object('bebygget_m2', tal(o.byg041),
        'samlet_bygningsareal_m2', tal(o.byg038), 'samlet_boligareal_m2', tal(o.byg039),
        'samlet_erhvervsareal_m2', tal(o.byg040)),
      'materialer', jsonb_build_object(
        'ydervaeg', ${code('YdervaeggenesMateriale', 'o.byg032')},
        'ydervaeg_supplerende', ${code('YdervaeggenesMateriale', 'o.byg034')},
        'tag', ${code('Tagdaekningsmateriale', 'o.byg033')},
        'tag_supplerende', ${code('Tagdaekningsmateriale', 'o.byg035')}),
      'varme', jsonb_build_object('installation', ${code('Varmeinstallation', 'o.byg056')},
        'opvarmningsmiddel', ${code('Opvarmningsmiddel', 'o.byg057')},
        'supplerende', ${code('SupplerendeVarme', 'o.byg058')}),
      'asbest', ${code('AsbestholdigtMateriale', 'o.byg036')},
      'afloeb', jsonb_build_object(${drainage('o', ['byg031', 'byg123', 'byg124', 'byg125', 'byg126', 'byg127', 'byg128', 'byg129'])}),
      'geometri', case when o.p is null then null else jsonb_build_object('type', 'Point',
        'coordinates', jsonb_build_array(ST_X(ST_Transform(o.p, 4326)), ST_Y(ST_Transform(o.p, 4326))),
        'epsg25832', jsonb_build_array(metre(o.byg404, 1),
          metre(o.byg404, 2))) end,
      'kommunekode', o.kommunekode, 'fredning', null,
      'etager', coalesce(f.etager, jsonb_build_object('registreringer', '[]'::jsonb,
        'kaelder_m2', null, 'kaelder_lavloftet_m2', null, 'udnyttet_tagetage_m2', null,
        'beboelse_i_kaelder_m2', null)),
      'enheder', coalesce(u.enheder, '[]')) order by o.byg007::int, o.id_lokalid) as bygninger,
      (array_agg(o.plads order by o.rang, o.areal desc, o.plads))[1] as hoved
    from byg b
    join lateral (
      select o.*, ${AREA} as areal, ${point('o.byg404')} as p,
        case when o.byg021::int between 110 and 199 then 1
          when o.byg021 !~ '^9..$' then 2 else 3 end as rang_,
        (select count(*) from byg c join o_bygning n on n.id_lokalid = c.id
          where c.bfe = b.bfe and (n.byg007::int, n.id_lokalid) < (o.byg007::int, o.id_lokalid)) as plads
      from o_bygning o where o.id_lokalid = b.id) x on true
    cross join lateral (select x.*, x.rang_ as rang) o
    left join etg f on f.bygning = b.id
    left join enheder u on u.bygning = b.id and u.bfe = b.bfe
    group by b.bfe)`;

const registered = (field: string) => `nullif(tal(${field}), 0)`;
const isReal = (field: string) => `coalesce(${field}, '0') <> '0'`;
const TANK_FIELDS =
  'tek034 tek068 tek033 tek026 tek027 tek028 tek069 tek032 tek036 tek072 tek067 tek035 tek030 tek031 tek070 tek105 tek106 tek111';

const FACILITIES = `
  tek_af as (
    select g.bfe, t.id_lokalid as id from egen_grund g join o_tekniskanlaeg t on t.grund = g.grund
    union
    select b.bfe, t.id_lokalid from byg b join o_tekniskanlaeg t on t.bygning = b.id
    where b.slags <> 'flat'
    union
    select e.bfe, t.id_lokalid from enh e join o_tekniskanlaeg t on t.enhed = e.enhed
    union
    select p.bfe, t.id_lokalid from ejd p
    join o_tekniskanlaeg t on t.bygningpaafremmedgrund = p.id or t.ejerlejlighed = p.id
    union
    select b.bfe, t.id_lokalid from byg b
    join o_bygningejendomsrelation r on r.bygning = b.id
    join o_tekniskanlaeg t on t.bygningpaafremmedgrund = r.bygningpaafremmedgrund
    where b.slags = 'sfe'),
  anlaeg as (
    select a.bfe, jsonb_agg(jsonb_build_object(
      'id', t.id_lokalid, 'klassifikation', ${code('Klassifikation', 't.tek020')},
      'anlaegsnummer', tal(t.tek007), 'bygning_id', t.bygning,
      'etableringsaar', ${registered('t.tek024')}, 'ombygningsaar', ${registered('t.tek025')},
      'driftstatus', ${code('Driftstatus', 't.tek110')}, 'areal_m2', ${registered('t.tek037')},
      'hoejde_m', ${registered('t.tek038')}, 'rotordiameter_m', ${registered('t.tek075')},
      'punkt', case when t.p is null then null else jsonb_build_array(
        metre(t.tek109, 1), metre(t.tek109, 2)) end,
      'tank', case when ${TANK_FIELDS.split(' ').map(isReal).join(' or ')} then jsonb_build_object(
        'indhold', ${code('Indhold', 't.tek034')}, 'materiale', ${code('Materiale', 't.tek068')},
        'type', ${code('TypeAfVaegge', 't.tek033')},
        'stoerrelsesklasse', ${code('Stoerrelsesklasse', 't.tek026')},
        'placering', ${code('Placering', 't.tek027')}, 'sloejfning', ${code('Sloejfning', 't.tek028')},
        'korrosionsbeskyttelse',
          ${code('SupplerendeIndvendigKorrosionsbeskyttelse', 't.tek069')},
        'stoerrelse', tal(t.tek032), 'rumfang', ${registered('t.tek036')},
        'sloejfningsaar', ${registered('t.tek072')}, 'fabrikationsaar', ${registered('t.tek067')},
        'sloejfningsfrist', dansk_dato(t.tek035), 'fabrikationsnummer', t.tek030,
        'typegodkendelsesnummer', t.tek031, 'korrosionsbeskyttelse_dato', dansk_dato(t.tek070),
        'overdaekning', t.tek105, 'inspektionsdato', dansk_dato(t.tek106),
        'seneste_inspektion', dansk_dato(t.tek111)) end)
      order by t.tek020::int, t.tek007::int, t.id_lokalid) as anlaeg
    from tek_af a join lateral (
      select t.*, ${point('t.tek109')} as p from o_tekniskanlaeg t where t.id_lokalid = a.id) t on true
    group by a.bfe)`;

export const JUDGE = `
  with ${[OWNED, FLOORS, UNITS, BUILDINGS, FACILITIES].join(',')}
  select p.bfe, jsonb_build_object(
    'type', 'ejendom', 'bfe_nummer', p.bfe, 'grund_id', g.id_lokalid,
    'kommunekode', coalesce(g.kommunekode, p.kommunekode),
    'antal_bygninger', coalesce(b.antal, 0), 'hovedbygning_index', b.hoved,
    'bygninger', coalesce(b.bygninger, '[]'), 'tekniske_anlaeg', coalesce(a.anlaeg, '[]'),
    'parceller', (select count(distinct coalesce(r.jordstykke, r.id_lokalid)) from o_grundjordstykke r
      where r.grund in (select grund from grunde x where x.bfe = p.bfe)))
    || case when g.id_lokalid is null or p.slags = 'bpfg' then '{}' else
      jsonb_build_object('grund_afloeb', jsonb_build_object(
        ${drainage('g', ['gru010', 'gru022', 'gru023', 'gru024', 'gru025', 'gru026', 'gru027', 'gru028'])},
        'udledningstilladelse', ${code('Udledningstilladelse', 'g.gru021')})) end as record
  from ejd p left join valgt v on v.bfe = p.bfe left join o_grund g on g.id_lokalid = v.grund
  left join bygninger b on b.bfe = p.bfe left join anlaeg a on a.bfe = p.bfe`;

/** The register's lists as they were gathered, not as the project keeps them. */
export function readLists(path: string) {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<
    string,
    { readonly codes: Readonly<Record<string, string>> }
  >;
}
