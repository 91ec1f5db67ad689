import { chain, solana } from './chain.ts'
import { jobs } from './jobs.ts'
import { operations } from './operations.ts'
import { schemas } from './schemas.ts'
import { signInMethods } from './signInMethods.ts'
import { remoteCode, webhooks } from './webhooks.ts'

/** Every endpoint by its name. For servers and tools: it loads Zod, which a browser has no use for. */
export const contract = {
  ...signInMethods,
  ...schemas,
  ...operations,
  ...jobs,
  ...webhooks,
  ...remoteCode,
  ...chain,
  ...solana,
}

export type Contract = typeof contract
export * as chainFields from './chainFields.ts'
export type { EndpointContract } from './EndpointContract.ts'
