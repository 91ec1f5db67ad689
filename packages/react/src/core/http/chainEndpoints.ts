import { type AppEndpointName, chainEndpoints, type EndpointPlace } from '@countersign/protocol'

/** Where an endpoint is that reads chains. Fetched with the first of them: most pages read none. */
export function findChainEndpoint(name: AppEndpointName): EndpointPlace {
  return chainEndpoints[name as keyof typeof chainEndpoints]
}
