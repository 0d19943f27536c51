import type { LineAttributes } from '../layers/feature.ts';
import type { LayerSnapshot } from './layer.ts';
import type { ColumnView } from './texts.ts';

const KEPT_PER_COLUMN = 10_000;

type Read = (feature: number) => unknown;

/**
 * Equals `snapshot.feature(i).attributes`. Spelled out: building the object name by name takes 0.28
 * µs, not 0.16.
 */
export function lineAttributesReader({
  columns,
}: Pick<LayerSnapshot, 'columns'>): (feature: number) => LineAttributes {
  const of = (name: keyof LineAttributes): ((feature: number) => string) => {
    const column = columns.find((each) => each.name === name);
    return (column === undefined ? absent : readerOf(column)) as (feature: number) => string;
  };
  const statusCode = of('statusCode');
  const statusName = of('statusName');
  const category = of('category');
  const natureType = of('natureType');
  const protectionReason = of('protectionReason');
  const monumentType = of('monumentType');
  const dating = of('dating');
  const protectionStatus = of('protectionStatus');
  const dykeType = of('dykeType');
  const documentUrl = of('documentUrl');
  const validFrom = of('validFrom');
  const registeredAt = of('registeredAt');
  const municipalityName = of('municipalityName');
  const municipalityCvr = of('municipalityCvr');
  return (feature) => ({
    statusCode: statusCode(feature),
    statusName: statusName(feature),
    category: category(feature),
    natureType: natureType(feature),
    protectionReason: protectionReason(feature),
    monumentType: monumentType(feature),
    dating: dating(feature),
    protectionStatus: protectionStatus(feature),
    dykeType: dykeType(feature),
    documentUrl: documentUrl(feature),
    validFrom: validFrom(feature),
    registeredAt: registeredAt(feature),
    municipalityName: municipalityName(feature),
    municipalityCvr: municipalityCvr(feature),
  });
}

const absent: Read = () => undefined;

function readerOf({ values, codes }: ColumnView): Read {
  const read = (code: number): unknown => {
    const text = values.at(code);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  if (values.count > KEPT_PER_COLUMN) return (feature) => read(codes[feature]!);
  const kept = new Array<unknown>(values.count);
  const isKept = new Uint8Array(values.count);
  return (feature) => {
    const code = codes[feature]!;
    if (isKept[code] === 0) {
      isKept[code] = 1;
      kept[code] = read(code);
    }
    return kept[code];
  };
}
