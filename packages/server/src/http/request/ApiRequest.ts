import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Match } from './createRouter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The endpoint by whose name the request is counted. */
    countedAs: string | undefined
    /** The signed-in user, for the log. */
    userId: string | undefined
    /** Set for a read with an operator's rights, for the log. */
    isConsoleRead: boolean
  }
}

/** A request as the stages read it: Fastify's, or one that is handled without Fastify. */
export type ApiRequest = Pick<
  FastifyRequest,
  'id' | 'url' | 'method' | 'headers' | 'body' | 'ip' | 'ips' | 'protocol' | 'countedAs' | 'userId' | 'isConsoleRead'
> & {
  /** The endpoint of method and path, if it was looked up already. */
  readonly match?: Match | undefined
  /** The token whose proof (DPoP) this request has shown, with the thumbprint of its key. */
  proven?: { token: string; key: string }
}

/** The response to it. */
export type ApiReply = {
  readonly raw: ServerResponse
  readonly request: Pick<ApiRequest, 'id'>
  code(status: number): ApiReply
  header(name: string, value: string): ApiReply
  headers(values: Record<string, string>): ApiReply
  type(contentType: string): ApiReply
  /** Sends a text as it is, and everything else as JSON. */
  send(payload?: unknown): ApiReply
}
