import type { Endpoint } from '../Endpoint.ts'

export const objectEndpoints: Endpoint[] = []
