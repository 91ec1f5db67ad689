import { scopeParts } from '@countersign/protocol'
import { contract, type EndpointContract } from '@countersign/protocol/contract'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

const patterns: readonly { scope: string; need: string; meaning: string; holders: readonly string[] }[] = [
  {
    scope: 'Score:read',
    need: 'class',
    meaning: 'Read objects of a class. Score:write has create, update and delete; *:read means all classes',
    holders: ['personal', 'oauth', 'service', 'operator'],
  },
  {
    scope: 'function:submitScore',
    need: 'function',
    meaning: 'Call a function. function:* means all functions',
    holders: ['personal', 'oauth', 'service', 'operator'],
  },
]

/** Scopes with the endpoints that need them, from the contract. */
export const listScopesEndpoint = defineEndpoint('listScopes', {
  async handle() {
    const parts = Object.entries(scopeParts).map(([scope, part]) => ({ scope, need: scope, ...part }))
    const all: Record<string, EndpointContract> = contract
    return {
      results: [...patterns, ...parts].map(({ scope, need, meaning, holders }) => ({
        scope,
        meaning,
        holders: [...holders],
        endpoints: Object.entries(all)
          .filter(
            ([, endpoint]) => endpoint.scope === need || (need === 'users:read' && endpoint.scope === '_User:read'),
          )
          .map(([name, { method, path, summary }]) => ({ name, method, path, summary })),
      })),
    }
  },
})
