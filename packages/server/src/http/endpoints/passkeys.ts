import type { Endpoint } from '../Endpoint.ts'

export const passkeyEndpoints: Endpoint[] = []
