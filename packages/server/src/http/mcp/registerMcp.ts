import { Readable } from 'node:stream'
import { CountersignError, refuse } from '@countersign/protocol'
import type { McpHttpHandler, McpServer } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isForwarded } from '../../network/clientAddress.ts'
import { readLimited, readRequest } from '../../network/readLimited.ts'
import { issuerOf } from '../../oidc/issuer.ts'
import { findRoles } from '../../roles/accessOf.ts'
import { recordActivity } from '../../users/activity.ts'
import { findCredential } from '../../users/sessions/findSession.ts'
import { agentAudience, holdCredential, rateKeyOf } from '../../users/tokens/holdCredential.ts'
import { proveKey } from '../../users/tokens/proveKey.ts'
import { version } from '../../version.ts'
import { answerError, describeError } from '../request/answerError.ts'
import { findTokenText } from '../request/claims.ts'
import type { RateLimiter } from '../request/createRateLimiter.ts'
import { readBody } from '../request/readBody.ts'
import { type AgentGate, callEndpoint } from './callEndpoint.ts'
import { describeClass } from './describeClass.ts'
import { listReadable, listTools, type Tool } from './listTools.ts'

declare module '../../context/Context.ts' {
  interface Services {
    mcp?: Promise<McpHttpHandler>
  }
}

const path = '/mcp'

/** Maximum bytes of a request, and characters of a result. */
const mostBytes = 256 * 1024
const longestResult = 100_000

/**
 * Serves agents by the Model Context Protocol, without sessions. An agent has a token with a scope: from the OpenID
 * provider, or one that its owner created. Tools follow from the scope, and each call is judged like a request.
 */
export function registerMcp(app: FastifyInstance, gate: AgentGate): void {
  const { context, limiter } = gate
  const { config, log } = context
  if (!config.mcp.enabled) return
  const callers = new WeakMap<Request, Caller>()

  const describeResource = () => ({
    resource: agentAudience(context),
    authorization_servers: config.oidc.enabled ? [issuerOf(context)] : [],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'],
    resource_name: config.appName,
  })
  for (const url of ['/.well-known/oauth-protected-resource', `/.well-known/oauth-protected-resource${path}`])
    app.get(url, (_request, reply) => reply.header('Access-Control-Allow-Origin', '*').send(describeResource()))

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: path,
    async handler(request, reply) {
      try {
        const caller = await identifyAgent(context, limiter, request, reply)
        if (request.method !== 'POST') return reply.code(405).header('Allow', 'POST').send()
        const sent = await readLimited(readRequest(request.body), mostBytes, () => refuse('bodyTooLarge'))
        const parsedBody = readBody(sent, 'application/json', mostBytes)
        const asked = new Request(agentAudience(context), { method: 'POST', headers: plainHeaders(request) })
        callers.set(asked, caller)
        context.services.mcp ??= createHandler()
        const handler = await context.services.mcp
        return await send(reply, await handler.fetch(asked, { parsedBody }))
      } catch (error) {
        return answerError(reply, error, log)
      }
    },
  })

  async function createHandler(): Promise<McpHttpHandler> {
    const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server')
    return createMcpHandler(
      ({ requestInfo }) => {
        const caller = requestInfo && callers.get(requestInfo)
        if (!caller) throw new Error('a request of an agent has no caller')
        const server = new McpServer({ name: config.appName, version })
        for (const tool of listTools(context, caller)) addTool(server, tool, caller)
        for (const className of listReadable(context, caller)) addSchema(server, className, caller)
        return server
      },
      {
        responseMode: 'json',
        maxSubscriptions: 1,
        onerror: (error) => log.debug({ err: error }, 'an agent’s request'),
      },
    )
  }

  function addTool(server: McpServer, tool: Tool, caller: Caller): void {
    const { name, title, description, input, writes, deletes } = tool
    const annotations = { title, readOnlyHint: !writes, destructiveHint: deletes === true, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
      try {
        const output = await callEndpoint(gate, caller, tool.toCall(given as Record<string, unknown>))
        await noteCall(tool, caller, given as Record<string, unknown>)
        const text = JSON.stringify(output)
        if (text.length > longestResult)
          return failure(`The result has ${text.length} characters. Ask for fewer documents or fields.`)
        return { content: [{ type: 'text' as const, text }] }
      } catch (error) {
        const { error: sentence, code } = describeError(error, log)
        return failure(`${sentence} (code ${code})`)
      }
    })
  }

  /** Fields of a class, as a resource. */
  function addSchema(server: McpServer, className: string, caller: Caller): void {
    const uri = `schema://classes/${encodeURIComponent(className)}`
    const described = { title: `Schema of ${className}`, mimeType: 'application/json' }
    server.registerResource(`schema of ${className}`, uri, described, async () => {
      const schema = await describeClass(gate, caller, className)
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(schema) }] }
    })
  }

  /** Writes are in the person's activity by the agent's name; reads are noted with the use of the token. */
  async function noteCall({ name, writes }: Tool, caller: Caller, given: Record<string, unknown>): Promise<void> {
    const { session, token } = caller
    if (!writes || !session || !token) return
    const subject = typeof given.className === 'string' ? { className: given.className } : {}
    await recordActivity(context, caller, session.userId, 'agentCall', {
      name: token.grant.name,
      tool: name,
      ...subject,
    })
  }
}

