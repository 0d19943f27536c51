/**
 * What can go wrong at an upstream, as a table: each fault names the stages of the answer it
 * spoils. The server runs an answer through the stages and knows no fault by name.
 */
import { DATA_FAULTS } from './faults/data.ts';
import { PAGING_FAULTS } from './faults/paging.ts';
import { REPLY_FAULTS } from './faults/reply.ts';
import type { Fault } from './faults/stages.ts';
import { TERRAIN_FAULTS } from './faults/terrain.ts';
import { TRANSPORT_FAULTS } from './faults/transport.ts';

const TABLE = {
  ...TRANSPORT_FAULTS,
  ...REPLY_FAULTS,
  ...PAGING_FAULTS,
  ...DATA_FAULTS,
  ...TERRAIN_FAULTS,
} as const;

export type FaultName = keyof typeof TABLE;

export const FAULTS: Readonly<Record<FaultName, Fault>> = TABLE;

export const FAULT_NAMES = Object.keys(TABLE) as readonly FaultName[];
