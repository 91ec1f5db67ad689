import { CountersignError } from '@countersign/protocol'
import { z } from 'zod'
import { aggregateObjects } from '../../objects/aggregateObjects.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'
import type { Body } from '../readBody.ts'

const known = new Set(['pipeline', 'distinct', 'where', 'hint', 'explain', 'comment', 'readPreference'])

export const aggregateEndpoints: Endpoint[] = [
  defineEndpoint('aggregate', {
    summary: 'Carry out a pipeline over the objects of a class, or list the distinct values of a field. Master key.',
    access: 'master',
    describedInput: z.looseObject({
      pipeline: z.array(z.looseObject({})).optional(),
      distinct: z.string().optional(),
      where: z.looseObject({}).optional(),
    }),
    handle: ({ context, input, params: { className = '' } }) => aggregateObjects(context, className, readInput(input)),
  }),
]

/** Stages may also stand beside the other parameters, as older clients send them. */
function readInput(input: Body) {
  const { pipeline, distinct, where, hint, explain } = input
  const stages = Object.fromEntries(Object.entries(input).filter(([name]) => name.startsWith('$')))
  for (const name of Object.keys(input)) {
    if (!name.startsWith('$') && !known.has(name)) {
      throw new CountersignError('InvalidQuery', `Invalid parameter for query: ${name.slice(0, 100)}`)
    }
  }
  if (distinct !== undefined && typeof distinct !== 'string') {
    throw new CountersignError('InvalidQuery', 'distinct must be the name of a field.')
  }
  return {
    ...(distinct !== undefined && { distinct }),
    ...(distinct === undefined && { pipeline: pipeline ?? stages }),
    ...(where !== undefined && { where }),
    ...(hint !== undefined && { hint }),
    explain: explain === true || explain === 'true',
  }
}
