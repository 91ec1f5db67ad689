import type { ClassRight, WireFields } from '@countersign/protocol'
import { z } from 'zod'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { allowsClass, allowsFunction } from '../../scopes/Scope.ts'
import type { EndpointCall } from './callEndpoint.ts'

export type Tool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  /** Agents ask the person before they call a tool that writes. */
  writes: boolean
  deletes?: true
  toCall(input: Record<string, unknown>): EndpointCall
}

/** Maximum classes and functions that a list of tools names. */
const mostNamed = 100

/** Maximum documents of one call. */
const mostDocuments = 100

const objectId = z.string().min(1).max(128)
const fields = z.record(z.string().max(200), z.unknown())

/** Tools of a token: one for each right that its scope has on some class, and one for each function. */
export function listTools(context: Context, { token }: Caller): Tool[] {
  if (!token) return []
  const { scope } = token.grant
  const classesWith = (right: ClassRight) =>
    listClasses(context)
      .filter((name) => allowsClass(scope, name, right))
      .slice(0, mostNamed)
  const functions = [...context.registry.functions.keys()].filter((name) => allowsFunction(scope, name)).sort()
  const chains = scope.parts.has('chain:read') ? chainTools : []
  return [...documentTools(classesWith), ...listFunctionTools(context, functions.slice(0, mostNamed)), ...chains]
}

/** Classes that the token may read. */
export function listReadable(context: Context, { token }: Caller): string[] {
  if (!token) return []
  return listClasses(context)
    .filter((name) => allowsClass(token.grant.scope, name, 'read'))
    .slice(0, mostNamed)
}

/** Classes of the application and those of the system that a scope may name. */
function listClasses({ classes }: Context): string[] {
  return classes
    .list()
    .map(({ className }) => className)
    .filter((name) => !name.startsWith('_') || name === '_User' || name === '_Role')
    .sort()
}

function documentTools(classesWith: (right: ClassRight) => string[]): Tool[] {
  const [readable, creatable, updatable, deletable] = (['read', 'create', 'update', 'delete'] as const).map(classesWith)
  const ofClass = (names: string[] = []) => z.enum(names as [string, ...string[]]).describe('Class of the documents')
  const at = (input: Record<string, unknown>) =>
    `/classes/${encodeURIComponent(String(input.className))}/${encodeURIComponent(String(input.objectId))}`
  const tools: Tool[] = []
  if (readable?.length) {
    tools.push(
      {
        name: 'find_documents',
        title: 'Find documents',
        description:
          'Finds documents of a class. `where` is a Parse query, such as {"points": {"$gt": 5}}; `order` is a field, or -field for the largest first.',
        input: z.object({
          className: ofClass(readable),
          where: fields.optional(),
          order: z.string().max(200).optional(),
          keys: z.string().max(1_000).optional().describe('Fields to return, separated by commas'),
          limit: z.int().min(1).max(mostDocuments).default(20),
          skip: z.int().min(0).max(10_000).optional(),
        }),
        writes: false,
        toCall: ({ className, ...query }) => ({
          method: 'GET',
          path: `/classes/${encodeURIComponent(String(className))}`,
          body: query as EndpointCall['body'] & object,
        }),
      },
      {
        name: 'get_document',
        title: 'Get a document',
        description: 'Returns one document by its id.',
        input: z.object({ className: ofClass(readable), objectId }),
        writes: false,
        toCall: (input) => ({ method: 'GET', path: at(input) }),
      },
    )
  }
  if (creatable?.length)
    tools.push({
      name: 'create_document',
      title: 'Create a document',
      description: 'Creates a document and returns its id.',
      input: z.object({ className: ofClass(creatable), fields }),
      writes: true,
      toCall: (input) => ({
        method: 'POST',
        path: `/classes/${encodeURIComponent(String(input.className))}`,
        body: input.fields as object as NonNullable<EndpointCall['body']>,
      }),
    })
  if (updatable?.length)
    tools.push({
      name: 'update_document',
      title: 'Update a document',
      description: 'Changes fields of a document. Operations such as {"__op": "Increment", "amount": 1} are allowed.',
      input: z.object({ className: ofClass(updatable), objectId, fields }),
      writes: true,
      toCall: (input) => ({
        method: 'PUT',
        path: at(input),
        body: input.fields as object as NonNullable<EndpointCall['body']>,
      }),
    })
  if (deletable?.length)
    tools.push({
      name: 'delete_document',
      title: 'Delete a document',
      description: 'Deletes a document. This cannot be undone.',
      input: z.object({ className: ofClass(deletable), objectId }),
      writes: true,
      deletes: true,
      toCall: (input) => ({ method: 'DELETE', path: at(input) }),
    })
  return tools
}

