import { CountersignError } from '@countersign/protocol'
import { aggregateObjects } from '../../objects/aggregateObjects.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const unused = new Set(['comment', 'readPreference'])

export const aggregateEndpoints: Endpoint[] = [
  defineEndpoint('aggregate', {
    handle({ context, params, input: { pipeline, distinct, where, hint, explain, ...stages } }) {
      for (const name of Object.keys(stages)) {
        if (name.startsWith('$')) continue
        if (!unused.has(name)) {
          throw new CountersignError('InvalidQuery', `Invalid parameter for query: ${name.slice(0, 100)}`)
        }
        delete stages[name]
      }
      return aggregateObjects(context, params.className, {
        ...(distinct === undefined ? { pipeline: pipeline ?? stages } : { distinct }),
        ...(where !== undefined && { where }),
        ...(hint !== undefined && { hint }),
        explain: explain === true || explain === 'true',
      })
    },
  }),
]
