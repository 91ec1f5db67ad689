import type { z } from 'zod'
import type { Method } from '../endpoints.ts'
import type { Reason } from '../reasons.ts'
import type { ClassRight, ScopePart } from '../scopes.ts'

/**
 * Contract of an endpoint. The server parses input with it before the handler runs, tests check output against it, and
 * the API description and the client's types are generated from it. Browsers never load Zod: they use `endpoints`
 * (method, path and session, generated from this) and types only.
 */
export type EndpointContract = {
  method: Method
  /** Under the mount; `:name` is a part that `params` describes. */
  path: string
  summary: string
  /** The client's list that has it: pages load `app`, and `chain` with the first such read. Default: `operator` with `access` to them alone, else `app`. */
  list?: 'app' | 'chain' | 'operator'
  /** The parts of the path. */
  params?: z.ZodObject
  /** The body, or the query of a GET. */
  input?: z.ZodObject
  output: z.ZodType
  /**
   * Caller that it needs: `user`, a session; `master`, the master key; `operator`, an operator in the console or the
   * master key, while others find nothing (404).
   */
  access?: 'user' | 'master' | 'operator'
  /** Roles of operators that may call it; all of them unless given. */
  operators?: readonly ('admin' | 'support' | 'viewer')[]
  /**
   * Scope that a token needs: `any` for every token, the `class` or `function` that the path names, or one scope. Deny by
   * default: without it the endpoint refuses every token.
   */
  scope?: 'any' | 'class' | 'function' | ScopePart | `${string}:${ClassRight}` | `function:${string}`
  /** A session that comes along is checked first (default), ignored, or ignored where it is not valid. */
  session?: 'checked' | 'dropped' | 'tolerated'
  /** Clients send no session with it, although one would be looked at: it is for people without one. */
  sessionless?: true
  /** The status of a success, where it is not 200. */
  status?: number
  /** The values of the query are texts, even where they look like numbers. */
  textQuery?: true
  /** Null and empty text in the input stand for nothing, as the older clients send them. */
  omitsEmpty?: true
  /** The sentence for a field that is missing, where older clients know another than ours. */
  missing?: (field: string) => string
  /** A repeat with the same request id gets the first response. */
  once?: true
  /** Bound to the asking browser: `begins` sets the cookie for it, `ends` clears it. */
  binds?: 'begins' | 'ends'
  /** Reasons of this endpoint, in addition to those of every endpoint. */
  reasons?: readonly Reason[]
}
