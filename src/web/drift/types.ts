/** What the operator's routes answer, as far as the page shows it: the document says the rest. */

export type LayerState = 'frisk' | 'forsinket' | 'fejlet' | 'mangler';

/** A fresh copy that a person holds back is shown as a state of its own. */
export type ShownState = LayerState | 'holdt';

export type RunState = 'koerer' | 'udgivet' | 'uaendret' | 'afvist' | 'fejlet';

export interface Guard {
  readonly vaern: string;
  readonly tekst: string;
  /** The same in English, as it was recorded. */
  readonly text: string;
  /** What it compared; the Danish sentence has them in it. */
  readonly tal: readonly { readonly navn: string; readonly vaerdi: number }[];
  readonly kan_frigives: boolean;
}

export interface Run {
  readonly id: string;
  readonly slags: string;
  readonly udloeser: string;
  readonly tilstand: RunState;
  readonly fase: string;
  readonly startet: string;
  readonly varighed_ms: number | null;
  readonly tal: Readonly<
    Record<
      'annonceret' | 'raekker' | 'nye' | 'aendrede' | 'fjernede' | 'modtaget' | 'sider' | 'bytes',
      number | null
    >
  >;
  readonly afvist_af: readonly Guard[];
  readonly fejl: string | null;
  readonly frigivet: readonly string[];
  readonly bedt_af: string | null;
}

export interface RunWithIssues extends Run {
  readonly problemer: number;
  readonly eksempler: readonly { readonly art: string }[];
}

/** A feature that the published version could not read. */
export interface Unread {
  readonly noegle: string | null;
  readonly grund: string;
  readonly kasse: readonly number[] | null;
  readonly raa: string | null;
}

export interface RunPage {
  readonly ulaeste: readonly Unread[];
  readonly koersler: readonly RunWithIssues[];
  readonly naeste: string | null;
}

/** A run that has ended, and what it led to; null: not on record. */
export interface EndedRun {
  readonly id: string;
  readonly slags: string;
  readonly tilstand: Exclude<RunState, 'koerer'>;
  readonly sluttet: string;
  readonly varighed_ms: number;
  readonly synket: string | null;
  readonly version: number | null;
  readonly antal: number | null;
  readonly areal_m2: number | null;
  readonly afvist_af: readonly string[];
  readonly frigivet: readonly string[];
  readonly bedt_af: string | null;
}

/** A version whose content is kept. */
export interface KnownVersion {
  readonly version: number;
  readonly udgivet: string;
}

export interface History {
  readonly fra: string;
  readonly til: string;
  readonly frist_s: number;
  readonly yderste_frist_s: number;
  readonly synket_foer: string | null;
  readonly koersler: readonly EndedRun[];
  readonly versioner: readonly EndedRun[];
  readonly kan_sammenlignes: readonly KnownVersion[];
}

export type DifferenceKind = 'nye' | 'fjernede' | 'flyttede' | 'aendrede';

/** As GeoJSON has it, in metres of EPSG:25832. */
export interface MetricShape {
  readonly type: string;
  readonly coordinates: unknown;
}

export interface ChangedFeature {
  readonly noegle: string;
  readonly objekt_id: string;
  readonly art: DifferenceKind;
  readonly foer: MetricShape | null;
  readonly efter: MetricShape | null;
}

export interface Difference {
  readonly fra: KnownVersion;
  readonly til: KnownVersion;
  readonly tal: Readonly<Record<DifferenceKind, number>>;
  readonly objekter: readonly ChangedFeature[];
}

export interface Day {
  readonly dag: string;
  /** null: nothing is on record. */
  readonly kontrol: Readonly<
    Record<'sammenlignet' | 'afvigelser' | 'alarmer' | 'sprunget_over', number>
  > | null;
  readonly job: Readonly<
    Record<'faerdige' | 'fejlede' | 'annullerede' | 'raekker' | 'raekker_med_fejl', number>
  >;
}

