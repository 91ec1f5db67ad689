import { errorCodes, headers } from '@countersign/protocol'
import { z } from 'zod'
import type { Context } from '../context/Context.ts'
import { version } from '../version.ts'
import type { Endpoint } from './Endpoint.ts'

/** The OpenAPI description, made of the endpoints themselves. */
export function describeApi({ config, publicUrl }: Context, endpoints: Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
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
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'error'],
          properties: { code: { type: 'integer', enum: Object.values(errorCodes) }, error: { type: 'string' } },
        },
      },
    },
  }
}

function describeEndpoint(endpoint: Endpoint): object {
  const parameters = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const json = (schema: object) => ({ 'application/json': { schema } })
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.input && { requestBody: { content: json(z.toJSONSchema(endpoint.input)) } }),
    security: [
      endpoint.access === 'master' ? { applicationId: [], masterKey: [] } : { applicationId: [], sessionToken: [] },
    ],
    responses: {
      [endpoint.status ?? 200]: { description: 'Done.', content: json({ type: 'object' }) },
      '4XX': { description: 'Refused.', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}
