import type { TSchema } from 'typebox';
import type { Coverage } from './coverage.ts';
import type { RegisterId } from './keys.ts';
import type { RegisterSchema } from './register-tables.ts';
import type { FeatureTableSource, Freshness, TableSource } from './source.ts';

export interface TableGuards {
  readonly minRows: number;
  /** Largest net loss and gain of rows in one run, as shares of the copy. */
  readonly maxDropShare: number;
  readonly maxGrowthShare: number;
  /** Share of the copy's rows that one run may change or remove, and a floor in rows. */
  readonly maxChangeShare: number;
  readonly changeFloorRows: number;
  readonly maxIssueShare: number;
  /** A share of rows in force. */
  readonly maxDanglingShare: number;
}

export interface MirroredTable {
  /** null: not mirrored; what depends on it is left open. */
  readonly source: TableSource | FeatureTableSource | null;
  readonly guards: TableGuards;
}

export interface LocatedRows {
  readonly table: string;
  /** Its column that refers to a row of `points`, a table with `id` and `geom`. */
  readonly point: string;
  readonly points: string;
  readonly inForce: readonly number[];
}

export interface OwnSetting {
  readonly value: unknown;
  readonly schema: TSchema;
  readonly isReplacedWhole: boolean;
}

export type CopyTrouble = 'tooOld' | 'unreadable';

export interface TableRegister {
  readonly id: RegisterId;
  readonly register: string;
  readonly name: string;
  readonly called: readonly [en: string, da: string];
  readonly freshness: Freshness;
  /** Answered with 502; any other with 503 and Retry-After (D45, D149). */
  readonly with502?: readonly CopyTrouble[];
  readonly coverage?: Coverage | null;
  readonly schema: RegisterSchema;
  /** A change of areas reports how many it affects; absent: none have a position. */
  readonly located?: LocatedRows;
  readonly own?: Readonly<Record<string, OwnSetting>>;
  readonly tables: Readonly<Record<string, MirroredTable>>;
}

export interface RegisterOverride {
  readonly freshness?: Partial<Freshness>;
  readonly coverage?: Coverage | null;
  readonly files?: Partial<TableSource> | Partial<FeatureTableSource>;
  readonly guards?: Partial<TableGuards>;
  /** In addition. A source of null: not mirrored. */
  readonly tables?: Readonly<Partial<Record<string, TableOverride>>>;
  readonly [own: string]: unknown;
}

export interface TableOverride {
  readonly source?: Partial<TableSource> | Partial<FeatureTableSource> | null;
  readonly guards?: Partial<TableGuards>;
}

export function overrideRegister(base: TableRegister, override: RegisterOverride): TableRegister {
  const { freshness, coverage, files, guards, tables = {} } = override;
  const overridden = Object.entries(base.tables).map(([entity, table]) => {
    const own = tables[entity];
    const isLeftOut = table.source === null || own?.source === null;
    // Partial replacements are checked against the definition's kind.
    const source = isLeftOut
      ? null
      : ({ ...table.source, ...files, ...own?.source } as MirroredTable['source']);
    return [entity, { source, guards: { ...table.guards, ...guards, ...own?.guards } }] as const;
  });
  return {
    ...base,
    freshness: { ...base.freshness, ...freshness },
    ...(coverage !== undefined && { coverage }),
    ...(base.own !== undefined && { own: overrideOwn(base.own, override) }),
    tables: Object.fromEntries(overridden),
  };
}

function overrideOwn(
  own: Readonly<Record<string, OwnSetting>>,
  override: RegisterOverride,
): Readonly<Record<string, OwnSetting>> {
  const settings = Object.entries(own).map(([name, setting]) => {
    const change = override[name];
    if (change === undefined) return [name, setting];
    const value = setting.isReplacedWhole
      ? change
      : { ...(setting.value as object), ...(change as object) };
    return [name, { ...setting, value }];
  });
  return Object.fromEntries(settings) as Readonly<Record<string, OwnSetting>>;
}

/** The value in force; its schema defines what an override may set. */
export function ownSetting({ id, own = {} }: TableRegister, name: string): unknown {
  const setting = own[name];
  if (setting === undefined) throw new Error(`${id} has no setting ${name}.`);
  return setting.value;
}
