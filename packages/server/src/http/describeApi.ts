import { errorCodes, headers, reasons } from '@countersign/protocol'
import { contract, type EndpointContract } from '@countersign/protocol/contract'
import { z } from 'zod'
import type { Context } from '../context/Context.ts'
import type { Endpoint } from '../endpoint/Endpoint.ts'
import { version } from '../version.ts'

type DescribedEndpoint = Omit<Endpoint, 'handle'> & { needsNothing?: true }

/** Routes that need no keys. */
const publicRoutes: DescribedEndpoint[] = [
  { name: 'getHealth', ...contract.getHealth, needsNothing: true },
  {
    ...{ name: 'getFile', method: 'GET', path: '/files/:appId/:name', needsNothing: true },
    summary: 'The content of a file, or a part of it (Range).',
  },
  {
    ...{ name: 'getFileMetadata', method: 'GET', path: '/files/:appId/metadata/:name', needsNothing: true },
    summary: 'Metadata and tags of a file.',
  },
]

/** The OpenAPI description, made of the endpoints themselves. */
export function describeApi({ config, publicUrl }: Context, endpoints: Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of [...endpoints, ...publicRoutes]) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = describeEndpoint(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: config.appName,
      version,
      description: 'The API of this server. Errors are explained in docs/errors.md.',
    },
    servers: [{ url: `${publicUrl}${config.mount}` }],
    security: [{ applicationId: [] }],
    paths,
    components: {
      securitySchemes: {
        applicationId: { type: 'apiKey', in: 'header', name: headers.applicationId },
        sessionToken: { type: 'apiKey', in: 'header', name: headers.sessionToken },
        masterKey: { type: 'apiKey', in: 'header', name: headers.masterKey },
        accessToken: { type: 'http', scheme: 'bearer', description: 'Token with a scope: cs_…' },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'error', 'reason'],
          properties: {
            code: { type: 'integer', enum: Object.values(errorCodes) },
            error: { type: 'string' },
            reason: { type: 'string' },
            params: { type: 'object' },
          },
        },
      },
    },
  }
}

function describeEndpoint(endpoint: DescribedEndpoint): object {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const input = endpoint.input && describeInput(endpoint.input)
  const params = endpoint.params && describeInput(endpoint.params)
  const parameters: object[] = inPath.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: params?.properties?.[name] ?? input?.properties?.[name] ?? { type: 'string' },
  }))
  const others = Object.entries(input?.properties ?? {}).filter(([name]) => !inPath.includes(name))
  if (endpoint.method === 'GET')
    for (const [name, schema] of others) {
      const isList = (schema as { type?: unknown }).type === 'array'
      const required = input?.required?.includes(name) ?? false
      parameters.push({ name, in: 'query', required, schema, ...(isList && { explode: false }) })
    }
  const json = (schema: object) => ({ 'application/json': { schema } })
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    // The resource: what its path begins with.
    tags: [endpoint.path.split('/')[1] ?? ''],
    ...(endpoint.access && endpoint.access !== 'user' && { 'x-access': endpoint.access }),
    ...(endpoint.scope && { 'x-scope': endpoint.scope }),
    ...(endpoint.operators && { 'x-operators': endpoint.operators }),
    ...describeReasons(endpoint.name),
    ...(parameters.length > 0 && { parameters }),
    ...(input && endpoint.method !== 'GET' && { requestBody: { content: json(withoutPath(input, inPath)) } }),
    security: endpoint.needsNothing
      ? []
      : [
          endpoint.access === 'master' ? { applicationId: [], masterKey: [] } : { applicationId: [], sessionToken: [] },
          ...(endpoint.scope ? [{ accessToken: [] }] : []),
        ],
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Done.',
        content: json(endpoint.output ? describeOutput(endpoint.output) : { type: 'object' }),
      },
      '4XX': { description: 'Refused.', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

/** Reasons of the endpoint besides the common ones, with their sentences. */
function describeReasons(name: string): object {
  const named = name in contract ? (contract as Record<string, EndpointContract>)[name]?.reasons : undefined
  if (!named) return {}
  const sentences: Record<string, { sentence: string }> = reasons
  return { 'x-reasons': Object.fromEntries(named.map((reason) => [reason, sentences[reason]?.sentence ?? ''])) }
}

type Described = { properties?: Record<string, object>; required?: string[] }

/** Input as callers send it, before it is transformed. */
const describeInput = (input: z.ZodType) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Described

const describeOutput = (output: z.ZodType) => z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })

const withoutPath = (input: Described, inPath: string[]): object => ({
  ...input,
  ...(input.properties && {
    properties: Object.fromEntries(Object.entries(input.properties).filter(([name]) => !inPath.includes(name))),
  }),
  ...(input.required && { required: input.required.filter((name) => !inPath.includes(name)) }),
})
