/**
 * Each layer as the sample holds it: least rows, format, and the feature type's schema: names and types as the registers
 * publish them, from the head of its file (those not known from the WFS itself follow the pattern of their neighbours).
 */
import { join } from 'node:path';
import { isAreaId } from '../../src/layers/keys.ts';
import type { AreaId, LayerId, LineKey } from '../../src/layers/keys.ts';
import { remember } from '../../src/kernel/remember.ts';
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import { conditionOf, isConditionId } from '../../src/layers/conditions/index.ts';
import type { FileSource } from '../../src/layers/source.ts';
import type { AttributeType, Schema } from './feature.ts';
import { csvFile } from './read-csv.ts';

interface SampleLayer {
  /** A little under what the sample mirrors. */
  readonly minRows: number;
  /** Areas mirrored from files, every format among them; the others keep to the WFS. */
  readonly file?: FileSource['format'];
}

export const SAMPLE_LAYERS: Readonly<Record<LineKey | AreaId, SampleLayer>> = {
  region: { minRows: 2, file: 'json' },
  kommune: { minRows: 6, file: 'gpkg' },
  sogn: { minRows: 15, file: 'gml' },
  retskreds: { minRows: 3 },
  politikreds: { minRows: 2 },
  opstillingskreds: { minRows: 4 },
  postnummer: { minRows: 6, file: 'gpkg' },
  afstemningsomraade: { minRows: 9, file: 'json' },
  menighedsraadsafstemningsomraade: { minRows: 15, file: 'gpkg' },
  strandbeskyttelse: { minRows: 200 },
  klitfredning: { minRows: 30 },
  soe: { minRows: 40 },
  aa: { minRows: 15 },
  skov: { minRows: 60 },
  kirke: { minRows: 10 },
  fortidsminde: { minRows: 150 },
  dige: { minRows: 200 },
  natur: { minRows: 300 },
  vandloeb: { minRows: 50 },
};

/** Columns in the order of what is declared of it. */
export function conditionSchema(id: ConditionId): Schema {
  const { source, objectId, inForce, fields } = conditionOf(id);
  const { decides, begins, ends, lapses } = inForce;
  const names = [
    [source.keyProperty],
    objectId,
    ...decides.map(({ columns }) => columns),
    ...[...begins, ...ends, lapses?.after ?? []],
    ...fields.map(({ from }) => from),
  ].flatMap((columns) => columns[0] ?? []);
  return Object.fromEntries([...new Set(names)].map((name) => [name, 'string' as const]));
}

/** Columns of the files that are the sample's own. */
const OURS = ['when', 'code', 'ring', 'authority', 'link', 'height', 'shape'];
const known = new Map<LayerId, Schema>();

export function schemaOf(layer: LayerId): Schema {
  return remember(known, layer, (id) => (isConditionId(id) ? conditionSchema(id) : fileSchema(id)));
}

function fileSchema(layer: LineKey | AreaId): Schema {
  const folder = join(import.meta.dirname, isAreaId(layer) ? 'areas' : 'lines');
  const columns = csvFile(folder, layer).columns.filter(({ name }) => !OURS.includes(name));
  return Object.fromEntries(columns.map(({ name, type }) => [name, type as AttributeType]));
}