/** Maximum characters of a tool's name, which may have letters, digits and `_-.`. */
const longestName = 64

/** Names of functions that are alike when cut are numbered: two tools with one name would fail the whole list. */
function listFunctionTools(context: Context, functions: string[]): Tool[] {
  const taken = new Set<string>()
  return functions.map((name) => {
    const plain = `call_${name.replace(/[^\w.-]/g, '_')}`
    let unique = plain.slice(0, longestName)
    for (let number = 2; taken.has(unique); number++) {
      const end = `_${number}`
      unique = plain.slice(0, longestName - end.length) + end
    }
    taken.add(unique)
    return functionTool(context, name, unique)
  })
}

function functionTool({ registry }: Context, name: string, toolName: string): Tool {
  const schema = registry.functions.get(name)?.describe?.().input
  return {
    name: toolName,
    title: `Call ${name}`,
    description:
      `Calls the function ${name} of the application.${schema ? ` Its input: ${JSON.stringify(schema)}` : ''}`.slice(
        0,
        4_000,
      ),
    input: z.looseObject({}),
    writes: true,
    toCall: (input) => ({
      method: 'POST',
      path: `/functions/${encodeURIComponent(name)}`,
      body: input as WireFields as NonNullable<EndpointCall['body']>,
    }),
  }
}

const onChain = { chain: z.string().min(1).max(64).describe('Name or number of the chain; list_chains has them') }
const address = z.string().min(1).max(128)
const page = { limit: z.int().min(1).max(100).optional(), cursor: z.string().max(2_000).optional() }

type ChainRead = { name: string; title: string; description: string; path: string; input: z.ZodRawShape }

const chainReads: ChainRead[] = [
  {
    name: 'list_chains',
    title: 'List chains',
    description: 'Lists the chains of this server.',
    path: '/chain',
    input: {},
  },
  {
    name: 'get_address',
    title: 'Get an address',
    description: 'Returns balance, nonce and name of an address, and whether it is a contract.',
    path: '/chain/:chain/addresses/:address',
    input: { ...onChain, address },
  },
  {
    name: 'list_token_balances',
    title: 'List token balances',
    description: 'Lists the ERC-20 balances of an address.',
    path: '/chain/:chain/addresses/:address/tokens',
    input: { ...onChain, address },
  },
  {
    name: 'list_nfts',
    title: 'List NFTs',
    description: 'Lists the NFTs of an address.',
    path: '/chain/:chain/addresses/:address/nfts',
    input: { ...onChain, address, ...page },
  },
  {
    name: 'list_transfers',
    title: 'List transfers',
    description: 'Lists token and NFT transfers from or to an address, newest first.',
    path: '/chain/:chain/addresses/:address/transfers',
    input: { ...onChain, address, ...page },
  },
  {
    name: 'get_transaction',
    title: 'Get a transaction',
    description: 'Returns a transaction with its logs.',
    path: '/chain/:chain/transactions/:hash',
    input: { ...onChain, hash: z.string().min(1).max(128) },
  },
  {
    name: 'get_token_price',
    title: 'Get a price',
    description: 'Returns the price of a token.',
    path: '/chain/:chain/tokens/:token/price',
    input: { ...onChain, token: address },
  },
  {
    name: 'resolve_name',
    title: 'Resolve a name',
    description: 'Returns the address of a name such as vitalik.eth.',
    path: '/chain/:chain/names/:name',
    input: { ...onChain, name: z.string().min(1).max(255) },
  },
]

/** Reads of chains, the same for every token that has the scope. */
const chainTools: Tool[] = chainReads.map(({ path, input, ...described }) => ({
  ...described,
  input: z.object(input),
  writes: false,
  toCall(given) {
    const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name))
    return {
      method: 'GET',
      path: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name]))),
      body: Object.fromEntries(
        Object.entries(given).filter(([name, value]) => !inPath.has(name) && value !== undefined),
      ) as NonNullable<EndpointCall['body']>,
    }
  },
}))
