import { JsonWriter } from '../../answers/json-writer.ts';
import { propertyBatchPieces } from './record/batch.ts';
import { CodeLabels } from '../../answers/codes.ts';
import { sourceText } from '../../answers/sources.ts';
import type { CodeList } from '../../layers/code-lists.ts';
import type { PropertyRows } from './property.ts';
import { answersOf, municipalityCodesOf } from './answers.ts';
import type { Joins } from './answers.ts';
import type { PropertyBatch, PropertyBatchContext, PropertyBatchTask } from './batches.ts';
import { rowsOfText } from './file.ts';
import { unitsOf } from '../addresses/unread.ts';
import { openAddressIndex } from '../addresses/index/address-index.ts';
import type { OpenAddressIndex } from '../addresses/index/address-index.ts';
import { Last } from '../../kernel/last.ts';
import { keyOf } from '../../snapshot/format.ts';
import type { AskedRegisters } from './store.ts';
import { PropertyRecords } from '../../snapshot/property-records.ts';
import { isCancelled } from '../../core/tasks/cancelled.ts';
import type { HandedOver } from '../../core/tasks/protocol.ts';

const out = new JsonWriter();

/** null: a record is not in the file, or the caller no longer waits. */
export function answerProperties(task: PropertyBatchTask): HandedOver<PropertyBatch | null> {
  const rows = readRows(task);
  if (rows === null) return { value: null, give: [] };
  const unlisted: CodeList[] = [];
  const labels = new CodeLabels((list) => unlisted.push(list));
  const { generation, bfes, unread } = task;
  const read = { generation, unread, asked: askedOf(task), rows, unreadable: new Set<never>() };
  const joined = joinsOf(task, rows);
  const { value, asked: _, ...facts } = answersOf(read, bfes, { joined, labels, asOfMs: null });
  const pieces = propertyBatchPieces(bfes, value);
  out.begin();
  let next = pieces.next();
  for (; next.done !== true; next = pieces.next()) out.text(next.value);
  return bodyOf(task, { ...facts, found: next.value, unlisted });
}

function bodyOf(
  { buffer }: PropertyBatchTask,
  facts: Omit<PropertyBatch, 'length' | 'longBody'>,
): HandedOver<PropertyBatch> {
  const { written } = out;
  const { length } = written;
  if (length <= buffer.length) {
    buffer.set(written);
    return { value: { ...facts, length, longBody: null }, give: [] };
  }
  const longBody = Uint8Array.from(written);
  return { value: { ...facts, length, longBody }, give: [longBody.buffer] };
}

function readRows(task: PropertyBatchTask): Map<number, PropertyRows> | null {
  const { context, bfes } = task;
  const asked = askedOf(task);
  const records = recordsOf(context.file);
  const rows = new Map<number, PropertyRows>();
  for (const [n, bfe] of bfes.entries()) {
    const text = isCancelled(task, n) ? null : records.readSync(bfe);
    if (text === null) return null;
    const known = text === undefined ? null : rowsOfText(text, asked);
    if (known !== null) rows.set(bfe, known);
  }
  return rows;
}

function askedOf({ joined }: PropertyBatchTask): AskedRegisters {
  return { cadastre: joined.cadastre !== null, locations: joined.locations !== null };
}

/** Municipality names apply where a record has one, as on the request thread. */
function joinsOf(
  { context, joined }: PropertyBatchTask,
  rows: ReadonlyMap<number, PropertyRows>,
): Joins {
  const { addressIndex, municipalities: byCode, isInvented } = context;
  const { addresses, unreadAddresses, municipalities, ...registers } = joined;
  const isNamed = municipalities !== null && municipalityCodesOf({ rows }).length > 0;
  return {
    ...registers,
    addresses: addressIndex &&
      addresses && { unit: unitsOf(indexOf(addressIndex), unreadAddresses), provenance: addresses },
    municipalities: isNamed ? { ...municipalities, byCode } : null,
    nameSources: (names) => sourceText(names, isInvented),
  };
}

let openRecords: { readonly key: string; readonly records: PropertyRecords } | null = null;

function recordsOf({ index, path }: PropertyBatchContext['file']): PropertyRecords {
  const key = `${keyOf(index)} ${path}`;
  if (openRecords?.key === key) return openRecords.records;
  // Its owner checked it on loading.
  const records = new PropertyRecords(index, path, { verified: true });
  openRecords?.records.retire();
  openRecords = { key, records };
  return records;
}

const openIndex = new Last<OpenAddressIndex>();

function indexOf(buffer: SharedArrayBuffer): OpenAddressIndex {
  return openIndex.of([keyOf(buffer)], () => openAddressIndex(buffer, { verified: true }));
}
