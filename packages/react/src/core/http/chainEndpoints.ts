import { type AppEndpointName, chainEndpoints, type EndpointPlace } from '@countersign/protocol'

/** Location of a chain endpoint. Loaded with the first one: most pages read none. */
export function findChainEndpoint(name: AppEndpointName): EndpointPlace {
  return chainEndpoints[name as keyof typeof chainEndpoints]
}
