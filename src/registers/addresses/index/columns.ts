/** `index-format.ts` says what they mean. */
import type { Box } from '../../../geo/box.ts';
import type { PointUtm32 } from '../../../geo/point.ts';
import { lowerBound } from '../../../kernel/compare.ts';
import { readNames } from '../../../names/name-index.ts';
import type { Container } from '../../../snapshot/format.ts';
import { anyCodes, unpackTexts } from '../../../snapshot/texts.ts';
import type { TextList } from '../../../snapshot/texts.ts';
import { IdList } from './ids.ts';

export type Columns = ReturnType<typeof readColumns>;

export function readColumns(from: Container<unknown>) {
  const codes = (name: string): ArrayLike<number> => anyCodes(from, name);
  const texts = (name: string): TextList => unpackTexts(from, name);
  return {
    names: texts('names'),
    houses: texts('houses'),
    floors: texts('floors'),
    doors: texts('doors'),
    towns: texts('towns'),
    ...readRoads(from),
    accessIds: new IdList(from.bytes('access.ids')),
    accessStatus: from.bytes('access.status'),
    accessRoad: from.words('access.road'),
    accessHouse: codes('access.house'),
    accessTown: codes('access.town'),
    accessPostcode: from.halves('access.postcode'),
    accessBfe: from.words('access.bfe'),
    accessOwn: ownTexts(from, 'access.own'),
    unitStarts: from.words('access.unitStarts'),
    unitsByAccess: from.words('access.units'),
    unitIds: new IdList(from.bytes('unit.ids')),
    unitStatus: from.bytes('unit.status'),
    unitAccess: from.words('unit.access'),
    unitFloor: codes('unit.floor'),
    unitDoor: codes('unit.door'),
    unitOwn: ownTexts(from, 'unit.own'),
    unitBfe: ownBfes(from),
    slots: from.words('access.slots'),
    xy: from.floats('points.xy'),
    pointOf: pointsOf(from),
    inForce: readPoints(from, 'points'),
    provisional: readPoints(from, 'provisional'),
    ...readFormer(from),
    index: readIndex(from),
  };
}

function readRoads(from: Container<unknown>) {
  return {
    roadIds: unpackTexts(from, 'roads.ids'),
    roadMunicipalities: unpackTexts(from, 'roads.municipalities'),
    roadCodes: unpackTexts(from, 'roads.codes'),
    roadName: anyCodes(from, 'roads.name'),
    roadShort: anyCodes(from, 'roads.short'),
    boxOfRoad: boxes(from),
    roadStarts: from.words('roads.starts'),
    accessesByRoad: from.words('roads.accesses'),
    postStarts: from.words('post.starts'),
    roadsByPost: from.words('post.roads'),
    formerPostStarts: from.words('post.formerStarts'),
    formerNamesByPost: from.words('post.formerNames'),
  };
}

function readIndex(from: Container<unknown>) {
  return {
    ...readNames(from),
    roadStarts: from.words('index.roadStarts'),
    roads: from.words('index.roads'),
    weights: from.words('index.weights'),
    formerStarts: from.words('index.formerStarts'),
  };
}

function readPoints(from: Container<unknown>, name: string) {
  return {
    blocks: from.words(`${name}.blocks`),
    tables: from.words(`${name}.tables`),
    ranks: from.words(`${name}.ranks`),
  };
}

function readFormer(from: Container<unknown>) {
  return {
    formerKind: from.bytes('former.kind'),
    formerTarget: from.words('former.target'),
    formerName: anyCodes(from, 'former.name'),
    formerHouse: anyCodes(from, 'former.house'),
    formerFloor: anyCodes(from, 'former.floor'),
    formerDoor: anyCodes(from, 'former.door'),
    formerTown: anyCodes(from, 'former.town'),
    formerPostcode: anyCodes(from, 'former.postcode'),
    formerFrom: anyCodes(from, 'former.from'),
    formerTo: anyCodes(from, 'former.to'),
    formerPostcodes: unpackTexts(from, 'former.postcodes'),
    formerFroms: unpackTexts(from, 'former.froms'),
    formerTos: unpackTexts(from, 'former.tos'),
  };
}

function boxes(from: Container<unknown>): (road: number) => Box {
  const all = from.floats('roads.boxes');
  return (road) => {
    const [minX, minY, maxX, maxY] = all.subarray(4 * road, 4 * road + 4);
    return { minX: minX!, minY: minY!, maxX: maxX!, maxY: maxY! };
  };
}

function pointsOf(from: Container<unknown>): (place: number) => PointUtm32 | null {
  const slots = from.words('access.slots');
  const xy = from.floats('points.xy');
  return (place) => {
    const slot = slots[place]!;
    return slot === 0 ? null : { xUtm32: xy[2 * slot - 2]!, yUtm32: xy[2 * slot - 1]! };
  };
}

function ownTexts(from: Container<unknown>, name: string): (place: number) => string {
  const places = from.words(`${name}.places`);
  const texts = unpackTexts(from, name);
  return (place) => texts.at(firstFrom(places, place));
}

function ownBfes(from: Container<unknown>): (place: number) => number | null {
  const places = from.words('unit.bfePlaces');
  const bfes = from.words('unit.bfes');
  return (place) => {
    const found = firstFrom(places, place);
    return places[found] === place ? bfes[found]! : null;
  };
}

function firstFrom(places: Uint32Array, place: number): number {
  return lowerBound({ from: 0, to: places.length - 1 }, (at) => places[at]! < place);
}