export interface Layer {
  readonly lag: string;
  readonly navn: string;
  readonly vaert: string;
  readonly noegle_mangler: boolean;
  readonly tilstand: LayerState;
  readonly svarer: boolean;
  readonly synket: string | null;
  readonly udgivet: string | null;
  readonly alder_s: number | null;
  readonly frist_s: number;
  readonly yderste_frist_s: number;
  readonly data_alder_s: number | null;
  readonly data_frist_s: number;
  readonly antal: number | null;
  readonly areal_m2: number | null;
  readonly ulaeste: number | null;
  readonly version: number | null;
  readonly generation: number | null;
  readonly kan_fortrydes: boolean;
  readonly daekning: { readonly navn: string; readonly kommuner: readonly string[] | null } | null;
  readonly holdt: { readonly siden: string; readonly af: string } | null;
  readonly koerer: {
    readonly koersel: Run;
    readonly livstegn: string;
    readonly tavs: boolean;
  } | null;
  readonly seneste_gode: Run | null;
  readonly afvisning: { readonly staar: boolean; readonly koersel: Run } | null;
  readonly fejl: Run | null;
  readonly koersler: readonly Run[];
  readonly svar: Readonly<Record<string, number>>;
  readonly registerfejl: Readonly<Record<string, number>>;
  readonly seneste_noedsvar: { readonly fra: string; readonly tidspunkt: string } | null;
}

export interface Abilities {
  readonly synke: boolean;
  readonly fortryde: boolean;
  readonly snapshot: boolean;
}

export interface Host {
  readonly vaert: string;
  readonly afbryder: 'lukket' | 'halvaaben' | 'aaben';
  readonly i_gang: number;
  readonly i_koe: number;
}

export interface Memory {
  readonly lag: readonly string[];
  readonly bytes: number;
  readonly trukket_tilbage: readonly string[];
  readonly kontrol: { readonly sammenlignet: number; readonly afvigelser: number } | null;
}

export interface JobView {
  readonly aabne: number;
  readonly ventende_raekker: number;
  readonly stille_s: number | null;
  readonly her: object | null;
}

export interface WebhookView {
  readonly modtagere: number;
  readonly modtagere_med_fejl: number;
  readonly venter: number;
  readonly aeldste_s: number | null;
  readonly her: object | null;
}

export interface OperatorAction {
  readonly tidspunkt: string;
  readonly lag: string;
  readonly handling: string;
  readonly vaern: readonly string[];
  readonly af: string;
}

export interface RequestThread {
  readonly nummer: number;
  readonly forespoergsler: number;
  readonly forsinkelse_ms: number;
  readonly bytes: number;
}

export interface SyncLeader {
  readonly hvem: string;
  readonly siden: string;
  readonly leder: boolean;
}

export interface Board {
  readonly tidspunkt: string;
  readonly generation: number;
  readonly lager: { readonly svarer: boolean; readonly alder_s: number };
  readonly synk_leder: SyncLeader | null;
  readonly kan: Abilities;
  readonly vaerter: readonly Host[];
  readonly hukommelse: Memory | null;
  readonly traade: readonly RequestThread[];
  readonly job: JobView | null;
  readonly webhooks: WebhookView | null;
  readonly handlinger: readonly OperatorAction[];
  readonly lag: readonly Layer[];
}

interface Named {
  readonly kode: string | null;
  readonly navn: string | null;
}

export interface Change {
  readonly id: string;
  readonly lag: string;
  readonly tidspunkt: string;
  readonly tilstand: 'forberedt' | 'ventes' | 'modsagt' | 'overskredet' | 'udfoert';
  readonly ophoerer: readonly Named[];
  readonly begynder: readonly Named[];
  readonly aendres: readonly {
    readonly kode: string;
    readonly navn: string;
    readonly nyt_navn: string;
  }[];
  readonly modsigelser: readonly {
    readonly art: 'fortsaetter' | 'ikke_varslet' | 'ukendt' | 'findes';
    readonly kode: string;
  }[];
  readonly beregnet: {
    readonly vaern: readonly string[];
    readonly tal: Readonly<
      Record<
        | 'nye'
        | 'aendrede'
        | 'fjernede'
        | 'areal_foer_m2'
        | 'kanariepunkter'
        | 'kanariepunkter_aendret',
        number
      >
    > & { readonly adresser: number | null };
  } | null;
  readonly kraever_godkendelse: boolean;
  readonly godkendt: { readonly af: string; readonly bemaerkning: string | null } | null;
  readonly udfoert: { readonly tidspunkt: string } | null;
}

export interface Changes {
  readonly tidspunkt: string;
  readonly varsler: readonly Change[];
}