const failure = (text: string) => ({ isError: true, content: [{ type: 'text' as const, text }] })

/** The token of the agent, for this resource alone. Without one, the response says where to get one (RFC 9728). */
async function identifyAgent(
  context: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { ip: address, headers, method } = request
  const from = { method, path, address, isForwarded: isForwarded(request) }
  const text = findTokenText(request)
  const metadata = `${context.publicUrl}/.well-known/oauth-protected-resource${path}`
  const challenge = (error?: string) =>
    reply.header('WWW-Authenticate', `Bearer ${error ? `error="${error}", ` : ''}resource_metadata="${metadata}"`)
  if (text === undefined) {
    await limiter.count(from)
    challenge(headers.authorization === undefined ? undefined : 'invalid_token')
    throw refuse('invalidSessionToken', undefined, { status: 401 })
  }
  try {
    const held = await findCredential(context, text)
    const caller: Caller = {
      isMaster: false,
      isLocalApp: false,
      ipAddress: address,
      isForwarded: from.isForwarded,
      ...(headers['user-agent'] !== undefined && { userAgent: headers['user-agent'] }),
    }
    if (held.grant?.jkt !== undefined) caller.proofKey = await proveKey(context, text, request)
    holdCredential(context, caller, held, agentAudience(context))
    const { token } = caller
    // Not a session of a browser, and no key of operators.
    if (!token || token.grant.kind === 'operator') throw refuse('invalidSessionToken')
    await limiter.count({ ...from, token: rateKeyOf(token) })
    await checkRoles(context, caller)
    return caller
  } catch (error) {
    if (error instanceof CountersignError && error.reason === 'invalidSessionToken') {
      await limiter.count(from)
      challenge('invalid_token')
      throw refuse('invalidSessionToken', undefined, { status: 401 })
    }
    throw error
  }
}

async function checkRoles(context: Context, { session }: Caller): Promise<void> {
  const { roles } = context.config.mcp
  if (!roles) return
  const held = session ? await findRoles(context, session.userId) : []
  if (!held.some((role) => roles.includes(role))) throw refuse('tokenNotAllowed')
}

/** Headers of the protocol. Tokens and cookies stay here. */
function plainHeaders({ headers }: FastifyRequest): Record<string, string> {
  const kept = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']
  return Object.fromEntries(
    kept.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name] as string]] : [])),
  )
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status)
  for (const name of ['content-type', 'mcp-protocol-version', 'allow']) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  return reply.send(response.body ? Readable.fromWeb(response.body as never) : undefined)
}
