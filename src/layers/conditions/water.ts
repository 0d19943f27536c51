import type { Condition } from './condition.ts';
import { code, geoJsonFrom, number, text, day, link } from './condition.ts';
import { PORTAL_CREDIT, PORTAL_IN_FORCE, portal } from './nature.ts';

const HOST = {
  host: 'grukos',
  url: 'https://wfs2-miljoegis.mim.dk/grukos/ows',
  geometryProperty: 'wkb_geometry',
  keyProperty: 'id',
} as const;

const grukos = (type: string) => geoJsonFrom(HOST, `grukos:${type}`, { pageTimeoutMs: 300_000 });

const COMMON = {
  objectId: ['id'],
  inForce: { decides: [], begins: [], ends: [] },
  absence: 'outside',
  credit: 'Miljøstyrelsen/GRUKOS',
} as const;

export const WATER: readonly Condition[] = [
  {
    ...COMMON,
    key: 'drikkevandsinteresse',
    name: 'Drikkevandsinteresser (OSD og OD)',
    provision: 'Vandforsyningsloven § 11 a',
    source: grukos('drikkevandsinteresser'),
    minRows: 100,
    fields: [
      code('kategori', ['kategori'], {
        OSD: 'Område med særlige drikkevandsinteresser',
        OD: 'Område med drikkevandsinteresser',
      }),
      text('projekt', 'projektnavn'),
      number('aar_udpeget'),
    ],
    absenceText: 'Begrænsede drikkevandsinteresser.',
  },
  {
    key: 'bnbo',
    name: 'Boringsnært beskyttelsesområde',
    provision: 'Vandforsyningsloven § 11 a, miljøbeskyttelsesloven § 24',
    source: portal('status_bnbo'),
    minRows: 3_500,
    objectId: ['Objekt_id'],
    inForce: PORTAL_IN_FORCE,
    fields: [
      code('bnbo_status', ['Status_bnbo'], {
        0: 'Ikke gennemgået',
        1: 'Ingen erhvervsmæssig anvendelse af pesticider',
        2: 'Gennemgået, indsats ikke nødvendig',
        3: 'Gennemgået, indsats nødvendig',
        4: 'Frivillig aftale tilbudt',
        5: 'Indsats gennemført',
      }),
      text('anlaeg', 'Anlaegsnav'),
      text('anlaeg_id', 'Anlaegid'),
      text('dgu_nr', 'Dgunr'),
      day('status_aendret', 'Datoaend'),
    ],
    absence: 'outside',
    absenceText: 'Uden for registrerede BNBO. Private brønde har ingen.',
    credit: PORTAL_CREDIT,
  },
  {
    ...COMMON,
    key: 'indsatsomraade',
    name: 'Indsatsområde',
    provision: 'Vandforsyningsloven § 11 a',
    source: grukos('indsatsomraader'),
    minRows: 100,
    fields: [text('kategori'), text('projekt', 'projektnavn'), number('aar_udpeget')],
    absenceText: 'Uden for indsatsområder.',
  },
  {
    ...COMMON,
    key: 'indvindingsopland',
    name: 'Indvindingsopland',
    provision: 'Vandforsyningsloven § 11 a',
    source: grukos('indvindingsoplande_alle'),
    minRows: 500,
    fields: [text('anlaeg', 'anl_navn'), text('anlaeg_id', 'anl_id'), number('aar_udpeget')],
    absenceText: 'Uden for registrerede indvindingsoplande.',
  },
  {
    key: 'indsatsplan',
    name: 'Vedtaget indsatsplan',
    provision: 'Vandforsyningsloven §§ 13 og 13 a',
    source: portal('indsatsplaner'),
    minRows: 100,
    objectId: ['Objekt_id'],
    inForce: PORTAL_IN_FORCE,
    fields: [
      code('hjemmel', ['Plan_para_ve'], { 1: '§ 13', 2: '§ 13 a', 3: '§ 13 og § 13 a' }),
      text('navn', 'Objektnavn', 'Plannavn'),
      link('dokument', 'Link'),
    ],
    absence: 'outside',
    absenceText: 'Ingen vedtaget indsatsplan.',
    credit: PORTAL_CREDIT,
  },
];
