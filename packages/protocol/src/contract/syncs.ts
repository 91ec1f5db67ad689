import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { fields, listOf, nothing, openObject, text } from './fields.ts'
import { named } from './typeNames.ts'

const chain = z.union([z.int().min(1), text(60)]).describe('The chain: its name or id')

const byName = z.object({ chain: text(60), name: text(100) })

const syncRecord = named(
  'SyncRecord',
  z
    .strictObject({
      name: z.string(),
      chain: z.number(),
      class: z.string(),
      origin: z.enum(['config', 'stored']).describe('Origin: the configuration, or a request'),
      status: z.enum(['SYNCED', 'SYNCING']),
      blocksLeft: z.number().describe('Blocks that are not read yet'),
      startBlock: z.number().optional(),
      children: z.number().optional().describe('Contracts created by its factory'),
      leftOut: z.number().optional().describe('Skipped events: an index of the class rejects their values'),
      error: z.string().optional(),
      definition: fields.describe('Same format as in the configuration: see docs/contract-events.md'),
    })
    .describe('An event sync, which stores contract events as objects of a class.'),
)

const stateRecord = named(
  'StateRecord',
  z
    .strictObject({
      name: z.string(),
      chain: z.number(),
      events: z.array(z.string()).describe('Classes of the events that it is computed from'),
      classes: z.array(z.string()).describe('Classes that it writes'),
      version: z.number(),
      status: z.enum(['SYNCED', 'SYNCING']),
      block: z.number().describe('Events up to this block have been handled'),
      leftOut: z.number().optional().describe('Skipped events: the server rejects their values'),
      error: z.string().optional().describe('Error thrown by its code; it is retried'),
    })
    .describe('A state: documents that application code computes from contract events.'),
)

/** Events of contracts that become objects of classes. */
export const syncs = {
  listSyncs: {
    method: 'GET',
    path: '/syncs',
    scope: 'syncs:read',
    summary: 'Contract events that become objects, with progress.',
    access: 'master',
    output: listOf(syncRecord),
  },
  createSync: {
    method: 'POST',
    path: '/syncs',
    summary: 'Store a contract event as objects of a class. Replaces a sync of the same name.',
    access: 'master',
    status: 201,
    input: openObject({ chain }),
    output: syncRecord,
  },
  deleteSync: {
    method: 'DELETE',
    path: '/syncs/:chain/:name',
    summary: 'Stop a sync. Its rows stay.',
    access: 'master',
    params: byName,
    output: nothing,
  },
  replaySync: {
    method: 'POST',
    path: '/syncs/:chain/:name/replay',
    summary: 'Remove the rows of a sync and read them again.',
    access: 'master',
    params: byName,
    output: syncRecord,
  },
  listStates: {
    method: 'GET',
    path: '/states',
    scope: 'syncs:read',
    summary: 'Computed states with progress.',
    access: 'master',
    output: listOf(stateRecord),
  },
  replayState: {
    method: 'POST',
    path: '/states/:name/replay',
    summary: 'Remove the documents of a state and compute them again.',
    access: 'master',
    params: z.object({ name: text(200) }),
    output: stateRecord,
  },
} satisfies { [name: string]: EndpointContract }
