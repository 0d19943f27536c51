/**
 * A kind of job: from row to question, the lookup (the routes' own), and how answers are written.
 * Pure, so that threads can use it.
 */
import type { Area } from '../../account/permissions.ts';
import type { Point } from '../../geo/point.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { Nearest, Cleansed, WrittenAddress } from '../../registers/addresses/addresses.ts';
import type { LayerId } from '../../layers/keys.ts';
import type { Addresses } from '../../registers/addresses/lookup.ts';
import type { BuildingLinesAnswer, ReverseAreasAnswer } from '../../answers/answer.ts';
import type { BuildingLines } from '../../registers/lines/lookup.ts';
import type { Properties } from '../../registers/property/lookup.ts';
import type { ReverseAreas } from '../../registers/areas/reverse.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { LineLabels } from '../../registers/lines/answer.ts';
import type { FindAccess, RowReader } from './row-reader.ts';

export interface Engines {
  readonly findAccess: FindAccess;
  areas(point: Point): ReverseAreasAnswer | Failure;
  lines(point: Point): BuildingLinesAnswer;
  nearest(point: Point): Nearest | Failure;
  cleanse(written: WrittenAddress): Cleansed;
}

export interface Lookups {
  readonly buildingLines: BuildingLines | null;
  readonly reverseAreas: ReverseAreas;
  readonly addresses?: Addresses;
  /** Absent: properties are not set up. */
  readonly properties?: Properties;
}

export interface KindLabels {
  readonly lines: LineLabels;
  /** `meta` as JSON. */
  readonly areaMeta: string;
  readonly addressMeta: string;
  /** Of the addresses; null: the country. */
  readonly addressCoverage: Pick<Coverage, 'name'> | null;
}

export interface SlowAnswers<A> {
  /** The data generation that answered (D19). */
  readonly generation: number;
  readonly value: readonly (A | Failure)[];
}

export type ColumnTypes = Readonly<Partial<Record<string, 'number' | 'boolean'>>>;

export interface RowKind<Q, A> {
  readonly columns: readonly string[];
  readonly types: ColumnTypes;
  /** Whether its answers have a position, for GeoJSON (D73). */
  readonly hasPlace: boolean;
  /** Throws the Failure that is the row's error. */
  question(row: RowReader, findAccess: FindAccess): Q;
  ask(engines: Engines, question: Q): A | Failure;
  askAll(lookups: Lookups, questions: readonly Q[], deadline: Deadline): Promise<SlowAnswers<A>>;
  writeCsv(out: JsonWriter, answer: A, question: Q): void;
  writeJson(out: JsonWriter, answer: A, question: Q): void;
  /** A GeoJSON geometry, or null. */
  writePlace(out: JsonWriter, answer: A, question: Q): void;
}

export interface KindNeeds {
  /** All must be fresh; the job's generation is theirs. */
  readonly layers: readonly LayerId[];
  /**
   * `beside`: only for rows that name an access address; without layers, the lookups answer every
   * row.
   */
  readonly addresses: 'needed' | 'beside';
}

export interface JobKind<Q, A> {
  /** The area of its lookups: a job does not bypass a key's permissions (D64). */
  readonly area: Area;
  readonly needs: KindNeeds;
  rows(labels: KindLabels): RowKind<Q, A>;
}

/** Any kind: what one of its methods returns only goes to its other methods. */
export type AnyKind = RowKind<unknown, unknown>;
