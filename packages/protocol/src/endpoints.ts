import type { chainEndpoints } from './generated/chainEndpoints.ts'
import type { endpoints } from './generated/endpoints.ts'
import type { EndpointReasons, EndpointTypes } from './generated/endpointTypes.ts'

export type EndpointName = keyof EndpointTypes

/** Endpoints that an application calls. */
export type AppEndpointName = keyof typeof endpoints | keyof typeof chainEndpoints

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Location of an endpoint under the mount. `:name` is taken from the input. `sessionless`: no session is sent.
 * `textQuery`: query values are sent as plain text, not as JSON.
 */
export type EndpointPlace = { method: Method; path: string; sessionless?: true; textQuery?: true }

/** Reasons of an endpoint, in addition to those of every endpoint. */
export type EndpointReason<Name extends EndpointName> = Name extends keyof EndpointReasons
  ? EndpointReasons[Name]
  : never
