import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, className, instant, listOf, nothing, text } from './fields.ts'
import { named } from './typeNames.ts'

const content = {
  filter: text(30_000).optional().describe('Conditions, as in the address of the data browser'),
  order: text(500).optional(),
  hidden: z.array(text(200)).max(200).optional().describe('Columns that are not shown'),
}

const viewRecord = named(
  'DataViewRecord',
  z
    .strictObject({
      objectId: z.string(),
      className: z.string(),
      name: z.string(),
      filter: z.string(),
      order: z.string(),
      hidden: z.array(z.string()),
      changedAt: instant,
    })
    .describe('A saved view of the data browser, shared by all operators.'),
)

const name = text(100).min(1)

/** Saved views of the console's data browser. */
export const consoleViews = {
  listDataViews: {
    method: 'GET',
    path: '/console/views',
    summary: 'Saved views of a class.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    textQuery: true,
    input: z.object({ className: className.min(1) }),
    output: listOf(viewRecord),
  },
  createDataView: {
    method: 'POST',
    path: '/console/views',
    summary: 'Save a view of a class.',
    access: 'operator',
    operators: ['admin'],
    status: 201,
    input: z.object({ className: className.min(1), name, ...content }),
    output: viewRecord,
    reasons: ['viewNameTaken'],
  },
  updateDataView: {
    method: 'PUT',
    path: '/console/views/:objectId',
    summary: 'Replace the content of a view.',
    access: 'operator',
    operators: ['admin'],
    params: byId,
    input: z.object(content),
    output: viewRecord,
  },
  deleteDataView: {
    method: 'DELETE',
    path: '/console/views/:objectId',
    summary: 'Delete a view.',
    access: 'operator',
    operators: ['admin'],
    params: byId,
    output: nothing,
  },
} as const satisfies Record<string, EndpointContract>
