import { signInMethods } from './signInMethods.ts'

/** Every endpoint by its name. For servers and tools: it loads Zod, which a browser has no use for. */
export const contract = { ...signInMethods }

export type Contract = typeof contract
export type { EndpointContract } from './EndpointContract.ts'
